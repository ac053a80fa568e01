"""A decoder that tries everything: all derivations of a sentence, with dictionaries.

A derivation is a sequence of steps (start, end, target words, phrase scores, reordering scores).
Its features are Moses's, and those of Tillmann and Zhang; its score is theta . f.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from tests.naive.orientation import Span, block_orientations, search_orientations

Words = tuple[str, ...]
Orientations = Callable[[list[Span]], list[tuple[int, int | None]]]
Option = tuple[Words, list[float] | None, list[float] | None]
"""Target words, phrase scores, reordering scores; no scores where the word is unknown."""

Step = tuple[int, int, Words, list[float] | None, list[float] | None]
"""Start and end in the source, and an option."""


@dataclass
class NaiveLm:
    """An n-gram model over words, or over their classes; a word without class is <unk>."""

    ngrams: dict[Words, tuple[float, float]]
    order: int
    classes: dict[str, str] | None = None

    def tokens(self, words: Words) -> Words:
        classes = self.classes
        return words if classes is None else tuple(classes.get(word, "<unk>") for word in words)


@dataclass
class NaiveModel:
    """phrases: source -> [(target, probabilities, reordering probabilities or None)].

    There are six of those of each table, which has orientations of a type.

    ngrams: (words) -> (log10 probability, log10 back-off weight); None without a language model.
    more_lms are LM1, LM2, ...
    distortion: (side, word, jump) -> probability, the word "" for those that are not there; None
    without a table.
    """

    phrases: dict[Words, list[tuple[Words, list[float], list[float] | None]]]
    ngrams: dict[Words, tuple[float, float]] | None
    order: int
    weights: dict[str, float]
    reordering: str = "distance"
    limit: int = 6
    features_on: list[str] = field(default_factory=list)
    distortion: dict[tuple[str, str, int], float] | None = None
    orientations: tuple[str, ...] = ()
    more_lms: list[NaiveLm] = field(default_factory=list)


def log(p: float) -> float:
    return max(math.log(p), -100.0) if p > 0 else -100.0


def word_log10(model: NaiveModel | NaiveLm, context: Words, word: str) -> float:
    assert model.ngrams is not None
    if (word,) not in model.ngrams:
        word = "<unk>"
    context = tuple(w if (w,) in model.ngrams else "<unk>" for w in context)
    context = context[max(0, len(context) - model.order + 1) :]
    if (*context, word) in model.ngrams:
        return model.ngrams[(*context, word)][0]
    backoff = model.ngrams.get(context, (0.0, 0.0))[1]
    return backoff + word_log10(model, context[1:], word)


def word_logs(model: NaiveModel | NaiveLm, words: Words) -> list[float]:
    """Natural log probability of each word, and of the sentence's end."""
    history: Words = ("<s>",)
    logs = []
    for word in (*words, "</s>"):
        logs.append(word_log10(model, history, word) * math.log(10.0))
        history = (*history, word)
    return logs


def text_log(model: NaiveModel | NaiveLm, words: Words) -> float:
    return sum(word_logs(model, words))


def first_words(steps: Sequence[Step]) -> set[int]:
    """Places of the first words of blocks, and that of the sentence's end."""
    places, place = set[int](), 0
    for step in steps:
        places.add(place)
        place += len(step[2])
    return places | {place}


def jump_log(model: NaiveModel, side: str, word: str, jump: int) -> float:
    """Log probability of a jump; longer ones count as the longest that the table has."""
    assert model.distortion is not None
    far = max(jump for _, _, jump in model.distortion)
    jump = max(-far, min(far, jump))
    known = (side, word, jump) in model.distortion
    return log(model.distortion[side, word if known else "", jump])


def options(model: NaiveModel, source: Words, start: int, end: int) -> Sequence[Option]:
    found = model.phrases.get(source[start:end], [])
    if end == start + 1 and not found:
        return [(source[start:end], None, None)]
    return found


def may_follow(
    model: NaiveModel, source: Words, covered: set[int], last: Step | None, start: int, end: int
) -> bool:
    """Whether the span may come next, by the reordering mode."""
    if covered & set(range(start, end)):
        return False
    gap = min(set(range(len(source))) - covered)
    last_end = last[1] if last else 0
    if model.reordering == "monotone":
        return start == gap
    if model.reordering == "swap":
        behind = {i for i in covered if i > gap}
        if behind:  # a gap is open: one block fills it, at once
            return start == gap and end == min(behind)
        if start == gap:
            return True
        return bool(options(model, source, gap, start))  # some block can fill the gap
    if abs(start - last_end) > model.limit:
        return False
    return start == gap or end - gap <= model.limit


def derivations(model: NaiveModel, source: Words) -> Iterator[list[Step]]:
    def extend(covered: set[int], steps: list[Step]) -> Iterator[list[Step]]:
        if len(covered) == len(source):
            yield steps
            return
        for start in range(len(source)):
            for end in range(start + 1, len(source) + 1):
                last = steps[-1] if steps else None
                if not may_follow(model, source, covered, last, start, end):
                    continue
                for option in options(model, source, start, end):
                    new = covered | set(range(start, end))
                    yield from extend(new, [*steps, (start, end, *option)])

    if source:
        yield from extend(set(), [])
    else:
        yield []


def orientation_scores(
    model: NaiveModel, steps: Sequence[Step], hierarchical: Orientations
) -> Iterator[tuple[str, float]]:
    """Features of the reordering tables with a probability for each time that they fire."""
    spans = [(start, end) for start, end, *_ in steps]
    for table, kind in enumerate(model.orientations):
        turns = hierarchical(spans) if kind == "hierarchical" else block_orientations(spans)
        for (backward, forward), (*_, reordering) in zip(turns, steps, strict=True):
            if reordering is not None:
                six = reordering[6 * table : 6 * table + 6]
                yield f"LexicalReordering{table}_{backward}", six[backward]
                if forward is not None:
                    yield f"LexicalReordering{table}_{3 + forward}", six[3 + forward]


def features(
    model: NaiveModel,
    steps: Sequence[Step],
    source: Words = (),
    hierarchical: Orientations = search_orientations,
) -> dict[str, float]:
    """Values of the features that are on; the source is asked for with a distortion table.

    hierarchical: the orientations that such tables have.
    """
    words: Words = tuple(word for step in steps for word in step[2])
    value: defaultdict[str, float] = defaultdict(float)
    if model.ngrams is not None:
        logs, first = word_logs(model, words), first_words(steps)
        value["LM0"] = sum(logs)
        value["LMFirst0"] = sum(p for place, p in enumerate(logs) if place in first)
        value["LMRest0"] = sum(p for place, p in enumerate(logs) if place not in first)
    for number, lm in enumerate(model.more_lms, 1):
        value[f"LM{number}"] = text_log(lm, lm.tokens(words))
    value["WordPenalty0"] = -float(len(words))
    value["PhrasePenalty0"] = float(len(steps))
    for i, (start, _, _, scores, _) in enumerate(steps):
        before = steps[i - 1] if i else (-1, 0, (), None, None)
        value["Distortion0"] -= abs(start - before[1])
        if model.distortion is not None:
            last, jump = source[before[1] - 1] if i else "<s>", start - before[1]
            value["OutboundDistortion0"] += jump_log(model, "outbound", last, jump)
            value["InboundDistortion0"] += jump_log(model, "inbound", source[start], jump)
        if scores is None:
            value["UnknownWordPenalty0"] -= 100.0
        else:
            for k, p in enumerate(scores):
                value[f"TranslationModel0_{k}"] += log(p)
    for name, p in orientation_scores(model, steps, hierarchical):
        value[name] += log(p)
    return {name: value[name] for name in model.features_on}


def decode(model: NaiveModel, source: Words) -> list[tuple[float, str, dict[str, float]]]:
    """All derivations: (score, text, features), best first."""
    result = []
    for steps in derivations(model, source):
        value = features(model, steps, source)
        score = sum(model.weights[name] * value[name] for name in model.features_on)
        text = " ".join(word for step in steps for word in step[2])
        result.append((score, text, value))
    return sorted(result, key=lambda item: -item[0])
