"""Texts in the character sets of the field's programs."""

import codecs
import math
import re
from collections import Counter
from typing import Optional

# Supersets that Windows uses under the names of the standards.
SUPERSETS = {"shift_jis": "cp932", "big5": "cp950", "gb2312": "gb18030", "gbk": "gb18030",
             "euc_kr": "cp949", "iso8859-1": "cp1252", "ascii": "utf-8"}
# East Asian charsets with the blocks of their characters: first and last code, and the share of a
# text's characters that is in the block.
BLOCKS: dict[str, tuple[tuple[int, int, float], ...]] = {
    "gb18030": ((0xB0A1, 0xD7F9, 0.85), (0xA1A1, 0xA3FE, 0.08), (0xD8A1, 0xF7FE, 0.06)),
    "cp950": ((0xA440, 0xC67E, 0.85), (0xA140, 0xA3BF, 0.08), (0xC940, 0xF9D5, 0.06)),
    "cp932": ((0x82A0, 0x8396, 0.45), (0x889F, 0x9872, 0.42), (0x8140, 0x81FC, 0.06),
              (0x989F, 0x9FFC, 0.03), (0xE040, 0xEAA4, 0.03)),
    "cp949": ((0xB0A1, 0xC8FE, 0.93), (0xA1A1, 0xA3FE, 0.05)),
}
_UTF8 = re.compile(rb"[\xe0-\xef][\x80-\xbf]{2}")  # a sign of UTF-8, rare in other charsets
RARE = 1e-7  # the probability of a character outside the blocks
PRIOR = {"gb18030": 3.3}  # more texts of the field are Chinese
_WORD = re.compile(r"[a-zA-Z\x80-\uffff]*[\x80-\uffff][a-zA-Z\x80-\uffff]*")  # a word beyond ASCII
_MARKS = "«»„“”’№–—…\xa0"
_CYRILLIC = re.compile("[А-ЯЁ]?[а-яё]{2,}|[А-ЯЁ]{3,}")
_LATIN = re.compile("(?=.*[a-zA-Z])(?!.*[À-ÿ]{3})[a-zA-ZÀ-ÖØ-öø-ÿšžŠŽœŒ]+")


def decoded(data: bytes, declared: str = "", default: Optional[str] = None) -> tuple[str, str]:
    """Decode a text; return it with a note on its charset, or with "".

    Tries the charset that the file declares, and UTF-8.  Otherwise takes the
    `default`, or the charset in which the bytes are most likely a text.
    """
    data = data.removeprefix(codecs.BOM_UTF8)
    codec = codec_of(declared)
    names = ["utf-8"] if codec in (None, "utf-8") else ["utf-8", codec] if _UTF8.search(data) else [
        codec, "utf-8"]
    for name in names:
        assert name is not None
        try:
            text = data.decode(name)
        except UnicodeDecodeError:
            continue
        return text, "" if not declared or name == codec or text.isascii() else (
            f"the text is {name}, not {declared[:40]!r} as the file says")
    name = default or guess(data)
    wrong = f"the text is not {declared[:40]}" if declared else "the file names no charset"
    text = data.decode(name, "replace")
    bad = text.count("\ufffd")
    return text, f"{wrong}; read as {name}" + (f", {bad} characters are invalid" if bad else "")


def codec_of(name: str) -> Optional[str]:
    """Python's codec for the name of a charset, or None."""
    try:
        found = codecs.lookup(name.strip())
    except (LookupError, ValueError):
        return None
    if not getattr(found, "_is_text_encoding", True):
        return None
    return SUPERSETS.get(found.name.replace("-", "_"), SUPERSETS.get(found.name, found.name))


def has_ascii_trails(codec: str) -> bool:
    """Return whether the second byte of a character may be an ASCII character, as [ or \\."""
    return codec in ("cp932", "cp950", "gb18030", "big5hkscs", "shift_jisx0213", "hz")


def guess(data: bytes) -> str:
    """The most likely charset of bytes that are not UTF-8.

    Latin words are mostly ASCII letters, Cyrillic words have capitals at their beginning only.
    Other texts are East Asian, in the charset that gives the most common characters.
    """
    for name, pattern in (("cp1252", _LATIN), ("cp1251", _CYRILLIC)):
        words = [word for each in _WORD.findall(data.decode(name, "replace"))
                 if (word := each.strip(_MARKS)) and (name == "cp1252" or len(word) > 2)]
        if words and sum(bool(pattern.fullmatch(each)) for each in words) > 0.9 * len(words):
            return name
    return max(BLOCKS, key=lambda name: _likelihood(data, name))


def _likelihood(data: bytes, name: str) -> float:
    # The logarithm of the probability of the text's characters.
    total = math.log(PRIOR.get(name, 1.0))
    for character, count in Counter(data.decode(name, "replace")).items():
        if character < "\x80":
            continue
        code = 0 if character == "\ufffd" else int.from_bytes(character.encode(name), "big")
        share = next((share / (last - first + 1) for first, last, share in BLOCKS[name]
                      if first <= code <= last), RARE)
        total += count * math.log(share)
    return total
