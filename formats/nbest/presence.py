"""Reports features and fields that some hypotheses of a list lack.

A missing feature has the value 0.  That is right for a sparse feature, but a missing log
probability, which a scorer failed to give, would be the best possible.  So users are told of
features that look dense and are missing, and of fields that are empty for some texts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names

DENSE = re.compile(r"[A-Za-z][0-9A-Za-z]*(?:_[0-9]+)?")  # names of dense features, as in Moses
MOST = 0.5  # share of the hypotheses that have a feature which is taken for dense
SHOWN = 3  # features that a remark lists


class Presence:
    """Counts hypotheses, and those that have each feature and each field."""

    def __init__(self) -> None:
        self._names = Names()
        self._have = np.zeros(0, np.int64)
        self._scored = False
        self._filled: Counter[str] = Counter()  # by field, hypotheses with text that have it
        self._texts = 0  # hypotheses that have text
        self.hypotheses = 0

    def look(self, kbest: KBest) -> None:
        """Count a list; all lists share one names table."""
        self._have_names(kbest.names)
        features = kbest.features
        self.hypotheses += len(kbest)
        self._scored = kbest.score is not None
        self._have[features.dense_id] += len(kbest)
        for ids in (features.sparse_id, features.binary_id):
            if len(ids):
                distinct, times = np.unique(ids, return_counts=True)
                self._have[distinct] += times
        has_text = np.diff(kbest.text.pointer) > 0
        self._texts += int(has_text.sum())
        for name, content in kbest.fields.items():
            self._filled[name] += int((has_text & (np.diff(content.pointer) > 0)).sum())

    def _have_names(self, names: Names) -> None:
        self._names = names
        more = len(names) - len(self._have)
        if more > 0:
            self._have = np.append(self._have, np.zeros(more, np.int64))

    def counts(self) -> dict[str, Any]:
        """Return the counts of some lists as values that msgpack can pack, for `add`."""
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
        """Add the `counts` of the lists after those so far."""
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
        """Yield a line for each finding that a user may not expect."""
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
        """Return features that look dense but are missing in some hypotheses, and their counts."""
        partly = (self._have < self.hypotheses) & (self._have >= MOST * self.hypotheses)
        places = np.flatnonzero(partly).tolist()
        named = [(self._names[place], int(self._have[place])) for place in places]
        return [(name, have) for name, have in named if DENSE.fullmatch(name)]
