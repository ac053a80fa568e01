"""Whether lists and their references are texts of one kind, watched while they are scored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from campanula.formats.records.kbest import KBest
from campanula.formats.records.matching import OfSentence, key_of, matched
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
            if self.is_asking:
                self.look(kbest, kbest.text[0], references)
            yield kbest

    @property
    def is_asking(self) -> bool:
        """Whether more lists are to be looked at."""
        return self._texts.texts < ENOUGH

    def look(self, kbest: OfSentence, text: str, references: References) -> None:
        """Look at the first text of a list, which may lack references, if it is asked for."""
        if self.is_asking and _is_there(kbest, references):
            self._texts.add(text)
            self._expected.add(references.of_sentence(kbest.sid, kbest.id)[0])

    def warning(self) -> str | None:
        """How the hypotheses are unlike the references where the metric counts it, or None."""
        return unlikeness(
            self._texts,
            self._expected,
            case=not self._metric.lowercase,
            tokens=TOKENIZE in self._metric.takes and self._metric.tokenize == "none",
        )


def _is_there(kbest: OfSentence, references: References) -> bool:
    if references.ids is None:
        return kbest.sid < len(references)
    return key_of(kbest) in references.ids
