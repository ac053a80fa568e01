"""Word alignments as text: one line per sentence pair, links `i-j` separated by blanks.

i is a place in the source sentence, j in the target sentence, both from 0; an empty line is a
pair without links.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from campanula.formats.arrays.pointers import pointer_of
from campanula.formats.arrays.types import Ints
from campanula.formats.errors import DataError
from campanula.formats.text.words import split_words

# nine digits: no sentence is longer, and the numbers must not overflow
LINK = re.compile(r"[0-9]{1,9}-[0-9]{1,9}", re.ASCII)
LINE = re.compile(r"[ \t]*(?:[0-9]{1,9}-[0-9]{1,9}(?:[ \t]+|\Z))*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Alignments:
    """Links of sentence pairs: pair n has links start[n] to start[n + 1] - 1.

    source, target (n_links,): the places that a link joins; start (n_pairs + 1,).  The links of a
    pair are sorted and distinct.
    """

    source: Ints
    target: Ints
    start: Ints

    def __len__(self) -> int:
        return len(self.start) - 1


def read_alignments(lines: Iterable[str], name: str, first: int = 1) -> Alignments:
    """Read alignments from lines, numbered from `first`; raises DataError that names the line."""
    place = array("q")
    end = array("q", [0])
    for number, line in enumerate(lines, first):
        if not LINE.fullmatch(line):
            bad = next(link for link in split_words(line) if not LINK.fullmatch(link))
            problem = f"expected links such as 0-1, found {bad!r}"
            raise DataError(name, f"line {number}", problem)
        place.extend(map(int, line.replace("-", " ").split()))
        end.append(len(place) // 2)
    return _sorted(np.array(place, np.int64).reshape(-1, 2), np.array(end))


def _sorted(link: Ints, start: Ints) -> Alignments:
    """Sort the links of each pair by source, then target place, and drop duplicates."""
    pair = np.repeat(np.arange(len(start) - 1), np.diff(start))
    order = np.lexsort((link[:, 1], link[:, 0], pair))
    link = link[order]
    pair = pair[order]
    new = np.ones(len(pair), bool)
    new[1:] = (np.diff(pair) != 0) | (np.diff(link, axis=0) != 0).any(axis=1)
    sizes = np.bincount(pair[new], minlength=len(start) - 1)
    return Alignments(link[new, 0], link[new, 1], pointer_of(sizes))


def alignment_line(links: Sequence[tuple[int, int]]) -> str:
    """Return the line of one sentence pair."""
    return " ".join(f"{i}-{j}" for i, j in links)
