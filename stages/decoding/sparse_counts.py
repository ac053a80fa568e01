"""Counts of the sparse features of derivations, from the derivations alone.

Each feature fires at a step (a block at its place in a derivation); how often it fires in a
derivation is its value.  What fires depends on little of a step (its option, its orientation, ...),
so names are made once for each such key and kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import combinations

import numpy as np

from campanula.formats.arrays.pointers import expand, lengths_of, pointer_of
from campanula.formats.arrays.types import Flags, Floats, Ids, Ints
from campanula.formats.feature_names.lexical import PREFIXES as LEXICAL
from campanula.formats.feature_names.sparse import ORIENTATIONS as SIDES
from campanula.formats.feature_names.sparse import TEMPLATES, Phrase, sparse_name
from campanula.formats.records.names import Names
from campanula.stages.kernels.records import END, LENGTH, OPTION, ORIENTATIONS, PLACE, START

NO_WORD = -1
NOTHING = (np.zeros(0, np.int64), np.zeros(0, np.int32))


@dataclass(frozen=True)
class Steps:
    """Steps of derivations in order: hypothesis, option, first word and word after the last (m,).

    `info` and `word` are those of the options (records.Options, OptionStore).
    """

    hyp: Ints
    option: Ints
    start: Ints
    end: Ints
    info: Ids
    word: Ids

    @classmethod
    def of(cls, offset: Ints, arc: Ints, link: Ids, info: Ids, word: Ids) -> Steps:
        """Steps of derivations as graph/kbest.py returns them."""
        hyp = np.repeat(np.arange(len(offset) - 1), np.diff(offset))
        option, start, end = (link[arc, k].astype(np.int64) for k in (OPTION, START, END))
        return cls(hyp, option, start, end, info, word)

    def before(self, value: Ints, none: int) -> Ints:
        """Value (m,) of the step before each; `none` at the first step of a derivation."""
        shifted = np.roll(value, 1)
        first = np.ones(len(value), np.bool_)
        first[1:] = self.hyp[1:] != self.hyp[:-1]
        shifted[first] = none
        return shifted

    def words_before(self) -> tuple[Ints, Ints]:
        """Last target word before each step, and the one before that; NO_WORD if there is none."""
        pointer, place = expand(self.info[self.option, PLACE], self.info[self.option, LENGTH])
        begin = pointer[:-1]
        flat = self.word[place]
        first = begin[np.searchsorted(self.hyp, self.hyp)]  # where the derivation's words begin
        padded = np.concatenate([flat, [NO_WORD, NO_WORD]]).astype(np.int64)
        last = np.where(begin - 1 >= first, padded[begin - 1], NO_WORD)
        return last, np.where(begin - 2 >= first, padded[begin - 2], NO_WORD)


class SparseCounts:
    """Names and counts of the features of some templates; ids are given in `names`.

    Of other templates those `listed` count, but for lexical ones (LexicalFeatures counts these).
    `phrases` gives the source and target words of an option, `text` that of a target word.
    """

    def __init__(
        self,
        templates: tuple[str, ...],
        names: Names,
        phrases: Callable[[int], tuple[Phrase, Phrase]],
        text: Callable[[int], str],
        listed: Iterable[str] = (),
    ) -> None:
        self.templates, self._names = templates, names
        self._open = {prefix for name in templates for prefix in TEMPLATES[name].prefixes}
        by_prefix = [(name.partition("_")[0], name) for name in listed]
        closed = [(p, n) for p, n in by_prefix if p not in self._open and p not in LEXICAL]
        self._listed = {name for _, name in closed}
        used = {prefix for prefix, _ in closed}
        self.on = {name for name, t in TEMPLATES.items() if not used.isdisjoint(t.prefixes)}
        self.on |= set(templates)
        self._phrases, self._text = phrases, text
        self._known: dict[tuple[object, ...], Ids] = {}

    def count(
        self, steps: Steps | None, n: int, more: tuple[Ints, Ids] = NOTHING
    ) -> tuple[Ints, Ids, Floats]:
        """Features of n derivations as compressed rows: pointer (n + 1,), id and value.

        `more` are hypotheses and features that fire in them besides.  Without templates the steps
        say nothing.
        """
        fired = [more, *(self._fired(steps) if self.on and steps is not None else ())]
        hyp = np.concatenate([np.zeros(0, np.int64), *(hyps for hyps, _ in fired)])
        ids = np.concatenate([np.zeros(0, np.int64), *(features for _, features in fired)])
        size = max(len(self._names), 1)
        code, value = np.unique(hyp * size + ids, return_counts=True)
        pointer = np.searchsorted(code, np.arange(n + 1) * size)
        return pointer, (code % size).astype(np.int32), value.astype(np.float64)

    def _fired(self, steps: Steps) -> Iterator[tuple[Ints, Ids]]:
        """Yield hypotheses and the features that fire in them, one entry a time."""
        from campanula.stages.kernels.orientation import orientations

        every = np.ones(len(steps.hyp), np.bool_)
        yield self._fire(steps.hyp, every, steps.option, self._local)
        before = steps.before(steps.option, -1)
        start, end = steps.before(steps.start, -1), steps.before(steps.end, 0)
        turn = orientations(steps.start, steps.end, start, end)
        if self.on & {"orientation", "block-orientation"}:
            yield self._fire(steps.hyp, every, steps.option * ORIENTATIONS + turn, self._turn)
        if "block-orientation" in self.on:
            yield self._fire(steps.hyp, before >= 0, before * ORIENTATIONS + turn, self._turn_after)
        if "jump" in self.on:
            yield self._fire(steps.hyp, every, steps.start - end, self._jump)
        if self.on & {"target-phrases", "source-phrases"}:
            key = before << 31 | steps.option
            yield self._fire(steps.hyp, before >= 0, key, self._neighbours)
        if self.on & {"ngram", "boundary"}:
            yield self._fire_words(steps)

    def _fire(
        self, hyp: Ints, where: Flags, key: Ints, name: Callable[[int], list[str]]
    ) -> tuple[Ints, Ids]:
        """Features `name(key)` of the steps where a condition holds, with their hypotheses."""
        unique, inverse = _as_met(key[where])
        ids = [self._ids((name, k), partial(name, k)) for k in unique.tolist()]
        return _spread(hyp[where], inverse, ids)

    def _fire_words(self, steps: Steps) -> tuple[Ints, Ids]:
        """Features of the words on both sides of a seam."""
        last, before = steps.words_before()
        where = (last != NO_WORD) & (steps.info[steps.option, LENGTH] > 0)
        pair, at = np.unique((before[where] + 1) << 32 | last[where], return_inverse=True)
        key, inverse = _as_met(at.reshape(-1) << 31 | steps.option[where])
        ids = []
        for k in key.tolist():
            words = int(pair[k >> 31])
            option = k & 0x7FFFFFFF
            ids.append(
                self._ids(
                    (words, option),
                    partial(self._crossing, words & 0xFFFFFFFF, (words >> 32) - 1, option),
                )
            )
        return _spread(steps.hyp[where], inverse, ids)

    def _ids(self, key: tuple[object, ...], make: Callable[[], list[str]]) -> Ids:
        ids = self._known.get(key)
        if ids is None:
            made = make()
            if self._listed:
                made = [name for name in made if self._is_on(name)]
            ids = np.array([self._names.id(name) for name in made], np.int32)
            self._known[key] = ids
        return ids

    def _is_on(self, name: str) -> bool:
        return name in self._listed or name.partition("_")[0] in self._open

    def _local(self, option: int) -> list[str]:
        return list(local_names(self.on, *self._phrases(option)))

    def _turn(self, key: int) -> list[str]:
        option, turn = divmod(key, ORIENTATIONS)
        names = [sparse_name("orient", SIDES[turn])] if "orientation" in self.on else []
        if "block-orientation" in self.on:
            names.append(sparse_name("back", SIDES[turn], *self._phrases(option)))
        return names

    def _turn_after(self, key: int) -> list[str]:
        option, turn = divmod(key, ORIENTATIONS)
        return [sparse_name("forw", SIDES[turn], *self._phrases(option))]

    def _jump(self, key: int) -> list[str]:
        return [sparse_name("jump", f"{key:+d}" if key else "0")]

    def _neighbours(self, key: int) -> list[str]:
        (source, target), (next_source, next_target) = (
            self._phrases(option) for option in (key >> 31, key & 0x7FFFFFFF)
        )
        names = []
        if "target-phrases" in self.on:
            names.append(sparse_name("tph", "", target, next_target))
        if "source-phrases" in self.on:
            names.append(sparse_name("sph", "", source, next_source))
        return names

    def _crossing(self, last: int, before: int, option: int) -> list[str]:
        target = self._phrases(option)[1]
        word = self._text(last)
        names = []
        if "boundary" in self.on:
            names.append(sparse_name("bound", "", (word,), target[:1]))
        if "ngram" in self.on:
            names.append(sparse_name("bigram", "", (word, target[0])))
            if before != NO_WORD:
                names.append(sparse_name("trigram", "", (self._text(before), word, target[0])))
            if len(target) > 1:
                names.append(sparse_name("trigram", "", (word, *target[:2])))
        return names


def local_names(on: set[str], source: Phrase, target: Phrase) -> Iterator[str]:
    """Yield the features that are local to a block, each as often as it fires."""
    if "block" in on:
        yield sparse_name("block", "", source, target)
    if "word-pair" in on:
        yield from (sparse_name("pair", "", (s,), (t,)) for s in source for t in target)
    if "source-length" in on:
        yield sparse_name("slen", str(len(source)))
    if "target-length" in on:
        yield sparse_name("tlen", str(len(target)))
    if "phrase-length" in on:
        yield sparse_name("plen", str(len(source)), target)
    if "source-triplet" in on:
        yield from (
            sparse_name("stri", "", two, (t,)) for two in combinations(source, 2) for t in target
        )
    if "target-triplet" in on:
        yield from (
            sparse_name("ttri", "", (s,), two) for s in source for two in combinations(target, 2)
        )
    if on & {"unigram", "ngram"}:
        yield from (sparse_name("uni", "", (word,)) for word in target)
    for n, template, inside in ((2, "bigram", "bi"), (3, "trigram", "tri")):
        grams = [target[k : k + n] for k in range(len(target) - n + 1)]
        if template in on:
            yield from (sparse_name(inside, "", gram) for gram in grams)
        if "ngram" in on:
            yield from (sparse_name(template, "", gram) for gram in grams)


def _as_met(key: Ints) -> tuple[Ints, Ints]:
    """Different keys in the order in which they come, and the place of each key among them.

    So names get ids in an order that is the derivations' own, whatever numbers their blocks have.
    """
    unique, first, inverse = np.unique(key, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    return unique[order], rank[inverse.reshape(-1)]


def _spread(hyp: Ints, which: Ints, rows: list[Ids]) -> tuple[Ints, Ids]:
    """Row rows[which[x]] for every x, and the hypothesis of each of its entries."""
    pointer = pointer_of([len(row) for row in rows])
    flat = np.concatenate([np.zeros(0, np.int32), *rows])
    size = lengths_of(pointer)[which]
    _, place = expand(pointer[which], size)
    return np.repeat(hyp, size), flat[place]
