"""Spell the words of paths as text."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.types import Bytes, Ids, Ints
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.graph.paths import Paths
from campanula.stages.kernels.records import LENGTH, OPTION, PLACE

BLANK = ord(" ")


class Spelling(NamedTuple):
    """Target words as bytes: word w is blob[start[w]:start[w + 1]].

    Words from len(start) - 1 on are in extra_blob in the same way, from extra_start[0] on: copies
    of a sentence's unknown words, which the model's vocabulary lacks.
    """

    blob: Bytes
    start: Ints
    extra_blob: Bytes
    extra_start: Ints


@njit(**LEAN)
def word_size(w: int, spelling: Spelling) -> int:
    """Return the number of bytes of a word."""
    n_words = len(spelling.start) - 1
    if w < n_words:
        return int(spelling.start[w + 1] - spelling.start[w])
    return int(spelling.extra_start[w - n_words + 1] - spelling.extra_start[w - n_words])


@njit(**LEAN)
def write_word(w: int, spelling: Spelling, text: Bytes, place: int) -> int:
    """Write a word to `text` from a place on, and return where it ends."""
    # byte by byte: a slice would be an array, which counts its references
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
    """Return the words of paths with blanks between, as bytes, and starts of texts (n_paths + 1,).

    link: the arcs (records.Graph); info: their options (records.Options), whose words are `word`.
    """
    offset, arc = paths
    start = np.zeros(len(offset), dtype=np.int64)
    # sizes first, so that all texts go into one array
    size = 0
    for h in range(len(offset) - 1):
        n_words = 0
        for s in range(offset[h], offset[h + 1]):
            o = link[arc[s], OPTION]
            for k in range(info[o, PLACE], info[o, PLACE] + info[o, LENGTH]):
                size += word_size(word[k], spelling)
                n_words += 1
        size += max(n_words - 1, 0)  # blanks; a path without words has none
        start[h + 1] = size
    text = np.empty(size, dtype=np.uint8)
    for h in range(len(offset) - 1):
        here = start[h]
        for s in range(offset[h], offset[h + 1]):
            o = link[arc[s], OPTION]
            for k in range(info[o, PLACE], info[o, PLACE] + info[o, LENGTH]):
                if here > start[h]:  # not before the first word; words are never empty
                    text[here] = BLANK
                    here += 1
                here = write_word(word[k], spelling, text, here)
    return text, start
