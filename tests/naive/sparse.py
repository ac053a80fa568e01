"""Sparse features of a derivation, from the derivation alone, with their names.

Steps are those of tests.naive.decoder: (start, end, target words, ...).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from tests.naive import decoder
from tests.naive.decoder import Orientations
from tests.naive.orientation import search_orientations

Step = decoder.Step | tuple[int, int, Sequence[str]]


def escaped(word: str) -> str:
    out = ""
    for c in word:
        bad = c in "%=|~," or c.isspace() or not c.isprintable()
        out += "".join(f"%{b:02X}" for b in c.encode()) if bad else c
    return out


def joined(words: Iterable[str]) -> str:
    return "~".join(escaped(word) for word in words)


def features(
    source: Sequence[str],
    steps: Sequence[Step],
    templates: Collection[str],
    hierarchical: Orientations = search_orientations,
) -> Counter[str]:
    """How often features fire; hierarchical: the orientations of that name."""
    found: Counter[str] = Counter()

    def fire(template: str, name: str) -> None:
        if template in templates:
            found[name] += 1

    turns = hierarchical([(start, end) for start, end, *_ in steps])
    for (back, forth), (start, end, target, *_) in zip(turns, steps, strict=True):
        block = f"{joined(source[start:end])}~~{joined(target)}"
        fire("hierarchical-orientation", f"hback_{'MSD'[back]}_{block}")
        if forth is not None:
            fire("hierarchical-orientation", f"hforw_{'MSD'[forth]}_{block}")
    whole: list[str] = []  # the target so far
    seams: list[int] = []  # where the blocks begin in it
    for i, step in enumerate(steps):
        start, end, target = step[:3]
        words = source[start:end]
        block = f"{joined(words)}~~{joined(target)}"
        fire("block", f"block_{block}")
        fire("source-length", f"slen_{len(words)}")
        fire("target-length", f"tlen_{len(target)}")
        fire("phrase-length", f"plen_{len(words)}_{joined(target)}")
        fire("fertility", f"fert_{len(target)}_{joined(words)}")
        for s in words:
            for t in target:
                fire("word-pair", f"pair_{escaped(s)}~~{escaped(t)}")
        for a in range(len(words)):
            for b in range(len(words)):
                for t in target:
                    if a < b:
                        fire("source-triplet", f"stri_{joined([words[a], words[b]])}~~{escaped(t)}")
        for a in range(len(target)):
            for b in range(len(target)):
                for s in words:
                    if a < b:
                        two = joined([target[a], target[b]])
                        fire("target-triplet", f"ttri_{escaped(s)}~~{two}")
        for n, template in ((2, "bigram"), (3, "trigram")):
            for k in range(len(target) - n + 1):
                fire(template, f"{['bi', 'tri'][n - 2]}_{joined(target[k : k + n])}")
        before = steps[i - 1] if i else (-1, 0, ())
        turn = "R" if start == before[1] else "L" if end == before[0] else "N"
        fire("orientation", f"orient_{turn}")
        fire("block-orientation", f"back_{turn}_{block}")
        jump = start - before[1]
        fire("jump", f"jump_{'+' if jump > 0 else ''}{jump}")
        if i:
            words_before = source[before[0] : before[1]]
            fire("block-orientation", f"forw_{turn}_{joined(words_before)}~~{joined(before[2])}")
            fire("target-phrases", f"tph_{joined(before[2])}~~{joined(target)}")
            fire("source-phrases", f"sph_{joined(words_before)}~~{joined(words)}")
        if target and whole:
            fire("boundary", f"bound_{escaped(whole[-1])}~~{escaped(target[0])}")
        seams.append(len(whole))
        whole += target
    for word in whole:
        fire("ngram" if "ngram" in templates else "unigram", f"uni_{escaped(word)}")
    for n, prefix in ((2, "bigram"), (3, "trigram")):
        for k in range(len(whole) - n + 1):
            fire("ngram", f"{prefix}_{joined(whole[k : k + n])}")
    for j, word in enumerate(whole):
        for first in sorted(set(whole[:j])):
            fire("trigger", f"trigger_{escaped(first)}~~{escaped(word)}")
    return found
