"""Which features some hypotheses of a list lack, where they count 0, and which fields.

That is what a sparse feature is for.  A dense one that is missing, such as a log probability that a
scorer could not give, would be the best there is, so it is worth a word.  So is a field that a text
has nothing in, such as a key that one object of JSON lacks.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names

DENSE = re.compile(r"[A-Za-z][0-9A-Za-z]*(?:_[0-9]+)?")  # of Moses and its kin; others have more _
MOST = 0.5  # of the hypotheses have a dense feature
SHOWN = 3


class Presence:
    """Counts of hypotheses, and of those that have a feature."""

    def __init__(self) -> None:
        self._names = Names()
        self._have = np.zeros(0, np.int64)
        self._scored = False
        self._filled: Counter[str] = Counter()  # texts with something in a field
        self._texts = 0
        self.hypotheses = 0

    def look(self, kbest: KBest) -> None:
        """Count a list; all lists share their names."""
        self._have_names(kbest.names)
        features = kbest.features
        self.hypotheses += len(kbest)
        self._scored = kbest.score is not None
        self._have[features.dense_id] += len(kbest)
        for ids in (features.sparse_id, features.binary_id):
            if len(ids):
                found, times = np.unique(ids, return_counts=True)
                self._have[found] += times
        said = np.diff(kbest.text.pointer) > 0
        self._texts += int(said.sum())
        for name, content in kbest.fields.items():
            self._filled[name] += int((said & (np.diff(content.pointer) > 0)).sum())

    def _have_names(self, names: Names) -> None:
        self._names = names
        more = len(names) - len(self._have)
        if more > 0:
            self._have = np.append(self._have, np.zeros(more, np.int64))

    def counts(self) -> dict[str, Any]:
        """What was counted, as a message holds it: of a part of the lists, for `add`."""
        ids = np.flatnonzero(self._have)
        return {
            "ids": ids.tobytes(),
            "have": self._have[ids].tobytes(),
            "hypotheses": self.hypotheses,
            "scored": self._scored,
            "filled": self._filled,
            "texts": self._texts,
        }

    def add(self, counts: Mapping[str, Any], names: Names) -> None:
        """Add what was counted of the lists behind those so far."""
        self._have_names(names)
        self._have[np.frombuffer(counts["ids"], np.int64)] += np.frombuffer(
            counts["have"], np.int64
        )
        self.hypotheses += counts["hypotheses"]
        if counts["hypotheses"]:
            self._scored = counts["scored"]
        self._filled.update(counts["filled"])
        self._texts += counts["texts"]

    def remarks(self) -> Iterator[str]:
        """Yield what a user may not expect."""
        if self.hypotheses and not self._have.any():
            made = "; `add-feature score --name F0` makes one of the score" if self._scored else ""
            yield f"no hypothesis has a feature{made}"
        gaps = self._gaps()
        if gaps:
            shown = ", ".join(
                f"{name} (in {self.hypotheses - have} of {self.hypotheses})"
                for name, have in gaps[:SHOWN]
            )
            more = f" and {len(gaps) - SHOWN} more" if len(gaps) > SHOWN else ""
            yield f"hypotheses lack, and count 0 for, {shown}{more}"

        for name, filled in self._filled.items():
            empty = self._texts - filled
            if filled and empty:
                yield f"texts have nothing in the field {name} (in {empty} of {self._texts})"

    def _gaps(self) -> list[tuple[str, int]]:
        """Features that look dense and are not in all hypotheses, and in how many they are."""
        partly = (self._have < self.hypotheses) & (self._have >= MOST * self.hypotheses)
        places = np.flatnonzero(partly).tolist()
        named = [(self._names[place], int(self._have[place])) for place in places]
        return [(name, have) for name, have in named if DENSE.fullmatch(name)]
