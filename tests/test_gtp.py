"""The dispatcher: framing, arity, errors; and lines as they come out of a stream."""

from io import BytesIO

import pytest

from gtp_engine.protocols.gtp.dispatcher import Dispatcher, GtpError
from gtp_engine.wire.streams import LONGEST_LINE, split_lines


@pytest.fixture
def dispatcher():
    class Commands:
        def echo(self, word, more="-"):
            """echo WORD [MORE]

            The words.

            And nothing else.
            """
            return f"{word} {more}"

        def fail(self):
            """fail"""
            raise GtpError("on purpose")

        def bug(self):
            """bug"""
            return 1 // 0

        def many(self, *words):
            """many [WORD]..."""
            return "\n".join(words)

    commands = Commands()
    dispatcher = Dispatcher()
    dispatcher.add([commands.echo, commands.fail, commands.bug, commands.many])
    return dispatcher


REPLIES = [
    (b"echo a", "= a -\n\n"),
    (b"echo a b", "= a b\n\n"),
    (b"  12   echo\ta  b  # why", "=12 a b\n\n"),
    (b"007 echo x\r", "=007 x -\n\n"),
    (b"12echo a", "=12 a -\n\n"),
    (b"1\x00 ec\x07ho \x7fa", "=1 a -\n\n"),
    (b"", None),
    (b" \t\r", None),
    (b"# 1 echo a", None),
    (b"#", None),
    (b"5", "?5 no command\n\n"),
    (b"5 #", "?5 no command\n\n"),
    (b"-1 echo", "? unknown command\n\n"),
    (b"ECHO a", "? unknown command\n\n"),
    (b"9 nonsense", "?9 unknown command\n\n"),
    (b"\xff\xfe", "? unknown command\n\n"),
    (b"\xd9\xa3 echo a", "? unknown command\n\n"),  # an Arabic digit is no id
    (b"echo \xc3\xa4", "= ä -\n\n"),
    (b"echo", "? usage: echo WORD [MORE]\n\n"),
    (b"3 echo a b c", "?3 usage: echo WORD [MORE]\n\n"),
    (b"fail", "? on purpose\n\n"),
    (b"many", "= \n\n"),
    (b"many a b", "= a\nb\n\n"),
    (b"known_command echo", "= true\n\n"),
    (b"known_command Echo", "= false\n\n"),
    (b"protocol_version", "= 2\n\n"),
    (b"help echo", "= echo WORD [MORE]\nThe words.\nAnd nothing else.\n\n"),
    (b"help nonsense", "? unknown command\n\n"),
    (b"1 echo " + b"x" * LONGEST_LINE, f"?1 line longer than {LONGEST_LINE} bytes\n\n"),
]


@pytest.mark.parametrize("line, reply", REPLIES, ids=[repr(line[:20]) for line, _ in REPLIES])
def test_replies(dispatcher, line, reply):
    assert dispatcher.respond(line) == reply


def test_internal_error_is_reported_and_survived(dispatcher, caplog):
    assert dispatcher.respond(b"4 bug") == "?4 internal error\n\n"
    assert "ZeroDivisionError" in caplog.text and "bug" in caplog.text
    assert dispatcher.respond(b"echo on") == "= on -\n\n"


def test_list_and_help_name_every_command(dispatcher):
    names = dispatcher.call("list_commands").split()
    assert names == list(dispatcher.handlers) and "echo" in names
    assert [line.split()[0] for line in dispatcher.call("help").splitlines()] == names
    for name in names:
        assert dispatcher.call("help", name).split()[0] == name


def test_quit(dispatcher):
    assert dispatcher.respond(b"1 quit") == "=1 \n\n"
    assert dispatcher.finished


class Trickle(BytesIO):
    """A stream that gives a few bytes at a time."""

    def read(self, size=-1):
        return super().read(3)


@pytest.mark.parametrize("stream", [BytesIO, Trickle])
@pytest.mark.parametrize("data, lines", [
    (b"", []),
    (b"a\nbc\n", [b"a", b"bc"]),
    (b"name\r\n\nlast", [b"name\r", b"", b"last"]),
    (b"abcdefgh\ni", [b"abcdefgh", b"i"]),
])
def test_split_lines(stream, data, lines):
    assert [line for some in split_lines(stream(data)) for line in some] == lines


def test_endless_line_is_cut():
    lines = [line for some in split_lines(BytesIO(b"x" * 5 * LONGEST_LINE + b"\nname\n"))
             for line in some]
    assert lines[1] == b"name"
    assert LONGEST_LINE < len(lines[0]) < LONGEST_LINE + (1 << 17)
