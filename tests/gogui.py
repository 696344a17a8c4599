"""A scripted GoGui: talks to real engine processes as GoGui 1.6.0 does, and is as easily upset.

What it sends was seen between the real program and an engine; what it accepts is what the real
program can read.
"""

import queue
import re
import threading
import time

from tests.engine import PATIENCE, start

LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
TYPES = set("bwboard cboard dboard eplist gfx hpstring hstring none param plist pspairs pstring "
            "sboard string var varb varc varp varpo varw".split())


class Process:
    """One engine process.  Its replies are read by GoGui's rules, its standard error by lines.

    gfx        the live graphics so far, each a text of one or more lines
    compiling  the lines of standard error that say what is compiled
    errors     its other lines
    """

    def __init__(self, *options, **streams):
        self.process = start(*options, **streams)
        self.replies, self.gfx, self.compiling, self.errors = queue.Queue(), [], [], []
        for work in (self._read_replies, self._read_errors):
            threading.Thread(target=work, daemon=True).start()

    def _read_replies(self):
        block = []
        for line in self.process.stdout:
            if not block:
                assert line[:1] in b"=?", f"a reply begins with {line!r}"
            block.append(line.decode())
            if line == b"\n":
                self.replies.put("".join(block))
                block = []
        self.replies.put("".join(block) or None)

    def _read_errors(self):
        block = None
        for line in self.process.stderr:
            line = line.decode().rstrip("\n")
            if block is not None:
                if line:
                    block.append(line)
                else:
                    self.gfx.append("\n".join(block))
                    block = None
            elif line == "gogui-gfx:":
                block = []
            elif line.startswith("gogui-gfx: "):
                self.gfx.append(line.partition(" ")[2])
            elif line.startswith("compiling "):
                self.compiling.append(line)
            else:
                self.errors.append(line)

    def send(self, line):
        assert self.replies.empty(), "something came that nobody had asked for"
        self.process.stdin.write(line.encode() + b"\n")

    def reply(self):
        """The text of the next reply: what follows the first blank of the block."""
        block = self.replies.get(timeout=PATIENCE)
        assert block and block.endswith("\n\n") and block[0] == "=", block
        return block.partition(" ")[2][:-2]

    def ask(self, line):
        self.send(line)
        return self.reply()

    def refuse(self, line):
        """Send what the engine may not carry out; how it says so does not matter."""
        self.send(line)
        assert self.replies.get(timeout=PATIENCE)

    def close(self):
        """End it as GoGui does at last, by closing its input; it leaves at once and silently."""
        self.process.stdin.close()
        assert self.process.wait(timeout=PATIENCE) == 0
        assert self.replies.get(timeout=PATIENCE) is None


class GoGui:
    """GoGui with an engine attached: a player and, in another process, the rules.

    moves   those on the board, as (colour letter, point)
    undone  those that were taken back and can be played again, the next one last
    """

    def __init__(self, *options, time_settings=None):
        self.options, self.time_settings = options, time_settings
        self.moves, self.undone, self.set_up = [], [], []
        self.player = Process(*options)
        for command in ("name", "protocol_version", "version"):
            assert self.player.ask(command)
        self.commands = self.player.ask("list_commands").split("\n")
        assert len(set(self.commands)) == len(self.commands)
        assert {"gogui-rules_game_id", "gogui-rules_legal_moves",
                "gogui-rules_side_to_move"} <= set(self.commands)
        assert "gogui-rules_setup" not in self.commands
        self.player.ask("gogui-interrupt")
        abandoned = Process(*options)
        self.greet(abandoned)
        silent = Process(*options)
        self.rules = Process(*options)
        self.greet(self.rules)
        self.size = int(self.rules.ask("gogui-rules_board_size"))
        self.game = self.rules.ask("gogui-rules_game_id")
        assert re.fullmatch(r"[\w-]+", self.game) and self.game != "Go"
        self.state()
        assert self.player.ask("gogui-rules_game_id") == self.game
        self.new_game()
        for command in ("gogui-rules_game_id", "gogui-rules_board_size", "gogui-rules_game_id",
                        "name", "protocol_version"):
            self.player.ask(command)
        self.player.ask("gogui-version 1.6.0")
        self.menu = self.read_menu()
        for process in (abandoned, silent):
            process.close()
        self.new_game()

    def greet(self, process):
        commands = process.ask("list_commands").split("\n")
        assert commands == self.commands
        for command in ("gogui-interrupt", "gogui-rules_game_id", "gogui-rules_board_size",
                        "clear_board", "gogui-rules_board", "gogui-rules_board_size",
                        "gogui-rules_captured_count"):
            process.ask(command)

    def read_menu(self):
        """The analyze menu as (type, label, command); one bad line would lose the whole of it."""
        menu = []
        for line in self.player.ask("gogui-analyze_commands").split("\n"):
            kind, label, command = line.split("/")
            assert kind in TYPES and label and "%c" not in label, line
            assert command.split()[0] in self.commands, line
            assert set(re.findall("%.", command)) <= {"%c", "%m", "%p", "%P", "%s", "%o", "%r",
                                                      "%w"}
            menu.append((kind, label, command))
        assert len({label for _, label, _ in menu}) == len(menu)
        return menu

    def new_game(self):
        """An empty board in both processes."""
        self.moves, self.undone, self.set_up = [], [], []
        for command in (f"boardsize {self.size}", "clear_board", "komi 6.5"):
            assert self.player.ask(command) == ""
        if self.time_settings:
            assert self.player.ask(f"time_settings {self.time_settings}") == ""
        assert "\n" not in self.player.ask("gogui-title")
        self.replay()

    # --- the rules process --------------------------------------------------------------------

    def state(self):
        """What the rules process says of its position: (rows, captured, side to move)."""
        rows = self.rules.ask("gogui-rules_board").split("\n")
        assert [len(row) for row in rows] == [self.size] * self.size
        assert set("".join(rows)) <= set("XO.?")
        assert self.rules.ask("gogui-rules_board_size") == str(self.size)
        captured = self.rules.ask("gogui-rules_captured_count")
        assert re.fullmatch("[0-9]+ [0-9]+", captured)
        side = self.rules.ask("gogui-rules_side_to_move")
        assert side in ("black", "white")
        return rows, captured, side

    def replay(self):
        """Everything from the start in the rules process; then the last move again, twice."""
        self.rules.ask("clear_board")
        empty, captured, side = self.state()
        assert set("".join(empty)) <= {".", "?"} and captured == "0 0"
        for _ in range(1 + len(self.moves)):
            assert self.rules.ask("gogui-rules_side_to_move") == side
        self.rules.ask("clear_board")
        for colour, point in self.moves:
            assert self.rules.ask(f"play {colour} {point}") == ""
        before = self.state()
        if self.moves:
            for _ in range(2):
                self.rules.refuse("play {} {}".format(*self.moves[-1]))
            assert self.state() == before
        self.rows, self.captured, self.side = before
        self.rules_gfx = self.rules.ask("gogui-rules_board_gfx")
        check_gfx(self.rules_gfx, self.size)
        self.legal = self.legal_moves()

    def legal_moves(self):
        replies = {self.rules.ask("gogui-rules_legal_moves") for _ in range(3)}
        text, = replies
        points = text.split(" ") if text else []
        assert points == sorted(set(points)) and "pass" not in points
        assert all(is_point(point, self.size) for point in points)
        return points

    @property
    def over(self):
        return not self.legal

    def result(self):
        """The text of the dialog at the end of a game."""
        return self.rules.ask("gogui-rules_final_result")

    # --- what a user does ---------------------------------------------------------------------

    def click(self, point):
        """Play a stone of the side to move."""
        assert point in self.legal
        move = self.side[0].upper(), point
        assert self.player.ask("play {} {}".format(*move)) == ""
        self.played(move)

    def genmove(self, left=None):
        """Let the engine play; returns its point."""
        if left:
            assert self.player.ask(f"time_left {self.side[0]} {left}") == ""
        self.player.send(f"genmove {self.side[0]}")
        return self.generated()

    def generated(self):
        """Take the answer to a genmove."""
        point = self.player.reply()
        assert point in self.legal, point
        self.played((self.side[0].upper(), point))
        return point

    def played(self, move):
        self.moves.append(move)
        self.undone = []
        self.replay()
        self.agree()

    def escape(self):
        """The Esc key while a command runs."""
        self.player.send("# interrupt")

    def back(self, count):
        """Take back so many moves."""
        assert self.player.ask("undo" if count == 1 else f"gg-undo {count}") == ""
        for _ in range(count):
            self.undone.append(self.moves.pop())
        self.replay()
        self.agree()

    def forward(self, count):
        """Play so many of them again."""
        for _ in range(count):
            self.moves.append(self.undone.pop())
        text = " ".join(f"{colour} {point}" for colour, point in self.moves[-count:])
        assert self.player.ask(f"gogui-play_sequence {text}") == ""
        self.replay()
        self.agree()

    def set_up_stones(self, stones, colour):
        """Stones on an empty board, given as [(colour letter, point)], and whose turn it is."""
        self.new_game()
        text = " ".join(f"{colour} {point}" for colour, point in stones)
        assert self.player.ask(f"gogui-setup {text}") == ""
        assert self.player.ask(f"gogui-setup_player {colour}") == ""

    def agree(self):
        """Both processes see the same game."""
        assert self.player.ask("gogui-rules_board").split("\n") == self.rows
        assert self.player.ask("gogui-rules_captured_count") == self.captured
        assert self.player.ask("gogui-rules_side_to_move") == self.side
        assert self.player.ask("gogui-rules_legal_moves") == " ".join(self.legal)

    def analyze(self, kind, command):
        """The reply to a command of the menu, found to be of its type."""
        reply = self.player.ask(command)
        check(kind, reply, self.size)
        return reply

    def close(self):
        for process in (self.player, self.rules):
            assert process.ask("quit") == ""
            process.close()

    def wait_for_gfx(self, count):
        """Until so many more pictures of a player at work have come from the running command."""
        def number():
            return sum(not text.startswith("TEXT compiling") for text in self.player.gfx)

        wanted, end = number() + count, time.monotonic() + PATIENCE
        while number() < wanted:
            assert time.monotonic() < end and self.player.replies.empty()
            time.sleep(0.01)


# --- what GoGui can read ------------------------------------------------------------------------

def is_point(text, size):
    return bool(re.fullmatch("[A-Z][0-9]{1,2}", text) and text[0] in LETTERS[:size]
                and 1 <= int(text[1:]) <= size)


def check(kind, reply, size):
    """Fail unless GoGui can show the reply as what the menu says it is."""
    words = reply.split()
    if kind == "none":
        assert reply == ""
    elif kind == "plist":
        assert all(is_point(word, size) for word in words)
    elif kind == "pspairs":
        assert len(words) % 2 == 0 and all(is_point(word, size) for word in words[::2])
    elif kind == "gfx":
        check_gfx(reply, size)
    elif kind == "var":
        check_variation(words, size)
    elif kind == "param":
        for line in reply.split("\n"):
            assert re.fullmatch(r"\[(bool|string|list(/\S+)+)\] \S+ \S.*", line), line
    else:
        assert kind in ("string", "hstring", "pstring", "hpstring")


def check_gfx(text, size):
    """Fail unless every line is a command of GoGui's graphics."""
    for line in text.split("\n") if text else ():
        command, _, rest = line.partition(" ")
        words = rest.split(" ")
        if command in ("BLACK", "WHITE", "CIRCLE", "MARK", "SQUARE", "TRIANGLE"):
            points = words
        elif command == "COLOR":
            assert re.fullmatch("#[0-9a-f]{6}|[a-z]+", words[0]), line
            points = words[1:]
        elif command == "LABEL":
            points = words[:1]
            assert len(words) == 2 and words[1], line
        elif command == "VAR":
            check_variation(words, size)
            points = []
        else:
            assert command in ("TEXT", "CLEAR"), line
            points = []
        assert all(is_point(point, size) for point in points), line
        assert len(set(points)) == len(points), line


def check_variation(words, size):
    assert len(words) % 2 == 0
    assert all(word in ("b", "w") for word in words[::2])
    assert all(a != b for a, b in zip(words[::2], words[2::2]))
    assert all(is_point(word, size) for word in words[1::2])
