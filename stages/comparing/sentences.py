"""The sentences whose gain differs most between two systems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from campanula.formats.text.references import References
from campanula.stages.comparing.comparison import Comparison, Difference, Result
from campanula.stages.comparing.table import Cell, MetricTable, TableColumn, number, words

COLUMNS = (
    TableColumn("", "system", text=True),
    TableColumn("", "against", text=True),
    TableColumn("line", "line"),
    TableColumn("change", "difference"),
    TableColumn("gain", "gain"),
    TableColumn("of", "of", text=True),
    TableColumn("text", "text", text=True, wide=True),
)
DIGITS = ".4f"


@dataclass(frozen=True, slots=True)
class ShownSentence:
    """The texts to show for sentences: outputs of each system's first replicate, and references.

    Systems that are numbers without texts have neither.
    """

    outputs: Mapping[str, Sequence[str]]
    references: References | None = None

    def texts(self, place: int, systems: Sequence[str]) -> list[tuple[str, str]]:
        """Return (name, text) of a sentence: of its references, then of the systems."""
        texts = list(self.references.texts(place)) if self.references is not None else []
        references = [("reference", text) for text in texts]
        return references + [
            (name, self.outputs[name][place] if name in self.outputs else "") for name in systems
        ]


@dataclass(frozen=True, slots=True)
class Change:
    """A sentence by its place from 0, and its gains under the first system and the second."""

    place: int
    first: float
    second: float

    @property
    def value(self) -> float:
        """Gain under the second system less that under the first."""
        return self.second - self.first


def most_changed(first: Result, second: Result, n: int) -> tuple[list[Change], list[Change]]:
    """Return the n sentences that improve most, and the n that worsen most; ties in their order."""
    change = second.gain - first.gain
    order = np.argsort(-change, kind="stable")
    # sorted again and not reversed: ties stay in the order of the sentences
    backward = np.argsort(change, kind="stable")
    improved = [place for place in order[:n].tolist() if change[place] > 0.0]
    worsened = [place for place in backward[:n].tolist() if change[place] < 0.0]

    def changes(places: list[int]) -> list[Change]:
        return [Change(i, float(first.gain[i]), float(second.gain[i])) for i in places]

    return changes(improved), changes(worsened)


def changes_of(
    comparison: Comparison, difference: Difference, n: int
) -> tuple[list[Change], list[Change]]:
    """Return the sentences that improve and worsen most from the first system to the second."""
    results = {result.system: result for result in comparison.results}
    return most_changed(results[difference.first], results[difference.second], n)


def sentence_tables(
    comparisons: Sequence[Comparison], n: int, shown: ShownSentence
) -> Iterator[MetricTable]:
    """Yield two tables for every difference: the sentences most improved, and most worsened."""
    for comparison in comparisons:
        for pair in comparison.differences:
            both = changes_of(comparison, pair, n)
            for kind, changes in zip(("improved", "worsened"), both, strict=True):
                rows = [row for change in changes for row in _rows(pair, change, shown)]
                remark = f"sentences most {kind}, {pair.second} against {pair.first}"
                name = comparison.metric
                signature = comparison.signature
                yield MetricTable(kind, name, signature, COLUMNS, rows, remark)


def _rows(pair: Difference, change: Change, shown: ShownSentence) -> Iterator[list[Cell]]:
    """Yield a row for each text of a sentence; line and change are shown in the first."""
    gains = {pair.first: change.first, pair.second: change.second}
    texts = shown.texts(change.place, (pair.first, pair.second))
    for place, (name, text) in enumerate(texts):
        line = number(change.place + 1, "d")
        value = number(change.value, f"+{DIGITS}")
        # references stand before the two systems, and have no gain
        of_system = place >= len(texts) - 2
        yield [
            words(pair.second),
            words(pair.first),
            line if place == 0 else Cell(line.value),
            value if place == 0 else Cell(value.value),
            number(gains[name] if of_system else None, DIGITS),
            words(name),
            words(text.replace("\n", " ")),
        ]


def sentence_objects(
    comparison: Comparison, n: int, shown: ShownSentence
) -> list[dict[str, object]]:
    """Return an object for JSON for every difference, with the same sentences as the tables."""
    objects: list[dict[str, object]] = []
    for pair in comparison.differences:
        improved, worsened = changes_of(comparison, pair, n)
        objects.append(
            {
                "first": pair.first,
                "second": pair.second,
                "improved": [_object(pair, change, shown) for change in improved],
                "worsened": [_object(pair, change, shown) for change in worsened],
            }
        )
    return objects


def _object(pair: Difference, change: Change, shown: ShownSentence) -> dict[str, object]:
    *references, first, second = shown.texts(change.place, (pair.first, pair.second))
    return {
        "line": change.place + 1,
        "difference": change.value,
        "gains": [change.first, change.second],
        "references": [text for _, text in references],
        "outputs": [first[1], second[1]],
    }
