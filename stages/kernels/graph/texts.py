"""The words of paths as text."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.types import Bytes, Ids, Ints
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.graph.paths import Paths
from campanula.stages.kernels.records import LENGTH, OPTION, PLACE

BLANK = 32


class Spelling(NamedTuple):
    """Target words as bytes: word w is blob[start[w]:start[w + 1]].

    Those past the last of these are in extra_blob, with their own extra_start.
    """

    blob: Bytes
    start: Ints
    extra_blob: Bytes
    extra_start: Ints


@njit(**LEAN)
def word_size(w: int, spelling: Spelling) -> int:
    """Bytes of a word."""
    n_words = len(spelling.start) - 1
    if w < n_words:
        return int(spelling.start[w + 1] - spelling.start[w])
    return int(spelling.extra_start[w - n_words + 1] - spelling.extra_start[w - n_words])


@njit(**LEAN)
def write_word(w: int, spelling: Spelling, text: Bytes, place: int) -> int:
    """Write a word to `text` from a place on; returns where it ends."""
    n_words = len(spelling.start) - 1
    if w < n_words:
        for b in range(spelling.start[w], spelling.start[w + 1]):
            text[place] = spelling.blob[b]
            place += 1
    else:
        for b in range(spelling.extra_start[w - n_words], spelling.extra_start[w - n_words + 1]):
            text[place] = spelling.extra_blob[b]
            place += 1
    return place


@njit(cache=True, nogil=True)
def texts(paths: Paths, link: Ids, info: Ids, word: Ids, spelling: Spelling) -> tuple[Bytes, Ints]:
    """Words of paths with blanks between: bytes, and where each text starts (n_paths + 1,).

    link: the arcs (records.Graph); info: their options (records.Options), whose words are `word`.
    """
    offset, arc = paths
    start = np.zeros(len(offset), dtype=np.int64)
    size = 0
    for h in range(len(offset) - 1):
        n_words = 0
        for s in range(offset[h], offset[h + 1]):
            o = link[arc[s], OPTION]
            for k in range(info[o, PLACE], info[o, PLACE] + info[o, LENGTH]):
                size += word_size(word[k], spelling)
                n_words += 1
        size += max(n_words - 1, 0)
        start[h + 1] = size
    text = np.empty(size, dtype=np.uint8)
    for h in range(len(offset) - 1):
        here = start[h]
        for s in range(offset[h], offset[h + 1]):
            o = link[arc[s], OPTION]
            for k in range(info[o, PLACE], info[o, PLACE] + info[o, LENGTH]):
                if here > start[h]:
                    text[here] = BLANK
                    here += 1
                here = write_word(word[k], spelling, text, here)
    return text, start
