"""Costs among the numbers of a list, for which lower is better: negates them, or gives hints.

Of scores the highest is best, and so of features under the weight 1 that a user begins with.  Users
are told of numbers that look like costs: those with the name of a cost that are never below 0, and
scores that are lowest for the first hypotheses, which decoders rank best.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import Any

import numpy as np

from campanula.formats.arrays.types import Flags
from campanula.formats.errors import DataError
from campanula.formats.nbest.documents import SCORE_FEATURE
from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names

SCORE = "score"
NAMED = re.compile(r"cost|nll|loss|perplexity|ppl|surprisal|neg[_-]?log", re.IGNORECASE)
LISTS = 10  # fewest lists that can show that scores are costs
MOST = 0.95  # share of the lists whose scores must rise for that


def negate(lists: Iterable[KBest], patterns: Sequence[str], source: str) -> Iterator[KBest]:
    """Yield lists with the features negated whose names match one of the shell patterns.

    `score` names the score; if it equals the feature F0, either name negates both.  After the last
    list, raises DataError for a pattern that matched no feature.
    """
    matched: set[str] = set()
    all_names: set[str] = set()
    for kbest in lists:
        used = np.unique(np.concatenate(kbest.used_ids)).tolist()
        names = [kbest.names[place] for place in used]
        if kbest.score is not None:
            names.append(SCORE)
        all_names.update(names)
        chosen = {name for name in names if any(fnmatchcase(name, p) for p in patterns)}
        # negating one alone would leave a feature that contradicts the score
        if _score_is_feature(kbest) and chosen & {SCORE, SCORE_FEATURE}:
            chosen |= {SCORE, SCORE_FEATURE}
        matched |= chosen
        yield _negated(kbest, chosen)
    for pattern in patterns:
        if not any(fnmatchcase(name, pattern) for name in matched):
            problem = f"expected a feature that --negate {pattern!r} matches"
            raise DataError(source, None, f"{problem}, found {', '.join(sorted(all_names))[:80]}")


def _score_is_feature(kbest: KBest) -> bool:
    """Whether the list has the feature F0, and its values are the scores."""
    if kbest.score is None or SCORE_FEATURE not in kbest.names:
        return False
    place = np.flatnonzero(kbest.features.dense_id == kbest.names.id(SCORE_FEATURE))
    return len(place) == 1 and bool((kbest.features.dense[place[0]] == kbest.score).all())


def _negated(kbest: KBest, chosen: set[str]) -> KBest:
    score = kbest.score
    if SCORE in chosen and score is not None:
        score = 0.0 - score  # not -score, which makes -0.0 of 0.0
    names = [name for name in chosen if name in kbest.names]
    return replace(kbest, score=score, features=_turned(kbest.features, names, kbest.names))


def _turned(features: Features, chosen: Sequence[str], names: Names) -> Features:
    ids = np.array([names.id(name) for name in chosen], np.int32)
    if np.isin(features.binary_id, ids).any():  # binary features cannot have the value -1
        rows = list(features.rows(names))
        for row in rows:
            row.update({name: 0.0 - row[name] for name in chosen if name in row})
        return Features.of(rows, names)
    dense = np.where(np.isin(features.dense_id, ids)[:, None], 0.0 - features.dense, features.dense)
    sparse = np.where(
        np.isin(features.sparse_id, ids), 0.0 - features.sparse_value, features.sparse_value
    )
    return replace(features, dense=dense, sparse_value=sparse)


class CostHints:
    """Collects hints of costs: features that are never below 0, and lists whose scores rise."""

    def __init__(self) -> None:
        self._names = Names()
        self._below: Flags = np.zeros(0, np.bool_)
        self._seen: Flags = np.zeros(0, np.bool_)
        self._lists = 0  # lists whose scores are not all the same
        self._rising = 0  # lists whose scores never fall

    def look(self, kbest: KBest) -> None:
        """Add the hints of a list; all lists share one names table."""
        self._have_names(kbest.names)
        features = kbest.features
        self._seen[features.present()] = True
        self._below[features.dense_id[(features.dense < 0).any(axis=1)]] = True
        self._below[features.sparse_id[features.sparse_value < 0]] = True
        if kbest.score is not None:
            # lists of one score, or of equal ones, say nothing about the direction
            step = np.diff(kbest.score)
            self._lists += bool(step.any())
            self._rising += bool(step.any() and (step >= 0).all())

    def _have_names(self, names: Names) -> None:
        self._names = names
        more = len(names) - len(self._below)
        if more > 0:
            self._below = np.append(self._below, np.zeros(more, np.bool_))
            self._seen = np.append(self._seen, np.zeros(more, np.bool_))

    def counts(self) -> dict[str, Any]:
        """Return the hints of some lists as values that msgpack can pack, for `add`."""
        return {
            "seen": np.flatnonzero(self._seen).tobytes(),
            "below": np.flatnonzero(self._below).tobytes(),
            "lists": self._lists,
            "rising": self._rising,
        }

    def add(self, counts: Mapping[str, Any], names: Names) -> None:
        """Add the `counts` of other lists."""
        self._have_names(names)
        self._seen[np.frombuffer(counts["seen"], np.int64)] = True
        self._below[np.frombuffer(counts["below"], np.int64)] = True
        self._lists += counts["lists"]
        self._rising += counts["rising"]

    def remarks(self) -> Iterator[str]:
        """Yield a line for every number that a user may want to negate."""
        places = np.flatnonzero(self._seen & ~self._below).tolist()
        for name in filter(NAMED.search, (self._names[place] for place in places)):
            yield f"{name} is never below 0; if lower is better, --negate {name} makes it a score"
        if self._lists >= LISTS and self._rising >= MOST * self._lists:
            first = f"the first hypotheses of {self._rising} lists have the lowest scores"
            yield f"{first}; if lower is better, --negate {SCORE} turns them"
