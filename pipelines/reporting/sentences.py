"""Sections of the page about sentences: the largest changes, n-grams that were won and lost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from campanula.pipelines.reporting.lists import ListsSeen
from campanula.pipelines.reporting.markup import Child, Markup, join, section, table, tag
from campanula.pipelines.reporting.materials import SetReported
from campanula.pipelines.reporting.ngrams import Expected, NGram, Words, won_and_lost
from campanula.stages.tuning.losses import ALPHA

MOST = 30
"""Number of sentences of a data set on the page."""

NGRAMS = 20
"""Number of n-grams on the page of those won, and of those lost."""


def moved_most(one: SetReported) -> list[int]:
    """Numbers of the sentences whose gains differ most between the first two systems."""
    if len(one.systems) < 2:
        return []
    change = np.abs(_change(one))
    # stable, so that of equal changes the first sentence comes first on every machine
    order = np.argsort(-change, kind="stable")[:MOST].tolist()
    return [sid for sid in order if change[sid] > 0.0]


def _change(one: SetReported) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    before, after = one.systems[:2]
    return one.gains(after) - one.gains(before)


def moved(one: SetReported, lists: ListsSeen | None) -> Markup:
    """Section with the sentences that changed most: source, references, hope, fear, outputs."""
    change = _change(one) if len(one.systems) > 1 else np.zeros(0)
    rows: list[list[Child]] = [
        [sid, _change_shown(change[sid]), _texts(one, sid, lists)] for sid in moved_most(one)
    ]
    note = (
        "Sentences count from 0; the change is of the sentence gain. The darker a word, the longer"
        " the n-gram, up to four words, that it shares with a reference."
    )
    if lists is not None:
        note += (
            " Hope and fear are of the lists that the last iteration tuned on, the hypotheses of"
            f" highest score - cost and of highest score + cost, cost = {ALPHA:g} (1 - gain)."
        )
    if not rows:
        return Markup("")
    shown = table(["sentence", "change", "texts"], rows, texts=(2,), rich=True)
    return section(f"Sentences of {one.name} that moved most", tag("p", note, class_="note"), shown)


def _change_shown(change: float) -> Markup:
    return tag("span", f"{change:+.3f}", class_="better" if change > 0.0 else "worse")


def _texts(one: SetReported, sid: int, lists: ListsSeen | None) -> Markup:
    before, after = one.systems[:2]
    references = list(one.references.texts(sid))
    expected = Expected(map(_words, references))
    shown: list[tuple[str, Child]] = [("source", one.source[sid])]
    shown += [("reference", text) for text in references]
    if lists is not None and sid in lists.hope:
        shown.append(("hope", _marked(expected, lists.hope[sid])))
        shown.append(("fear", _marked(expected, lists.fear[sid])))
    shown.append((before, _marked(expected, one.texts(before)[sid])))
    shown.append((after, _marked(expected, one.texts(after)[sid])))
    # auto: a text in Arabic runs from right to left beside an English one
    lines = (tag("div", tag("dt", name), tag("dd", text, dir="auto")) for name, text in shown)
    return tag("dl", *lines)


def _marked(expected: Expected, text: str) -> Markup:
    """A translation with a mark for each stretch of words whose longest counting n-gram is equal.

    expected: n-grams of its references.
    """
    words = _words(text)
    return join(_runs(words, expected.marks(words)), " ")


def _runs(words: Words, marks: Sequence[int]) -> Iterator[Child]:
    start = 0
    for end in range(1, len(words) + 1):
        if end == len(words) or marks[end] != marks[start]:
            text = " ".join(words[start:end])
            yield tag("mark", text, class_=f"n{marks[start]}") if marks[start] else text
            start = end


def _words(text: str) -> list[str]:
    return text.split()


def ngrams(one: SetReported) -> Markup:
    """Section with n-grams of references that the second system has more, or fewer, times."""
    if len(one.systems) < 2:
        return Markup("")
    before, after = one.systems[:2]
    texts = zip(one.texts(before), one.texts(after), strict=True)
    sentences = (
        (Expected(map(_words, one.references.texts(sid))), _words(a), _words(b))
        for sid, (a, b) in enumerate(texts)
        if a != b
    )
    won, lost = won_and_lost(sentences, NGRAMS)
    if not won and not lost:
        return Markup("")
    halves = [_half("won", won), _half("lost", lost)]
    note = f"n-grams that match a reference more often in {after} than in {before}, and less often."
    return section(
        f"n-grams of {one.name} won and lost",
        tag("p", note, class_="note"),
        tag("div", *halves, class_="halves"),
    )


def _half(title: str, counts: Sequence[tuple[NGram, int]]) -> Markup:
    # bdi: an n-gram that runs from right to left must not turn round the number beside it
    rows: list[list[Child]] = [[tag("bdi", " ".join(ngram)), count] for ngram, count in counts]
    return table([title, "times"], rows)
