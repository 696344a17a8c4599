"""An engine that answers as it is told, for tests of regress.

    python stub.py [BEHAVIOUR]
"""

import sys
import time

behaviour = sys.argv[1] if len(sys.argv) > 1 else ""
LINE_END = "\r\n" if behaviour == "crlf" else "\n"
EVIL = "\x1b]0;mine\x07<script>alert(1)</script>"


def say(text):
    sys.stdout.write(text)
    sys.stdout.flush()


for line in sys.stdin:
    words = line.partition("#")[0].split()
    number = words.pop(0) if words and words[0].isdigit() else ""
    if not words:
        continue
    word, rest = words[0], " ".join(words[1:])
    sign, text = "=", {"name": "Stub", "cputime": "0.1"}.get(word, rest)
    if word == "quit":
        if behaviour == "noquit":
            break
        sign = "?" if behaviour == "badquit" else "="
    elif word == "die":
        break
    elif word == "mutter":
        say("hm\n")
        continue
    elif word == "hang":
        time.sleep(3600)
    elif word == "fail":
        sign = "?"
    elif word == "lines":
        text = LINE_END.join(words[1:])
    elif word == "echo_raw":
        text = line.strip().partition("echo_raw ")[2]
    elif word == "escapes":
        text = EVIL
        sys.stderr.write(f"{EVIL}\n")
    if behaviour == "chatty":
        say("thinking\n\nstill\n")
    say(f"{sign}{number} {text}{LINE_END}{LINE_END}")
    if word == "quit":
        break
if behaviour == "dies":
    sys.exit(5)
