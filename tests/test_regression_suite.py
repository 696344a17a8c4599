"""The files of the course's form, with the meaning that gogui-regress gives to them."""

import re

import pytest

from tests.engine import PATIENCE, SCRIPT, start

SUITES = [(SCRIPT.parent / "assignment-public-tests.gtp", ()),
          (SCRIPT.parent / "tests" / "data" / "ninuki.gtp", ("--course", "2023"))]


def commands_and_patterns(text):
    """(command, pattern or None) for each command of a .gtp file."""
    lines = text.splitlines()
    for line, following in zip(lines, [*lines[1:], ""]):
        if line.partition("#")[0].strip():
            pattern = re.fullmatch(r"#\? ?\[(.*)\]", following.strip())
            yield line, pattern and pattern[1]


@pytest.fixture(scope="module", params=SUITES, ids=lambda suite: suite[0].stem)
def suite(request):
    """The text of a file, and the options that it is meant for."""
    path, options = request.param
    return path.read_text(), options


@pytest.fixture(scope="module")
def answers(suite):
    """What a real engine answers to the commands of the suite, one after the other."""
    text, options = suite
    process = start(*options)
    cases = list(commands_and_patterns(text))
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


def test_patterns_stand_right_after_their_command(suite):
    lines = suite[0].splitlines()
    for before, line in zip(lines, lines[1:]):
        if line.startswith("#?"):
            assert before.partition("#")[0].strip(), line


def test_ids_are_unique_and_have_a_pattern(suite):
    numbered = [(command.split()[0], pattern)
                for command, pattern in commands_and_patterns(suite[0])
                if command[0].isdigit()]
    assert len({number for number, _ in numbered}) == len(numbered) > 30
    assert all(pattern is not None for _, pattern in numbered)
