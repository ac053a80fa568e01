"""Winners of many lists at a theta, and the envelopes of their pieces, in one visit to each list.

    s_j(x) = theta . f_j + x slope_j        of every direction that changes the list

A list's columns come from memory once: the scores are built of them, and every envelope asks them
while they are at hand.  The next list's columns are fetched meanwhile.  Compiled.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Flags, Floats, Ids, Ints
from campanula.stages.kernels.compiled import LEAN, njit, prefetch
from campanula.stages.kernels.lists.lists import Lists
from campanula.stages.kernels.lists.scores import CACHE_LINE, add_dense, add_rest
from campanula.stages.kernels.lists.winners import place_of_best
from campanula.stages.kernels.solvers.axes import Envelopes, Pieces, spread
from campanula.stages.kernels.solvers.envelope import EnvelopeRoom, upper_envelope
from campanula.stages.kernels.solvers.nearby import nearby_envelope


@njit(**LEAN)
def score_padded(lists: Lists, pieces: Pieces, i: int, theta: Floats, out: Floats) -> None:
    """Write the padded scores of list i at theta to out, those of score_list to the last bit."""
    out[:] = 0.0
    add_dense(lists, i, pieces.column, pieces.dense[i], theta, out)
    add_rest(lists, i, theta, out)
    for j in range(lists.list_pointer[i + 1] - lists.list_pointer[i], len(out)):
        out[j] = -np.inf


@njit(**LEAN)
def visit(
    lists: Lists, pieces: Pieces, theta: Floats, stale: Flags, last: Envelopes, found: Envelopes,
    winner: Ints, room: EnvelopeRoom,
) -> None:  # fmt: skip
    """Write the winning rows of the stale lists to winner (n_lists,), and all envelopes to found.

    Those of lists whose scores are as they were, not stale (n_lists,), are copied from the last
    ones; for the rest the last ones are the guess.  Ties: the lower row.
    """
    n, n_lists = 0, len(stale)
    for i in range(n_lists):
        score = room.score[: pieces.pad[i + 1] - pieces.pad[i]]
        place = 0
        if stale[i]:
            score_padded(lists, pieces, i, theta, score)
            place = place_of_best(score)
            winner[i] = lists.list_pointer[i] + place
        ahead = pieces.dense[min(i + 1, n_lists - 1)]
        for p in range(pieces.list_pieces[i], pieces.list_pieces[i + 1]):
            begin, end = last.begin[p], last.begin[p + 1]
            found.begin[p] = n
            if not stale[i]:
                n = _copy(last, begin, end, found, n)
                continue
            for j in range(ahead, min(ahead + len(score), len(pieces.column)), CACHE_LINE):
                prefetch(pieces.column, j)
            ahead += len(score)
            size = find_envelope(pieces, p, score, last.line[begin:end], place, room)
            for c in range(size):
                found.line[n + c], found.x[n + c] = room.line[c], room.x[c]
            n += size
    found.begin[len(pieces.list)] = n


@njit(**LEAN)
def visit_along(
    lists: Lists, pieces: Pieces, theta: Floats, along: Pieces, found: Envelopes, room: EnvelopeRoom
) -> None:
    """Write the envelopes of the pieces of other directions, `along`, to found."""
    n = 0
    for i in range(len(lists.list_pointer) - 1):
        score = room.score[: pieces.pad[i + 1] - pieces.pad[i]]
        score_padded(lists, pieces, i, theta, score)
        place = place_of_best(score)
        for p in range(along.list_pieces[i], along.list_pieces[i + 1]):
            found.begin[p] = n
            size = find_envelope(along, p, score, found.line[:0], place, room)
            for c in range(size):
                found.line[n + c], found.x[n + c] = room.line[c], room.x[c]
            n += size
    found.begin[len(along.list)] = n


@njit(**LEAN)
def _copy(last: Envelopes, begin: int, end: int, found: Envelopes, n: int) -> int:
    """Copy an envelope to found, from n on; returns where it ends."""
    for c in range(begin, end):
        found.line[n], found.x[n] = last.line[c], last.x[c]
        n += 1
    return n


@njit(**LEAN)
def find_envelope(
    pieces: Pieces, p: int, score: Floats, guess: Ids, winner: int, room: EnvelopeRoom
) -> int:
    """Number of lines on the envelope of piece p, which room then holds."""
    low, high, start = pieces.low[p], pieces.high[p], pieces.start[p]
    slope = room.slope[: len(score)]
    if pieces.entry[p] == pieces.entry[p + 1]:
        slope = pieces.column[start : start + len(score)]
    else:
        spread(pieces, p, slope)
    n = nearby_envelope(score, slope, (low, high), guess, winner, room)
    if n == 0:
        for c in range(len(guess)):
            room.line[c] = guess[c]
        n = upper_envelope(score, slope, low, high, len(guess), room)
    return int(n)
