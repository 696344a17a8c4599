"""Translation of Java's regular expressions, which gogui-regress uses, to Python's."""

import re
import unicodedata
from functools import lru_cache
from typing import Optional

BLANKS = r"\t \xa0\u1680\u180e\u2000-\u200a\u202f\u205f\u3000"
LINE_ENDS = r"\n\x0b\f\r\x85\u2028\u2029"
SETS = {  # \p{NAME}, as the inside of a character class
    "Lower": "a-z", "Upper": "A-Z", "ASCII": r"\x00-\x7f", "Alpha": "a-zA-Z", "Digit": "0-9",
    "Alnum": "a-zA-Z0-9", "Punct": r"!-/:-@\[-`{-~", "Graph": "!-~", "Print": " -~",
    "Blank": r" \t", "Cntrl": r"\x00-\x1f\x7f", "XDigit": "0-9a-fA-F", "Space": r" \t\n\x0b\f\r"}
SHORT = {"h": BLANKS, "v": LINE_ENDS, "H": BLANKS, "V": LINE_ENDS}
SAME = "tnrfdDwWsS"  # escapes with the same meaning in both, also inside a class
ENDS = {"A": r"\A", "z": r"\Z", "Z": r"(?=\n?\Z)", "b": r"\b", "B": r"\B",
        "R": rf"(?:\r\n|[{LINE_ENDS}])"}
FLAGS = {"i": "i", "m": "m", "s": "s", "x": "x", "d": "", "u": "", "U": ""}
ANY = r"[\s\S]"
REPETITION = re.compile(r"\{[0-9]+(,[0-9]*)?\}")
CODES = (r"x([0-9a-fA-F]{2})", r"x\{([0-9a-fA-F]+)\}", r"u([0-9a-fA-F]{4})")


def compiled(text: str) -> re.Pattern[str]:
    """Compile a pattern with DOTALL and MULTILINE, for `fullmatch`.  Raises ValueError."""
    try:
        return re.compile(Translation(text).result, re.ASCII | re.DOTALL | re.MULTILINE)
    except (re.error, OverflowError, RecursionError) as error:
        raise ValueError(f"not a regular expression: {text}: {error}") from None


class Translation:
    """Translation of a Java pattern, from left to right; `result` is the Python pattern.

    Raises ValueError for syntax that is not Java's, or that Python does not support.
    """

    def __init__(self, text: str):
        self._text = re.sub(r"((?<!\\)(?:\\\\)*)\\Q(.*?)(?:\\E|\Z)",
                            lambda match: match[1] + re.escape(match[2]), text, flags=re.DOTALL)
        self._at = 0
        # For each open group, the flag groups opened inside it, which end with it.
        self._switched: list[list[str]] = [[]]
        parts = []
        while self._at < len(self._text):
            parts.append(self._part())
        if len(self._switched) > 1:
            raise self._error("a group is not closed")
        self.result = "".join(parts) + ")" * len(self._switched[0])

    def _error(self, reason: str) -> ValueError:
        return ValueError(f"not a regular expression: {self._text}: {reason}")

    def _take(self, length: int = 1) -> str:
        symbols = self._text[self._at:self._at + length]
        if len(symbols) < length:
            raise self._error("it ends too early")
        self._at += length
        return symbols

    def _match(self, pattern: str) -> Optional[re.Match[str]]:
        # Matches the pattern at the current place and moves past the match.
        match = re.compile(pattern).match(self._text, self._at)
        self._at += len(match[0]) if match else 0
        return match

    def _part(self) -> str:
        symbol = self._take()
        if symbol == "\\":
            return self._escape()
        if symbol == "[":
            return self._class()
        if symbol == "(":
            return self._group()
        if symbol == ")":
            if len(self._switched) == 1:
                raise self._error("a closing bracket without a group")
            return ")" * (1 + len(self._switched.pop()))
        if symbol == "|":
            flags = self._switched[-1]
            return ")" * len(flags) + "|" + "".join(flags)
        if symbol == "^":  # in Java no line begins at the end of the text
            return r"^(?!\Z)"
        if symbol == "{":
            repetition = REPETITION.match(self._text, self._at - 1)
            if not repetition:
                raise self._error("{ without a number")
            return symbol + self._take(len(repetition[0]) - 1)
        return symbol

    def _group(self) -> str:
        if self._text[self._at:self._at + 1] != "?":
            self._switched.append([])
            return "("
        if self._match(r"\?<(?=[a-zA-Z])"):
            self._switched.append([])
            return "(?P<"
        if plain := self._match(r"\?(?::|=|!|>|<=|<!)"):
            self._switched.append([])
            return f"({plain[0]}"
        flags = self._match(r"\?([imsxduU]*)(?:-([imsxduU]+))?([:)])")
        if not flags:
            raise self._error("an unknown kind of group")
        on, off = ("".join(FLAGS[flag] for flag in part or "") for part in flags.groups()[:2])
        opening = f"(?{on}{'-' + off if off else ''}:"
        if flags[3] == ":":
            self._switched.append([])
        else:
            self._switched[-1].append(opening)
        return opening

    def _escape(self) -> str:
        # Translates the symbols after a backslash, outside a class.
        if code := self._code():
            return code
        symbol = self._take()
        if symbol in ENDS:
            return ENDS[symbol]
        if symbol == "k":
            name = self._match("<([a-zA-Z][a-zA-Z0-9]*)>")
            if not name:
                raise self._error(r"\k without a name")
            return f"(?P={name[1]})"
        if symbol in "123456789":
            return f"(?:\\{symbol})"
        return self._set(symbol)

    def _code(self) -> str:
        # Translates a symbol given by its code; "" without one.
        for pattern in CODES:
            if code := self._match(pattern):
                return re.escape(chr(int(code[1], 16)))
        if octal := self._match("0([0-3]?[0-7]{1,2})"):
            return re.escape(chr(int(octal[1], 8)))
        if control := self._match("c(.)"):
            return re.escape(chr(ord(control[1]) ^ 64))
        if special := self._match("[ae]"):
            return {"a": r"\x07", "e": r"\x1b"}[special[0]]
        return ""

    def _set(self, symbol: str) -> str:
        # Translates a letter for a set of symbols, or a symbol for itself.
        if symbol in SAME:
            return f"\\{symbol}"
        if symbol in SHORT:
            return f"[{'^' if symbol.isupper() else ''}{SHORT[symbol]}]"
        if symbol in "pP":
            name = self._match(r"\{(\w+)\}|(\w)")
            inside = name and _named_set(name[1] or name[2])
            if not inside:
                raise self._error(rf"\{symbol} without the name of a supported set")
            return f"[{'^' if symbol == 'P' else ''}{inside}]"
        if symbol.isascii() and symbol.isalnum():
            raise self._error(rf"\{symbol} is unknown")
        return re.escape(symbol)

    def _class(self) -> str:
        # Translates a class after its opening bracket.  Unions and intersections can be nested.
        negated = bool(self._match(r"\^"))
        plain, nested, sides, first = "", [], [], True
        while True:
            symbol = self._take()
            if symbol == "]" and not first:
                break
            first = False
            if symbol == "[":
                nested.append(self._class())
            elif symbol == "&" and self._match("&"):
                sides.append(_union(plain, nested))
                plain, nested = "", []
            elif symbol == "\\":
                part = self._code() or self._set(self._take())
                if part.startswith("["):
                    nested.append(part)
                else:
                    plain += part
            else:
                plain += f"\\{symbol}" if symbol in "[]^&~|" else symbol
        if not negated and not sides:
            return _union(plain, nested)
        if not sides and not nested:
            return f"[^{plain}]"
        sides.append(_union(plain, nested))
        *others, last = filter(None, sides)
        both = "".join(f"(?={side})" for side in others) + last
        return f"(?:(?!{both}){ANY})" if negated else f"(?:{both})"


def _union(plain: str, nested: list[str]) -> str:
    parts = [*([f"[{plain}]"] if plain else []), *nested]
    return parts[0] if len(parts) == 1 else f"(?:{'|'.join(parts)})" if parts else ""


@lru_cache(maxsize=None)
def _named_set(name: str) -> str:
    # The inside of a class; "" for an unknown name.  Names of general categories: L, Lu, IsL ...
    if name in SETS:
        return SETS[name]
    name = name.removeprefix("Is")
    symbols = [code for code in range(0x110000) if unicodedata.category(chr(code)).startswith(name)]
    ranges: list[list[int]] = []
    for code in symbols:
        if ranges and code == ranges[-1][1] + 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    return "".join(rf"\U{first:08x}-\U{last:08x}" for first, last in ranges)
