"""The decoder: a compiled model, weights and settings; sentences in, k-best lists out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from campanula.formats.arrays.pointers import expand
from campanula.formats.arrays.types import Floats, Ids, Ints
from campanula.formats.feature_names.dense import LM_SPLIT
from campanula.formats.model.model import Model
from campanula.formats.model.vocabulary import words_of
from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.lattice import Lattice
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.formats.weights import Theta, Weights
from campanula.stages.decoding.dense_values import NO_LOGS, derivation_values
from campanula.stages.decoding.lattices import empty_lattice, lattice_of, listed_in
from campanula.stages.decoding.leave_one_out import LeaveOneOut, LeftOut, OwnOptions
from campanula.stages.decoding.lexical import LexicalFeatures
from campanula.stages.decoding.option_store import OptionStore
from campanula.stages.decoding.option_texts import OptionTexts
from campanula.stages.decoding.sparse_counts import NOTHING, SparseCounts, Steps
from campanula.stages.decoding.sparse_options import SparseWeights
from campanula.stages.decoding.written_features import SearchWeights, Written
from campanula.stages.kernels.records import (
    DISTANCE_ORDER,
    LM,
    MONOTONE_ORDER,
    OPTION,
    SWAP_ORDER,
    Settings,
)
from campanula.stages.threads import in_order
from campanula.stages.tuning.scoring import score

if TYPE_CHECKING:
    from campanula.stages.kernels.records import Graph, Options, Seams

MAX_WINDOW = 60  # words: the bits of a coverage mask
BATCH = 64  # sentences whose options are made ready together
NO_WORDS = Texts(b"", np.zeros(1, np.int64))
Listed = tuple[Ints, Ids]  # hypotheses and listed features that fire in them
Found = tuple[int, Texts, NDArray[np.float64], "Steps | None", Listed]  # arguments of _record
Seen = tuple["Options", "Seams"]  # what the search of a sentence may use
REORDERING = {"monotone": MONOTONE_ORDER, "swap": SWAP_ORDER, "distance": DISTANCE_ORDER}


@dataclass(frozen=True)
class SearchSettings:
    """How to search; the command's help says what each of them means."""

    k: int = 500
    distinct: bool = False
    reordering: str = "distance"
    distortion_limit: int = 6
    pop_limit: int = 500
    stack: int = 200
    beam_threshold: float = float("inf")
    table_limit: int = 20


@dataclass(frozen=True)
class Sentence:
    """A sentence ready for the search: first option and number of options of each span.

    Both are (n, longest), by the span's start and its length - 1.  `source` (n,) are its words,
    `jump_row` (n + 1,) the rows of the distortion table, if there is one, of its start and of them,
    `own` its options when they are its own.
    """

    sid: int
    first: NDArray[np.int32]
    count: NDArray[np.int32]
    source: Texts = NO_WORDS
    jump_row: NDArray[np.int64] | None = None
    own: OwnOptions | None = None


class Decoder:
    """Decodes with one model and one theta (n_features,), by `model.feature_names()`.

    theta may go on with the weights of the rest of `model.all_features()`.  `on` are the features
    to write, None for the former; the others should have weight 0.  The options of a
    source phrase are chosen once and kept, so a decoder gets faster as it goes.  With `sparse`, the
    sparse features of its templates count and are written, too.  With `left_out` the lines are the
    source of that training text, each decoded without its own counts.
    """

    def __init__(
        self,
        model: Model,
        theta: NDArray[np.float64],
        settings: SearchSettings,
        on: Iterable[str] | None = None,
        sparse: SparseWeights | None = None,
        left_out: LeftOut | None = None,
    ) -> None:
        self.settings = settings
        self.names = Names()
        self._model = model
        self._theta = np.zeros(len(model.all_features()))
        self._theta[: len(theta)] = theta
        self._written = Written.of(model, on, self._theta, self.names)
        self._weights = SearchWeights.of(model, self._theta)
        full, first_weight = self._weights.full, self._weights.first
        self._options = OptionStore(model, full, settings.table_limit, sparse, first_weight)
        self._leave_one_out = None
        if left_out is not None:
            self._leave_one_out = LeaveOneOut(model, self._options, left_out)
        self._counts = None
        theta_by_name = dict(sparse.theta) if sparse is not None else {}
        theta_by_name |= Weights.of(self._written.names, self._written.weight)
        self._list_theta = Theta(Weights(theta_by_name), self.names, 0.0)
        self._list_theta.vector()  # of all names now, before threads ask for it
        if sparse is not None:
            sources = self._options.phrases, self._options.target_text
            self._counts = SparseCounts(sparse.templates, self.names, *sources, sparse.listed)
            self._listed = LexicalFeatures.of(sparse.listed).without(sparse.templates)
            ids = [self.names.id(name) for name in self._listed.names]
            self._listed_id = np.array(ids, dtype=np.int32)
        self._kernel_settings = self._settings_of_kernels()

    def _settings_of_kernels(self) -> Settings:
        """The settings as the kernels take them: modes as numbers, flags as 0 or 1."""
        settings, model, weights = self.settings, self._model, self._weights
        return Settings(
            lm_weight=float(weights.full[LM]),
            first_weight=weights.first,
            split=int(weights.first != 0.0 or not set(LM_SPLIT).isdisjoint(self._written.names)),
            reordering=REORDERING[settings.reordering],
            limit=settings.distortion_limit,
            lexical=int(len(model.reordering) > 0 or self._options.turns()),
            pop_limit=settings.pop_limit,
            stack=settings.stack,
            threshold=settings.beam_threshold,
        )

    def decode_all(self, lines: Iterable[str], jobs: int = 1) -> Iterator[KBest]:
        """Yield the k-best list of every line, in order; the same for any number of jobs."""
        if self._counts is None:
            yield from in_order(self._decode, self._sentences(lines), jobs)
        else:  # sparse features get their ids in the order of the sentences
            for found in in_order(self._found, self._sentences(lines), jobs):
                yield self._record(*found)

    def decode_with_lattices(
        self, lines: Iterable[str], jobs: int = 1
    ) -> Iterator[tuple[KBest, Lattice]]:
        """Yield the k-best list of every line, and the search graph that it was taken from."""
        for found, lattice in in_order(self._found_both, self._sentences(lines), jobs):
            yield self._record(*found), lattice

    def _sentences(self, lines: Iterable[str]) -> Iterator[Sentence]:
        if self._leave_one_out is not None:
            for sid, words, own in self._leave_one_out.sentences(lines, BATCH):
                yield Sentence(sid, own.first, own.count, *self._described(words), own)
            return
        numbered = enumerate(lines)
        while batch := list(islice(numbered, BATCH)):
            texts = [words_of(line.encode()) for _, line in batch]
            spans = self._options.spans(texts)
            for (sid, _), words, (first, count) in zip(batch, texts, spans, strict=True):
                yield Sentence(sid, first, count, *self._described(words))

    def _described(self, words: list[bytes]) -> tuple[Texts, NDArray[np.int64] | None]:
        return Texts.of(word.decode() for word in words), self._model.jump_rows(words)

    def _seen_by(self, sentence: Sentence) -> Seen:
        """Options that the search of a sentence may use, and what their seams need."""
        if self._leave_one_out is None or sentence.own is None:
            option = None
            if self._counts is not None:
                _, option = expand(sentence.first.ravel(), sentence.count.ravel())
            return self._options.options, self._options.seams(option)
        return self._leave_one_out.seen_by(sentence.own)

    def _decode(self, sentence: Sentence) -> KBest:
        return self._record(*self._found(sentence))

    def _found(self, sentence: Sentence) -> Found:
        if not len(sentence.first):
            value = self._empty_value().reshape(1, -1)
            return sentence.sid, Texts(b"", np.zeros(2, np.int64)), value, None, NOTHING
        logs, seen = self._jump_logs(sentence), self._seen_by(sentence)
        return self._kbest(sentence, self._graph(sentence, logs, seen), logs, seen)

    def _found_both(self, sentence: Sentence) -> tuple[Found, Lattice]:
        if not len(sentence.first):
            lattice = empty_lattice(sentence.sid, self._empty_value(), self._written)
            return self._found(sentence), self._marked(lattice)
        logs, seen = self._jump_logs(sentence), self._seen_by(sentence)
        graph = self._graph(sentence, logs, seen)
        texts = OptionTexts.of(self._model, self._options, seen[0].info)
        change = None if sentence.own is None else sentence.own.change
        lattice = lattice_of(
            sentence.sid, sentence.source, graph, texts, self._model, self._written, logs, change
        )
        return self._kbest(sentence, graph, logs, seen), self._marked(lattice)

    def _marked(self, lattice: Lattice) -> Lattice:
        """The lattice, saying which sparse features took part."""
        sparse = self._options.sparse
        if self._counts is None or sparse is None:
            return lattice
        return replace(lattice, templates=self._counts.templates, sparse=sparse.digest)

    def _jump_logs(self, sentence: Sentence) -> Floats:
        from campanula.stages.kernels.search import jumps as search_jumps

        if sentence.jump_row is None:
            return NO_LOGS
        return search_jumps.jump_logs(sentence.jump_row, self._model.distortion)

    def _graph(self, sentence: Sentence, logs: Floats = NO_LOGS, seen: Seen | None = None) -> Graph:
        from campanula.stages.kernels.records import Sentence as Searched
        from campanula.stages.kernels.search.jumps import sentence_jumps
        from campanula.stages.kernels.search.outlook import outlook
        from campanula.stages.kernels.search.search import search

        n, weights = len(sentence.first), self._weights
        options, seams = seen or self._seen_by(sentence)
        jumps = sentence_jumps(n, weights.distortion, logs, weights.jump, seams.jump)
        ahead = outlook(n, sentence.first, sentence.count, options.score, jumps.in_order)
        lm, settings = self._options.lm, self._kernel_settings
        return search(Searched(n, ahead, jumps, options, lm, settings, seams))

    def _kbest(self, sentence: Sentence, graph: Graph, logs: Floats, seen: Seen) -> Found:
        from campanula.stages.kernels.graph import kbest, values

        store, model, settings = self._options, self._model, self.settings
        info, word, own = seen[0].info, store.word, sentence.own
        paths = kbest.kbest(graph, info, word, settings.k, settings.distinct)
        offset, arc = paths
        texts = OptionTexts.of(model, store, info)
        value = values.feature_values(offset, arc, graph, info, model.score, model.reordering)
        if own is not None:
            own.add_changes(value, offset, graph.link[arc, OPTION])
        more = derivation_values(offset, arc, graph, logs)
        value = np.concatenate([value, more], axis=1) if more.shape[1] else value
        if model.lm is None:
            value = value[:, 1:]
        steps, listed = None, NOTHING
        if self._counts is not None:
            steps = Steps.of(offset, arc, graph.link, store.options.info, word)
            if own is not None:
                steps = replace(steps, option=own.number[steps.option])
            hyp, feature = listed_in(self._listed, sentence.source, graph.link, paths, texts)
            listed = hyp, self._listed_id[feature]
        return sentence.sid, texts.path_texts(paths, graph.link), value, steps, listed

    def _record(
        self,
        sid: int,
        text: Texts,
        value: NDArray[np.float64],
        steps: Steps | None,
        listed: Listed,
    ) -> KBest:
        """Record of hypotheses; its order is that of the scores which the record itself gives."""
        dense = np.ascontiguousarray(value[:, self._written.column].T)
        features = Features.of_dense(self._written.ids, dense)
        if self._counts is not None and steps is not None:
            features = features.with_sparse(*self._counts.count(steps, len(text), listed))
        record = KBest(sid, text, features, self.names)
        own = score(record, self._list_theta.vector())
        record = replace(record, score=own)
        order = np.argsort(-own, kind="stable")
        return record if (np.diff(order) > 0).all() else record.take(order)

    def _empty_value(self) -> NDArray[np.float64]:
        """Features of an empty sentence: no words, and what the language model says."""
        from campanula.stages.kernels.search import options as search_options

        value = np.zeros(len(self._theta))
        if self._model.lm is not None:
            end_log = search_options.end_log(self._options.lm)
            value[LM] = end_log
            value[-len(LM_SPLIT)] = end_log  # the end counts as a first word
        return value
