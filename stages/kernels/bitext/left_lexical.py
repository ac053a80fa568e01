"""Lexical weights of blocks without the links of the sentence pair itself.

    w(e | f) = (N(f, e) - n(f, e)) / (N(f) - n(f))

with the links N of the whole text (those to NULL among them) and n of the pair; lex(e | f) and
lex(f | e) are those of lexical_weights, with the pattern of links inside the block that is the most
frequent one in the other pairs.  If no link of a word is left, w is the lowest that tables have.

The counts of a pair are taken out of the text's in place, and put back when its blocks are scored.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Floats, Ints
from campanula.stages.kernels.binary_search import find
from campanula.stages.kernels.bitext.blocks import TINY
from campanula.stages.kernels.bitext.extraction import follows, transposed
from campanula.stages.kernels.bitext.left_records import (
    NO_BLOCK,
    OF_LEX,
    OF_LEX_INVERSE,
    OF_SOURCES,
    OF_TARGETS,
    OwnLinks,
    Patterns,
    TextLinks,
    VisitWork,
    WordLinks,
)
from campanula.stages.kernels.bitext.lexical_weights import PLACES
from campanula.stages.kernels.compiled import LEAN, njit

SCALE = 10.0**PLACES  # w is rounded as Moses's tables are
LEAST = 1.0 / SCALE
# The table's scores have six digits and are float32.  Two logarithms of such scores are off by less
# than this; weighted_gain adds it, so that its bound holds for the true numbers.
PRINTED = 1e-4


@njit(**LEAN)
def take_out(s: int, times: int, own: OwnLinks, words: WordLinks) -> bool:
    """Subtract `times` the links of pair s from the text's counts; times is 1, or -1 to add them.

    Returns False if the text has fewer links of some words than the pair.
    """
    fits = True
    for k in range(own.start[s], own.start[s + 1]):
        f, e = own.source[k], own.target[k]
        words.source_total[f] -= times
        words.target_total[e] -= times
        # the last number stands for all words that the model lacks: their pairs are not counted
        if f < len(words.source_total) - 1 and e < len(words.target_total) - 1:
            p = find(words.pair_target, words.pair_start[f], words.pair_start[f + 1], e)
            if p >= 0:
                words.pair_count[p] -= times
            fits &= p >= 0 and words.pair_count[p] >= 0
    for k in range(own.source_start[s], own.source_start[s + 1]):
        f = own.source_alone[k]
        words.source_total[f] -= times
        words.source_alone[f] -= times
        words.alone[OF_SOURCES] -= times
        fits &= words.source_alone[f] >= 0
    for k in range(own.target_start[s], own.target_start[s + 1]):
        e = own.target_alone[k]
        words.target_total[e] -= times
        words.target_alone[e] -= times
        words.alone[OF_TARGETS] -= times
        fits &= words.target_alone[e] >= 0
    return fits


@njit(cache=True, nogil=True)
def first_unfit(own: OwnLinks, words: WordLinks) -> int:
    """Return the first pair that has more links of some words than the text, -1 if none has."""
    for s in range(len(own.start) - 1):
        fits = take_out(s, 1, own, words)
        take_out(s, -1, own, words)
        if not fits:
            return s
    return -1


@njit(**LEAN)
def source_words(node: int, links: TextLinks, work: VisitWork) -> None:
    """Write the words of a node's source phrase, and their number, to `work`."""
    # parents lead from the last word to the first: counted on one way up, written on another
    length, at = 0, node
    while at > 0:
        length += 1
        at = links.parent[at]
    work.length[0] = length
    at = node
    for k in range(length - 1, -1, -1):
        work.source[k] = links.word[at]
        at = links.parent[at]


@njit(**LEAN)
def count_block(block: int, times: int, row: int, own: OwnLinks, patterns: Patterns) -> bool:
    """Subtract `times` a block's patterns from those of its row; times as in take_out.

    Returns False if the row has a pattern fewer times than the block.
    """
    fits = True
    for x in range(own.pattern_start[block], own.pattern_start[block + 1]):
        first, last = patterns.start[row], patterns.start[row + 1]
        p = find(patterns.pattern, first, last, own.pattern[x])
        if p >= 0:
            patterns.times[p] -= times
        fits &= p >= 0 and patterns.times[p] >= 0
    return fits


@njit(**LEAN)
def frequent_patterns(row: int, patterns: Patterns) -> tuple[int, int, int]:
    """Return the count of a row's most frequent pattern, the pattern, and the target side's one.

    Ties are broken as by extract-blocks, in which either side has its own order, so the third need
    not be the second transposed.
    """
    most, best, inverse = 0, 0, 0
    for p in range(patterns.start[row], patterns.start[row + 1]):
        pattern, count = patterns.pattern[p], patterns.times[p]
        turned = transposed(pattern)
        if count > most:
            most, best, inverse = count, pattern, turned
        elif count == most and most > 0:
            if follows(pattern, best):
                best = pattern
            if follows(turned, inverse):
                inverse = turned
    return most, best, inverse


@njit(**LEAN)
def patterns_left(row: int, block: int, own: OwnLinks, patterns: Patterns) -> tuple[bool, int, int]:
    """Return whether a pair's block fits its row, and what is then the row's most frequent pattern.

    The pattern is seen from the source, then from the target; if no occurrence is left, it is that
    of the whole text.
    """
    if block == NO_BLOCK:
        _, best, inverse = frequent_patterns(row, patterns)
        return True, best, inverse
    fits = count_block(block, 1, row, own, patterns)
    most, best, inverse = frequent_patterns(row, patterns)
    count_block(block, -1, row, own, patterns)
    if most <= 0:  # no other pair has the block: the pattern is that of all pairs, put back above
        _, best, inverse = frequent_patterns(row, patterns)
    return fits, best, inverse


@njit(**LEAN)
def share(count: int, total: int) -> float:
    """Return w of a count out of a total, rounded as in Moses's tables, never 0."""
    return float(max(np.rint(count / total * SCALE) / SCALE, LEAST)) if total > 0 else LEAST


@njit(**LEAN)
def pair_links(f: int, e: int, words: WordLinks) -> int:
    """Return the number of links between two words."""
    p = find(words.pair_target, words.pair_start[f], words.pair_start[f + 1], e)
    return words.pair_count[p] if p >= 0 else 0


@njit(**LEAN)
def lex_of_target(row: int, pattern: int, links: TextLinks, work: VisitWork) -> float:
    """Return the log of lex(e | f) of a row whose source words `work` has."""
    words = links.words
    weight = 1.0
    for t in range(links.target_start[row + 1] - links.target_start[row]):
        e = links.target_word[links.target_start[row] + t]
        total, n = 0.0, 0
        for s in range(work.length[0]):
            if (pattern >> (8 * t + s)) & 1:
                f = work.source[s]
                total += share(pair_links(f, e, words), words.source_total[f])
                n += 1
        weight *= total / n if n > 0 else share(words.target_alone[e], words.alone[OF_TARGETS])
    # as float32, in which the phrase table keeps it: row_change subtracts that logarithm
    return float(np.log(max(float(np.float32(weight)), TINY)))


@njit(**LEAN)
def lex_of_source(row: int, inverse: int, links: TextLinks, work: VisitWork) -> float:
    """Return the log of lex(f | e) of a row; `inverse` is the pattern seen from the target."""
    words, begin = links.words, links.target_start[row]
    weight = 1.0
    for s in range(work.length[0]):
        f = work.source[s]
        total, n = 0.0, 0
        for t in range(links.target_start[row + 1] - begin):
            if (inverse >> (8 * s + t)) & 1:
                e = links.target_word[begin + t]
                total += share(pair_links(f, e, words), words.target_total[e])
                n += 1
        weight *= total / n if n > 0 else share(words.source_alone[f], words.alone[OF_SOURCES])
    return float(np.log(max(float(np.float32(weight)), TINY)))


@njit(cache=True, nogil=True)
def row_logs(node_of: Ints, links: TextLinks) -> Floats:
    """Return logs (n_rows, 2) of lex(f | e) and lex(e | f); node_of (n_rows,): source phrases."""
    one = np.zeros(1, dtype=np.int64)
    work = VisitWork(one, one, one, one, np.zeros(8, dtype=np.int64), np.zeros(1, dtype=np.int64))
    result = np.empty((len(node_of), 2))
    for row in range(len(node_of)):
        source_words(node_of[row], links, work)
        _, best, inverse = frequent_patterns(row, links.patterns)
        result[row, 0] = lex_of_source(row, inverse, links, work)
        result[row, 1] = lex_of_target(row, best, links, work)
    return result


@njit(**LEAN)
def log_gain(total: int, n: int) -> float:
    """Return an upper bound of the gain of the log of a w whose total has lost n counts."""
    if n == 0 or total <= 0:  # nothing is left: w is the lowest
        return 0.0
    # w gains at most (total + n) / total; both old and new w are rounded to half of LEAST, which
    # is at most this part of a w that is one count out of the larger total
    rounding = 0.5 * LEAST * (total + n)
    if rounding > 0.5:
        return float(np.inf)
    return float(np.log((total + n) / total) + np.log1p(rounding) - np.log1p(-rounding))


@njit(**LEAN)
def times_of(word: int, array: Ints, begin: int, end: int) -> int:
    """Count how often a word occurs from begin to end."""
    n = 0
    for k in range(begin, end):
        n += array[k] == word
    return n


@njit(**LEAN)
def target_gain(s: int, own: OwnLinks, words: WordLinks) -> float:
    """Return the most that a log of w(f | e) has gained by taking pair s out of the counts."""
    begin, end = own.start[s], own.start[s + 1]
    first, last = own.target_start[s], own.target_start[s + 1]
    gain = log_gain(words.alone[OF_SOURCES], own.source_start[s + 1] - own.source_start[s])
    for k in range(begin, end):
        e = own.target[k]
        n = times_of(e, own.target, begin, end) + times_of(e, own.target_alone, first, last)
        gain = max(gain, log_gain(words.target_total[e], n))
    for k in range(first, last):
        e = own.target_alone[k]
        n = times_of(e, own.target, begin, end) + times_of(e, own.target_alone, first, last)
        gain = max(gain, log_gain(words.target_total[e], n))
    return gain


@njit(**LEAN)
def source_gain(s: int, own: OwnLinks, words: WordLinks, work: VisitWork) -> float:
    """Return the most that a log of w(e | f) has gained, f a word of the source phrase or NULL."""
    begin, end = own.start[s], own.start[s + 1]
    first, last = own.source_start[s], own.source_start[s + 1]
    gain = log_gain(words.alone[OF_TARGETS], own.target_start[s + 1] - own.target_start[s])
    for k in range(work.length[0]):
        f = work.source[k]
        n = times_of(f, own.source, begin, end) + times_of(f, own.source_alone, first, last)
        gain = max(gain, log_gain(words.source_total[f], n))
    return gain


@njit(**LEAN)
def weighted_gain(weight: Floats, of_source: float, of_target: float) -> float:
    """Return the most that a score gains by two logs, of lex(f | e) and lex(e | f); weight (4,).

    It is inf if a weight is negative: then the score gains what a log loses, which has no bound.
    """
    gain = 0.0
    for k in range(len(weight)):
        gain += PRINTED * abs(weight[k])
    for k in (OF_LEX_INVERSE, OF_LEX):
        most = of_source if k == OF_LEX_INVERSE else of_target
        if weight[k] < 0.0:
            gain = np.inf
        elif weight[k] > 0.0:
            gain += weight[k] * most
    return gain
