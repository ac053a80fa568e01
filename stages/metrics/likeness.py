"""A check, while lists are scored, that hypotheses and references are texts of one kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from campanula.formats.records.kbest import KBest
from campanula.formats.records.matching import OfSentence, key_of, matched
from campanula.formats.text.form_differences import ENOUGH, FormCounts, form_difference
from campanula.formats.text.references import References
from campanula.stages.metrics.metric import TOKENIZE, Metric


class Likeness:
    """Counts habits of texts (case, tokens, ids) in first hypotheses and in their references."""

    def __init__(self, references: References, metric: Metric) -> None:
        self._references = references
        self._metric = metric
        self._texts = FormCounts()
        self._expected = FormCounts()

    def watch(self, lists: Iterable[KBest]) -> Iterator[KBest]:
        """Yield the lists; the first ENOUGH of them are looked at."""
        lists, references = matched(lists, self._references)
        for kbest in lists:
            if self.is_asking:
                self.look(kbest, kbest.text[0], references)
            yield kbest

    @property
    def is_asking(self) -> bool:
        """Whether fewer than ENOUGH lists have been looked at."""
        return self._texts.texts < ENOUGH

    def look(self, kbest: OfSentence, text: str, references: References) -> None:
        """Look at the first text of a list, if the list has references and more are needed."""
        if self.is_asking and _is_there(kbest, references):
            self._texts.add(text)
            self._expected.add(references.of_sentence(kbest.sid, kbest.id)[0])

    def warning(self) -> str | None:
        """Return how hypotheses differ in kind from references, if the metric counts it."""
        return form_difference(
            self._texts,
            self._expected,
            # a difference that the metric's own preparation removes is none
            case=not self._metric.lowercase,
            tokens=TOKENIZE in self._metric.takes and self._metric.tokenize == "none",
        )


def _is_there(kbest: OfSentence, references: References) -> bool:
    if references.ids is None:
        return kbest.sid < len(references)
    return key_of(kbest) in references.ids
