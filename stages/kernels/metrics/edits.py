r"""Word edits from hypotheses to the references of their sentence: WER's and TER's counts.

    word errors          insertions, deletions, substitutions (Levenshtein)
    translation errors   the same and shifts of phrases, found greedily (Snover et al. 2006)

Translation errors follow sacrebleu's TER step by step, with its beam and its order of preferences,
so that the counts are equal.

Sequences are those of `tokens.number`: hyp and ref hold types one after the other, -1 for a type
that no reference has; sequence j is hyp[hyp_end[j]:hyp_end[j + 1]].
"""

from __future__ import annotations

import math

import numpy as np

from campanula.formats.arrays.types import Ids, Ints
from campanula.stages.kernels.compiled import njit

EDITS, LENGTH = range(2)  # columns of an error rate's statistics

# sacrebleu's limits, most of them Tercom's
MAX_SHIFT_SIZE, MAX_SHIFT_DISTANCE, MAX_CANDIDATES = 10, 50, 1000
BEAM = 25
FAR = 1 << 40  # cost of a cell outside of the beam: above all costs, and sums stay within 64 bits

KEEP, SUBSTITUTE, DELETE, INSERT, UNKNOWN = range(5)


@njit(cache=True, nogil=True)
def _levenshtein(hyp: Ids, ref: Ids, row: Ints) -> int:
    """Edit distance of two sequences; row (at least len(ref) + 1,) is overwritten."""
    # one row is enough: `diagonal` keeps the one cell above that is overwritten too early
    for k in range(len(ref) + 1):
        row[k] = k
    for i in range(len(hyp)):
        diagonal, row[0] = row[0], i + 1
        for k in range(len(ref)):
            substituted = diagonal + (hyp[i] != ref[k])
            diagonal = row[k + 1]
            row[k + 1] = min(substituted, diagonal + 1, row[k] + 1)
    return int(row[len(ref)])


@njit(cache=True, nogil=True)
def word_errors(hyp: Ids, hyp_end: Ints, ref: Ids, ref_end: Ints) -> Ints:
    """Edits to the nearest reference and that reference's length, (n_hyps, 2).

    The nearest has the fewest edits; of several the longest, whose error rate is the lowest.
    """
    row = np.empty(len(ref) + 1, np.int64)
    stats = np.zeros((len(hyp_end) - 1, 2), np.int64)
    for j in range(len(stats)):
        for r in range(len(ref_end) - 1):
            length = ref_end[r + 1] - ref_end[r]
            edits = _levenshtein(
                hyp[hyp_end[j] : hyp_end[j + 1]], ref[ref_end[r] : ref_end[r + 1]], row
            )
            nearer = edits == stats[j, EDITS] and length > stats[j, LENGTH]
            if r == 0 or edits < stats[j, EDITS] or nearer:
                stats[j, EDITS] = edits
                stats[j, LENGTH] = length
    return stats


@njit(cache=True, nogil=True)
def _beam(i: int, n_hyp: int, n_ref: int) -> tuple[int, int]:
    """First column of row i that is computed, and the end of the columns.

    They lie around the diagonal from the texts' starts to their ends.
    """
    ratio = n_ref / n_hyp
    width = BEAM
    if width < ratio / 2:
        width = math.ceil(ratio / 2 + BEAM)
    diagonal = math.floor(i * ratio)
    return max(0, diagonal - width), n_ref + 1 if i == n_hyp else min(n_ref + 1, diagonal + width)


@njit(cache=True, nogil=True)
def _fill_row(i: int, hyp: Ids, ref: Ids, above: Ints, row: Ints, op: Ids) -> int:
    """Compute row i > 0 of the table of edit distances from the row above; return its lowest cost.

    Of equal costs keeping or substituting wins, then deleting, then inserting.  row and op
    (len(ref) + 1,) get cost and operation of each cell.
    """
    low, high = _beam(i, len(hyp), len(ref))
    row[:] = FAR
    op[:] = UNKNOWN
    lowest = FAR
    for k in range(low, high):
        if k == 0:
            row[0] = above[0] + 1
            op[0] = DELETE
        else:
            same = hyp[i - 1] == ref[k - 1]
            cost = above[k - 1] + (0 if same else 1)
            if cost < row[k]:
                row[k] = cost
                op[k] = KEEP if same else SUBSTITUTE
            if above[k] + 1 < row[k]:
                row[k] = above[k] + 1
                op[k] = DELETE
            if row[k - 1] + 1 < row[k]:
                row[k] = row[k - 1] + 1
                op[k] = INSERT
        lowest = min(lowest, row[k])
    return int(lowest)


@njit(cache=True, nogil=True)
def _fill(hyp: Ids, ref: Ids, cost: Ints, op: Ids) -> int:
    """Fill tables of costs and operations, (len(hyp) + 1, len(ref) + 1); return the distance."""
    for k in range(len(ref) + 1):
        cost[0, k] = k
        op[0, k] = INSERT
    for i in range(1, len(hyp) + 1):
        _fill_row(i, hyp, ref, cost[i - 1], cost[i], op[i])
    return int(cost[len(hyp), len(ref)])


@njit(cache=True, nogil=True)
def _align(op: Ids, n_hyp: int, n_ref: int, align: Ints, hyp_wrong: Ints, ref_wrong: Ints) -> None:
    """Follow the cheapest path through the table of operations, from the end.

    align (n_ref,) gets the place in the hypothesis of each reference word; for a missing word the
    place of the word before, or -1.  hyp_wrong and ref_wrong get 1 for a word that is edited.
    """
    i = n_hyp
    k = n_ref
    while i > 0 or k > 0:
        step = op[i, k]
        if step == UNKNOWN:  # outside the beam, where the table has no path: any path to the start
            step = DELETE if i > 0 else INSERT
        if step == DELETE:
            hyp_wrong[i - 1] = 1
            i -= 1
        elif step == INSERT:
            align[k - 1] = i - 1
            ref_wrong[k - 1] = 1
            k -= 1
        else:
            wrong = 1 if step == SUBSTITUTE else 0
            align[k - 1] = i - 1
            ref_wrong[k - 1] = wrong
            hyp_wrong[i - 1] = wrong
            i, k = i - 1, k - 1


@njit(cache=True, nogil=True)
def _shift(hyp: Ids, start: int, length: int, target: int, out: Ids) -> None:
    """Write hyp to `out` with hyp[start:start + length] moved to before place `target`.

    A target within the phrase itself moves the phrase right by target - start words, as in
    sacrebleu.
    """
    end = start + length
    if target < start:
        first, middle, last = target, start, end
    elif target > end:
        first, middle, last = start, end, target
    else:
        first, middle, last = start, end, max(end, min(length + target, len(hyp)))
    out[:first] = hyp[:first]
    out[first : first + last - middle] = hyp[middle:last]
    out[first + last - middle : last] = hyp[first:middle]
    out[last:] = hyp[last:]


@njit(cache=True, nogil=True)
def _distance_from(
    first: int, hyp: Ids, ref: Ids, cost: Ints, rows: Ints, op: Ids, limit: int
) -> int:
    """Edit distance of hyp, whose `first` first words are those of the table `cost`.

    Return FAR if the distance is above the limit; rows (2, len(ref) + 1) and op are overwritten.
    """
    # a shift leaves the words before it in place: their rows of the table hold for the new text
    above = cost[first]
    for i in range(first + 1, len(hyp) + 1):
        row = rows[i % 2]
        # every path crosses this row, and costs never fall along a path
        if _fill_row(i, hyp, ref, above, row, op) > limit:
            return FAR
        above = row
    return int(above[len(ref)])


@njit(cache=True, nogil=True)
def _match_length(hyp: Ids, start: int, ref: Ids, ref_start: int) -> int:
    """Number of equal words from two places on, at most MAX_SHIFT_SIZE; 0 for places far apart."""
    if abs(ref_start - start) > MAX_SHIFT_DISTANCE:
        return 0
    most = min(MAX_SHIFT_SIZE, len(hyp) - start, len(ref) - ref_start)
    length = 0
    while length < most and hyp[start + length] == ref[ref_start + length]:
        length += 1
    return length


@njit(cache=True, nogil=True)
def _best_shift(hyp: Ids, ref: Ids, tried: int, out: Ids) -> tuple[int, int]:
    """Write to `out` the hypothesis after the shift that saves most; return (saved, tried).

    Of shifts that save as much: the longest, then the earliest, then the one to the earliest place.
    `tried` counts the shifts tried for this hypothesis, at most MAX_CANDIDATES.  A shift is tried
    if a word of the phrase is wrong where it stands, and a word is missing where the phrase goes.
    """
    cost = np.empty((len(hyp) + 1, len(ref) + 1), np.int64)
    op = np.empty((len(hyp) + 1, len(ref) + 1), np.int32)
    before = _fill(hyp, ref, cost, op)
    align = np.empty(len(ref), np.int64)
    hyp_wrong, ref_wrong = np.zeros(len(hyp), np.int64), np.zeros(len(ref), np.int64)
    _align(op, len(hyp), len(ref), align, hyp_wrong, ref_wrong)
    rows = np.empty((2, len(ref) + 1), np.int64)
    scratch = np.empty(len(ref) + 1, np.int32)
    moved = np.empty_like(hyp)
    best = (0, 0, 0, 0)  # a shift that saves nothing is never made
    for start in range(len(hyp)):
        for ref_start in range(len(ref)):
            for length in range(1, _match_length(hyp, start, ref, ref_start) + 1):
                if hyp_wrong[start : start + length].sum() == 0:
                    continue
                if ref_wrong[ref_start : ref_start + length].sum() == 0:
                    continue
                # the place to go to is within the phrase itself
                if start <= align[ref_start] < start + length:
                    continue
                last = -1
                for k in range(ref_start - 1, ref_start + length):
                    target = 0 if k == -1 else align[k] + 1
                    if target == last:
                        continue
                    last = target
                    tried += 1
                    _shift(hyp, start, length, target, moved)
                    # a shift that saves less than the best so far need not be measured to the end
                    limit = before - max(best[0], 1)
                    same = min(start, target)
                    after = _distance_from(same, moved, ref, cost, rows, scratch, limit)
                    shift = (before - after, length, -start, -target)
                    if before > after and shift > best:
                        best = shift
                        out[:] = moved
                if tried >= MAX_CANDIDATES:
                    return best[0], tried
    return best[0], tried


@njit(cache=True, nogil=True)
def _translation_edits(words: Ids, ref: Ids) -> int:
    if len(ref) == 0 or len(words) == 0:
        return len(words) + len(ref)
    hyp = words.copy()
    moved = np.empty_like(words)
    shifts, tried = 0, 0
    while True:
        saved, tried = _best_shift(hyp, ref, tried, moved)
        if tried >= MAX_CANDIDATES or saved <= 0:
            break
        shifts += 1
        hyp[:] = moved
    cost = np.empty((len(hyp) + 1, len(ref) + 1), np.int64)
    op = np.empty((len(hyp) + 1, len(ref) + 1), np.int32)
    return shifts + _fill(hyp, ref, cost, op)


@njit(cache=True, nogil=True)
def translation_errors(hyp: Ids, hyp_end: Ints, ref: Ids, ref_end: Ints) -> Ints:
    """Fewest edits to one reference times n_refs, and the sum of reference lengths, (n_hyps, 2).

    Their ratio is TER: edits over the references' average length.  Both are integers this way.
    """
    n_refs = len(ref_end) - 1
    stats = np.zeros((len(hyp_end) - 1, 2), np.int64)
    for j in range(len(stats)):
        words = hyp[hyp_end[j] : hyp_end[j + 1]]
        fewest = FAR
        for r in range(n_refs):
            edits = _translation_edits(words, ref[ref_end[r] : ref_end[r + 1]])
            fewest = min(fewest, edits)
        stats[j, EDITS] = fewest * n_refs
        stats[j, LENGTH] = len(ref)
    return stats
