"""The options of a sentence pair when its own counts are left out of the relative frequencies.

    p(f | e) = (N(f, e) - n(f, e)) / (N(e) - n(e)),  p(e | f) = (N(f, e) - n(f, e)) / (N(f) - n(f))

with the phrase table's counts N and those of the pair n (Wuebker et al. 2010; 2015, section 5.2).
Where nothing is left of N(f, e) the probability is a fixed one, or the block is none.

The counts that change are few.  Of the rows of one source phrase, all whose target phrase the pair
does not yield change by the same log N(f) / (N(f) - n(f)), so they keep their order: rows are
ranked once, and for each pair only the others are looked up, scored, and put between.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.types import Bytes, Flags, Floats, Ids, Ints, Singles
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.sparse.weights import phrase_key
from campanula.stages.kernels.wide import wide

OF_E, OF_F, BOTH = range(3)  # columns of a block's counts: n(e), n(f), n(f, e)
INVERSE, DIRECT = 0, 2  # columns of a block's scores: log p(f | e), log p(e | f)
END = 1  # place in a span of what changes: begin, end, full end


class Counted(NamedTuple):
    """A phrase table with counts, rows sorted by source phrase (records.Table).

    counts (n_rows, 3): N(e), N(f), N(f, e); score (n_rows, n_scores), of which columns 0 and 2 are
    log p(f | e) and log p(e | f); weight (2,) of these two.  penalty: log probability of a block
    that no other sentence pair yields; -inf where it is none.
    """

    row_start: Ints
    counts: Ids
    score: Singles
    weight: Floats
    penalty: float


class Ranked(NamedTuple):
    """Rows of source phrases in two orders; filled for the nodes that have been met.

    value (n_rows,) of each row, its score.  A node's rows take the same places here as in the
    table: best, rows by value, best first; key, keys of the target phrases, ascending, and
    key_row, their rows.  whole (n_nodes,): no row of the node is missing from the table.  visit
    (n_rows,): a mark, the last visit to the node that found the row's target phrase.
    """

    value: Floats
    best: Ids
    key: Ints
    key_row: Ids
    whole: Flags
    visit: Ints


class Own(NamedTuple):
    """What sentence pairs yield, as counts.

    Pair s has the source phrases (trie nodes, ascending) node[node_start[s]:node_start[s + 1]],
    which it yields node_count times, 0 too; target phrases key (ascending) and key_count by
    key_start in the same way; blocks of target phrase k, that is pair_node, ascending, and
    pair_count, by pair_start[k].
    """

    node_start: Ints
    node: Ints
    node_count: Ints
    key_start: Ints
    key: Ints
    key_count: Ints
    pair_start: Ints
    pair_node: Ints
    pair_count: Ints


class Best(NamedTuple):
    """The best rows: row (n,), value (n,), and change (n, 2) of their two log probabilities."""

    row: Ints
    value: Floats
    change: Floats


class Work(NamedTuple):
    """What the visit to a node writes: span (3,), begin, end, and full end of its best rows.

    visit (1,), its number; found (1,), sum of n(f, e) of the rows found; fault (5,) as in choose.
    """

    span: Ints
    visit: Ints
    found: Ints
    fault: Ints


@njit(cache=True, nogil=True)
def row_keys(row: Ints, target_start: Ints, target_word: Ids) -> Ints:
    """Keys (n,) of the target phrases of rows."""
    key = np.empty(len(row), dtype=np.int64)
    for i in range(len(row)):
        key[i] = phrase_key(target_word, target_start[row[i]], target_start[row[i] + 1])
    return key


@njit(cache=True, nogil=True)
def text_keys(word: Ids, at: Ids, length: Bytes) -> Ints:
    """Keys (n,) of phrases of a text; -1 for one with an unknown word (-1)."""
    key = np.empty(len(at), dtype=np.int64)
    for i in range(len(at)):
        begin, end = wide(at[i]), wide(at[i]) + wide(length[i])
        key[i] = phrase_key(word, begin, end)
        for place in range(begin, end):
            if word[place] < 0:
                key[i] = -1
    return key


@njit(cache=True, nogil=True)
def lower_bound(array: Ints, begin: int, end: int, value: int) -> int:
    """First place from begin to end where an ascending array is not below a value."""
    while begin < end:
        middle = (begin + end) // 2
        if array[middle] < value:
            begin = middle + 1
        else:
            end = middle
    return begin


@njit(cache=True, nogil=True)
def rest_log(both: int, single: int, own_both: int, own_single: int, penalty: float) -> float:
    """Log of the relative frequency that is left; NaN when the own counts cannot be part of it."""
    left = both - own_both
    if left < 0 or left > single - own_single:
        result = np.nan
    elif left == 0:
        result = penalty
    else:
        result = np.log(left / (single - own_single))
    return float(np.float32(result))


@njit(cache=True, nogil=True)
def row_change(row: int, own: tuple[int, int, int], table: Counted) -> tuple[float, float]:
    """Change of log p(f | e) and log p(e | f) of a row whose own counts are n(e), n(f), n(f, e).

    NaN when the counts do not fit.
    """
    n_e, n_f, n_both = own
    inverse, direct = 0.0, 0.0
    both = table.counts[row, BOTH]
    if n_e > 0:
        inverse = rest_log(both, table.counts[row, OF_E], n_both, n_e, table.penalty)
        inverse -= float(table.score[row, INVERSE])
    if n_f > 0:
        direct = rest_log(both, table.counts[row, OF_F], n_both, n_f, table.penalty)
        direct -= float(table.score[row, DIRECT])
    return inverse, direct


@njit(cache=True, nogil=True)
def insert(row: int, value: float, change: tuple[float, float], best: Best, span: Ints) -> bool:
    """Put a row among the best of a span, by value, ties by row; False if it is none of them.

    When there is no room the last of them goes.
    """
    rows, values, changes = best
    begin, end, full = span
    place = end
    while place > begin and (
        values[place - 1] < value or (values[place - 1] == value and rows[place - 1] > row)
    ):
        place -= 1
    if place == full:
        return False
    end = min(end + 1, full)
    for k in range(end - 1, place, -1):
        rows[k] = rows[k - 1]
        values[k] = values[k - 1]
        changes[k] = changes[k - 1]
    rows[place] = row
    values[place] = value
    changes[place] = change
    span[END] = end
    return True


@njit(cache=True, nogil=True)
def put_yielded(
    i: int, t: int, r: int, own: Own, table: Counted, ranked: Ranked, best: Best, work: Work
) -> None:
    """Put row r, of node i and target phrase t (places in `own`), among the best; mark it."""
    n_e, n_f, both = own.key_count[t], own.node_count[i], 0
    p = lower_bound(own.pair_node, own.pair_start[t], own.pair_start[t + 1], own.node[i])
    if p < own.pair_start[t + 1] and own.pair_node[p] == own.node[i]:
        both = own.pair_count[p]
    change = row_change(r, (n_e, n_f, both), table)
    if work.fault[0] < 0 and np.isnan(change[0] + change[1]):
        work.fault[:] = (i, r, n_e, n_f, both)
    if change[0] > -np.inf:  # else nothing is left of the block
        value = ranked.value[r] + table.weight[0] * change[0] + table.weight[1] * change[1]
        insert(r, value, change, best, work.span)
    ranked.visit[r] = work.visit[0]
    work.found[0] += both


@njit(cache=True, nogil=True)
def put_all_yielded(
    i: int, keys: tuple[int, int], own: Own, table: Counted, ranked: Ranked, best: Best, work: Work
) -> None:
    """Put the rows of node i whose target phrases are among the keys among the best.

    Looks the fewer of them up among the others.
    """
    first, last = table.row_start[own.node[i]], table.row_start[own.node[i] + 1]
    begin, end = keys
    if last - first <= end - begin:
        for k in range(first, last):
            t = lower_bound(own.key, begin, end, ranked.key[k])
            if t < end and own.key[t] == ranked.key[k]:
                r = wide(ranked.key_row[k])
                put_yielded(i, t, r, own, table, ranked, best, work)
    else:
        for t in range(begin, end):
            k = lower_bound(ranked.key, first, last, own.key[t])
            while k < last and ranked.key[k] == own.key[t]:
                r = wide(ranked.key_row[k])
                put_yielded(i, t, r, own, table, ranked, best, work)
                k += 1


@njit(cache=True, nogil=True)
def put_others(i: int, own: Own, table: Counted, ranked: Ranked, best: Best, work: Work) -> None:
    """Put the rows of node i that this visit has not marked among the best."""
    n_f = own.node_count[i]
    place, last = table.row_start[own.node[i]], table.row_start[own.node[i] + 1]
    while place < last:
        r = wide(ranked.best[place])
        place += 1
        if ranked.visit[r] != work.visit[0]:
            change = row_change(r, (0, n_f, 0), table)
            if work.fault[0] < 0 and np.isnan(change[1]):
                work.fault[:] = (i, r, 0, n_f, 0)
            value = ranked.value[r] + table.weight[1] * change[1]
            if not insert(r, value, change, best, work.span):
                place = last  # those that follow are no better


@njit(cache=True, nogil=True)
def choose(
    own: Own, table: Counted, ranked: Ranked, limit: int, visits: int
) -> tuple[Ints, Ints, Floats, Ints]:
    """Best rows of each node in `own`: start (n_nodes + 1,), row, change (n, 2), and a fault.

    change: what is added to log p(f | e) and log p(e | f).  `visits`: how many nodes were asked
    for before.  The fault begins with -1, or says where counts do not fit: node (its place in
    `own`), row, n(e), n(f), n(f, e); the row is -1 when the table lacks a block of the node.
    """
    n_nodes = len(own.node)
    most = np.zeros(n_nodes, dtype=np.int64)
    for i in range(n_nodes):
        n_rows = table.row_start[own.node[i] + 1] - table.row_start[own.node[i]]
        most[i] = min(n_rows, limit)
    size = most.sum()
    start = np.zeros(n_nodes + 1, dtype=np.int64)
    best = Best(np.empty(size, dtype=np.int64), np.empty(size), np.zeros((size, 2)))
    work = Work(
        np.zeros(3, dtype=np.int64),
        np.zeros(1, dtype=np.int64),
        np.zeros(1, dtype=np.int64),
        np.full(5, -1, dtype=np.int64),
    )
    for s in range(len(own.node_start) - 1):
        keys = (own.key_start[s], own.key_start[s + 1])
        for i in range(own.node_start[s], own.node_start[s + 1]):
            work.span[:] = (start[i], start[i], start[i] + most[i])
            work.visit[0], work.found[0] = visits + i + 1, 0
            put_all_yielded(i, keys, own, table, ranked, best, work)
            put_others(i, own, table, ranked, best, work)
            start[i + 1] = work.span[END]
            lacking = ranked.whole[own.node[i]] and work.found[0] < own.node_count[i]
            if work.fault[0] < 0 and lacking:
                work.fault[:] = (i, -1, 0, own.node_count[i], 0)
            if work.fault[0] >= 0:
                return start, best.row[:0], best.change[:0], work.fault
    return start, best.row[: start[-1]], best.change[: start[-1]], work.fault
