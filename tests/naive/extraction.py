"""Phrase extraction by the definition: try every pair of spans, test every link."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

Link = tuple[int, int]
Phrase = tuple[str, ...]
Block = tuple[int, int, int, int]
SentencePair = tuple[list[str], list[str], set[Link]]


@dataclass(frozen=True)
class Occurrence:
    """A consistent pair of spans, with its links from 0 and its two orientations."""

    source: Phrase
    target: Phrase
    links: frozenset[Link]
    before: int
    after: int


def consistent(links: set[Link], s0: int, s1: int, t0: int, t1: int) -> bool:
    """Whether a link joins two spans, last words included, and none leaves them."""
    inside = False
    for s, t in links:
        if (s0 <= s <= s1) != (t0 <= t <= t1):
            return False
        inside |= s0 <= s <= s1
    return inside


def blocks(pair: SentencePair) -> list[Block]:
    """All consistent pairs of spans of any length, (s0, s1, t0, t1)."""
    source, target, links = pair
    return [
        (s0, s1, t0, t1)
        for s0 in range(len(source))
        for s1 in range(s0, len(source))
        for t0 in range(len(target))
        for t1 in range(t0, len(target))
        if consistent(links, s0, s1, t0, t1)
    ]


def occurrences(pair: SentencePair, max_length: int, kind: str = "word") -> list[Occurrence]:
    """All consistent pairs of spans of one sentence pair; kind: what orientations are told by."""
    source, target, links = pair
    corners = {*links, (-1, -1), (len(source), len(target))}
    every = blocks(pair)
    short = [b for b in every if b[1] - b[0] < max_length and b[3] - b[2] < max_length]
    others = {"word": list[Block](), "phrase": short, "hierarchical": every}[kind]
    ends = {(b[1], b[3]) for b in others}, {(b[0], b[3]) for b in others}
    begins = {(b[0], b[2]) for b in others}, {(b[1], b[2]) for b in others}
    found = []
    for s0, s1, t0, t1 in short:
        before = orientation((s0 - 1, t0 - 1) in corners, (s1 + 1, t0 - 1) in corners)
        after = orientation((s1 + 1, t1 + 1) in corners, (s0 - 1, t1 + 1) in corners)
        before = by_blocks(before, (s0 - 1, t0 - 1) in ends[0], (s1 + 1, t0 - 1) in ends[1])
        after = by_blocks(after, (s1 + 1, t1 + 1) in begins[0], (s0 - 1, t1 + 1) in begins[1])
        inside = [(s, t) for s, t in links if s0 <= s <= s1]
        found.append(
            Occurrence(
                tuple(source[s0 : s1 + 1]),
                tuple(target[t0 : t1 + 1]),
                frozenset((s - s0, t - t0) for s, t in inside),
                before,
                after,
            )
        )
    return found


def by_blocks(by_links: int, straight: bool, crossed: bool) -> int:
    """Orientation by links or by a block that stands there, monotone first."""
    if by_links == 0 or straight:
        return 0
    return 1 if by_links == 1 or crossed else 2


def orientation(straight: bool, crossed: bool) -> int:
    """0 monotone, 1 swap, 2 other."""
    if straight == crossed:
        return 2
    return 0 if straight else 1


def lexical(pairs: list[SentencePair]) -> dict[tuple[str | None, str | None], tuple[float, float]]:
    """w(e | f) and w(f | e) of every linked pair (f, e), None for NULL, rounded as Moses does."""
    count: Counter[tuple[str | None, str | None]] = Counter()
    for source, target, links in pairs:
        count.update((source[s], target[t]) for s, t in links)
        count.update((f, None) for s, f in enumerate(source) if s not in {s for s, _ in links})
        count.update((None, e) for t, e in enumerate(target) if t not in {t for _, t in links})
    total_f: Counter[str | None] = Counter()
    total_e: Counter[str | None] = Counter()
    for (f, e), n in count.items():
        total_f[f] += n
        total_e[e] += n
    return {
        (f, e): (round(n / total_f[f], 7), round(n / total_e[e], 7)) for (f, e), n in count.items()
    }


def tables(
    pairs: list[SentencePair], max_length: int = 7, kind: str = "word"
) -> tuple[list[str], list[str]]:
    """Lines of the phrase table and of the reordering table, sorted as bytes."""
    found: defaultdict[tuple[Phrase, Phrase], list[Occurrence]] = defaultdict(list)
    for pair in pairs:
        for occurrence in occurrences(pair, max_length, kind):
            found[occurrence.source, occurrence.target].append(occurrence)
    n_f: Counter[Phrase] = Counter()
    n_e: Counter[Phrase] = Counter()
    for (f, e), members in found.items():
        n_f[f] += len(members)
        n_e[e] += len(members)
    w = lexical(pairs)
    phrase_lines, reordering_lines = [], []
    for (f, e), members in found.items():
        head = f"{' '.join(f)} ||| {' '.join(e)} |||"
        n = len(members)
        links, turned = frequent_links(members)
        lex_inverse, lex = lexical_weights(f, e, (links, turned), w)
        scores = " ".join(_printed(x) for x in (n / n_e[e], lex_inverse, n / n_f[f], lex))
        text = " ".join(f"{s}-{t}" for s, t in sorted(links, key=lambda link: link[::-1]))
        phrase_lines.append(f"{head} {scores} ||| {text} ||| {n_e[e]} {n_f[f]} {n} ||| |||")
        shares = _shares([m.before for m in members]) + _shares([m.after for m in members])
        reordering_lines.append(f"{head} {' '.join(shares)}")
    return sorted(phrase_lines, key=str.encode), sorted(reordering_lines, key=str.encode)


def frequent_links(members: list[Occurrence]) -> tuple[frozenset[Link], frozenset[Link]]:
    """The most frequent links inside a pair of phrases, with ties broken from either side."""
    f, e = members[0].source, members[0].target
    count = Counter(member.links for member in members)
    links = max(count, key=lambda a: (count[a], _rows(a, len(e), 1)))
    turned = max(count, key=lambda a: (count[a], _rows(a, len(f), 0)))
    return links, turned


def lexical_weights(
    f: Phrase,
    e: Phrase,
    links: tuple[frozenset[Link], frozenset[Link]],
    w: Mapping[tuple[str | None, str | None], tuple[float, float]],
) -> tuple[float, float]:
    """lex(f | e) and lex(e | f) of a pair of phrases; links as of frequent_links."""
    lex = lex_inverse = 1.0
    for t, word in enumerate(e):
        given = sorted(s for s, t_ in links[0] if t_ == t)
        lex *= _mean([w[f[s], word][0] for s in given] if given else [w[None, word][0]])
    for s, word in enumerate(f):
        given = sorted(t for s_, t in links[1] if s_ == s)
        lex_inverse *= _mean([w[word, e[t]][1] for t in given] if given else [w[word, None][1]])
    return lex_inverse, lex


def _rows(links: frozenset[Link], length: int, side: int) -> list[list[int]]:
    """For each word of one side, the sorted places of the other: what ties are broken by."""
    return [sorted(link[1 - side] for link in links if link[side] == i) for i in range(length)]


def _printed(score: float) -> str:
    """Six digits of a score that Moses holds as a float."""
    return f"{float(np.float32(score)):.6g}"


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)


def _shares(orientations: list[int]) -> list[str]:
    count = Counter(orientations)
    return [f"{(count[i] + 0.5) / (len(orientations) + 1.5):.6g}" for i in range(3)]
