"""Learned scores in Moses's tables: probabilities in name, the exp of a sum of weights.

    source ||| target ||| 0.2 0.1 0.5 0.3 1.0618365 |||         a column behind others
    source ||| target ||| 1 0.904837418 1 1 1 1.22140276          a reordering table

Nine significant digits, so that the logarithm is the sum to 5e-9.  A table of a decoder has no
place for sums below -100, which Moses takes for log 0, or above 700, whose exp no number holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from campanula.formats.arrays.types import Flags, Floats

LOWEST, HIGHEST = -100.0, 700.0  # sums that a table can hold


def beyond(value: Floats) -> Flags:
    """Which sums a table cannot hold."""
    return np.asarray(~((value >= LOWEST) & (value <= HIGHEST)))


def score_texts(value: Floats) -> Iterator[bytes]:
    """Yield, for each row of sums (n, width), their scores with blanks between."""
    n, width = value.shape
    row = " ".join(["%.9g"] * width) + "\n"
    yield from ((row * n) % tuple(np.exp(value).ravel().tolist())).encode().splitlines()


def with_scores(fields: Sequence[Sequence[bytes]], value: Floats) -> bytes:
    """Lines of a phrase table whose third field has more scores, of sums (n, width)."""
    if not value.shape[1]:
        return b"".join(b"|||".join(row) + b"\n" for row in fields)
    lines: list[bytes] = []
    for row, scores in zip(fields, score_texts(value), strict=True):
        source, target, given, *rest = row
        end = b" " if rest else b""
        more = b"%s %s%s" % (given.rstrip(), scores, end)
        lines.append(b"|||".join([source, target, more, *rest]))
    lines.append(b"")
    return b"\n".join(lines)


def reordering_rows(fields: Sequence[Sequence[bytes]], value: Floats) -> bytes:
    """Lines of a reordering table, of the phrase pairs (n,) and sums (n, 6) that are not all 0."""
    lines: list[bytes] = []
    kept = np.flatnonzero(value.any(axis=1))
    for row, scores in zip(kept.tolist(), score_texts(value[kept]), strict=True):
        source, target, *_ = fields[row]
        lines.append(b"%s ||| %s ||| %s\n" % (source.strip(), target.strip(), scores))
    return b"".join(lines)
