"""Lines of Moses's phrase table and lexicalised reordering table.

    source ||| target ||| p(f|e) lex(f|e) p(e|f) lex(e|f) ||| links ||| n(e) n(f) n(f, e) ||| |||
    source ||| target ||| mono swap other (before), mono swap other (after)

Numbers have six significant digits; the links are by target word.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import chain

import numpy as np

from campanula.formats.arrays.types import Floats, Ids, Ints

SEPARATOR = "|||"
PHRASE_LINE = "%s ||| %s ||| %.6g %.6g %.6g %.6g ||| %s ||| %.6g %.6g %.6g ||| |||\n"
REORDERING_LINE = "%s ||| %s ||| %s %s\n"


def phrase_lines(
    source: Sequence[str], target: Sequence[str], score: Floats, links: Ints, count: Ints
) -> bytes:
    """Return the lines of P blocks; score (P, 4) and count (P, 3) in the order of the fields.

    Bit s of byte t of `links` (P,) is set if source word s is linked to target word t.
    """
    text = [links_text(pattern) for pattern in links.tolist()]
    return _lines(PHRASE_LINE, [source, target, *score.T.tolist(), text, *count.T.tolist()])


def reordering_lines(
    source: Sequence[str],
    target: Sequence[str],
    orientation: Ids,
    smoothing: float,
) -> bytes:
    """Return the lines of P blocks.

    orientation (P, 2, 3): counts of the three orientations, before and after; smoothing: added to
    each count before they are made probabilities.
    """
    # most blocks are rare, so few triples of counts are distinct: only these are formatted
    limit = int(orientation.max(initial=0)) + 1
    packed = orientation.astype(np.int64) @ np.array([limit**2, limit, 1])
    distinct, number = np.unique(packed, return_inverse=True)
    counts = np.stack([distinct // limit**2, distinct // limit % limit, distinct % limit], axis=1)
    share = (counts + smoothing) / (counts.sum(axis=1, keepdims=True) + 3 * smoothing)
    text = ["{:.6g} {:.6g} {:.6g}".format(*row) for row in share.tolist()]
    before, after = ([text[i] for i in side] for side in number.reshape(-1, 2).T.tolist())
    return _lines(REORDERING_LINE, [source, target, before, after])


@cache
def links_text(pattern: int) -> str:
    """Return the links `s-t` of a bit pattern, ordered by target word."""
    links = [(s, t) for t in range(8) for s in range(8) if (pattern >> (8 * t + s)) & 1]
    return " ".join(f"{s}-{t}" for s, t in links)


def _lines(line: str, columns: Sequence[Sequence[object]]) -> bytes:
    """Format all lines by one template, which is the fastest way in plain Python."""
    fields = tuple(chain.from_iterable(zip(*columns, strict=True)))
    return ((line * len(columns[0])) % fields).encode("utf-8")
