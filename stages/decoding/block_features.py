"""Sparse features of block sequences, as a decoder writes them; no weights are needed.

Features of all templates follow from the sequence: blocks, their neighbours, their order.  In a bag
of blocks order and neighbours have no meaning, so it has "only block and word identity features"
(Tillmann and Zhang, section IV).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import xxhash

from campanula.formats.arrays.types import Ids, Ints
from campanula.formats.feature_names.sparse import TEMPLATES
from campanula.formats.model.model import Model
from campanula.formats.records.features import Features
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.stages.decoding.indexed_inventory import IndexedInventory, seed_of
from campanula.stages.decoding.lattices import listed_in
from campanula.stages.decoding.option_store import OptionStore
from campanula.stages.decoding.option_texts import OptionTexts
from campanula.stages.decoding.sparse.counts import Fired, SparseCounts
from campanula.stages.decoding.sparse.feature_ids import NamedFeatures
from campanula.stages.decoding.sparse.keys import SparseKeys
from campanula.stages.decoding.sparse.name_parsing import bytes_of
from campanula.stages.decoding.sparse.spelled_features import (
    SpelledSteps,
    StepWords,
    spelling_of,
    steps_of,
)
from campanula.stages.kernels.records import END, OPTION, START

if TYPE_CHECKING:
    from campanula.stages.kernels.graph.paths import Paths

OF_BAGS = ("block", "word-pair")


class AskedFeatures(NamedTuple):
    """Sparse features to write: those of templates, and single ones by name."""

    templates: tuple[str, ...] = ()
    listed: tuple[str, ...] = ()

    def any(self) -> bool:
        """Whether any sparse feature is to be written."""
        return bool(self.templates or self.listed)

    def of_bags(self) -> AskedFeatures:
        """Return the features among these that a bag of blocks has."""
        prefixes = {prefix for name in OF_BAGS for prefix in TEMPLATES[name].prefixes}
        return AskedFeatures(
            tuple(name for name in self.templates if name in OF_BAGS),
            tuple(name for name in self.listed if name.partition("_")[0] in prefixes),
        )

    def signature(self) -> dict[str, str]:
        """Return the entries of sparse features in the signature of lists; empty without any."""
        entries = {"features": ",".join(self.templates)} if self.any() else {}
        if self.listed:
            entries["feature_list"] = xxhash.xxh3_64_hexdigest(" ".join(self.listed).encode())
        return entries


class BlockFeatures:
    """Finds the sparse features to write in sequences of blocks, which are options of a store.

    New features get ids of the inventory, or without one are added to the table `names`.
    """

    def __init__(
        self,
        model: Model,
        store: OptionStore,
        asked: AskedFeatures,
        names: Names,
        inventory: IndexedInventory | None = None,
    ) -> None:
        ids = NamedFeatures(names) if inventory is None else inventory.features()
        self._model = model
        self._store = store
        self._keys = SparseKeys.of_names([], np.zeros(0), seed_of(inventory))
        self._counts = SparseCounts(asked.templates, self._keys, ids, asked.listed)
        self._mark = self._keys.marks(model.target.blob, model.target.offset)

    def fire(self, source: Texts, paths: Paths, link: Ids) -> Fired:
        """Return the features that fire in paths; link as in records.Graph.  Thread-safe."""
        store = self._store
        texts = OptionTexts.of(self._model, store)
        arcs = link[paths.arc]
        words = StepWords(
            texts.info,
            texts.word,
            self._keys.marks(bytes_of(source.blob), source.pointer),
            self._marks(),
        )
        steps = steps_of(paths.offset, (arcs[:, OPTION], arcs[:, START], arcs[:, END]), words)
        listed = listed_in(self._counts.lexical, source, link, paths, texts)
        return self._counts.fire(SpelledSteps(steps, spelling_of(source), texts.spelling), listed)

    def _marks(self) -> Ints:
        """Return the fingerprints of target words by number: the model's, then copied words."""
        mark = self._mark
        n_words = len(self._model.target)
        blob, offset = self._store.extra
        if n_words + len(offset) - 1 > len(mark):
            # another thread may store a shorter array after this; then the next call extends it
            mark = self._mark = np.concatenate([mark[:n_words], self._keys.marks(blob, offset)])
        return mark

    def added(self, features: Features, fired: Fired) -> Features:
        """Return features with the fired ones added; new ones get ids in the order of calls."""
        counts = self._counts.count(fired, len(features))
        return features.with_sparse(counts.pointer, counts.id, counts.value)
