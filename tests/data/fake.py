"""A program that plays the first free points, and after two moves misbehaves.

    python fake.py gtp|gomocup|pipe|in-out|move-file BEHAVIOUR [PATH]

PATH is DIR/NAME of a program over files, or the file of results that is changed.
"""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time

REFUSED = {"boardsize": "unacceptable size", "param": "unknown command"}  # over GTP, if it is asked
CHANGES = {  # what is made of a file of results, before the game goes on
    "append": lambda text: text + b'nonsense\n{"game":',
    "empty": lambda text: b"",
    "forge": lambda text: text.replace(b'"winner":"a"', b'"winner":"b"'),
}
protocol, behaviour, *rest = sys.argv[1:]
asked = 0


def say(text, end="\n"):
    sys.stdout.write(text + end)
    sys.stdout.flush()


def flood(stream):
    while True:
        stream.write("nonsense " * 1000 + "\n")


def misbehave():
    """What is done instead of the third move."""
    if behaviour == "hang":
        time.sleep(3600)
    elif behaviour == "spin":
        while True:
            pass
    elif behaviour == "flood":
        flood(sys.stdout)
    elif behaviour == "flood-errors":
        flood(sys.stderr)
    elif behaviour == "flood-both":
        threading.Thread(target=flood, args=(sys.stderr,)).start()
        flood(sys.stdout)
    elif behaviour == "half":
        say("= A" if protocol == "gtp" else "1,", end="")
        time.sleep(3600)
    elif behaviour == "close":
        os.close(1)
        time.sleep(3600)
    elif behaviour == "die":
        sys.stderr.write("out of luck\n")
        os._exit(3)
    elif behaviour == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    elif behaviour == "garbage":
        sys.stdout.buffer.write(bytes(range(256)) * 10 + b"\n\n")
        sys.stdout.flush()
        time.sleep(3600)
    elif behaviour == "long-line":
        for _ in range(2000):
            say("x" * 100_000, end="")
        time.sleep(3600)
    elif behaviour == "endless":
        while True:
            say("=" if protocol == "gtp" else "12 nodes")
    elif behaviour == "daemon":
        # It leaves; a child of its own holds its output open.
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"])
        os._exit(0)
    elif behaviour == "fork":
        # A child in another session, which holds our output open.
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"],
                         start_new_session=True)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(3600)
    elif behaviour == "no-folder":
        shutil.rmtree(os.path.dirname(rest[0]))
        time.sleep(3600)
    elif behaviour == "remove":
        os.remove(rest[0])
    elif behaviour in CHANGES:
        with open(rest[0], "r+b") as file:
            changed = CHANGES[behaviour](file.read())
            file.seek(0)
            file.write(changed)
            file.truncate()
    elif behaviour == "daemonise":
        # A grandchild that nothing leads back to: neither a group, a pipe nor an environment.
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                for descriptor in range(3):
                    os.dup2(os.open(os.devnull, os.O_RDWR), descriptor)
                os.execve(sys.executable, [sys.executable, "-c", "import time; time.sleep(3600)",
                                           *rest], {})
            os._exit(0)
        time.sleep(3600)
    elif behaviour == "kill-parent":
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(3600)
    elif behaviour == "stop-parent":
        os.kill(os.getppid(), signal.SIGSTOP)
        time.sleep(3600)
    return behaviour == "obstinate"


def first_free(taken, size):
    return next((x, y) for y in range(size) for x in range(size) if (x, y) not in taken)


def times():
    """How often a move is answered with."""
    return 2 if behaviour == "twice" and asked == 3 else 1


def turn():
    global asked
    asked += 1
    sys.stderr.write(f"thinking about move {asked}\n")
    sys.stderr.flush()
    if behaviour == "deaf":
        os._exit(3)
    if behaviour == "loads" and asked == 1:
        time.sleep(1)
    if asked == 3 and behaviour != "good":
        if behaviour == "obstinate":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        else:
            misbehave()


def gtp():
    letters, taken, size = "ABCDEFGHJKLMNOPQRSTUVWXYZ", set(), 7
    for line in sys.stdin:
        words = line.split()
        if words[0] == "boardsize":
            size = int(words[1])
        if words[0] == "play":
            taken.add((letters.index(words[2][0].upper()), int(words[2][1:]) - 1))
        answer = {"name": "fake", "list_commands": "play\ngenmove"}.get(words[0], "")
        if words[0] == "play" and behaviour == "refuses" and len(taken) > 3:
            answer = 'illegal move: "x" occupied'
        if words[0] == "genmove":
            turn()
            x, y = first_free(taken, size)
            taken.add((x, y))
            answer = "\n\n= ".join(times() * [f"{letters[x]}{y + 1}"])
        say(f"? {words[0]}: {REFUSED[behaviour]}\n" if behaviour == words[0] else f"= {answer}\n")
        if words[0] == "quit" and behaviour != "obstinate":
            return
    while behaviour == "obstinate":
        time.sleep(1)


def gomocup():
    taken, size = set(), 0
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "START":
            size = int(rest)
            say("MESSAGE hello\r\nOK", end="\r\n")
        elif word == "END":
            return
        elif word == "ABOUT" and behaviour != "half":
            say('name="fake", version="1"')
        elif word == "INFO":
            time.sleep(0.003)
            say(f"UNKNOWN {line.strip()}\n12 nodes")
        elif word in ("BEGIN", "TURN", "DONE"):
            if word == "TURN":
                taken.add(tuple(map(int, rest.split(","))))
            turn()
            x, y = first_free(taken, size)
            taken.add((x, y))
            say("DEBUG thinking\n" + times() * f"{x}, {y}\r\n", end="")
            if behaviour == "chatter" and asked == 2:
                flood(sys.stdout)
        elif word == "BOARD":
            taken = set()
        elif word.count(",") == 2:
            taken.add(tuple(map(int, word.split(",")[:2])))


def pipe():
    taken, own = set(), sys.stdin.readline().strip()
    if own == "R":
        turn()
        taken.add((0, 0, 0))
        say("R,0,0,0")
    for line in sys.stdin:
        text = line.strip("\0\n")
        if text == "exit":
            return
        if text.count(",") != 3 or tuple(map(int, text.split(",")[1:])) in taken:
            say("ERROR")
            continue
        taken.add(tuple(map(int, text.split(",")[1:])))
        turn()
        move = next((x, y, z) for z in range(4) for y in range(4) for x in range(4)
                    if (x, y, z) not in taken)
        taken.add(move)
        wrong = {"invalid": f"{own},0,0,0", "says-error": "ERROR", "says-over": "GAMEOVER"}
        text = ",".join([own, *map(str, move)])
        say(times() * f"{wrong.get(behaviour, text) if asked == 3 else text}\n", end="")


def read(path):
    while True:
        try:
            with open(path) as file:
                text = file.read()
            if text.strip():
                return text.strip()
        except OSError:
            pass
        time.sleep(0.01)


def write(path, *parts):
    """A file that is there before it is whole; only where the referee may wait for ever for it."""
    with open(path, "w") as file:
        for part in parts:
            file.write(part)
            if behaviour == "good":
                file.flush()
                time.sleep(0.03)


def in_out():
    path = rest[0]
    own = read(path + ".in")
    os.remove(path + ".in")
    taken, moves = set(), 0
    while True:
        if moves or own == "B":
            words = read(path + ".in").strip("()").split()
            os.remove(path + ".in")
            taken.add((ord(words[1]) - 65, int(words[2]) - 1))
        if asked == 2 and behaviour == "half":
            with open(path + ".out", "w") as file:
                file.write(f"({own} ")
            time.sleep(3600)
        if asked == 2 and behaviour == "fifo":
            os.mkfifo(path + ".out")
            time.sleep(3600)
        if asked == 2 and behaviour == "folder":
            os.mkdir(path + ".in")
        turn()
        x, y = first_free(taken, 7)
        taken.add((x, y))
        moves += 1
        write(path + ".out", "(", f"{own} ", chr(65 + x), f" {y + 1}", ")\n")


def move_file():
    folder, name = os.path.split(rest[0])
    shared, taken = os.path.join(folder, "move_file"), set()
    while True:
        while not os.path.exists(rest[0] + ".go"):
            time.sleep(0.01)
        if os.path.exists(os.path.join(folder, "end_game")):
            return
        with open(shared) as file:
            words = file.read().split()
        if words[:1] == [name.lower()]:  # the turn before; a busy machine may miss its end
            time.sleep(0.005)
            continue
        if behaviour == "slow":
            time.sleep(3600)
        if words:
            taken.add((ord(words[1]) - 65, int(words[2]) - 1))
        turn()
        x, y = first_free(taken, 7)
        taken.add((x, y))
        write(shared, f"{name.lower()} ", chr(97 + x), f" {y + 1}", "\n")


{"gtp": gtp, "gomocup": gomocup, "pipe": pipe, "in-out": in_out, "move-file": move_file}[protocol]()
