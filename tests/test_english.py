"""The English of docstrings, comments, messages, pages and the manual.

`python -m tests.test_english [PATH ...]` prints each fault with its file and line.
"""

import ast
import html
import io
import re
import sys
import tokenize
from functools import lru_cache
from pathlib import Path

import pytest

TOP = Path(__file__).parent.parent
LONGEST = 30  # words of a sentence
PHRASES = {  # what to write instead
    r"(so|that) many": "name the number: n nodes",
    r"who(ever|soever)": "name the person: the teacher",
    r"(is|are|was|were|be|been) told": "name the message: receives, reads",
    r"(hear|hears|heard)": "receive, message",
    r"(knows|knew)": "has, contains, supports",
    r"of late": "recent",
    r"what (is|are|was|were|it|they|he|she|has|have)": "the concrete noun",
    r"who (is|are|was|were)": "the concrete noun",
    r"makes? the acquaintance": "probe",
    r"(somebody|nobody)( else)?('s)?": "the concrete noun: another program, no user",
}
NAMES = {"asked", "heard", "kept", "known", "seen", "shown", "told"}  # say nothing of a thing
BANNED = re.compile(rf"\b({'|'.join(PHRASES)})\b", re.IGNORECASE)
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^(#+ .*|@|\w+/|[ ]{0,3}[-*|>] |\d+\. |[|].*|[\w.,_ ]+\s{2,}\S|--+)")


def sentences(text):
    """The sentences of a text, each with the number of its line.

    Paragraphs, items of lists, rows of tables and indented blocks each begin a new sentence.
    """
    start, words, fenced = 0, [], False
    for number, line in enumerate([*text.split("\n"), ""]):
        fenced ^= line.lstrip().startswith("```")
        begins = not line.strip() or HEADING.match(line.strip()) or line.startswith("    ")
        if begins and words:
            yield start, " ".join(words)
            words = []
        if fenced or line.strip().startswith(("```", "|", ">>>", "$")) or line.startswith("     "):
            continue
        for word in line.split():
            if not words:
                start = number
            words.append(word)
            if re.search(r"[.!?:][\"')\]*_`]*$", word):
                yield start, " ".join(words)
                words = []


def length(sentence):
    """The number of words; code in backticks is one."""
    return len(re.findall(r"[^\W\d_]+(?:['’-]\w+)*|\bCODE\b", re.sub(r"`[^`]*`", "CODE", sentence)))


def prose(path):
    """The texts of a file that a person reads, each with its first line: (line, text)."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        yield from of_python(text)
    elif path.suffix == ".js":
        for match in re.finditer(r"/\*\*((?:.|\n)*?)\*/|(?<![:\"'])//(.*)", text):
            body = re.sub(r"\n\s*\* ?", "\n", match[1] or match[2] or "")
            yield text.count("\n", 0, match.start()) + 1, re.sub(r"@\w+ \{.*?\}+", "@", body)
    elif path.suffix == ".html":
        for match in re.finditer(
                r">([^<>{}]+)<|(?:title|placeholder|aria-label)=\"([^\"{}]+)\"", text):
            yield text.count("\n", 0, match.start()) + 1, html.unescape(match[1] or match[2])
    else:
        if path.name == "changelog.md":  # versions that are out stay as they are
            text = "\n## ".join(text.split("\n## ")[:2])
        yield 1, text


parsed = lru_cache(2)(ast.parse)


def of_python(text):
    """Docstrings, messages and comments of Python."""
    for node in ast.walk(parsed(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield node.lineno, re.sub(r"\n {4}( {4})*", "\n", node.value)
    block = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            if block and token.start[0] == block[-1][0] + 1 and token.start[1] == block[-1][1]:
                block.append((*token.start, token.string))
            else:
                yield from joined(block)
                block = [(*token.start, token.string)]
    yield from joined(block)


def joined(block):
    if block:
        yield block[0][0], "\n".join(text.lstrip("#:! ") for _, _, text in block)


def named(path):
    """The names that a file of Python defines, each with its line: (line, name).

    Fields of records are left out: formats have their names.
    """
    tree = parsed(path.read_text(encoding="utf-8"))
    fields = {each.target for node in ast.walk(tree) if isinstance(node, ast.ClassDef)
              for each in node.body if isinstance(each, ast.AnnAssign)}
    for node in ast.walk(tree):
        if node in fields:
            continue
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.lineno, node.name
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.attr


def faults(path):
    """Lines such as "web/page.py:12: so many (name the number: n nodes)"."""
    name = path.relative_to(TOP).as_posix()
    if path.suffix == ".py":
        for line, word in named(path):
            if word.strip("_").lower() in NAMES:
                yield f"{name}:{line}: the name {word} (say what the thing is)"
    for first, text in prose(path):
        for match in BANNED.finditer(FENCE.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)):
            advice = next(text for phrase, text in PHRASES.items()
                          if re.fullmatch(phrase, match[0], re.IGNORECASE))
            yield f"{name}:{first + text.count(chr(10), 0, match.start())}: {match[0]} ({advice})"
        for line, sentence in sentences(text):
            if length(sentence) > LONGEST:
                yield f"{name}:{first + line}: {length(sentence)} words: {sentence[:60]}..."


def files():
    for folder, endings in (("gtp_engine", "py js html"), ("docs", "md"), ("benchmarks", "py"),
                            ("tuning", "py"), ("course", "py"), ("examples", "py")):
        for ending in endings.split():
            yield from sorted((TOP / folder).rglob(f"*.{ending}"))
    yield from (TOP / name for name in ("README.md", "readme.txt", "changelog.md", "gomoku3.py"))


def test_english():
    found = [fault for path in files() for fault in faults(path)]
    assert found == [], "\n".join(found)


@pytest.mark.parametrize("text, fault", [
    ("Wins in so many plies.", "so many (name the number: n nodes)"),
    ("It is told\nwhat is there.", "is told (name the message: receives, reads)"),
    ("One. " + "word " * 31 + ".", "31 words: word word"),
    ("A `" + "code " * 40 + "` is one word; a list has items:\n\n- " + "word " * 29, None),
    ("```\nso many\n```", None)])
def test_the_checker_finds(tmp_path, monkeypatch, text, fault):
    monkeypatch.setattr(f"{__name__}.TOP", tmp_path)
    (tmp_path / "page.md").write_text(text, encoding="utf-8")
    found = [*faults(tmp_path / "page.md")]
    assert fault in found[0] if fault else found == []


if __name__ == "__main__":
    for wanted in [*map(Path, sys.argv[1:])] or [*files()]:
        wanted = wanted.resolve()
        for path in [wanted] if wanted.is_file() else [p for p in files() if wanted in p.parents]:
            print(*faults(path), sep="\n", end="\n" if [*faults(path)] else "")
