"""The k-best list of one sentence: texts, features, scores, metric statistics, gains, in columns.

Tillmann and Zhang's relevant set and Wuebker et al.'s n-best list are this record, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

import numpy as np

from campanula.formats.arrays.types import Floats, Ids, Ints
from campanula.formats.records import columns
from campanula.formats.records.columns import ColumnError
from campanula.formats.records.features import Features
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts

HIGHEST_GAIN = 1.0 + 1e-9  # a gain is at most 1, and rounding may exceed that a little
LARGEST_STATISTIC = 1 << 50  # so that sums over sentences stay far below 2^63


@dataclass(frozen=True, slots=True, repr=False)
class KBest:
    """Hypotheses of sentence `sid`, at least one, in the order of the program that made them.

    text (n,); features: of n hypotheses, with ids of the table `names`; score (n,): model scores by
    the program that made the list; stats (n, n_stats): sufficient statistics of the metric; gain
    (n,): sentence metric (these three None if unknown); fields: further texts (n,) by name, such as
    alignments; id: the sentence's id in that program, None if it is the number.
    """

    KIND: ClassVar[str] = "kbest"
    VERSION: ClassVar[int] = 1

    sid: int
    text: Texts
    features: Features
    names: Names
    score: Floats | None = None
    stats: Ints | None = None
    gain: Floats | None = None
    fields: Mapping[str, Texts] = field(default_factory=dict)
    id: str | None = None

    def __len__(self) -> int:
        return len(self.text)

    @property
    def used_ids(self) -> tuple[Ids, ...]:
        """Ids of all stored entries, one array per group; an id may occur many times."""
        return self.features.dense_id, self.features.sparse_id, self.features.binary_id

    @property
    def n_stats(self) -> int:
        """Number of statistics per hypothesis, 0 without any."""
        return 0 if self.stats is None else self.stats.shape[1]

    def __repr__(self) -> str:
        optional = ("score", "stats", "gain")
        columns = "".join(f", {name}" for name in optional if getattr(self, name) is not None)
        return f"<sentence {self.sid}: {len(self)} hypotheses{columns}>"

    def take(self, index: Ints) -> KBest:
        """Return a list of the hypotheses at places `index`, in that order."""
        return replace(
            self,
            text=self.text.take(index),
            features=self.features.take(index),
            score=None if self.score is None else self.score[index],
            stats=None if self.stats is None else self.stats[index],
            gain=None if self.gain is None else self.gain[index],
            fields={name: texts.take(index) for name, texts in self.fields.items()},
        )

    def sorted_by(self, value: Floats) -> KBest:
        """Return the list with the highest of values (n,) first; equal ones stay in order."""
        order = np.argsort(-value, kind="stable")
        # ascending places: the list is in this order already, so nothing is copied
        return self if (np.diff(order) > 0).all() else self.take(order)

    def pack(self, names: Names) -> dict[str, Any]:
        """Return the list as a map for msgpack, with ids of `names`; missing names are added to it.

        Ids of an inventory are written by a table of the list (numbering.py).
        """
        features = self.features
        if names is not self.names:
            features = features.translate(names.ids_of(self.names))
        record: dict[str, Any] = {"sid": self.sid, "text": self.text.pack()}
        if self.id is not None:
            record["id"] = self.id
        record |= features.pack(numbered=names.of_inventory)
        if self.score is not None:
            record["score"] = columns.pack_floats(self.score)
        if self.stats is not None:
            record["stats"] = columns.pack_ints(self.stats)
        if self.gain is not None:
            record["gain"] = columns.pack_floats(self.gain)
        if self.fields:
            record["fields"] = {name: texts.pack() for name, texts in self.fields.items()}
        return record

    @classmethod
    def unpack(cls, record: dict[str, Any], names: Names) -> Self:
        """Make a list of its map; raises ColumnError."""
        text = Texts.unpack(record, "text")
        size = len(text)
        if size == 0:
            raise ColumnError("expected at least one hypothesis, found none")
        fields = record.get("fields", {})
        if not isinstance(fields, dict):
            raise ColumnError("expected a map of texts 'fields'")
        if not all(isinstance(name, str) for name in fields):
            raise ColumnError("expected names of texts in 'fields'")
        return cls(
            sid=columns.unpack_int(record, "sid"),
            text=text,
            features=Features.unpack(record, size, names),
            names=names,
            score=columns.unpack_floats(record, "score", size) if "score" in record else None,
            stats=_unpack_stats(record, size) if "stats" in record else None,
            gain=_unpack_gain(record, size) if "gain" in record else None,
            fields={name: Texts.unpack(fields, name, size) for name in fields},
            id=columns.unpack_id(record),
        )


def _unpack_gain(record: Mapping[str, Any], size: int) -> Floats:
    gain = columns.unpack_floats(record, "gain", size)
    if np.maximum.reduce(gain) > HIGHEST_GAIN:
        found = f"found {gain[gain > HIGHEST_GAIN][0]}"
        raise ColumnError(f"column 'gain': expected numbers of at most 1, {found}")
    return gain


def _unpack_stats(record: Mapping[str, Any], size: int) -> Ints:
    flat = columns.unpack_ints(record, "stats")
    if len(flat) % size or not len(flat):
        raise ColumnError(f"column 'stats': {len(flat)} entries do not divide by {size} hypotheses")
    stats = np.ascontiguousarray(flat.reshape(size, -1))
    # a metric that is a mean of gains has two statistics: the gain as an integer in small units,
    # which may be negative, and 1, the number of sentences
    is_mean = stats.shape[1] == 2 and (stats[:, 1] == 1).all()
    least = -LARGEST_STATISTIC if is_mean else 0
    if np.minimum.reduce(flat) < least or np.maximum.reduce(flat) > LARGEST_STATISTIC:
        found = flat[(flat < least) | (flat > LARGEST_STATISTIC)][0]
        raise ColumnError(f"column 'stats': expected counts from 0 on, found {found}")
    return stats
