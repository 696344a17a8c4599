"""Text of others on a terminal."""

import pytest

from gtp_engine.command_line.terminal import Parser, harmless

TEXTS = [  # a text, what is shown of it
    ("", ""), ("Ann ☃ ö \\ 'x'", "Ann ☃ ö \\ 'x'"), ("\x1b[2J", r"\x1b[2J"),
    ("a\nb\rc\td", r"a\nb\rc\td"),
    ("\x9b31m\x85\x00\x7f", r"\x9b31m\x85\x00\x7f"),
    ("\u202eabc\u2066\u200f", r"\u202eabc\u2066\u200f"),
    ("\u2028\ufeff\U000e0001", r"\u2028\ufeff\U000e0001"), ("\udc80", r"\udc80"),
]


@pytest.mark.parametrize("text, shown", TEXTS)
def test_what_is_shown(text, shown):
    assert harmless(text) == shown and shown.isprintable()
    assert harmless(shown) == shown


def test_complaints_about_files_of_others(capsys):
    with pytest.raises(SystemExit) as end:
        Parser(prog="x").error("no such setting: \x1b[2J\nx: all is well")
    assert end.value.code == 2
    assert capsys.readouterr().err.splitlines()[-1] == (
        r"x: error: no such setting: \x1b[2J\nx: all is well")
