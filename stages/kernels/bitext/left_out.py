"""The options of a sentence pair, scored without the counts of the pair itself.

    p(f | e) = (N(f, e) - n(f, e)) / (N(e) - n(e)),  p(e | f) = (N(f, e) - n(f, e)) / (N(f) - n(f))

with the phrase table's counts N and those of the pair n (Wuebker et al. 2010; 2015, section 5.2).
If N(f, e) - n(f, e) is 0, the probability is a fixed one, or the block is not used.

Few counts change.  The rows of a source phrase whose target phrase the pair does not yield all
change by the same log N(f) / (N(f) - n(f)), so they keep their order: rows are ranked once, and for
each pair only the other rows are looked up, scored, and inserted.  With lexical weights
(left_lexical) every row changes, but little: rows are visited in their order until no later one can
gain enough.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Ints
from campanula.stages.kernels.binary_search import find, lower_bound
from campanula.stages.kernels.bitext.left_lexical import (
    lex_of_source,
    lex_of_target,
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
    FAULT_NODE,
    FAULT_ROW,
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
    """Return the log of the relative frequency left, NaN if the own counts exceed the table's."""
    left = both - own_both
    if left < 0 or left > single - own_single:
        result = np.nan
    elif left == 0:
        result = penalty
    else:
        result = np.log(left / (single - own_single))
    return float(np.float32(result))  # as the table's score, from which it is subtracted


@njit(**LEAN)
def row_change(
    row: int, own: tuple[int, int, int], block: int, pairs: Own, table: CountTable, work: VisitWork
) -> Change:
    """Return the changes of a row's log probabilities, NaN if own counts exceed the table's.

    own: n(e), n(f), n(f, e) of the row in the sentence pair; block: its place in `pairs`.
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
    """Return the score of a row after changes."""
    value = ranked.value[row]
    for k in range(4):
        if change[k] != 0.0:
            value += table.weight[k] * change[k]
    return float(value)


@njit(**LEAN)
def insert(row: int, block: int, value: float, change: Change, best: Best, span: Ints) -> bool:
    """Insert a row into the best of a span, by value, ties by row; False if it is not among them.

    In a full span the last row is dropped.
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
    for column in range(4):
        changes[place, column] = change[column]
    span[END] = end
    return True


@njit(**LEAN)
def note(fault: Ints, i: int, row: int, own: tuple[int, int, int]) -> None:
    """Write a fault: node, row, n(e), n(f), n(f, e)."""
    fault[FAULT_NODE] = i
    fault[FAULT_ROW] = row
    fault[2], fault[3], fault[4] = own


@njit(**LEAN)
def put_yielded(
    i: int, t: int, r: int, own: Own, table: CountTable, ranked: Ranked, best: Best, work: VisitWork
) -> None:
    """Insert row r, of node i and target phrase t (places in `own`), into the best; mark it."""
    n_e = own.key_count[t]
    n_f = own.node_count[i]
    both = 0
    block = find(own.pair_node, own.pair_start[t], own.pair_start[t + 1], own.node[i])
    if block >= 0:
        both = own.pair_count[block]
    own_counts = (n_e, n_f, both)
    change = row_change(r, own_counts, block, own, table, work)
    if work.fault[FAULT_NODE] < 0 and np.isnan(change[0] + change[1] + change[2]):
        note(work.fault, i, r, own_counts)
    if change[0] > -np.inf:  # else no other pair yields the block, and the penalty forbids it
        insert(r, block, changed_value(r, change, table, ranked), change, best, work.span)
    ranked.visit[r] = work.visit[0]
    work.covered[0] += both


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
    """Insert the rows of node i whose target phrases are own.key[keys[0]:keys[1]] into the best."""
    first, last = table.row_start[own.node[i]], table.row_start[own.node[i] + 1]
    begin, end = keys
    # both rows and keys are sorted: each of the fewer is looked up among the more
    if last - first <= end - begin:
        for k in range(first, last):
            t = find(own.key, begin, end, ranked.key[k])
            if t >= 0:
                r = wide(ranked.key_row[k])
                put_yielded(i, t, r, own, table, ranked, best, work)
    else:
        for t in range(begin, end):
            k = lower_bound(ranked.key, first, last, own.key[t])
            while k < last and ranked.key[k] == own.key[t]:  # keys are hashes: rows may share one
                r = wide(ranked.key_row[k])
                put_yielded(i, t, r, own, table, ranked, best, work)
                k += 1


@njit(**LEAN)
def put_others(
    i: int, gain: float, own: Own, table: CountTable, ranked: Ranked, best: Best, work: VisitWork
) -> None:
    """Insert the rows of node i that this visit has not marked into the best.

    None gains more than `gain` beyond the change that all of them share.
    """
    n_f = own.node_count[i]
    place, last = table.row_start[own.node[i]], table.row_start[own.node[i] + 1]
    shared = np.inf  # unknown before a row is scored: no bound holds yet
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
                break  # even with the whole gain, no later row can enter either
            change = row_change(r, (0, n_f, 0), NO_BLOCK, own, table, work)
            shared = table.weight[OF_DIRECT] * change[OF_DIRECT]
            if work.fault[FAULT_NODE] < 0 and np.isnan(change[OF_DIRECT]):
                note(work.fault, i, r, (0, n_f, 0))
            value = changed_value(r, change, table, ranked)
            if not insert(r, NO_BLOCK, value, change, best, work.span) and gain <= 0.0:
                break  # without gains the order is that of `best`: later rows score no more


@njit(**LEAN)
def others_gain(s: int, of_target: float, own: Own, table: CountTable, work: VisitWork) -> float:
    """Return the most that a row of the node gains by its lexical weights, by target_gain too."""
    links = table.links
    # a lexical weight is a product of one factor a word: gains of logs add up
    of_source = work.length[0] * of_target
    of_words = table.longest * source_gain(s, own.links, links.words, work)
    return weighted_gain(table.weight, of_source, of_words)


@njit(cache=True, nogil=True)
def room_for(own: Own, table: CountTable, limit: int) -> tuple[Ints, Best]:
    """Return the most rows that each node may have (n_nodes,), and arrays for all of them."""
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
    """Return the best rows of each node in `own`: start (n_nodes + 1,), the rows, and a fault.

    visits: how many nodes were visited before.  The fault begins with -1 if there is none, else it
    names where own counts exceed the table's: node (its place in `own`), row, n(e), n(f), n(f, e);
    the row is NO_ROW if the table lacks a block of the node.
    """
    n_nodes = len(own.node)
    lexical = len(table.links.parent) > 0
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
            work.visit[0] = visits + i + 1
            work.covered[0] = 0
            if lexical:
                source_words(own.node[i], table.links, work)
                gain = others_gain(s, of_target, own, table, work)
            put_all_yielded(i, keys, own, table, ranked, best, work)
            put_others(i, gain, own, table, ranked, best, work)
            start[i + 1] = work.span[END]
            lacking = ranked.whole[own.node[i]] and work.covered[0] < own.node_count[i]
            if fault[FAULT_NODE] < 0 and lacking:
                fault[:] = (i, NO_ROW, 0, own.node_count[i], 0)
        if lexical:
            take_out(s, -1, own.links, table.links.words)
        if fault[FAULT_NODE] >= 0:
            return start, best, fault
    return start, best, fault
