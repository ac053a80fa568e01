"""ARPA text of a model: line by line if it is small, by kernels and in threads beyond.

The kernels take as long to load as a hundred thousand numbers to be written one by one, and small
models should not wait for them.  The bytes are the same.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from campanula.formats.arpa.writer import Part, by_template
from campanula.formats.arrays.pointers import pointer_of
from campanula.stages.parallel.forks import Buffer
from campanula.stages.parallel.threads import in_threads

if TYPE_CHECKING:
    from campanula.stages.kernels.text.pages import Strings

FEW = 100_000  # n-grams that are written without kernels
MOST_THREADS = 4


def arpa_text(
    vocabulary: Sequence[str], parts: Iterable[Part], size: int, few: int = FEW
) -> Iterator[Buffer]:
    """Yield the bytes of every part, in order; `size` is the number of n-grams in all parts.

    Above `few` n-grams kernels write the text; the bytes are the same.
    """
    if size <= few:
        yield from (by_template(vocabulary, part) for part in parts)
        return
    write = partial(by_kernel, vocabulary, spelling_of(vocabulary))
    yield from in_threads(write, parts, min(MOST_THREADS, os.cpu_count() or 1))


def spelling_of(vocabulary: Sequence[str]) -> Strings:
    """Return the words as the kernel takes them: all bytes in one array, and where each begins.

    BLOCK zero bytes follow, since the kernel copies whole blocks beyond the end of a word.
    """
    from campanula.stages.kernels.text.pages import Strings
    from campanula.stages.kernels.text.words import BLOCK

    words = [word.encode("utf-8") for word in vocabulary]
    blob = b"".join([*words, bytes(BLOCK)])
    return Strings(np.frombuffer(blob, np.uint8), pointer_of([len(word) for word in words]))


def by_kernel(vocabulary: Sequence[str], spelling: Strings, part: Part) -> Buffer:
    """Return the text of a part, written by a kernel; several threads may write at once."""
    from campanula.stages.kernels.text import ngram_lines
    from campanula.stages.kernels.text.eight_digits import can_spell
    from campanula.stages.kernels.text.spelling import LONGEST
    from campanula.stages.kernels.text.words import BLOCK

    if isinstance(part, bytes):
        return part
    if not can_spell(part.log_prob).all() or not can_spell(part.log_backoff).all():
        return by_template(vocabulary, part)
    length = np.diff(spelling.pointer) + 1  # with the blank behind a word
    size = int(length[part.words].sum()) + (2 * ngram_lines.NUMBER) * len(part.words)
    out = np.empty(size + BLOCK + LONGEST, np.uint8)
    written = ngram_lines.write_ngrams(out, spelling, part.words, part.log_prob, part.log_backoff)
    return out[:written].data
