"""The options of source phrases: the best rows of the phrase table, and copies of unknown words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from campanula.formats.arrays.growing import extended
from campanula.formats.feature_names.sparse import Phrase
from campanula.formats.model.hash_table import table_bits
from campanula.formats.model.model import Model
from campanula.stages.decoding.language_model import language_model
from campanula.stages.decoding.sparse_options import (
    SparseOptions,
    SparseWeights,
    no_seams,
)
from campanula.stages.kernels.records import (
    ESTIMATED,
    LENGTH,
    LM,
    ORIENTATIONS,
    PHRASES,
    PLACE,
    PLAIN,
    SCORES,
    UNKNOWN,
    WORDS,
    first_reordering,
)

if TYPE_CHECKING:
    from campanula.stages.kernels.records import Seams

MAX_PHRASE = 20  # source words, as in Moses
UNKNOWN_PENALTY = -100.0


class OptionStore:
    """The options of all source phrases met so far, in arrays that grow.

    `options` (records.Options) and `word` are replaced when they grow; what a search has been given
    stays as it is.  `extra` is the blob and offsets of the unknown words.  `sparse` are weights of
    sparse features by name, with the templates that are on; `first_weight` is what the first word
    of a phrase weighs more than others in the language model.
    """

    def __init__(
        self,
        model: Model,
        weight: NDArray[np.float64],
        limit: int,
        sparse: SparseWeights | None = None,
        first_weight: float = 0.0,
    ) -> None:
        from campanula.stages.kernels import records as search_records

        n_scores = model.score.shape[1]
        self._model, self.limit, self._weight = model, limit, weight
        self._first_weight = first_weight
        self.row_weight = np.array(
            [
                weight[LM],
                first_weight,
                weight[WORDS],
                weight[PHRASES],
                *weight[SCORES : SCORES + n_scores],
            ]
        )
        self._reordering_weight = np.zeros(2 * ORIENTATIONS)
        if len(model.reordering):
            self._reordering_weight = np.ascontiguousarray(
                weight[first_reordering(n_scores) :][: 2 * ORIENTATIONS]
            )
        self.lm = language_model(model.lm)
        self.table = search_records.Table(
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
            self.sparse = SparseOptions(sparse, model.source, self._target_number)

    def turns(self) -> bool:
        """Whether a sparse feature asks how blocks are ordered."""
        return self.sparse is not None and self.sparse.turns

    def phrases(self, option: int) -> tuple[Phrase, Phrase]:
        """Source and target words of an option; with sparse features only."""
        assert self.sparse is not None
        source = tuple(word.decode() for word in self.sparse.sources[option])
        length, place = self.options.info[option, [LENGTH, PLACE]].tolist()
        return source, tuple(map(self.target_text, self.word[place : place + length].tolist()))

    def target_text(self, number: int) -> str:
        """Return a target word."""
        known = len(self._model.target)
        if number < known:
            return self._model.target.word(number).decode()
        blob, offset = self.extra
        return blob[offset[number - known] : offset[number - known + 1]].tobytes().decode()

    def seams(self, option: NDArray[np.int64] | None = None) -> Seams:
        """What sparse features of neighbours need to search a sentence with some of the options."""
        if self.sparse is None:
            return no_seams()
        return self.sparse.seams(self.word, self.options.info, option)

    def spans(
        self, sentences: list[list[bytes]]
    ) -> list[tuple[NDArray[np.int32], NDArray[np.int32]]]:
        """First option and number of options of every span (n, longest) of each sentence."""
        nodes = self.nodes(sentences)
        met = np.unique(np.concatenate([node.ravel() for node in nodes]))
        self._choose(met[self._first[met] < 0])
        result = []
        for words, node in zip(sentences, nodes, strict=True):
            first, count = self._first[node], self._count[node]
            for i in np.flatnonzero(count[:, 0] == 0).tolist():
                first[i, 0], count[i, 0] = self.unknown_option(words[i]), 1
            result.append((first, count))
        return result

    def nodes(self, sentences: list[list[bytes]]) -> list[NDArray[np.int64]]:
        """Trie node of every span (n, longest) of each sentence, 0 for none."""
        from campanula.stages.kernels.search import options as search_options

        model = self._model
        longest = max(1, min(model.longest, MAX_PHRASE))
        bits = table_bits(model.trie)
        nodes = []
        for words in sentences:
            numbers = np.array([model.source.find(word) for word in words], dtype=np.int64)
            nodes.append(search_options.phrase_nodes(numbers, model.trie, bits, longest))
            if self.sparse is not None:
                self.sparse.meet(words, nodes[-1])
        return nodes

    def _choose(self, nodes: NDArray[np.int64]) -> None:
        """Choose the options of some trie nodes and store them."""
        from campanula.stages.kernels.search import options as kernels

        nodes = nodes[self.table.row_start[nodes + 1] > self.table.row_start[nodes]]
        if not len(nodes):
            return
        start, row = kernels.choose_rows(
            nodes, self.table, self.lm, self.row_weight, self.limit, self.sparse_scores(nodes)
        )
        first = self.add_rows(row, nodes, np.repeat(np.arange(len(nodes)), np.diff(start)))
        self._first[nodes], self._count[nodes] = start[:-1] + first, np.diff(start)

    def sparse_scores(self, nodes: NDArray[np.int64]) -> NDArray[np.float64]:
        """Scores of local sparse features of all rows of trie nodes; empty without features."""
        return np.zeros(0) if self.sparse is None else self.sparse.row_scores(nodes, self.table)

    def add_rows(
        self, row: NDArray[np.int64], nodes: NDArray[np.int64], owner: NDArray[np.int64]
    ) -> int:
        """Store rows of the table as options; row x is of trie node nodes[owner[x]].

        Returns the number of the first; the others follow.
        """
        from campanula.stages.kernels.search import options as kernels

        described = kernels.describe_rows(
            row, self.table, self.lm, self.row_weight, self._reordering_weight
        )
        if self.sparse is not None:
            phrases = self.sparse.phrases_of(nodes)
            self.sparse.add(phrases, owner, self._n_places, *described[:3])
        first = self._n_options
        self._append(*described)
        return first

    def _append(
        self,
        score: NDArray[np.float64],
        info: NDArray[np.int32],
        word: NDArray[np.int32],
        lm_word: NDArray[np.int32],
        rest: NDArray[np.float64],
    ) -> None:
        info[:, PLACE] += self._n_places
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

    def unknown_option(self, word: bytes) -> int:
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
        plain = UNKNOWN_PENALTY * weight[UNKNOWN] - weight[WORDS] + weight[PHRASES]
        score = np.zeros((1, 8))
        score[0, PLAIN] = plain
        score[0, ESTIMATED] = plain + (weight[LM] + self._first_weight) * log_prob
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
