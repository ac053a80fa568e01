"""Any JSON: paths of keys say where lists, texts and numbers are.

    choices[].message.content      a key within a key; [] is every element of an array
    results[0].alternatives[]      [0] is one element
    utts.*.output[]                * is every member of an object, hyp_* those whose keys match

The path `records` leads to the lists of a file; without it every record of the file is a list.  The
path `list` leads from a list to its hypotheses, and the other paths start from a hypothesis.
Without `list` they start from the list: `text` then has a [] and one value per hypothesis, and the
paths of numbers have as many values.  `id` starts from the list; without it, and with a * in
`records`, the id is the member's key.  Without any paths an object is a list or a hypothesis as in
JSON lines (jsonl.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from campanula.formats.errors import DataError, LineError
from campanula.formats.nbest.blocks import Block
from campanula.formats.nbest.documents import SentenceRows
from campanula.formats.nbest.json_records import id_of
from campanula.formats.nbest.json_text import entries
from campanula.formats.nbest.json_values import check_text, finite, record, shown, string
from campanula.formats.nbest.jsonl import rows_of
from campanula.formats.nbest.rows import Row

STEP = re.compile(r"\[\]|\[(\d{1,9})\]|([^.\[\]]+)")
EVERY = "*"


class Node(NamedTuple):
    """A value that a path leads to, and the key that a * in the path matched, None without a *."""

    value: Any
    key: str | None


@dataclass(frozen=True, slots=True)
class KeyPath:
    """A path; its steps are keys or patterns, numbers of elements, and None for all elements."""

    text: str
    steps: tuple[str | int | None, ...]

    @classmethod
    def of(cls, text: str) -> KeyPath:
        """Parse a path; raises ValueError."""
        steps: list[str | int | None] = []
        at = 0
        while at < len(text):
            # a dot is passed over between steps alone, so STEP refuses one at the start
            at += bool(steps) and text[at] == "."
            match = STEP.match(text, at)
            if match is None:
                raise ValueError(f"expected keys such as a.b[].c, found {text!r}")
            steps.append(match[2] or (int(match[1]) if match[1] else None))
            at = match.end()
        if not steps or text.endswith("."):
            raise ValueError(f"expected keys such as a.b[].c, found {text!r}")
        return cls(text, tuple(steps))

    @property
    def is_many(self) -> bool:
        """Whether the path can lead to several values."""
        return any(step is None or (isinstance(step, str) and EVERY in step) for step in self.steps)

    def nodes(self, value: Any) -> list[Node]:
        """Return the values that the path leads to; raises LineError where it leads nowhere."""
        nodes = [Node(value, None)]
        for step in self.steps:
            nodes = [following for node in nodes for following in self._from(node, step)]
        return nodes

    def _from(self, node: Node, step: str | int | None) -> Iterable[Node]:
        value = node.value
        if step is None or isinstance(step, int):
            if not isinstance(value, list):
                raise LineError(f"{self.text}: expected an array, found {shown(value)}")
            if step is None:
                return [Node(element, node.key) for element in value]
            if step >= len(value):
                raise LineError(f"{self.text}: expected element {step}, found {len(value)} of them")
            return [Node(value[step], node.key)]
        if not isinstance(value, dict):
            raise LineError(f"{self.text}: expected an object with {step!r}, found {shown(value)}")
        if EVERY in step:
            # fnmatch would ignore case where file names do
            return [Node(value[key], key) for key in value if fnmatchcase(key, step)]
        if step not in value:
            found = ", ".join(value) or "none"
            raise LineError(f"{self.text}: expected the key {step!r}, found the keys {found[:80]}")
        return [Node(value[step], node.key)]


@dataclass(frozen=True, slots=True)
class KeyPaths:
    """The key paths of a file; see the module's docstring."""

    text: KeyPath
    records: KeyPath | None = None
    list: KeyPath | None = None
    id: KeyPath | None = None
    score: KeyPath | None = None
    features: Mapping[str, KeyPath] = field(default_factory=dict)

    @property
    def is_one(self) -> bool:
        """Whether a record is a single hypothesis, so that ids show which records make a list."""
        return self.list is None and not self.text.is_many

    def name(self, node: Node) -> str | None:
        """Return the id of a list, None if it has none; raises LineError."""
        if self.id is not None:
            (value,) = self._exactly(self.id, node.value, 1)
            return id_of({"id": value})
        if node.key is not None:
            return node.key
        return id_of(node.value) if self.is_one and isinstance(node.value, dict) else None

    def rows(self, value: Any) -> Iterator[Row]:
        """Yield the hypotheses of a list; raises LineError."""
        if self.list is None:
            yield from self._rows(value, None)
            return
        for rank, node in enumerate(self.list.nodes(value)):
            try:
                yield from self._rows(node.value, 1)
            except LineError as error:
                raise LineError(f"hypothesis {rank}: {error}") from error

    def _rows(self, value: Any, size: int | None) -> Iterator[Row]:
        texts = self._exactly(self.text, value, size)
        # the score is read like a feature; no feature has an empty name
        paths = dict(self.features) if self.score is None else {**self.features, "": self.score}
        columns = {
            name: [finite(one, path.text) for one in self._exactly(path, value, len(texts))]
            for name, path in paths.items()
        }
        score = columns.pop("", None)
        for rank, text in enumerate(texts):
            features = {name: column[rank] for name, column in columns.items()}
            content = string(text, self.text.text)
            yield Row(0, content, features, None if score is None else score[rank])

    def _exactly(self, path: KeyPath, value: Any, size: int | None) -> Sequence[Any]:
        values = [node.value for node in path.nodes(value)]
        if size is not None and len(values) != size:
            raise LineError(f"{path.text}: expected {size} values, found {len(values)}")
        return values


def sentences(
    blocks: Iterable[Block],
    source: str,
    text: str | None = None,
    **others: Any,
) -> Iterator[SentenceRows]:
    """Yield the lists of a file, by the paths of KeyPaths as texts; raises DataError."""
    if text is None:
        yield from _as_json_lines(blocks, source)
        return
    features = {name: KeyPath.of(path) for name, path in others.pop("features", {}).items()}
    optional = {name: KeyPath.of(path) for name, path in others.items()}
    paths = KeyPaths(KeyPath.of(text), features=features, **optional)
    for entry in entries(blocks, source):
        try:
            whole = Node(entry.value, entry.key)
            nodes = [whole] if paths.records is None else paths.records.nodes(entry.value)
        except LineError as error:
            raise DataError(source, entry.place, str(error)) from error
        for number, node in enumerate(nodes):
            place = entry.place if paths.records is None else f"{entry.place}: list {number}"
            try:
                rows = list(paths.rows(node.value))
                check_text(row.text for row in rows)
                name = paths.name(node)
            except LineError as error:
                raise DataError(source, place, str(error)) from error
            yield SentenceRows(name, rows, place, more=paths.is_one and name is not None)


def _as_json_lines(blocks: Iterable[Block], source: str) -> Iterator[SentenceRows]:
    """Yield objects with the keys of JSON lines, in any arrangement of json_text.py."""
    for entry in entries(blocks, source):
        try:
            rows = rows_of(record(entry.value))
        except LineError as error:
            raise DataError(source, entry.place, str(error)) from error
        yield SentenceRows(rows[0].sid, rows, entry.place, more=True, sparse=True)
