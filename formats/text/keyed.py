r"""Texts with the ids of their sentences, in a text file or as JSON lines.

    spk1-utt1 hello world                        an id, a blank or a tab, the text, maybe empty
    {"id": "spk1-utt1", "text": "hello\nworld"}    for texts of several lines

A file has JSON lines if its name ends in .jsonl, perhaps with the ending of a compressed file.  The
`id`, or else `sid`, may be missing in all objects: then they are in the order of the sentences.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from campanula.formats.errors import DataError, LineError, quoted
from campanula.formats.json_objects import object_of

JSON_LINES = re.compile(r".*\.jsonl(\.[a-z0-9]+)?", re.IGNORECASE | re.DOTALL)
KEYS = ("id", "sid")


class KeyedTexts(NamedTuple):
    """The texts of a file and their ids; ids is None if they are in the order of the sentences."""

    texts: Sequence[str]
    ids: Sequence[str] | None = None

    def refuse_repeated(self, name: str) -> None:
        """Raise DataError that names the line of an id which `name` has for the second time."""
        line: dict[str, int] = {}
        for number, key in enumerate(self.ids or (), 1):
            if line.setdefault(key, number) != number:
                problem = f"expected each id once, found {quoted(key)} as in line {line[key]}"
                raise DataError(name, f"line {number}", problem)


def is_json_lines(path: str) -> bool:
    """Whether a file's name ends as those of JSON lines do."""
    return JSON_LINES.fullmatch(path) is not None


def first_word(line: str) -> str:
    """Return the text before the first blank or tab."""
    return line.partition(" ")[0].partition("\t")[0]


def keyed(lines: Iterable[str], name: str) -> KeyedTexts:
    """Read texts from lines `id text`; raises DataError for a missing or repeated id."""
    ids: list[str] = []
    texts: list[str] = []
    for number, line in enumerate(lines, 1):
        key = first_word(line)
        if not key:
            problem = f"expected `id text`, as in other lines, found {quoted(line)}"
            raise DataError(name, f"line {number}", problem)
        ids.append(key)
        texts.append(line[len(key) :].strip(" \t"))
    result = KeyedTexts(texts, ids)
    result.refuse_repeated(name)
    return result


def from_json_lines(lines: Iterable[str], name: str) -> KeyedTexts:
    """Read texts from JSON lines; raises DataError.

    Every object needs a text, and an id if any other has one.
    """
    ids: list[str] = []
    texts: list[str] = []
    for number, line in enumerate(lines, 1):
        try:
            key, text = _parsed(line)
        except LineError as error:
            raise DataError(name, f"line {number}", str(error)) from error
        # the first object decides for all: before it `texts` is empty
        if (key is None) != (not ids) and texts:
            problem = "expected an id in each object or in none, as before"
            raise DataError(name, f"line {number}", f"{problem}, found {quoted(line)}")
        if key is not None:
            ids.append(key)
        texts.append(text)
    result = KeyedTexts(texts, ids or None)
    result.refuse_repeated(name)
    return result


def _parsed(line: str) -> tuple[str | None, str]:
    """Parse a JSON line to its id, None if it has none, and its text; raises LineError."""
    value = object_of(line)
    if not isinstance(value.get("text"), str):
        raise LineError(f"expected a JSON object with a string 'text', found {quoted(line)}")
    key = next((value[name] for name in KEYS if name in value), None)
    if key is not None and (not isinstance(key, int | str) or isinstance(key, bool)):
        raise LineError(f"expected a number or text under 'id', found {quoted(str(key))}")
    name = None if key is None else str(key)
    try:
        f"{name}{value['text']}".encode()  # fails for lone surrogates, which JSON can escape
    except UnicodeEncodeError as error:
        raise LineError(f"expected text, found {quoted(line)} ({error.reason})") from error
    return name, value["text"]
