"""Learned scores in Moses's tables: the exp of a sum of weights, where Moses has a probability.

    source ||| target ||| 0.2 0.1 0.5 0.3 1.0618365 |||         a column after the others
    source ||| target ||| 1 0.904837418 1 1 1 1.22140276          a reordering table

They have nine significant digits, so that the logarithm is the sum to within 5e-9.  Sums below -100
cannot be stored, since Moses takes them for log 0, nor sums above 700, whose exp overflows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from campanula.formats.arrays.types import Flags, Floats

LOWEST, HIGHEST = -100.0, 700.0  # sums that a table can hold


def beyond(value: Floats) -> Flags:
    """Return a mask of the sums that a table cannot store, NaN included."""
    return np.asarray(~((value >= LOWEST) & (value <= HIGHEST)))


def score_texts(value: Floats) -> Iterator[bytes]:
    """Yield the scores of each row of sums (n, width), with blanks between."""
    n, width = value.shape
    row = " ".join(["%.9g"] * width) + "\n"
    yield from ((row * n) % tuple(np.exp(value).ravel().tolist())).encode().splitlines()


def with_scores(fields: Sequence[Sequence[bytes]], value: Floats) -> bytes:
    """Return the lines of a phrase table with scores added to their third fields.

    fields: the fields of n lines, split at bars; value (n, width): sums of weights.
    """
    if not value.shape[1]:
        return b"".join(b"|||".join(row) + b"\n" for row in fields)
    lines: list[bytes] = []
    for row, scores in zip(fields, score_texts(value), strict=True):
        source, target, own_scores, *rest = row
        end = b" " if rest else b""
        all_scores = b"%s %s%s" % (own_scores.rstrip(), scores, end)
        lines.append(b"|||".join([source, target, all_scores, *rest]))
    lines.append(b"")
    return b"\n".join(lines)


def reordering_rows(fields: Sequence[Sequence[bytes]], value: Floats) -> bytes:
    """Return the lines of a reordering table, from phrase pairs (n,) and sums (n, 6).

    Phrase pairs whose sums are all 0 are left out: a missing pair has scores of 0.
    """
    lines: list[bytes] = []
    nonzero = np.flatnonzero(value.any(axis=1))
    for row, scores in zip(nonzero.tolist(), score_texts(value[nonzero]), strict=True):
        source, target, *_ = fields[row]
        lines.append(b"%s ||| %s ||| %s\n" % (source.strip(), target.strip(), scores))
    return b"".join(lines)
