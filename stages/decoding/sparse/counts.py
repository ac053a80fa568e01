"""Counts of the sparse features of derivations, computed from the derivations alone.

A feature fires at a step (a block at its place in a derivation); its value is how often it fires in
the derivation.  Features are identified by keys (kernels/sparse/weights.py); a name is built only
for a feature without an id.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Protocol

import numpy as np

from campanula.formats.arrays.types import Bytes, Flags, Floats, Ids, Ints
from campanula.formats.feature_names.lexical import PREFIXES as LEXICAL
from campanula.formats.feature_names.sparse import PREFIXES, TEMPLATES
from campanula.formats.records.features import Features
from campanula.stages.decoding.sparse.feature_ids import Spell
from campanula.stages.decoding.sparse.keys import SparseKeys
from campanula.stages.decoding.sparse.lexical import LexicalFeatures
from campanula.stages.decoding.sparse.name_parsing import open_kinds, parsed_names, text_of
from campanula.stages.decoding.sparse.spelled_features import SpelledSteps
from campanula.stages.tuning.scoring import score_features


class FeatureIds(Protocol):
    """Gives features their ids in the lists that are written."""

    def expect(self, key: Ints, names: list[str]) -> None:
        """Give features (n,) their ids before a list has them, if ids follow the order of names."""
        ...

    def ids(self, key: Ints, spell: Spell) -> Ids:
        """Return the ids (n,) of features by their keys; -1 for a feature to leave out."""
        ...

    def leave_out(self, n: int) -> None:
        """Count n features as left out, one for each time that a feature fires."""
        ...


class Fired(NamedTuple):
    """Features that fire in derivations: hypothesis and key (n,), rows (n, 5) as in FiredRows.

    The first n_listed are listed lexical features, whose rows have their places in the list.
    """

    hyp: Ints
    key: Ints
    row: Ids
    n_listed: int
    steps: SpelledSteps | None


class SparseRows(NamedTuple):
    """Features of n derivations as compressed rows: pointer (n + 1,), id, value and weight."""

    pointer: Ints
    id: Ids
    value: Floats
    weight: Floats


class SparseCounts:
    """Counts the features of some templates, and single listed ones, with their weights by key.

    listed: features of other templates: lexical ones, found by LexicalFeatures, and those that fire
    at steps; exact: hierarchical orientations are the definition's, not the search's.
    """

    def __init__(
        self,
        templates: tuple[str, ...],
        keys: SparseKeys,
        ids: FeatureIds,
        listed: Iterable[str] = (),
        exact: bool = False,
    ) -> None:
        self.templates = templates
        self._keys = keys
        self._ids = ids
        self._exact = exact
        listed = tuple(listed)
        self.lexical = LexicalFeatures.of(listed).without(templates)
        self._lexical_key = parsed_names(*text_of(self.lexical.names), keys.seed).key
        ids.expect(self._lexical_key, self.lexical.names)
        self._open = open_kinds(templates)
        on = {prefix for name in templates for prefix in TEMPLATES[name].prefixes}
        by_prefix = [(name.partition("_")[0], name) for name in listed]
        single = [name for p, name in by_prefix if p not in on and p not in LEXICAL]
        parsed = parsed_names(*text_of(single), keys.seed)
        self._listed_key = parsed.key
        self._on: Flags = self._open.copy()
        self._on[parsed.kind[parsed.kind < len(PREFIXES)]] = True
        self.on = bool(self._on.any())

    def fire(self, steps: SpelledSteps | None, listed: tuple[Ints, Ints]) -> Fired:
        """Return the features that fire; listed: hypothesis and number of each lexical feature.

        Thread-safe.
        """
        from campanula.stages.kernels.sparse.fired import fired_features
        from campanula.stages.kernels.sparse.steps import FIRED_KIND, STEP

        hyp, feature = listed
        row = np.zeros((len(feature), 5), np.int32)
        row[:, 0] = feature
        key = self._lexical_key[feature]
        if steps is None or not self.on:
            return Fired(hyp, key, row, len(feature), steps)
        step_key, step_row = fired_features(steps.steps, self._on, self._exact)
        if len(self._listed_key):  # kinds with single features fire whole: keep the listed ones
            is_on = self._open[step_row[:, FIRED_KIND]] | np.isin(step_key, self._listed_key)
            step_key = step_key[is_on]
            step_row = step_row[is_on]
        return Fired(
            np.concatenate([hyp, steps.steps.hyp[step_row[:, STEP]]]),
            np.concatenate([key, step_key]),
            np.concatenate([row, step_row]),
            len(feature),
            steps,
        )

    def count(self, fired: Fired, n: int) -> SparseRows:
        """Return the features of n derivations, each once in a row.

        New features get ids in the order of calls.
        """
        from campanula.stages.kernels.sparse import tables
        from campanula.stages.kernels.sparse.counts import count_rows

        ids = self._ids.ids(fired.key, lambda places: self._names(fired, places))
        # counted here, since count_rows drops features without an id silently
        self._ids.leave_out(int((ids < 0).sum()))
        weight = tables.weights_of(*self._keys.table[:3], fired.key)
        pointer, place, value = count_rows(fired.hyp, ids, n)
        return SparseRows(pointer, ids[place], value, weight[place])

    def _names(self, fired: Fired, places: Ints) -> tuple[Bytes, Ints]:
        """Return the names of the fired features at some places, ascending, as one text."""
        if fired.steps is not None and not fired.n_listed:
            return fired.steps.names(fired.row[places])
        listed = places[places < fired.n_listed]
        text, pointer = text_of(
            [self.lexical.names[number] for number in fired.row[listed, 0].tolist()]
        )
        if fired.steps is not None:
            more, ends = fired.steps.names(fired.row[places[places >= fired.n_listed]])
            pointer = np.concatenate([pointer, len(text) + ends[1:]])
            text = np.concatenate([text, more])
        return text, pointer


def scored(
    dense: Floats, ids: Ids, weight: Floats, counts: SparseRows | None
) -> tuple[Features, Floats]:
    """Return the features of n derivations, and their scores (n,).

    dense (n_dense, n): values of the features `ids` of these weights; counts: sparse features.
    """
    n_dense = len(ids)
    features = Features.of_dense(np.arange(n_dense, dtype=np.int32), dense)
    if counts is not None:  # each entry becomes a feature, since weights are given by entry
        own = n_dense + np.arange(len(counts.id), dtype=np.int32)
        features = features.with_sparse(counts.pointer, own, counts.value)
        ids = np.concatenate([ids, counts.id])
        weight = np.concatenate([weight, counts.weight])
    return features.translate(ids), score_features(features, weight)
