"""A phrase table as growth transformation needs it: its conditions, and the rows that fire.

Two channels are re-estimated, p(f|e) and p(e|f), the first and third score of a row.  Rows with the
same target phrase, or the same source phrase, have the same condition; their probabilities sum to
one.  Three numbers of a row are kept, 12 bytes, and its probabilities only if it fires in a list.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass

import numpy as np

from campanula.formats.arrays.growing import Column, grown_with_zeros
from campanula.formats.arrays.types import Flags, Floats, Ids, Ints
from campanula.formats.errors import DataError
from campanula.formats.files import display_name
from campanula.formats.moses.phrase_table import LOG_FLOOR, probabilities, rows
from campanula.formats.text.words import split_byte_words
from campanula.stages.growth.block_names import BlockIds, block_name
from campanula.stages.growth.interned import Interned

CHUNK = 1 << 15  # rows that are looked up at a time
PLACES = (0, 2)  # of p(f|e) and p(e|f) among the scores
NAMES = ("TranslationModel0_0", "TranslationModel0_2")
FLOOR = float(np.exp(LOG_FLOOR))  # a decoder takes any smaller probability for this one
NOT_THERE = -1  # id of the block of a row that does not fire


@dataclass(frozen=True, slots=True)
class PhraseRows:
    """Rows of a table in its order; an axis of two is that of the channels.

    condition (2, n_rows): number of the target phrase, and of the source phrase.  feature
    (n_rows,): id of the row's block in the lists, or -1.  fired (n_fired,): rows with such an id.
    probability (2, n_fired): their scores, at least e^-100.  rest (2, n_conditions): sums of the
    scores of all other rows by condition; the channels differ in n_conditions.
    """

    condition: tuple[Ids, Ids]
    feature: Ids
    fired: Ints
    probability: Floats
    rest: tuple[Floats, Floats]

    def __len__(self) -> int:
        return len(self.feature)

    @property
    def fired_feature(self) -> Ids:
        """Ids (n_fired,) of the blocks that fire."""
        return self.feature[self.fired]


class _Side:
    """The conditions of a channel, and their sums, while rows are read."""

    def __init__(self) -> None:
        self.numbers = Interned()
        self.condition = Column(np.int32)
        self.probability = Column(np.float64)
        self.rest = np.zeros(0)

    def add(self, phrases: list[bytes], values: Floats, fires: Flags) -> None:
        """Add rows: their conditions, their probabilities (n,), which of them fire (n,)."""
        condition = self.numbers.ids(phrases)
        self.condition.extend(condition)
        self.probability.extend(values[fires])
        self.rest = grown_with_zeros(self.rest, len(self.numbers))
        np.add.at(self.rest, condition[~fires], values[~fires])


class RowReader:
    """Reads a table for lists with the features `blocks`, of which those marked in `fires` fire."""

    def __init__(self, blocks: BlockIds, fires: Flags) -> None:
        self._blocks = blocks
        self._fires = fires
        self._sides = _Side(), _Side()
        self._feature = Column(np.int32)
        self._targets: list[bytes] = []
        self._sources: list[bytes] = []
        self._values = array("d")

    def read(self, path: str) -> PhraseRows:
        """Return the rows of a table; raises DataError for a bad line, and for a repeated block."""
        name = display_name(path)
        last = b"|"
        source = b""
        n_scores = 0
        for number, fields in rows(path, 3):
            if fields[0] != last:
                last = fields[0]
                source = b" ".join(split_byte_words(fields[0]))
                if not source:
                    raise DataError(name, f"line {number}", "expected a source phrase, found none")
            scores = probabilities(fields[2], n_scores, name, number)
            n_scores = len(scores)
            if n_scores <= PLACES[1]:
                problem = "expected p(f|e), lex(f|e) and p(e|f) at least"
                raise DataError(name, f"line {number}", f"{problem}, found {n_scores} scores")
            self._sources.append(source)
            self._targets.append(b" ".join(split_byte_words(fields[1])))
            self._values.extend((scores[0], scores[2]))
            if len(self._sources) == CHUNK:
                self._flush()
        self._flush()
        if not len(self._feature):
            raise DataError(name, None, "expected phrase pairs, found none")
        return self._phrase_rows(name)

    def _flush(self) -> None:
        """Look up the rows that have been read since the last call."""
        if not self._sources:
            return
        names = [block_name(s, t) for s, t in zip(self._sources, self._targets, strict=True)]
        feature = self._blocks.ids_of(names)
        fires = feature >= 0
        fires[fires] = self._fires[feature[fires]]
        self._feature.extend(np.where(fires, feature, NOT_THERE))
        values = np.maximum(np.frombuffer(self._values).reshape(-1, 2), FLOOR)
        for side, phrases, own in zip(
            self._sides, (self._targets, self._sources), values.T, strict=True
        ):
            side.add(phrases, own, fires)
        self._sources = []
        self._targets = []
        self._values = array("d")

    def _phrase_rows(self, name: str) -> PhraseRows:
        """Return the rows; raises DataError for two rows of one block that fires."""
        # copies have no capacity to spare, as the growing columns have
        feature = self._feature.values.copy()
        fired = np.flatnonzero(feature >= 0)
        order = np.argsort(feature[fired], kind="stable")
        same = np.flatnonzero(np.diff(feature[fired[order]]) == 0)
        if len(same):
            # the sort is stable, so this is the later one of both
            row = int(fired[order[same[0] + 1]])
            problem = "expected each phrase pair once, found again"
            block = self._blocks.names[int(feature[row])]
            raise DataError(name, f"line {row + 1}", f"{problem} that of {block}")
        target, source = self._sides
        return PhraseRows(
            (target.condition.values.copy(), source.condition.values.copy()),
            feature,
            fired,
            np.stack([target.probability.values, source.probability.values]),
            (target.rest[: len(target.numbers)].copy(), source.rest[: len(source.numbers)].copy()),
        )
