"""Whether lists and their references are texts of one kind, watched while they are scored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from campanula.formats.records.kbest import KBest
from campanula.formats.records.matching import key_of, matched
from campanula.formats.text.references import References
from campanula.formats.text.unlikeness import ENOUGH, Habits, unlikeness
from campanula.stages.metrics.metric import TOKENIZE, Metric


class Likeness:
    """Counts what the first hypotheses have, and what their references have."""

    def __init__(self, references: References, metric: Metric) -> None:
        self._references, self._metric = references, metric
        self._texts, self._expected = Habits(), Habits()

    def watch(self, lists: Iterable[KBest]) -> Iterator[KBest]:
        """Pass lists on, the first of which are looked at."""
        lists, references = matched(lists, self._references)
        for kbest in lists:
            if self._texts.texts < ENOUGH and _is_there(kbest, references):
                self._texts.add(kbest.text[0])
                self._expected.add(references.of_sentence(kbest.sid, kbest.id)[0])
            yield kbest

    def warning(self) -> str | None:
        """How the hypotheses are unlike the references where the metric counts it, or None."""
        return unlikeness(
            self._texts,
            self._expected,
            case=not self._metric.lowercase,
            tokens=TOKENIZE in self._metric.takes and self._metric.tokenize == "none",
        )


def _is_there(kbest: KBest, references: References) -> bool:
    if references.ids is None:
        return kbest.sid < len(references)
    return key_of(kbest) in references.ids
