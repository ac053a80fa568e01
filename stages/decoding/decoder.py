"""The decoder: a compiled model, weights and settings; sentences in, k-best lists out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from campanula.formats.arrays.pointers import expand
from campanula.formats.arrays.types import Floats, Ids
from campanula.formats.feature_names.dense import LM_SPLIT
from campanula.formats.model.model import Model
from campanula.formats.records.kbest import KBest
from campanula.formats.records.lattice import Lattice
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.stages.decoding.dense_values import (
    NO_LOGS,
    derivation_values,
    end_values,
    moses_values,
)
from campanula.stages.decoding.indexed_inventory import IndexedInventory, seed_of
from campanula.stages.decoding.lattices import empty_lattice, lattice_of, listed_in
from campanula.stages.decoding.left_out.leave_one_out import LeaveOneOut, LeftOut
from campanula.stages.decoding.left_out.own_options import own_lm, own_rows
from campanula.stages.decoding.option_store import Choices, OptionStore
from campanula.stages.decoding.option_texts import OptionTexts
from campanula.stages.decoding.search_settings import SearchSettings
from campanula.stages.decoding.source_sentences import SourceSentence, source_sentences
from campanula.stages.decoding.sparse.counts import Fired, SparseCounts, scored
from campanula.stages.decoding.sparse.feature_ids import NamedFeatures
from campanula.stages.decoding.sparse.name_parsing import bytes_of
from campanula.stages.decoding.sparse.options import SparseWeights
from campanula.stages.decoding.sparse.spelled_features import (
    SpelledSteps,
    StepWords,
    spelling_of,
    steps_of,
)
from campanula.stages.decoding.written_features import SearchWeights, Written
from campanula.stages.kernels.records import END, OPTION, START, Graph, Options
from campanula.stages.parallel.threads import in_threads

if TYPE_CHECKING:
    from campanula.stages.kernels.graph.paths import Paths


class Searched(NamedTuple):
    """The result of a search: the sentence, its options, the search graph, logs of its jumps."""

    sentence: SourceSentence
    options: Options
    graph: Graph
    logs: Floats


class Derivations(NamedTuple):
    """The k best derivations of a sentence: texts, dense features (n, n_features), and the sparse
    features that fire, None without any.
    """

    sid: int
    text: Texts
    value: Floats
    fired: Fired | None


class Decoder:
    """Decodes with one model and one theta (n_features,), by `model.feature_names()`.

    theta may go on with weights of the rest of `model.all_features()`.  on: features to write, None
    for `feature_names()`; others should have weight 0.  sparse: weights and templates of sparse
    features, which are written, too.  left_out: the lines are the source of this training text, and
    each is decoded without its own counts.  inventory: lists have its ids.  exact_orientation:
    lists have the definition's hierarchical orientations.  Options of a source phrase are chosen
    once and kept, so a decoder gets faster with time.
    """

    def __init__(
        self,
        model: Model,
        theta: Floats,
        settings: SearchSettings,
        on: Iterable[str] | None = None,
        sparse: SparseWeights | None = None,
        left_out: LeftOut | None = None,
        inventory: IndexedInventory | None = None,
        exact_orientation: bool = False,
    ) -> None:
        self.settings = settings
        self._exact_orientation = exact_orientation
        self._inventory = inventory
        self.names = Names() if inventory is None else inventory.names
        ids = NamedFeatures(self.names) if inventory is None else inventory
        self._model = model
        # features past those of the caller are computed, and so need a weight, even if it is 0
        self._theta = np.zeros(len(model.all_features()))
        self._theta[: len(theta)] = theta
        self._written = Written.of(model, on, self._theta, ids.ids_of)
        self._weights = SearchWeights.of(model, self._theta)
        full, first_weight = self._weights.full, self._weights.first
        seed = 0 if sparse is None else seed_of(inventory)  # the index is read if it is needed
        self._options = OptionStore(model, full, settings.table_limit, sparse, first_weight, seed)
        self.words = self._options.words
        self._leave_one_out = None
        if left_out is not None:
            self._leave_one_out = LeaveOneOut(model, self._options, left_out)
        self._counts = None
        if sparse is not None and self._options.sparse is not None:
            keys = self._options.sparse.keys
            features = NamedFeatures(self.names) if inventory is None else inventory.features()
            asked = (sparse.templates, keys, features, sparse.listed)
            self._counts = SparseCounts(*asked, exact_orientation)
        split = not set(LM_SPLIT).isdisjoint(self._written.names)
        lexical = model.reordering.shape[1] > 0 or self._options.turns()
        self._kernel_settings = settings.for_kernels(self._weights, split, lexical)

    @property
    def dense_features(self) -> list[str]:
        """Names of the dense features that are written."""
        return list(self._written.names)

    def decode_all(self, lines: Iterable[str], jobs: int = 1) -> Iterator[KBest]:
        """Yield the k-best list of every line, in order; the same for any number of jobs."""
        if self._counts is None and self._inventory is None:
            yield from in_threads(self._decode, self._sentences(lines), jobs)
        else:  # sparse features get their ids in the order of the sentences
            for derivations in in_threads(self._derivations, self._sentences(lines), jobs):
                yield self._record(derivations)

    def decode_with_lattices(
        self, lines: Iterable[str], jobs: int = 1
    ) -> Iterator[tuple[KBest, Lattice]]:
        """Yield the k-best list of every line, and the lattice of the search it comes from."""
        for derivations, lattice in in_threads(self._with_lattice, self._sentences(lines), jobs):
            yield self._record(derivations), lattice

    def _sentences(self, lines: Iterable[str]) -> Iterator[SourceSentence]:
        return source_sentences(lines, self._model, self._options, self._leave_one_out)

    def _decode(self, sentence: SourceSentence) -> KBest:
        return self._record(self._derivations(sentence))

    def _derivations(self, sentence: SourceSentence) -> Derivations:
        return self._best(self._search(sentence)) if len(sentence.first) else self._empty(sentence)

    def _with_lattice(self, sentence: SourceSentence) -> tuple[Derivations, Lattice]:
        if not len(sentence.first):
            lattice = empty_lattice(sentence.sid, self._empty_value(sentence), self._written)
            return self._empty(sentence), self._marked(lattice)
        searched = self._search(sentence)
        return self._best(searched), self._marked(self._lattice(searched))

    def _lattice(self, searched: Searched) -> Lattice:
        sentence, options, graph, logs = searched
        texts = OptionTexts.of(self._model, self._options, options.info)
        own = sentence.own
        return lattice_of(
            sentence.sid, sentence.source, graph, texts, self._model, self._written, logs, own
        )

    def _marked(self, lattice: Lattice) -> Lattice:
        """Return the lattice with the templates and the digest of the sparse features in use."""
        sparse = self._options.sparse
        if self._counts is None or sparse is None:
            return lattice
        # rescoring compares the digest: under equal weights it takes the scores in the lattice
        return replace(lattice, templates=self._counts.templates, sparse=sparse.digest)

    def _choices(self, sentence: SourceSentence) -> Choices:
        if self._leave_one_out is not None and sentence.own is not None:
            return self._leave_one_out.choices(sentence.own)
        option = None
        # triggers alone depend on which options a sentence has (SparseOptions.seams)
        if self._options.sparse is not None and len(self._options.sparse.keys.triggers):
            _, option = expand(sentence.first.ravel(), sentence.count.ravel())
        return self._options.choices(option)

    def _search(self, sentence: SourceSentence) -> Searched:
        from campanula.stages.kernels.records import Sentence
        from campanula.stages.kernels.search.jumps import jump_logs, sentence_jumps
        from campanula.stages.kernels.search.outlook import outlook
        from campanula.stages.kernels.search.search import search

        n = len(sentence.first)
        logs = NO_LOGS
        if sentence.jump_row is not None:
            logs = jump_logs(sentence.jump_row, self._model.distortion)
        options, seams = self._choices(sentence)
        weights = self._weights
        lm = own_lm(sentence.own, self._options.lm)
        jumps = sentence_jumps(n, weights.distortion, logs, weights.jump, seams.jump)
        ahead = outlook(n, sentence.first, sentence.count, options.score, jumps.in_order)
        graph = search(Sentence(n, ahead, jumps, options, lm, self._kernel_settings, seams))
        return Searched(sentence, options, graph, logs)

    def _best(self, searched: Searched) -> Derivations:
        """Return the k best derivations of a search graph."""
        from campanula.stages.kernels.graph.kbest import kbest

        sentence, options, graph, _ = searched
        store, settings = self._options, self.settings
        paths = kbest(graph, options.info, store.word, settings.k, settings.distinct)
        value = self._dense_values(searched, paths)
        texts = OptionTexts.of(self._model, store, options.info)
        text = texts.path_texts(paths, graph.link)
        fired = None
        if self._counts is not None:
            listed = listed_in(self._counts.lexical, sentence.source, graph.link, paths, texts)
            fired = self._counts.fire(self._steps(sentence, paths, graph.link, texts), listed)
        return Derivations(sentence.sid, text, value, fired)

    def _steps(
        self, sentence: SourceSentence, paths: Paths, link: Ids, texts: OptionTexts
    ) -> SpelledSteps:
        """Return the steps of paths, from which sparse features are counted."""
        store = self._options
        assert store.sparse is not None
        option = sentence.in_store(link[paths.arc, OPTION].astype(np.int64))
        marks = store.sparse.keys.marks(bytes_of(sentence.source.blob), sentence.source.pointer)
        blocks = (option, link[paths.arc, START], link[paths.arc, END])
        step_words = StepWords(store.options.info, store.word, marks, store.sparse.mark)
        steps = steps_of(paths.offset, blocks, step_words)
        return SpelledSteps(steps, spelling_of(sentence.source), texts.spelling)

    def _dense_values(self, searched: Searched, paths: Paths) -> Floats:
        """Return the dense features (n_paths, n_features) of paths, by model.all_features()."""
        sentence, options, graph, logs = searched
        offset, arc = paths
        model, info = own_rows(sentence.own, self._model, options.info)
        value = moses_values(model, offset, arc, graph, info, self._exact_orientation)
        if sentence.own is not None:
            sentence.own.add_changes(value, offset, graph.link[arc, OPTION])
        more = derivation_values(offset, arc, graph, logs, self._model.n_lms)
        value = np.concatenate([value, more], axis=1) if more.shape[1] else value
        # kernels have a column for LM0 in any case; a model without one has no such feature
        return value if self._model.lm is not None else value[:, 1:]

    def _empty(self, sentence: SourceSentence) -> Derivations:
        """Return the only derivation of an empty sentence."""
        text = Texts(b"", np.zeros(2, np.int64))
        return Derivations(sentence.sid, text, self._empty_value(sentence).reshape(1, -1), None)

    def _record(self, derivations: Derivations) -> KBest:
        """Return the list of derivations, sorted by the scores of its own features."""
        sid, text, value, fired = derivations
        # kernels give a row for each derivation, lists hold the values feature by feature
        dense = np.ascontiguousarray(value[:, self._written.column].T)
        counts = None
        if self._counts is not None and fired is not None:
            counts = self._counts.count(fired, len(text))
        features, score = scored(dense, self._written.ids, self._written.weight, counts)
        record = KBest(sid, text, features, self.names, score)
        if self._inventory is not None:
            self._inventory.see(record)
            if not self._inventory.own_order:  # scores change with the ids, so sort later
                return record
        return record.sorted_by(score)

    def _empty_value(self, sentence: SourceSentence) -> Floats:
        """Return the features of an empty sentence: language model scores of its end, else 0."""
        from campanula.stages.kernels.search.options import end_logs

        if self._model.lm is None:
            return np.zeros(len(self._theta))
        return end_values(len(self._theta), end_logs(own_lm(sentence.own, self._options.lm)))
