"""The decoder: a compiled model, weights and settings; sentences in, k-best lists out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from formats.features import Features
from formats.kbest import KBest
from formats.lattice import Lattice
from formats.model import Model
from formats.names import Names
from formats.sparse_names import Phrase
from formats.texts import Texts
from formats.vocabulary import words_of
from formats.weights import Theta, Weights
from stages.lattices import empty_lattice, lattice_of
from stages.sparse_counts import SparseCounts, Steps
from stages.sparse_options import SparseOptions, extended, no_seams
from stages.threads import in_order

if TYPE_CHECKING:
    from stages.kernels.search_records import Graph, Seams

MAX_PHRASE = 20  # source words, as in Moses
MAX_WINDOW = 60  # words: the bits of a coverage mask
BATCH = 64  # sentences whose options are made ready together
UNKNOWN_PENALTY = -100.0
NO_WORDS = Texts(b"", np.zeros(1, np.int64))
Found = tuple[int, Texts, NDArray[np.float64], "Steps | None"]  # arguments of _record
REORDERING = {"monotone": 0, "swap": 1, "distance": 2}


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

    Both are (n, longest), by the span's start and its length - 1.  `source` (n,) are its words.
    """

    sid: int
    first: NDArray[np.int32]
    count: NDArray[np.int32]
    source: Texts = NO_WORDS


@dataclass(frozen=True)
class SparseWeights:
    """Templates of sparse features that are on, and weights by name."""

    templates: tuple[str, ...]
    theta: Mapping[str, float]


class Decoder:
    """Decodes with one model and one theta (n_features,), by `model.feature_names()`.

    `on` are the features to write, None for all; the others should have weight 0.  The options of a
    source phrase are chosen once and kept, so a decoder gets faster as it goes.  With `sparse`, the
    sparse features of its templates count and are written, too.
    """

    def __init__(
        self,
        model: Model,
        theta: NDArray[np.float64],
        settings: SearchSettings,
        on: Iterable[str] | None = None,
        sparse: SparseWeights | None = None,
    ) -> None:
        from stages.kernels import search_records

        self.settings, self.names = settings, Names()
        self._model, self._theta = model, theta
        full = theta if model.lm is not None else np.concatenate([[0.0], theta])
        features = model.feature_names()
        written = features if on is None else [name for name in features if name in set(on)]
        self._column = np.array([features.index(name) for name in written], dtype=np.int64)
        self._feature_id = np.array([self.names.id(name) for name in written], dtype=np.int32)
        self._options = OptionStore(model, full, settings.table_limit, sparse)
        self._counts = None
        if sparse is not None:
            sources = self._options.phrases, self._options.target_text
            self._counts = SparseCounts(sparse.templates, self.names, *sources)
            self._sparse_theta = Theta(Weights(dict(sparse.theta)), self.names, 0.0)
        self._search_settings = search_records.Settings(
            lm_weight=float(full[0]),
            distortion_weight=float(full[1]),
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
        """Yield the k-best list of every line, and the search graph that it was taken from.

        For decoders without sparse features, of which a lattice says nothing.
        """
        yield from in_order(self._decode_both, self._sentences(lines), jobs)

    def _sentences(self, lines: Iterable[str]) -> Iterator[Sentence]:
        numbered = enumerate(lines)
        while batch := list(islice(numbered, BATCH)):
            texts = [words_of(line.encode()) for _, line in batch]
            spans = self._options.spans(texts)
            for (sid, _), words, (first, count) in zip(batch, texts, spans, strict=True):
                yield Sentence(sid, first, count, Texts.of(word.decode() for word in words))

    def _decode(self, sentence: Sentence) -> KBest:
        return self._record(*self._found(sentence))

    def _found(self, sentence: Sentence) -> Found:
        if not len(sentence.first):
            value = self._empty_value().reshape(1, -1)
            return sentence.sid, Texts(b"", np.zeros(2, np.int64)), value, None
        return self._kbest(sentence, self._graph(sentence))

    def _decode_both(self, sentence: Sentence) -> tuple[KBest, Lattice]:
        written = (self._column, self._feature_id, self._theta[self._column], self.names)
        if not len(sentence.first):
            lattice = empty_lattice(sentence.sid, self._empty_value(), written)
            return self._decode(sentence), lattice
        store, graph = self._options, self._graph(sentence)
        described = (store.options.info, store.word, self._model, store.extra)
        lattice = lattice_of(sentence.sid, sentence.source, graph, *described, written)
        return self._record(*self._kbest(sentence, graph)), lattice

    def _graph(self, sentence: Sentence) -> Graph:
        from stages.kernels import search, search_outlook

        n, store = len(sentence.first), self._options
        options = store.options
        outlook = search_outlook.outlook(n, sentence.first, sentence.count, options.score)
        return search.search(n, outlook, options, store.lm, self._search_settings, store.seams())

    def _kbest(self, sentence: Sentence, graph: Graph) -> Found:
        from stages.kernels import search_kbest

        store, model, settings = self._options, self._model, self.settings
        info, word = store.options.info, store.word
        offset, arc = search_kbest.kbest(graph, info, word, settings.k, settings.distinct)
        value = search_kbest.feature_values(offset, arc, graph, info, model.score, model.reordering)
        text, pointer = search_kbest.texts(
            offset,
            arc,
            graph.link,
            info,
            word,
            model.target.blob,
            model.target.offset,
            *store.extra,
        )
        if model.lm is None:
            value = value[:, 1:]
        steps = None
        if self._counts is not None:
            steps = Steps.of(offset, arc, graph.link, info, word)
        return sentence.sid, Texts(text.tobytes(), pointer), value, steps

    def _record(
        self, sid: int, text: Texts, value: NDArray[np.float64], steps: Steps | None
    ) -> KBest:
        """Record of hypotheses; its order is that of the scores which the record itself gives."""
        dense = np.ascontiguousarray(value[:, self._column].T)
        features = Features.of_dense(self._feature_id, dense)
        score = np.zeros(len(text))
        for k, weight in enumerate(self._theta[self._column]):
            score += weight * dense[k]
        if self._counts is not None and steps is not None:
            features = features.with_sparse(*self._counts.count(steps, len(text)))
            self._add_sparse(features, score)
        record = KBest(sid, text, features, self.names, score)
        order = np.argsort(-score, kind="stable")
        return record if (np.diff(order) > 0).all() else record.take(order)

    def _add_sparse(self, features: Features, score: NDArray[np.float64]) -> None:
        """Add weights times sparse, then binary features to the scores, in the stored order."""
        theta = self._sparse_theta.vector()
        for pointer, ids, value in (
            (features.sparse_pointer, features.sparse_id, features.sparse_value),
            (features.binary_pointer, features.binary_id, 1.0),
        ):
            np.add.at(score, np.repeat(np.arange(len(score)), np.diff(pointer)), theta[ids] * value)

    def _empty_value(self) -> NDArray[np.float64]:
        """Features of an empty sentence: no words, and what the language model says."""
        from stages.kernels import search_options

        value = np.zeros(len(self._theta))
        if self._model.lm is not None:
            value[0] = search_options.end_log(self._options.lm)
        return value


class OptionStore:
    """The options of all source phrases met so far, in arrays that grow.

    `options` (search.Options) and `word` are replaced when they grow; what a search has been given
    stays as it is.  `extra` is the blob and offsets of the unknown words.  `sparse` are weights of
    sparse features by name, with the templates that are on.
    """

    def __init__(
        self,
        model: Model,
        weight: NDArray[np.float64],
        limit: int,
        sparse: SparseWeights | None = None,
    ) -> None:
        from stages.kernels import search_records

        n_scores = model.score.shape[1]
        self._model, self._limit, self._weight = model, limit, weight
        self._row_weight = weight[[0, 2, 3, *range(5, 5 + n_scores)]]
        self._reordering_weight = np.zeros(6)
        if len(model.reordering):
            self._reordering_weight = np.ascontiguousarray(weight[5 + n_scores :])
        self.lm = _language_model(model)
        self._table = search_records.Table(
            model.row_start,
            model.target_start,
            model.target_word,
            model.score,
            model.reordering,
            model.kind,
            model.to_lm,
        )
        self._first = np.full(len(model.row_start) - 1, -1, dtype=np.int32)
        self._count = np.zeros(len(model.row_start) - 1, dtype=np.int32)
        self._unknown: dict[bytes, int] = {}
        self._unknown_words: dict[bytes, int] = {}
        self._n_options = self._n_places = 0
        self.options = search_records.Options(
            np.zeros((1024, 8)),
            np.zeros((1024, 6), np.int32),
            np.zeros(4096, np.int32),
            np.zeros(4096),
        )
        self.word = np.zeros(4096, np.int32)
        self.extra = (np.zeros(0, np.uint8), np.zeros(1, np.int64))
        self.sparse = None
        if sparse is not None:
            self.sparse = SparseOptions(
                sparse.theta, sparse.templates, model.source, self._target_number
            )

    def turns(self) -> bool:
        """Whether a sparse feature asks how blocks are ordered."""
        return self.sparse is not None and self.sparse.turns

    def phrases(self, option: int) -> tuple[Phrase, Phrase]:
        """Source and target words of an option; with sparse features only."""
        assert self.sparse is not None
        source = tuple(word.decode() for word in self.sparse.sources[option])
        _, length, place = self.options.info[option, :3].tolist()
        return source, tuple(map(self.target_text, self.word[place : place + length].tolist()))

    def target_text(self, number: int) -> str:
        """Return a target word."""
        known = len(self._model.target)
        if number < known:
            return self._model.target.word(number).decode()
        blob, offset = self.extra
        return blob[offset[number - known] : offset[number - known + 1]].tobytes().decode()

    def seams(self) -> Seams:
        """What the sparse features of neighbours need in the search."""
        return no_seams() if self.sparse is None else self.sparse.seams(self.word)

    def spans(
        self, sentences: list[list[bytes]]
    ) -> list[tuple[NDArray[np.int32], NDArray[np.int32]]]:
        """First option and number of options of every span (n, longest) of each sentence."""
        from stages.kernels import search_options

        model = self._model
        longest = max(1, min(model.longest, MAX_PHRASE))
        bits = table_bits(model.trie)
        nodes = []
        for words in sentences:
            numbers = np.array([model.source.find(word) for word in words], dtype=np.int64)
            nodes.append(search_options.phrase_nodes(numbers, model.trie, bits, longest))
            if self.sparse is not None:
                self.sparse.meet(words, nodes[-1])
        met = np.unique(np.concatenate([node.ravel() for node in nodes]))
        self._choose(met[self._first[met] < 0])
        result = []
        for words, node in zip(sentences, nodes, strict=True):
            first, count = self._first[node], self._count[node]
            for i in np.flatnonzero(count[:, 0] == 0).tolist():
                first[i, 0], count[i, 0] = self._unknown_option(words[i]), 1
            result.append((first, count))
        return result

    def _choose(self, nodes: NDArray[np.int64]) -> None:
        """Choose the options of some trie nodes and store them."""
        from stages.kernels import search_options as kernels

        if not len(nodes):
            return
        sparse = np.zeros(0)
        if self.sparse is not None:
            nodes = nodes[self._table.row_start[nodes + 1] > self._table.row_start[nodes]]
            sparse = self.sparse.row_scores(nodes, self._table)
        start, row = kernels.choose_rows(
            nodes, self._table, self.lm, self._row_weight, self._limit, sparse
        )
        self._first[nodes], self._count[nodes] = start[:-1] + self._n_options, np.diff(start)
        described = kernels.describe_rows(
            row, self._table, self.lm, self._row_weight, self._reordering_weight
        )
        if self.sparse is not None:
            owner = np.repeat(np.arange(len(nodes)), np.diff(start))
            phrases = self.sparse.phrases_of(nodes)
            self.sparse.add(phrases, owner, self._n_places, *described[:3])
        self._append(*described)

    def _append(
        self,
        score: NDArray[np.float64],
        info: NDArray[np.int32],
        word: NDArray[np.int32],
        lm_word: NDArray[np.int32],
        rest: NDArray[np.float64],
    ) -> None:
        info[:, 2] += self._n_places
        a, b = self._n_options, self._n_places
        options = self.options
        self.options = type(options)(
            extended(options.score, a, score),
            extended(options.info, a, info),
            extended(options.lm_word, b, lm_word),
            extended(options.rest, b, rest),
        )
        self.word = extended(self.word, b, word)
        self._n_options += len(score)
        self._n_places += len(word)

    def _unknown_option(self, word: bytes) -> int:
        """Return the option that copies a word for which the table has none."""
        if word in self._unknown:
            return self._unknown[word]
        model, weight = self._model, self._weight
        number = self._target_number(word)
        lm_word = 0
        if model.lm is not None:
            lm_word = model.lm_words.find(word)
            lm_word = int(model.lm.special[2]) if lm_word < 0 else lm_word
        log_prob = float(self.lm.unigram_value[lm_word, 0])
        plain = UNKNOWN_PENALTY * weight[4] - weight[2] + weight[3]
        score = np.zeros((1, 8))
        score[0, :2] = plain, plain + weight[0] * log_prob
        info = np.array([[-1, 1, 0, -1, self.lm.unigram[lm_word, 1], 1]], dtype=np.int32)
        self._unknown[word] = self._n_options
        words = np.array([number, 0], np.int32)
        if self.sparse is not None:
            self.sparse.add([(word,)], np.zeros(1, np.int64), self._n_places, score, info, words)
        self._append(
            score,
            info,
            words,
            np.array([lm_word, 0], np.int32),
            np.array([log_prob, 0.0]),
        )
        return self._unknown[word]

    def _target_number(self, word: bytes) -> int:
        """Number of a target word: one past the vocabulary for a word that it lacks."""
        number = self._model.target.find(word)
        if number < 0 and word not in self._unknown_words:
            self._unknown_words[word] = len(self._model.target) + len(self._unknown_words)
            blob, offset = self.extra
            self.extra = (
                np.concatenate([blob, np.frombuffer(word, np.uint8)]),
                np.append(offset, offset[-1] + len(word)),
            )
        return self._unknown_words[word] if number < 0 else number


def table_bits(table: NDArray[np.int32]) -> int:
    """Address bits of a transition table, which its size tells."""
    return (len(table) - 1).bit_length() - 1


def _language_model(model: Model):  # type: ignore[no-untyped-def]
    """Language model for the kernels; without one, every word has probability 1."""
    from stages.kernels.search_records import LanguageModel

    lm = model.lm
    if lm is None:
        table, pair = np.full((8, 4), -1, np.int32), np.zeros((1, 4), np.int32)
        arrays, special = (table, pair[:, :2].copy(), pair), (0, 0)
    else:
        arrays, special = (lm.table, lm.unigram, lm.state), (int(lm.special[0]), int(lm.special[1]))
    table, unigram, state = arrays
    return LanguageModel(
        table,
        table.view(np.float32),
        unigram,
        unigram.view(np.float32),
        state,
        state.view(np.float32),
        table_bits(table),
        *special,
    )
