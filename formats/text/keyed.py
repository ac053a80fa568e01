r"""Texts by the ids of their sentences: a text file, or the JSON lines of one.

    spk1-utt1 hello world                        an id, a blank or a tab, the text; perhaps none
    {"id": "spk1-utt1", "text": "hello\nworld"}    for texts of several lines

A file is JSON lines where its name says so (.jsonl, perhaps compressed).  The `id`, or else `sid`,
may be missing in all of them: then they are in order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from campanula.formats.errors import DataError, LineError
from campanula.formats.json_keys import object_of

JSON_LINES = re.compile(r".*\.jsonl(\.[a-z0-9]+)?", re.IGNORECASE | re.DOTALL)
KEYS = ("id", "sid")


class KeyedTexts(NamedTuple):
    """Texts of a file, and the id of each; None where they are in order."""

    texts: Sequence[str]
    ids: Sequence[str] | None = None

    def refuse_repeated(self, name: str) -> None:
        """Raise DataError for an id that a file has twice."""
        line: dict[str, int] = {}
        for number, key in enumerate(self.ids or (), 1):
            if line.setdefault(key, number) != number:
                problem = f"expected each id once, found {key[:60]!r} as in line {line[key]}"
                raise DataError(name, f"line {number}", problem)


def is_json_lines(path: str) -> bool:
    """Whether the name of a file says that it has JSON lines."""
    return JSON_LINES.fullmatch(path) is not None


def first_word(line: str) -> str:
    """What stands before the first blank or tab."""
    return line.partition(" ")[0].partition("\t")[0]


def keyed(lines: Iterable[str], name: str) -> KeyedTexts:
    """Texts of lines `id text`; raises DataError for a line without an id, or with one again."""
    ids: list[str] = []
    texts: list[str] = []
    for number, line in enumerate(lines, 1):
        key = first_word(line)
        if not key:
            problem = f"expected `id text`, as in other lines, found {line[:60]!r}"
            raise DataError(name, f"line {number}", problem)
        ids.append(key)
        texts.append(line[len(key) :].strip(" \t"))
    found = KeyedTexts(texts, ids)
    found.refuse_repeated(name)
    return found


def from_json_lines(lines: Iterable[str], name: str) -> KeyedTexts:
    """Texts of JSON lines; raises DataError for what has no text, and for ids in some of them."""
    ids: list[str] = []
    texts: list[str] = []
    for number, line in enumerate(lines, 1):
        try:
            key, text = _parsed(line)
        except LineError as error:
            raise DataError(name, f"line {number}", str(error)) from error
        if (key is None) != (not ids) and texts:
            problem = "expected an id in each object or in none, as before"
            raise DataError(name, f"line {number}", f"{problem}, found {line[:60]!r}")
        if key is not None:
            ids.append(key)
        texts.append(text)
    found = KeyedTexts(texts, ids or None)
    found.refuse_repeated(name)
    return found


def _parsed(line: str) -> tuple[str | None, str]:
    """Id, if there is one, and text of an object; raises LineError."""
    value = object_of(line)
    if not isinstance(value.get("text"), str):
        raise LineError(f"expected a JSON object with a string 'text', found {line[:60]!r}")
    key = next((value[name] for name in KEYS if name in value), None)
    if key is not None and (not isinstance(key, int | str) or isinstance(key, bool)):
        raise LineError(f"expected a number or text under 'id', found {str(key)[:60]!r}")
    name = None if key is None else str(key)
    try:
        f"{name}{value['text']}".encode()
    except UnicodeEncodeError as error:
        raise LineError(f"expected text, found {line[:60]!r} ({error.reason})") from error
    return name, value["text"]
