"""Positions of the blocks of a sequence, as two fields of a k-best list.

segmentation   `2-3=0-1 0-1=2-4`: source and target words of each block in target order, as
Moses writes them; no target words are written as `k-j` with j = k - 1
orientation    `N L R`: where each block stands relative to the one before it: right of it
without a gap (R), left of it without a gap (L), elsewhere (N)
(Tillmann and Zhang, section II)
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from campanula.formats.arrays.types import Ids
from campanula.formats.feature_names.sparse import ORIENTATIONS
from campanula.formats.records.texts import Texts
from campanula.stages.kernels.records import END, LENGTH, OPTION, START

if TYPE_CHECKING:
    from campanula.stages.kernels.graph.paths import Paths

Block = tuple[int, int, int]  # first source word, word after the last, number of target words


def fields_of(paths: Paths, link: Ids, info: Ids) -> dict[str, Texts]:
    """Return segmentation and orientation of paths; link, info: as in records.Graph and Options."""
    spans = []
    sides = []
    for begin, end in pairwise(paths.offset.tolist()):
        rows = link[paths.arc[begin:end]]
        columns = rows[:, START], rows[:, END], info[rows[:, OPTION], LENGTH]
        blocks = list(zip(*(column.tolist() for column in columns), strict=True))
        spans.append(segmentation(blocks))
        sides.append(orientation(blocks))
    return {"segmentation": Texts.of(spans), "orientation": Texts.of(sides)}


def segmentation(blocks: list[Block]) -> str:
    """Return the segmentation of blocks in target order, as Moses writes it."""
    spans = []
    place = 0
    for start, end, words in blocks:
        spans.append(f"{_range(start, end)}={_range(place, place + words)}")
        place += words
    return " ".join(spans)


def _range(start: int, end: int) -> str:
    if start == end:
        start = max(start, 1)  # at the start of a sentence 1-0, since there is no place -1
        return f"{start}-{start - 1}"
    return str(start) if end == start + 1 else f"{start}-{end - 1}"


def orientation(blocks: list[Block]) -> str:
    """Return R, L or N for each block, in target order."""
    from campanula.stages.kernels.orientation import orientation as kernel

    sides = []
    before = (-1, 0)  # the boundary of the sentence counts as a block left of its first word
    for start, end, _ in blocks:
        sides.append(ORIENTATIONS[kernel(start, end, *before)])
        before = (start, end)
    return " ".join(sides)
