"""K-best lists of block sequences: texts, dense features, statistics, gains, where blocks stand.

A block sequence is a path; the arcs of paths are rows of `link` (kernels.records.Graph).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from campanula.formats.arrays.types import Floats, Ids, Ints
from campanula.formats.model.model import Model
from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.formats.text.references import References
from campanula.stages.decoding.block_fields import fields_of
from campanula.stages.decoding.dense_values import NO_LOGS, derivation_values
from campanula.stages.decoding.feature_ids import NamedFeatures
from campanula.stages.decoding.option_store import OptionStore
from campanula.stages.decoding.option_texts import OptionTexts
from campanula.stages.decoding.written_features import Written
from campanula.stages.kernels.records import LM, OPTION, WORDS, first_reordering
from campanula.stages.metrics.bleu import Bleu
from campanula.stages.metrics.scoring import Scorer

if TYPE_CHECKING:
    from campanula.stages.kernels.graph.paths import Paths

EVERYTHING = 1 << 40  # more blocks than any source phrase has
NOTHING = Texts(b"", np.zeros(2, np.int64))  # one empty text


class BlockRecords:
    """Makes lists of a model's blocks, all of which are options, with BLEU+1 of references as gain.

    `on` are the features to write, None for `model.feature_names()`.
    """

    def __init__(
        self, model: Model, references: References, on: Iterable[str] | None = None
    ) -> None:
        self.metric = Bleu(n_refs=references.n_refs)
        self.names = Names()
        features = model.all_features()
        self._model = model
        self._scorer = Scorer(self.metric, references)
        self._written = Written.of(
            model, on, np.zeros(len(features)), NamedFeatures(self.names).ids_of
        )
        self._n_values = len(features) + (model.lm is None)  # a language model's column is there
        self.options = OptionStore(model, np.zeros(self._n_values), EVERYTHING)

    def texts(self, paths: Paths, link: Ids) -> Texts:
        """The words of paths."""
        return OptionTexts.of(self._model, self.options).path_texts(paths, link)

    def record(self, sid: int, paths: Paths, link: Ids, jump_row: Ints | None) -> KBest:
        """The list of some sequences of a sentence, highest gain first.

        jump_row (n + 1,): rows of the distortion table, if there is one, of its start and words.
        """
        fields = fields_of(paths, link, self.options.options.info)
        return self._scored(
            sid, self.texts(paths, link), self._values(paths, link, jump_row), fields
        )

    def bag(self, sid: int, link: Ids) -> KBest:
        """The list of a bag of blocks, whose order and neighbours mean nothing."""
        from campanula.stages.kernels.graph.paths import Paths

        paths = Paths(np.array([0, len(link)]), np.arange(len(link)))
        value = np.zeros((1, self._n_values))
        alone = slice(WORDS, first_reordering(self._model.score.shape[1]))
        value[:, alone] = self._values(paths, link, None, in_order=False)[:, alone]
        fields = fields_of(paths, link, self.options.options.info)
        fields["orientation"] = NOTHING
        return self._scored(sid, self.texts(paths, link), value, fields)

    def empty(self, sid: int) -> KBest:
        """The one block sequence of an empty sentence, which has no block."""
        from campanula.stages.kernels.search.options import end_log

        value = np.zeros((1, self._n_values))
        if self._model.lm is not None:
            value[0, [LM, -2]] = end_log(self.options.lm)  # the last two are LMFirst0 and LMRest0
        return self._scored(sid, NOTHING, value, {"segmentation": NOTHING, "orientation": NOTHING})

    def _values(
        self, paths: Paths, link: Ids, jump_row: Ints | None, in_order: bool = True
    ) -> Floats:
        """Dense features (n_paths, n_values); without order, nothing of the language model."""
        from campanula.stages.kernels.graph.values import feature_values
        from campanula.stages.kernels.oracle.lm_logs import lm_logs
        from campanula.stages.kernels.records import Graph
        from campanula.stages.kernels.search.jumps import jump_logs

        model, options = self._model, self.options.options
        # the steps of each path as arcs of their own: what one adds is not the same in all paths
        link = link[paths.arc]
        offset, step = paths.offset, np.arange(len(link))
        arc_value = np.zeros((len(link), 2))
        if model.lm is not None and in_order:
            option = link[:, OPTION].astype(np.int64)
            words = lm_logs(offset, option, options.info, options.lm_word, self.options.lm)
            arc_value = np.concatenate([arc_value[:, :1], words], axis=1)
        jumps = NO_LOGS
        if jump_row is not None:
            jumps = jump_logs(jump_row, model.distortion)
        steps = Graph(np.zeros(2), np.zeros(2, np.int32), link, arc_value)
        value = feature_values(offset, step, steps, options.info, model.score, model.reordering)
        return np.concatenate([value, derivation_values(offset, step, steps, jumps)], axis=1)

    def _scored(self, sid: int, text: Texts, value: Floats, fields: dict[str, Texts]) -> KBest:
        """The list with statistics and gains, in the order of those gains."""
        if self._model.lm is None:
            value = value[:, 1:]
        dense = np.ascontiguousarray(value[:, self._written.column].T)
        features = Features.of_dense(self._written.ids, dense)
        record = self._scorer(KBest(sid, text, features, self.names, fields=fields))
        assert record.gain is not None
        order = np.argsort(-record.gain, kind="stable")
        return record if (np.diff(order) > 0).all() else record.take(order)
