"""The lines of a list as columns of constants, texts, numbers and features, before they are text.

A format says what its lines consist of, not how columns become bytes: `lines` here joins them line
by line, and kernels do the same many times as fast.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from campanula.formats.arrays.types import Bytes, Floats, Ints
from campanula.formats.records.features import Features
from campanula.formats.records.texts import Texts


class LabelBytes(NamedTuple):
    """The label of each feature id, with the mark that ends it: `byte[pointer[i]:pointer[i + 1]]`.

    byte (n_bytes,), UTF-8; pointer (n_names + 1,).
    """

    byte: Bytes
    pointer: Ints


class FeatureRows(NamedTuple):
    """The sparse features of each line: labels with values, and blanks between them.

    Dense features are left out.  behind: whether other text precedes, so that a blank is needed
    before the first.
    """

    features: Features
    labels: LabelBytes
    behind: bool


Part: TypeAlias = bytes | Texts | FeatureRows | Floats
"""A constant of all lines, or a column (n,): text, features or number of every line."""


class Page(NamedTuple):
    """Lines (size,) of a list; a line is all its parts in order."""

    size: int
    parts: Sequence[Part]


def page_of(size: int, parts: Iterable[Part]) -> Page:
    """Make a page; constants next to each other are joined."""
    joined: list[Part] = []
    for part in parts:
        before = joined[-1] if joined else None
        # every part costs a step in every line, so constants are joined once
        if isinstance(part, bytes) and isinstance(before, bytes):
            joined[-1] = before + part
        else:
            joined.append(part)
    return Page(size, joined)


def bar_page(size: int, fields: Iterable[Iterable[Part]]) -> Page:
    """Make a page of fields with bars between."""
    parts: list[Part] = []
    for field in fields:
        parts += [b" ||| ", *field] if parts else field
    return page_of(size, [*parts, b"\n"])


def spell(value: float) -> str:
    """Return the shortest text of a number, without a plus, which mert-moses refuses."""
    text = repr(value)
    return text[:-2] if text.endswith(".0") else text.replace("e+", "e")


def lines(page: Page) -> Iterator[str]:
    """Yield the lines of a page, without their ends."""
    columns = [_texts(part, page.size) for part in page.parts]
    for line in zip(*columns, strict=True):
        yield "".join(line)[:-1]


def _texts(part: Part, size: int) -> Iterator[str]:
    """Yield the text of a part in every line."""
    if isinstance(part, bytes):
        return itertools.repeat(part.decode("utf-8"), size)
    if isinstance(part, Texts):
        return iter(part)
    if isinstance(part, FeatureRows):
        return _row_texts(part)
    return map(spell, part.tolist())


def _row_texts(rows: FeatureRows) -> Iterator[str]:
    labels = Texts(rows.labels.byte.tobytes(), rows.labels.pointer)
    before = " " * rows.behind
    for row in rows.features.sparse_entries():
        text = " ".join(f"{labels[i]}{spell(value)}" for i, value in row)
        yield before + text if text else ""
