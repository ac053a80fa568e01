"""A phrase table without one sentence pair, from tables of all pairs and of the others."""

from __future__ import annotations

from collections import Counter, defaultdict
from math import log

from tests.naive.extraction import (
    Occurrence,
    Phrase,
    SentencePair,
    frequent_links,
    lexical,
    lexical_weights,
    occurrences,
)


def table_without(every: list[str], others: list[str], penalty: float) -> list[str]:
    """Rows of all pairs, with the relative frequencies of the others; the penalty where none is."""
    left = {block(line): scores(line) for line in others}
    rows = []
    for line in every:
        inverse, lex_inverse, direct, lex = scores(line)
        inverse, _, direct, _ = left.get(block(line), (str(penalty), "", str(penalty), ""))
        values = " ".join((inverse, lex_inverse, direct, lex))
        rows.append(f"{' ||| '.join(block(line))} ||| {values} ||| |||")
    return rows


def block(line: str) -> tuple[str, str]:
    source, target = line.split(" ||| ")[:2]
    return source, target


def scores(line: str) -> tuple[str, str, str, str]:
    a, b, c, d = line.split(" ||| ")[2].split()
    return a, b, c, d


def table_of_others(every: list[str], others: list[str]) -> list[str]:
    """Rows of the other pairs alone, with their relative frequencies and the rest of all pairs."""
    known = {block(line) for line in others}
    return [line for line in table_without(every, others, 0.0) if block(line) in known]


def scores_without(
    pairs: list[SentencePair], n: int, penalty: float, kinds: tuple[str, ...] = ()
) -> dict[tuple[Phrase, Phrase], list[float]]:
    """Logs of the four scores of all blocks, extracted from all pairs but n; and six for each kind
    of orientations.

    A block that pair n alone has: the penalty, lexical weights by its links there, no orientations.
    """
    others = pairs[:n] + pairs[n + 1 :]
    left, every = _members(others), _members(pairs)
    n_f: Counter[Phrase] = Counter()
    n_e: Counter[Phrase] = Counter()
    for (f, e), members in left.items():
        n_f[f] += len(members)
        n_e[e] += len(members)
    w = defaultdict(lambda: (1e-7, 1e-7), lexical(others))
    scores = {}
    for (f, e), members in every.items():
        there = left.get((f, e), [])
        lex = lexical_weights(f, e, frequent_links(there or members), w)
        inverse, direct = penalty, penalty
        if there:
            inverse, direct = len(there) / n_e[e], len(there) / n_f[f]
        scores[f, e] = [log(value) for value in (inverse, lex[0], direct, lex[1])]
    for kind in kinds:
        left = _members(others, kind)
        for block in scores:
            there = left.get(block, [])
            for turns in ([m.before for m in there], [m.after for m in there]):
                shares = [(turns.count(i) + 0.5) / (len(turns) + 1.5) for i in range(3)]
                scores[block] += map(log, shares)
    return scores


def _members(
    pairs: list[SentencePair], kind: str = "word"
) -> dict[tuple[Phrase, Phrase], list[Occurrence]]:
    found = defaultdict(list)
    for pair in pairs:
        for occurrence in occurrences(pair, 7, kind):
            found[occurrence.source, occurrence.target].append(occurrence)
    return found
