"""A program that shows search info and then behaves in one of several ways.

    python thinker.py gtp|gomocup BEHAVIOUR [PATH]

PATH is a file to which it adds a line at each start.
"""

import os
import sys

GTP_COMMANDS = {  # by behaviour, besides those of every program
    "interrupt": "gogui-interrupt undo", "analyse": "lz-genmove_analyze undo",
    "watch": "kata-analyze undo", "resign": "", "no-undo": ""}
YIXIN = ("stop", "ranks", "ignore-ranks")  # behaviours with Yixin's extensions
protocol, behaviour, *rest = sys.argv[1:]
letters, size, taken = "ABCDEFGHJKLMNOPQRSTUVWXYZ", 15, []


def say(text, end="\n"):
    sys.stdout.write(text + end)
    sys.stdout.flush()


def complain(text):
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def free(number=0):
    return [(x, y) for y in range(size) for x in range(size) if (x, y) not in taken][number]


def wait_for(word):
    for line in sys.stdin:
        if line.strip() == word:
            return
    sys.exit()


def misbehave():
    """Do what the behaviour says once it is asked for a move."""
    if behaviour == "die":
        complain("out of \x1b[2Jluck")
        os._exit(3)
    if behaviour in ("hang", "mute"):
        sys.stdin.read()
    if behaviour == "garbage":
        say("what\x07?")
        sys.stdin.read()


def gomocup():
    global size, taken
    if behaviour == "no-start":
        complain("no licence")
        sys.exit(5)
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "START":
            size = int(rest)
            say("OK" if size < 19 else "ERROR too large")
        elif word == "RESTART":
            taken = []
            say("OK")
        elif word == "ABOUT":
            say('name="thinker"')
        elif word == "YXSHOWINFO":
            say("MESSAGE INFO MAX_THREAD_NUM 1" if behaviour in YIXIN else f"UNKNOWN {word}")
        elif word == "END":
            return
        elif word in ("BOARD", "YXBOARD"):
            taken, setting = [], word
        elif word.count(",") == 2:
            taken.append(tuple(map(int, word.split(",")[:2])))
        elif word == "YXNBEST" and behaviour == "ranks":
            for number in range(int(rest)):
                x, y = free(number)
                say(f"MESSAGE ({number + 1}) {90 - number} | 4-6 | {'ABC'[x]}{size - y}")
            answer(free())
        elif word in ("BEGIN", "TURN") or word == "DONE" and setting == "BOARD":
            if word == "TURN":
                taken.append(tuple(map(int, rest.split(","))))
            think()


def think():
    x, y = free()
    if behaviour != "mute":
        say(f"MESSAGE Depth 3-5 | Eval 12 | Time 7ms | {chr(65 + x)}{size - y}")
        say("MESSAGE \x1b[31mI like this")
    misbehave()
    if behaviour == "stop":
        wait_for("YXSTOP")
    answer(taken[0] if behaviour == "cheat" else (x, y))


def answer(point):
    if point not in taken:
        taken.append(point)
    say("{},{}".format(*point))


def gtp():
    global size
    extra = GTP_COMMANDS.get(behaviour, "undo")
    commands = f"play genmove name list_commands boardsize clear_board {extra}"
    for line in sys.stdin:
        words = line.split()
        if words[0] == "boardsize":
            size = int(words[1])
        if words[0] == "boardsize" and size > 18:
            say("? unacceptable size\n")
        elif words[0] == "play":
            taken.append((letters.index(words[2][0].upper()), int(words[2][1:]) - 1))
            say("= \n")
        elif words[0] == "genmove":
            x, y = free()
            complain(f"depth 4 nodes 1,200 score +7 line {letters[x]}{y + 1}")
            misbehave()
            if behaviour == "interrupt":
                wait_for("# interrupt")
            if behaviour == "cheat":
                x, y = taken[0]
            taken.append((x, y))
            say("= resign\n" if behaviour == "resign" else f"= {letters[x]}{y + 1}\n")
        elif words[0].endswith("analyze"):
            infos = []
            for number in range(2):
                x, y = free(number)
                infos.append(f"info move {letters[x]}{y + 1} visits {9 - number} winrate "
                             f"{0.75 - number / 4} order {number} pv {letters[x]}{y + 1}")
            say(f"=\n{' '.join(infos)}")
            if words[0] == "lz-genmove_analyze":
                taken.append(free())
                say("play A1\n")
            else:
                next(sys.stdin)
                say("\n= 2\n")
        elif words[0] in ("undo", "clear_board"):
            del taken[-1 if words[0] == "undo" else 0:]
            say("= \n")
        elif words[0] in commands.split():
            say(f"= {dict(name='thinker', list_commands=commands).get(words[0], '')}\n"
                .replace(" play", "\nplay") if words[0] == "list_commands" else "= thinker\n")
        else:
            say("= \n" if words[0] == "quit" else "? unknown command\n")


if rest:
    with open(rest[0], "a") as file:
        file.write("started\n")
    if behaviour == "once":  # it dies at its first move only
        with open(rest[0]) as file:
            behaviour = "die" if len(file.readlines()) == 1 else "good"
{"gtp": gtp, "gomocup": gomocup}[protocol]()
