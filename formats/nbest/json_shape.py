"""Detects a format of JSON from the keys of a file's first record.

The beginning of a file may be cut anywhere, so it is not parsed but scanned for keys and the kinds
of their values.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[][{}:,]|[^][{}:,"\s]+', re.DOTALL)
COLON = re.compile(r"\s*:")
ELEMENT = "[]"
ENOUGH = 1 << 18  # characters that are scanned
DEPTH = 4  # levels of keys that are kept; deeper ones identify no format

Path = tuple[str, ...]
ValueKinds = dict[Path, str]
"""Kind of the value at a path of keys: the first character of its token, such as { [ or "."""


def json_format(text: str) -> str | None:
    """Return the name of the format from the beginning of a file; None for text that is no JSON."""
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
    """Whether the text begins with an object that is one line, as JSON lines do."""
    first = text.strip("\n \t").partition("\n")[0].rstrip(" \t\r")
    whole = first.endswith("}") or "\n" not in text.strip()
    return first.startswith("{") and whole


def first_record(text: str) -> ValueKinds:
    """Return the kinds of the values of the first object, as far as the text goes."""
    kinds: ValueKinds = {}
    for path, kind in _values(text[:ENOUGH]):
        kinds.setdefault(path, kind)
    return kinds


def _values(text: str) -> Iterator[tuple[Path, str]]:
    """Yield paths and kinds of the values in the first record, whose own path is ()."""
    open_ones: list[str] = []  # { or [ of the arrays and objects around the current token
    path: list[str] = []  # the current key in each of them, ELEMENT for arrays
    base = 1 if text.lstrip().startswith("[") else 0  # an array of records adds one level
    key = ""
    for match in TOKEN.finditer(text):
        token = match[0]
        if token == ":":
            path[-1:] = [key]
        elif token in "]}":
            if len(open_ones) <= base + 1:
                return
            open_ones.pop()
            path.pop()
        elif token != ",":
            key = token[1:-1]
            is_key = token[0] == '"' and COLON.match(text, match.end())
            if not is_key and base <= len(path) <= base + DEPTH:
                yield tuple(path[base:]), token[0]
            if token in "{[":
                open_ones.append(token)
                path.append(ELEMENT if token == "[" else "")
