"""The options of a sentence pair when its own counts are left out of the relative frequencies.

    p(f | e) = (N(f, e) - n(f, e)) / (N(e) - n(e)),  p(e | f) = (N(f, e) - n(f, e)) / (N(f) - n(f))

with the phrase table's counts N and those of the pair n (Wuebker et al. 2010; 2015, section 5.2).
Where nothing is left of N(f, e) the probability is a fixed one, or the block is none.

The counts that change are few.  Of the rows of one source phrase, all whose target phrase the pair
does not yield change by the same log N(f) / (N(f) - n(f)), so they keep their order: rows are
ranked once, and for each pair only the others are looked up, scored, and put between.  With lexical
weights (left_lexical) every row changes, but little: the rows are gone through in that order until
none that follows can gain enough.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Ints
from campanula.stages.kernels.bitext.left_lexical import (
    find,
    lex_of_source,
    lex_of_target,
    lower_bound,
    patterns_left,
    source_gain,
    source_words,
    take_out,
    target_gain,
    weighted_gain,
)
from campanula.stages.kernels.bitext.left_records import (
    BOTH,
    DIRECT,
    END,
    FULL,
    INVERSE,
    LEX,
    LEX_INVERSE,
    NO_BLOCK,
    NO_ROW,
    OF_DIRECT,
    OF_E,
    OF_F,
    Best,
    CountTable,
    Own,
    Ranked,
    VisitWork,
)
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.wide import wide

Change = tuple[float, float, float, float]
"""What is added to the log probabilities of a row, by the columns of Best.change."""


@njit(**LEAN)
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


@njit(**LEAN)
def row_change(
    row: int, own: tuple[int, int, int], block: int, pairs: Own, table: CountTable, work: VisitWork
) -> Change:
    """Changes of a row's log probabilities; its own counts are n(e), n(f), n(f, e), and `block`
    is its place in `pairs`.

    NaN when the counts do not fit.
    """
    n_e, n_f, n_both = own
    inverse, direct, lex_inverse, lex = 0.0, 0.0, 0.0, 0.0
    both = table.counts[row, BOTH]
    if n_e > 0:
        inverse = rest_log(both, table.counts[row, OF_E], n_both, n_e, table.penalty)
        inverse -= float(table.score[row, INVERSE])
    if n_f > 0:
        direct = rest_log(both, table.counts[row, OF_F], n_both, n_f, table.penalty)
        direct -= float(table.score[row, DIRECT])
    if len(table.links.parent) > 0:
        links = table.links
        fits, best, turned = patterns_left(row, block, pairs.links, links.patterns)
        lex_inverse, lex = np.nan, np.nan
        if fits:
            lex_inverse = lex_of_source(row, turned, links, work) - table.score[row, LEX_INVERSE]
            lex = lex_of_target(row, best, links, work) - table.score[row, LEX]
    return inverse, direct, lex_inverse, lex


@njit(**LEAN)
def changed_value(row: int, change: Change, table: CountTable, ranked: Ranked) -> float:
    """Score of a row after changes."""
    value = ranked.value[row]
    for k in range(4):
        if change[k] != 0.0:
            value += table.weight[k] * change[k]
    return float(value)


@njit(**LEAN)
def insert(row: int, block: int, value: float, change: Change, best: Best, span: Ints) -> bool:
    """Put a row among the best of a span, by value, ties by row; False if it is none of them.

    When there is no room the last of them goes.
    """
    rows, blocks, values, changes = best
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
        blocks[k] = blocks[k - 1]
        values[k] = values[k - 1]
        for column in range(4):  # a row at once would be an array, which counts its references
            changes[k, column] = changes[k - 1, column]
    rows[place] = row
    blocks[place] = block
    values[place] = value
    changes[place, 0], changes[place, 1] = change[0], change[1]
    changes[place, 2], changes[place, 3] = change[2], change[3]
    span[END] = end
    return True


@njit(**LEAN)
def note(fault: Ints, i: int, row: int, own: tuple[int, int, int]) -> None:
    """Write a fault: node, row, n(e), n(f), n(f, e)."""
    fault[0], fault[1] = i, row
    fault[2], fault[3], fault[4] = own


@njit(**LEAN)
def put_yielded(
    i: int, t: int, r: int, own: Own, table: CountTable, ranked: Ranked, best: Best, work: VisitWork
) -> None:
    """Put row r, of node i and target phrase t (places in `own`), among the best; mark it."""
    n_e, n_f, both = own.key_count[t], own.node_count[i], 0
    block = find(own.pair_node, own.pair_start[t], own.pair_start[t + 1], own.node[i])
    if block >= 0:
        both = own.pair_count[block]
    own_counts = (n_e, n_f, both)
    change = row_change(r, own_counts, block, own, table, work)
    if work.fault[0] < 0 and np.isnan(change[0] + change[1] + change[2]):
        note(work.fault, i, r, own_counts)
    if change[0] > -np.inf:  # else nothing is left of the block
        insert(r, block, changed_value(r, change, table, ranked), change, best, work.span)
    ranked.visit[r] = work.visit[0]
    work.found[0] += both


@njit(**LEAN)
def put_all_yielded(
    i: int,
    keys: tuple[int, int],
    own: Own,
    table: CountTable,
    ranked: Ranked,
    best: Best,
    work: VisitWork,
) -> None:
    """Put the rows of node i whose target phrases are among the keys among the best.

    Looks the fewer of them up among the others.
    """
    first, last = table.row_start[own.node[i]], table.row_start[own.node[i] + 1]
    begin, end = keys
    if last - first <= end - begin:
        for k in range(first, last):
            t = find(own.key, begin, end, ranked.key[k])
            if t >= 0:
                r = wide(ranked.key_row[k])
                put_yielded(i, t, r, own, table, ranked, best, work)
    else:
        for t in range(begin, end):
            k = lower_bound(ranked.key, first, last, own.key[t])
            while k < last and ranked.key[k] == own.key[t]:
                r = wide(ranked.key_row[k])
                put_yielded(i, t, r, own, table, ranked, best, work)
                k += 1


@njit(**LEAN)
def put_others(
    i: int, gain: float, own: Own, table: CountTable, ranked: Ranked, best: Best, work: VisitWork
) -> None:
    """Put the rows of node i that this visit has not marked among the best.

    None of them gains more than `gain` beside what all of them do.
    """
    n_f = own.node_count[i]
    place, last = table.row_start[own.node[i]], table.row_start[own.node[i] + 1]
    shared = 0.0
    while place < last:
        r = wide(ranked.best[place])
        place += 1
        if ranked.visit[r] != work.visit[0]:
            full = work.span[END] == work.span[FULL]
            if (
                gain > 0.0
                and full
                and ranked.value[r] + shared + gain < best.value[work.span[END] - 1]
            ):
                break  # nor can those that follow come before
            change = row_change(r, (0, n_f, 0), NO_BLOCK, own, table, work)
            shared = table.weight[OF_DIRECT] * change[OF_DIRECT]
            if work.fault[0] < 0 and np.isnan(change[OF_DIRECT]):
                note(work.fault, i, r, (0, n_f, 0))
            value = changed_value(r, change, table, ranked)
            if not insert(r, NO_BLOCK, value, change, best, work.span) and gain <= 0.0:
                break  # those that follow are no better


@njit(**LEAN)
def others_gain(s: int, of_target: float, own: Own, table: CountTable, work: VisitWork) -> float:
    """Most that a row of the node gains by its lexical weights; `of_target` is target_gain."""
    links = table.links
    of_source = work.length[0] * of_target
    of_words = table.longest * source_gain(s, own.links, links.words, work)
    return weighted_gain(table.weight, of_source, of_words)


@njit(cache=True, nogil=True)
def room_for(own: Own, table: CountTable, limit: int) -> tuple[Ints, Best]:
    """Most rows of each node (n_nodes,), and arrays for all of them."""
    n_nodes = len(own.node)
    most = np.zeros(n_nodes, dtype=np.int64)
    for i in range(n_nodes):
        n_rows = table.row_start[own.node[i] + 1] - table.row_start[own.node[i]]
        most[i] = min(n_rows, limit)
    size = most.sum()
    rows, blocks = np.empty(size, dtype=np.int64), np.empty(size, dtype=np.int64)
    return most, Best(rows, blocks, np.empty(size), np.zeros((size, 4)))


@njit(cache=True, nogil=True)
def choose(
    own: Own, table: CountTable, ranked: Ranked, limit: int, visits: int
) -> tuple[Ints, Best, Ints]:
    """Best rows of each node in `own`: start (n_nodes + 1,), those rows, and a fault.

    `visits`: how many nodes were asked for before.  The fault begins with -1, or says where counts
    do not fit: node (its place in `own`), row, n(e), n(f), n(f, e); the row is NO_ROW when the
    table lacks a block of the node.
    """
    n_nodes, lexical = len(own.node), len(table.links.parent) > 0
    most, best = room_for(own, table, limit)
    start = np.zeros(n_nodes + 1, dtype=np.int64)
    fault = np.full(5, -1, dtype=np.int64)
    work = VisitWork(
        np.zeros(3, dtype=np.int64),
        np.zeros(1, dtype=np.int64),
        np.zeros(1, dtype=np.int64),
        fault,
        np.zeros(8, dtype=np.int64),
        np.zeros(1, dtype=np.int64),
    )
    of_target, gain = 0.0, 0.0
    for s in range(len(own.node_start) - 1):
        keys = (own.key_start[s], own.key_start[s + 1])
        if lexical:
            take_out(s, 1, own.links, table.links.words)
            of_target = target_gain(s, own.links, table.links.words)
        for i in range(own.node_start[s], own.node_start[s + 1]):
            work.span[:] = (start[i], start[i], start[i] + most[i])
            work.visit[0], work.found[0] = visits + i + 1, 0
            if lexical:
                source_words(own.node[i], table.links, work)
                gain = others_gain(s, of_target, own, table, work)
            put_all_yielded(i, keys, own, table, ranked, best, work)
            put_others(i, gain, own, table, ranked, best, work)
            start[i + 1] = work.span[END]
            lacking = ranked.whole[own.node[i]] and work.found[0] < own.node_count[i]
            if fault[0] < 0 and lacking:
                fault[:] = (i, NO_ROW, 0, own.node_count[i], 0)
        if lexical:
            take_out(s, -1, own.links, table.links.words)
        if fault[0] >= 0:
            return start, best, fault
    return start, best, fault
