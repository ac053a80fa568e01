"""Tell a format of JSON from the beginning of a file: from the keys of its first record.

The beginning may end anywhere, so it is not parsed but skimmed for its keys and what kind of value
each has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[][{}:,]|[^][{}:,"\s]+', re.DOTALL)
COLON = re.compile(r"\s*:")
ELEMENT = "[]"
ENOUGH = 1 << 18  # characters
DEPTH = 4  # keys deeper than that tell nothing

Path = tuple[str, ...]
Kinds = dict[Path, str]
"""What kind of value stands at a path of keys: { [ " or another token's first character."""


def json_format(text: str) -> str | None:
    """Name of the format that JSON which begins like this is in, None for text that is no JSON."""
    if text.lstrip()[:1] not in ("{", "["):
        return None
    kinds = first_record(text)
    arrays = {path[0] for path, kind in kinds.items() if path[1:] == (ELEMENT,) and kind == '"'}
    keys = {path[0] for path in kinds if path}
    for name, holds in (
        ("jsonl", "text" in keys),
        ("espnet", kinds.get(("utts",)) == "{"),
        ("vosk", bool(keys & {"alternatives", "partial"})),
        ("openai", bool(keys & {"choices", "outputs"} or {"custom_id", "response"} <= keys)),
        ("sockeye", bool(keys & {"translation", "translations"})),
        ("hypr", bool(arrays & {"hyps", "hypotheses", "nbest"})),
        ("hyporadise", "input" in arrays),
    ):
        if holds:
            return name if name != "jsonl" or is_line(text) else "json"
    return "jsonl" if is_line(text) else "json"


def is_line(text: str) -> bool:
    """Whether the first object is a line: not an array, and not an object of several lines."""
    first = text.strip("\n \t").partition("\n")[0].rstrip(" \t\r")
    whole = first.endswith("}") or "\n" not in text.strip()
    return first.startswith("{") and whole


def first_record(text: str) -> Kinds:
    """Kinds of the values of the first object, as far as the text goes."""
    kinds: Kinds = {}
    for path, kind in _values(text[:ENOUGH]):
        kinds.setdefault(path, kind)
    return kinds


def _values(text: str) -> Iterator[tuple[Path, str]]:
    """Paths of values with their kinds; those of the first record, whose own path is ()."""
    open_ones: list[str] = []  # kinds of the arrays and objects that we are in
    path: list[str] = []  # where in each of them
    base = 1 if text.lstrip().startswith("[") else 0
    key = ""
    for found in TOKEN.finditer(text):
        token = found[0]
        if token == ":":
            path[-1:] = [key]
        elif token in "]}":
            if len(open_ones) <= base + 1:
                return
            open_ones.pop()
            path.pop()
        elif token != ",":
            key = token[1:-1]
            is_key = token[0] == '"' and COLON.match(text, found.end())
            if not is_key and base <= len(path) <= base + DEPTH:
                yield tuple(path[base:]), token[0]
            if token in "{[":
                open_ones.append(token)
                path.append(ELEMENT if token == "[" else "")
