"""assignment-public-tests.gtp, with the meaning that gogui-regress gives to it."""

import re

import pytest

from tests.engine import PATIENCE, SCRIPT, start

SUITE = SCRIPT.parent / "assignment-public-tests.gtp"


def commands_and_patterns(text):
    """(command, pattern or None) for each command of a .gtp file."""
    lines = text.splitlines()
    for line, following in zip(lines, [*lines[1:], ""]):
        if line.partition("#")[0].strip():
            pattern = re.fullmatch(r"#\? ?\[(.*)\]", following.strip())
            yield line, pattern and pattern[1]


@pytest.fixture(scope="module")
def answers():
    """What a real engine answers to the commands of the suite, one after the other."""
    process = start()
    cases = list(commands_and_patterns(SUITE.read_text()))
    data = "".join(f"{command}\n" for command, _ in cases).encode()
    out, errors = process.communicate(data, timeout=PATIENCE)
    replies = out.decode().split("\n\n")
    assert len(replies) == len(cases) + 1
    return list(zip(cases, replies))


def test_every_test_passes(answers):
    failures = [(command, pattern, reply) for (command, pattern), reply in answers
                if pattern is not None and not (reply.startswith("=") and re.fullmatch(
                    pattern, reply.partition(" ")[2].strip(), re.DOTALL | re.MULTILINE))]
    assert failures == []


def test_no_command_fails(answers):
    assert [(case, reply) for case, reply in answers if not reply.startswith("=")] == []


def test_patterns_stand_right_after_their_command():
    lines = SUITE.read_text().splitlines()
    for before, line in zip(lines, lines[1:]):
        if line.startswith("#?"):
            assert before.partition("#")[0].strip(), line


def test_ids_are_unique_and_have_a_pattern():
    numbered = [(command.split()[0], pattern)
                for command, pattern in commands_and_patterns(SUITE.read_text())
                if command[0].isdigit()]
    assert len({number for number, _ in numbered}) == len(numbered) > 100
    assert all(pattern is not None for _, pattern in numbered)
