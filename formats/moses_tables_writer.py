"""Lines of Moses's phrase table and lexicalised reordering table.

    source ||| target ||| p(f|e) lex(f|e) p(e|f) lex(e|f) ||| links ||| n(e) n(f) n(f, e) ||| |||
    source ||| target ||| mono swap other (before), mono swap other (after)

Numbers have six significant digits, the links are by target word.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

LINES = 1 << 14
SEPARATOR = "|||"
PHRASE_LINE = "%s ||| %s ||| %.6g %.6g %.6g %.6g ||| %s ||| %.6g %.6g %.6g ||| |||\n"
REORDERING_LINE = "%s ||| %s ||| %s %s\n"


@dataclass(frozen=True, slots=True)
class PhraseText:
    """Phrases as spans of a text: words[at[i]:at[i] + length[i]]."""

    words: Sequence[str]
    at: Ints
    length: Ints

    def __getitem__(self, part: slice) -> list[str]:
        begin = self.at[part]
        ends = (begin + self.length[part]).tolist()
        return [" ".join(self.words[a:b]) for a, b in zip(begin.tolist(), ends, strict=True)]


def phrase_table_text(
    source: PhraseText, target: PhraseText, score: Floats, links: Ints, count: Ints
) -> Iterator[bytes]:
    """Yield the table in pieces; score (P, 4) and count (P, 3) in the order of the fields.

    Bit s of byte t of `links` (P,) is set if source word s is linked to target word t.
    """
    texts: dict[int, str] = {}
    for begin in range(0, len(links), LINES):
        part = slice(begin, begin + LINES)
        patterns = links[part].tolist()
        texts.update((pattern, _links_text(pattern)) for pattern in {*patterns} - texts.keys())
        columns = [source[part], target[part], *score[part].T.tolist()]
        columns += [[texts[pattern] for pattern in patterns], *count[part].T.tolist()]
        yield _lines(PHRASE_LINE, columns)


def reordering_table_text(
    source: PhraseText, target: PhraseText, orientation: npt.NDArray[np.int32], smoothing: float
) -> Iterator[bytes]:
    """Yield the table in pieces; `orientation` (P, 2, 3) counts, smoothed by adding a constant."""
    texts: dict[tuple[int, ...], str] = {}

    def text(counts: tuple[int, ...]) -> str:
        if counts not in texts:
            total = sum(count + smoothing for count in counts)
            texts[counts] = " ".join(f"{(count + smoothing) / total:.6g}" for count in counts)
        return texts[counts]

    for begin in range(0, len(orientation), LINES):
        part = slice(begin, begin + LINES)
        counts = orientation[part].tolist()
        columns = [source[part], target[part]]
        columns += [[text(tuple(pair[side])) for pair in counts] for side in (0, 1)]
        yield _lines(REORDERING_LINE, columns)


def _links_text(pattern: int) -> str:
    links = [(s, t) for t in range(8) for s in range(8) if (pattern >> (8 * t + s)) & 1]
    return " ".join(f"{s}-{t}" for s, t in links)


def _lines(line: str, columns: Sequence[Sequence[object]]) -> bytes:
    """One template for some thousand lines: the fastest way to format them."""
    fields = tuple(chain.from_iterable(zip(*columns, strict=True)))
    return ((line * len(columns[0])) % fields).encode("utf-8")
