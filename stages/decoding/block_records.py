"""K-best lists of block sequences: texts, features, statistics, gains, and positions of blocks.

A block sequence is a path; the arcs of paths are rows of `link` (kernels.records.Graph).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from campanula.formats.arrays.types import Floats, Ids
from campanula.formats.model.model import Model
from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.formats.text.references import References
from campanula.stages.decoding.block_features import AskedFeatures, BlockFeatures
from campanula.stages.decoding.block_fields import fields_of
from campanula.stages.decoding.dense_values import (
    NO_LOGS,
    derivation_values,
    end_values,
    moses_values,
)
from campanula.stages.decoding.indexed_inventory import IndexedInventory
from campanula.stages.decoding.left_out.own_options import own_lm
from campanula.stages.decoding.option_store import OptionStore
from campanula.stages.decoding.option_texts import OptionTexts
from campanula.stages.decoding.source_sentences import SourceSentence
from campanula.stages.decoding.sparse.counts import Fired
from campanula.stages.decoding.sparse.feature_ids import NamedFeatures
from campanula.stages.decoding.written_features import Written
from campanula.stages.kernels.records import OPTION
from campanula.stages.metrics.bleu import Bleu
from campanula.stages.metrics.scoring import Scorer

if TYPE_CHECKING:
    from campanula.stages.kernels.graph.paths import Paths

NONE_ASKED = AskedFeatures()
EVERYTHING = 1 << 40  # more blocks than any source phrase has
EMPTY_TEXT = Texts(b"", np.zeros(2, np.int64))  # one empty text


class BlockSequences(NamedTuple):
    """Sequences of a sentence, in the order of the search, with dense features and gains.

    fired: the sparse features that fire in them; None if no sparse features are on.
    """

    kbest: KBest
    fired: Fired | None


class BlockRecords:
    """Makes lists of block sequences, with BLEU+1 against references as gain.

    All blocks of the model are options.  on: dense features to write, None for
    `model.feature_names()`; sparse: sparse features to write; inventory: lists have its ids.
    """

    def __init__(
        self,
        model: Model,
        references: References,
        on: Iterable[str] | None = None,
        sparse: AskedFeatures = NONE_ASKED,
        inventory: IndexedInventory | None = None,
    ) -> None:
        self.metric = Bleu(n_refs=references.n_refs)
        self.names = Names() if inventory is None else inventory.names
        features = model.all_features()
        self._model = model
        self._inventory = inventory
        self._scorer = Scorer(self.metric, references)
        ids = NamedFeatures(self.names) if inventory is None else inventory
        self._written = Written.of(model, on, np.zeros(len(features)), ids.ids_of)
        # kernels always have a column for LM0, also for a model without language models
        self._n_values = len(features) + (model.lm is None)
        self.options = OptionStore(model, np.zeros(self._n_values), EVERYTHING)
        self._sparse = None
        if sparse.any():
            self._sparse = BlockFeatures(model, self.options, sparse, self.names, inventory)

    def texts(self, paths: Paths, link: Ids) -> Texts:
        """Return the texts of paths."""
        return OptionTexts.of(self._model, self.options).path_texts(paths, link)

    def sequences(self, sentence: SourceSentence, paths: Paths, link: Ids) -> BlockSequences:
        """Return the block sequences of a sentence that are paths through `link`."""
        fields = fields_of(paths, link, self.options.options.info)
        value = self._values(sentence, paths, link)
        kbest = self._scored(sentence.sid, self.texts(paths, link), value, fields)
        return BlockSequences(kbest, self._fired(sentence, paths, link))

    def bag(self, sentence: SourceSentence, link: Ids) -> BlockSequences:
        """Return a bag of blocks of a sentence, in which order and neighbours have no meaning.

        Its dense features are 0: it has "only block and word identity features" (T&Z, section IV).
        """
        from campanula.stages.kernels.graph.paths import Paths

        paths = Paths(np.array([0, len(link)]), np.arange(len(link)))
        value = np.zeros((1, self._n_values))
        fields = fields_of(paths, link, self.options.options.info)
        fields["orientation"] = EMPTY_TEXT
        kbest = self._scored(sentence.sid, self.texts(paths, link), value, fields)
        return BlockSequences(kbest, self._fired(sentence, paths, link))

    def empty(self, sentence: SourceSentence) -> BlockSequences:
        """Return the only block sequence of an empty sentence, which has no block."""
        from campanula.stages.kernels.search.options import end_logs

        value = np.zeros((1, self._n_values))
        if self._model.lm is not None:
            lm = own_lm(sentence.own, self.options.lm)
            value[0] = end_values(self._n_values, end_logs(lm))
        fields = {"segmentation": EMPTY_TEXT, "orientation": EMPTY_TEXT}
        return BlockSequences(self._scored(sentence.sid, EMPTY_TEXT, value, fields), None)

    def record(self, sequences: BlockSequences) -> KBest:
        """Return the list of sequences, highest gain first.

        New features get ids in the order of calls, so lists must be made in the order of sentences.
        """
        kbest, fired = sequences
        if self._sparse is not None and fired is not None:
            kbest = replace(kbest, features=self._sparse.added(kbest.features, fired))
        if self._inventory is not None:
            self._inventory.see(kbest)
        assert kbest.gain is not None
        return kbest.sorted_by(kbest.gain)

    def _fired(self, sentence: SourceSentence, paths: Paths, link: Ids) -> Fired | None:
        if self._sparse is None:
            return None
        return self._sparse.fire(sentence.source, paths, link)

    def _values(self, sentence: SourceSentence, paths: Paths, link: Ids) -> Floats:
        """Return the dense features (n_paths, n_values)."""
        from campanula.stages.kernels.oracle.lm_logs import lm_logs
        from campanula.stages.kernels.records import Graph
        from campanula.stages.kernels.search.jumps import jump_logs

        model = self._model
        options = self.options.options
        # each step of each path becomes an arc, since an arc's LM log differs from path to path
        link = link[paths.arc]
        offset = paths.offset
        step = np.arange(len(link))
        arc_value = np.zeros((len(link), 2))
        if model.lm is not None:
            option = link[:, OPTION].astype(np.int64)
            lm = own_lm(sentence.own, self.options.lm)
            words = lm_logs(offset, option, options.info, options.lm_word, lm)
            arc_value = np.concatenate([arc_value[:, :1], words], axis=1)
        jumps = NO_LOGS
        if sentence.jump_row is not None:
            jumps = jump_logs(sentence.jump_row, model.distortion)
        info = options.info
        if sentence.own is not None:
            # `link` is a copy by now, so that the rows of the caller keep the numbers of the store
            link[:, OPTION] = sentence.own.places(link[:, OPTION])
            model, info = sentence.own.rows(model, info[sentence.own.number])
        steps = Graph(np.zeros(2), np.zeros(2, np.int32), link, arc_value)
        value = moses_values(model, offset, step, steps, info)
        if sentence.own is not None:
            sentence.own.add_changes(value, offset, link[:, OPTION])
        more = derivation_values(offset, step, steps, jumps, model.n_lms)
        return np.concatenate([value, more], axis=1)

    def _scored(self, sid: int, text: Texts, value: Floats, fields: dict[str, Texts]) -> KBest:
        """Return the list with statistics and gains, and with dense features only."""
        if self._model.lm is None:
            value = value[:, 1:]
        dense = np.ascontiguousarray(value[:, self._written.column].T)
        features = Features.of_dense(self._written.ids, dense)
        return self._scorer(KBest(sid, text, features, self.names, fields=fields))
