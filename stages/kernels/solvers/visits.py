"""Winners of many lists at a theta, and the envelopes of their pieces, in one visit to each list.

    s_j(x) = theta . f_j + x slope_j        of every direction that changes the list

A list's columns come from memory once: the scores are computed from them, and every envelope reads
them while they are in the cache.  The next list's columns are loaded meanwhile.  Compiled.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Flags, Floats, Ids, Ints
from campanula.stages.kernels.compiled import LEAN, njit, prefetch
from campanula.stages.kernels.lists.lists import Lists
from campanula.stages.kernels.lists.scores import CACHE_LINE, add_dense, add_rest
from campanula.stages.kernels.lists.winners import place_of_best
from campanula.stages.kernels.solvers.axes import Envelopes, Pieces, spread
from campanula.stages.kernels.solvers.envelope import EnvelopeWork, upper_envelope
from campanula.stages.kernels.solvers.nearby import nearby_envelope


@njit(**LEAN)
def score_padded(lists: Lists, pieces: Pieces, i: int, theta: Floats, out: Floats) -> None:
    """Write the padded scores of list i at theta to out, those of score_list to the last bit."""
    out[:] = 0.0
    # in score_list's order, so that winners of a line search and of reranking break ties alike
    add_dense(lists, i, pieces.column, pieces.dense[i], theta, out)
    add_rest(lists, i, theta, out)
    for j in range(lists.list_pointer[i + 1] - lists.list_pointer[i], len(out)):
        out[j] = -np.inf


@njit(**LEAN)
def visit(
    lists: Lists, pieces: Pieces, theta: Floats, stale: Flags, last: Envelopes, new: Envelopes,
    winner: Ints, work: EnvelopeWork,
) -> None:  # fmt: skip
    """Write the winning rows of the stale lists to winner (n_lists,), and all envelopes to new.

    stale (n_lists,): lists whose scores have changed.  The envelopes of other lists are copied from
    `last`; for stale lists these are the guess.  Ties: the lower row.
    """
    n_lists = len(stale)
    n = 0
    for i in range(n_lists):
        score = work.score[: pieces.pad[i + 1] - pieces.pad[i]]
        place = 0
        if stale[i]:
            score_padded(lists, pieces, i, theta, score)
            place = place_of_best(score)
            winner[i] = lists.list_pointer[i] + place
        ahead = pieces.dense[min(i + 1, n_lists - 1)]
        for p in range(pieces.list_pieces[i], pieces.list_pieces[i + 1]):
            begin, end = last.begin[p], last.begin[p + 1]
            new.begin[p] = n
            if not stale[i]:
                n = _copy(last, begin, end, new, n)
                continue
            # a column of the next list for each piece of this one: memory and arithmetic overlap
            for j in range(ahead, min(ahead + len(score), len(pieces.column)), CACHE_LINE):
                prefetch(pieces.column, j)
            ahead += len(score)
            size = find_envelope(pieces, p, score, last.line[begin:end], place, work)
            for c in range(size):
                new.line[n + c], new.x[n + c] = work.line[c], work.x[c]
            n += size
    new.begin[len(pieces.list)] = n


@njit(**LEAN)
def visit_along(
    lists: Lists, pieces: Pieces, theta: Floats, along: Pieces, new: Envelopes, work: EnvelopeWork
) -> None:
    """Write the envelopes of the pieces of other directions, `along`, to new."""
    n = 0
    for i in range(len(lists.list_pointer) - 1):
        score = work.score[: pieces.pad[i + 1] - pieces.pad[i]]
        score_padded(lists, pieces, i, theta, score)
        place = place_of_best(score)
        for p in range(along.list_pieces[i], along.list_pieces[i + 1]):
            new.begin[p] = n
            size = find_envelope(along, p, score, new.line[:0], place, work)
            for c in range(size):
                new.line[n + c], new.x[n + c] = work.line[c], work.x[c]
            n += size
    new.begin[len(along.list)] = n


@njit(**LEAN)
def _copy(last: Envelopes, begin: int, end: int, new: Envelopes, n: int) -> int:
    """Copy an envelope to new, from n on; return its end."""
    for c in range(begin, end):
        new.line[n], new.x[n] = last.line[c], last.x[c]
        n += 1
    return n


@njit(**LEAN)
def find_envelope(
    pieces: Pieces, p: int, score: Floats, guess: Ids, winner: int, work: EnvelopeWork
) -> int:
    """Write the envelope of piece p to work.line and work.x; return its number of lines."""
    low, high, start = pieces.low[p], pieces.high[p], pieces.start[p]
    slope = work.slope[: len(score)]
    if pieces.entry[p] == pieces.entry[p + 1]:
        slope = pieces.column[start : start + len(score)]
    else:
        spread(pieces, p, slope)
    n = nearby_envelope(score, slope, (low, high), guess, winner, work)
    # rounding might decide: the slower way, whose result does not depend on the guess
    if n == 0:
        for c in range(len(guess)):
            work.line[c] = guess[c]
        n = upper_envelope(score, slope, low, high, len(guess), work)
    return int(n)
