"""Cut the lines of a block into fields, all at once, when all of them have the same number."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from formats.columns import Floats, Ints
from formats.joining import pointer_of
from formats.texts import Texts

ALIGNMENTS = re.compile(rb"(?:\d+-\d+[ \n]+|\n+)*")


@dataclass(frozen=True, slots=True)
class Layout:
    """Number of fields; places of features, score and alignment; mark and labels with widths."""

    size: int
    features: int
    score: int | None
    alignment: int | None
    mark: str
    widths: list[tuple[str | None, int]]


@dataclass(frozen=True, slots=True)
class Cut:
    """Fields (n,) of the lines of a block, those of features uncooked."""

    sid: Ints
    text: Texts
    score: Floats | None
    others: dict[str, Texts]
    features: list[bytes]


def cut(data: bytes, layout: Layout) -> Cut | None:
    """Fields of whole lines, or None when they are not what the layout says."""
    count, size = data.count(b"\n"), layout.size
    fields = data.replace(b"\n", b"\n ||| ").split(b" ||| ")[:-1]
    if len(fields) != count * size or b"||| |||" in data:
        return None
    if b"".join(fields[size - 1 :: size]).count(b"\n") != count:
        return None
    sid = _sentence_ids(fields[::size])
    score = None if layout.score is None else _scores(fields[layout.score :: size])
    if sid is None or (score is None and layout.score is not None):
        return None
    others = {}
    if layout.alignment is not None:
        alignment = fields[layout.alignment :: size]
        if not ALIGNMENTS.fullmatch(b"".join(alignment)):
            return None
        others["alignment"] = _texts(alignment)
    return Cut(sid, _texts(fields[1::size]), score, others, fields[layout.features :: size])


def _texts(fields: Sequence[bytes]) -> Texts:
    stripped = [field.strip(b" \t\n") for field in fields]
    lengths = np.fromiter(map(len, stripped), np.int64, len(stripped))
    return Texts(b"".join(stripped), pointer_of(lengths))


def _sentence_ids(fields: Sequence[bytes]) -> Ints | None:
    distinct = {*fields}
    if not all(field.isdigit() and len(field) < 19 for field in distinct):
        return None
    number = {field: int(field) for field in distinct}
    return np.array([number[field] for field in fields], np.int64)


def _scores(fields: Sequence[bytes]) -> Floats | None:
    try:
        values = np.array([float(field) for field in fields])
    except ValueError:
        return None
    return values if np.isfinite(values).all() and b"_" not in b"".join(fields) else None
