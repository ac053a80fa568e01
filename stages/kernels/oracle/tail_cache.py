"""A cache of the best ends of a sentence, each made when the oracle search first needs it.

An end is a chain of classes, each the choice after the one before (tails.py).  Two chains that meet
at a place and context are equal from there on, so an end is made by walking to the next end in the
cache.  Some ends on the way are added to it, so that later walks are short.  A row holds one end,
the newest of those whose hash it is.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.hashing import LOW31
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.oracle.ngrams import DOWN, context_of, longest_match, read
from campanula.stages.kernels.oracle.records import OracleTask, TailCache
from campanula.stages.kernels.oracle.tails import choice_after
from campanula.stages.kernels.wide import wide

ENDS = 4096  # rows at most: a set of slots in each may be large
APART = 16  # steps between ends on the way that are added: each displaces the one in its row

PLACE, CONTEXT, CLASS = range(3)  # columns of TailCache.path; the first two of its key


@njit(cache=True, nogil=True)
def empty_cache(n: int, n_words: int) -> TailCache:
    """Return an empty cache for a sentence of n words; a set of slots has n_words integers."""
    size = 64  # a power of 2, so that `& (size - 1)` is the rest of a division
    while size < ENDS and size < 32 * n:
        size *= 2
    return TailCache(
        np.full((size, 2), -1, np.int32),
        np.empty((size, n_words), np.int64),
        np.zeros(size, np.int64),
        np.empty((n + 1, 3), np.int32),
        np.empty(n_words, np.int64),
    )


@njit(**LEAN)
def home(cache: TailCache, place: int, context: int) -> int:
    """Return the only row that may hold the end from a place on after a context."""
    mixed = (place * 0x2545F491 + context * 0x19D699A5) & LOW31
    return int((mixed ^ mixed >> 15) & (len(cache.key) - 1))


@njit(**LEAN)
def is_kept(cache: TailCache, row: int, place: int, context: int) -> bool:
    """Whether a row holds the end from a place on after a context."""
    return bool(cache.key[row, PLACE] == place and cache.key[row, CONTEXT] == context)


@njit(**LEAN)
def tail_of(task: OracleTask, place: int, context: int) -> int:
    """Return the row in task.cache of the end from a place on after a context.

    The next call may overwrite the row.
    """
    cache = task.cache
    row = home(cache, place, context)
    if not is_kept(cache, row, place, context):
        make_end(task, place, context)
    return row


@njit(**LEAN)
def make_end(task: OracleTask, place: int, context: int) -> None:
    """Write an end to its row, and every APART-th end on the way from it to theirs."""
    classes, ngrams, cache = task.classes, task.ngrams, task.cache
    start = classes.start
    word = classes.word
    work = cache.work
    path = cache.path
    n_steps, next_end = walk(task, place, context)
    length = wide(0)
    for k in range(len(work)):
        work[k] = 0 if next_end < 0 else cache.bits[next_end, k]
    if next_end >= 0:
        length = wide(cache.length[next_end])
    # from the last step back, so that `work` is at each step the end from there on
    for step in range(n_steps - 1, -1, -1):
        c = wide(path[step, CLASS])
        read(ngrams, wide(path[step, CONTEXT]), word, start[c], start[c + 1], work, DOWN)
        length += start[c + 1] - start[c]
        if step % APART == 0 and step > 0:
            keep(cache, wide(path[step, PLACE]), wide(path[step, CONTEXT]), length)
    keep(cache, place, context, length)


@njit(**LEAN)
def walk(task: OracleTask, place: int, context: int) -> tuple[int, int]:
    """Write the steps from a place to the next end in the cache to cache.path.

    Returns the number of steps, and the row of that end, -1 if there is none up to the end of the
    sentence.
    """
    classes = task.classes
    ngrams = task.ngrams
    cache = task.cache
    path = cache.path
    n = len(classes.first)
    n_steps = 0
    here, u = wide(place), wide(context)
    while here < n:
        row = home(cache, here, u)
        if is_kept(cache, row, here, u):
            return n_steps, row
        c = choice_after(task.tails, ngrams, here, u)
        if c < 0:  # no block covers the word here: the end stops short
            break
        path[n_steps, PLACE] = here
        path[n_steps, CONTEXT] = u
        path[n_steps, CLASS] = c
        n_steps += 1
        for k in range(classes.start[c], classes.start[c + 1]):
            u = context_of(ngrams, longest_match(ngrams, u, classes.word[k]))
        here = wide(task.tails.behind[c])
    return n_steps, -1


@njit(**LEAN)
def keep(cache: TailCache, place: int, context: int, length: int) -> None:
    """Write the end in cache.work to its row, over what the row held."""
    row = home(cache, place, context)
    cache.key[row, PLACE] = place
    cache.key[row, CONTEXT] = context
    cache.length[row] = length
    for k in range(len(cache.work)):
        cache.bits[row, k] = cache.work[k]
