"""The lines of a list in columns, before they are text: what all have, texts, numbers, features.

A format says what its lines consist of, and knows nothing of how columns become bytes: `lines` here
puts them together line by line, the kernels many times as fast.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from campanula.formats.arrays.types import Bytes, Floats, Ints
from campanula.formats.records.features import Features
from campanula.formats.records.texts import Texts


class LabelBytes(NamedTuple):
    """Features by id as lines name them, with what ends a name: `byte[pointer[i]:pointer[i + 1]]`.

    byte (n_bytes,), pointer (n_names + 1,).
    """

    byte: Bytes
    pointer: Ints


class FeatureRows(NamedTuple):
    """Features that not all lines have: labels with their values, a blank between two of them.

    Dense features are left out.  behind: whether something stands before them, from which a blank
    parts the first.
    """

    features: Features
    labels: LabelBytes
    behind: bool


Part: TypeAlias = bytes | Texts | FeatureRows | Floats
"""What all lines have; or text, features or number (n,) of every line."""


class Page(NamedTuple):
    """Lines (size,) of a list, each of which has all parts one behind the other."""

    size: int
    parts: Sequence[Part]


def page_of(size: int, parts: Iterable[Part]) -> Page:
    """A page; constants beside each other become one."""
    joined: list[Part] = []
    for part in parts:
        before = joined[-1] if joined else None
        if isinstance(part, bytes) and isinstance(before, bytes):
            joined[-1] = before + part
        else:
            joined.append(part)
    return Page(size, joined)


def bar_page(size: int, fields: Iterable[Iterable[Part]]) -> Page:
    """A page of fields between bars."""
    parts: list[Part] = []
    for field in fields:
        parts += [b" ||| ", *field] if parts else field
    return page_of(size, [*parts, b"\n"])


def spell(value: float) -> str:
    """The shortest text that reads as the same number; without a plus, which mert-moses refuses."""
    text = repr(value)
    return text[:-2] if text.endswith(".0") else text.replace("e+", "e")


def lines(page: Page) -> Iterator[str]:
    """Yield the lines of a page, without their ends."""
    columns = [_texts(part, page.size) for part in page.parts]
    for line in zip(*columns, strict=True):
        yield "".join(line)[:-1]


def _texts(part: Part, size: int) -> Iterator[str]:
    """A part of every line."""
    if isinstance(part, bytes):
        return itertools.repeat(part.decode("utf-8"), size)
    if isinstance(part, Texts):
        return iter(part)
    if isinstance(part, FeatureRows):
        return _row_texts(part)
    return map(spell, part.tolist())


def _row_texts(rows: FeatureRows) -> Iterator[str]:
    labels, before = Texts(rows.labels.byte.tobytes(), rows.labels.pointer), " " * rows.behind
    for row in rows.features.sparse_entries():
        text = " ".join(f"{labels[i]}{spell(value)}" for i, value in row)
        yield before + text if text else ""
