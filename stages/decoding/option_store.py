"""The options of source phrases: the best rows of the phrase table, and copies of unknown words."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.growing import extended
from campanula.formats.arrays.types import Floats, Ids, Ints, Singles
from campanula.formats.feature_names.sparse import Phrase
from campanula.formats.model.hash_table import table_bits
from campanula.formats.model.model import Model
from campanula.stages.decoding.language_model import language_model
from campanula.stages.decoding.option_arrays import (
    copied_option,
    no_options,
    row_weights_of,
    table_of,
)
from campanula.stages.decoding.sparse.options import (
    FIRST_PLACES,
    SparseOptions,
    SparseWeights,
    no_seams,
)
from campanula.stages.decoding.unknown_words import WordCount
from campanula.stages.kernels.records import (
    BACKWARD,
    HIERARCHICAL_SCORES,
    KIND,
    LENGTH,
    OPTION_SCORES,
    ORIENTATIONS,
    PLACE,
    TURNS,
    Options,
    Seams,
    first_reordering,
)

MAX_PHRASE = 20  # source words, as in Moses


class Choices(NamedTuple):
    """The options that the search of a sentence chooses from, and the Seams between them."""

    options: Options
    seams: Seams


class OptionStore:
    """The options of all source phrases met so far, in arrays that grow.

    The attributes `options` (records.Options) and `word` are replaced when they grow, so the arrays
    of a running search do not change.  `extra` has the unknown words: blob and offsets.
    limit: most options of a source phrase; sparse: weights and templates of sparse features;
    first_weight: added to LM0's weight for the first word of a phrase; seed: of fingerprints.
    """

    def __init__(
        self,
        model: Model,
        weight: Floats,
        limit: int,
        sparse: SparseWeights | None = None,
        first_weight: float = 0.0,
        seed: int = 0,
    ) -> None:
        self.limit = limit
        self._model = model
        self._weight = weight
        self.row_weights = row_weights_of(model, weight, first_weight)
        first = first_reordering(model.score.shape[1])
        reordering = weight[first : first + model.reordering.shape[1]]
        self._reordering_weight = np.ascontiguousarray(reordering)
        self._n_kinds = int(model.kind.max(initial=-1)) + 1
        self.lm = language_model(None if model.lm is None else model.lm.automaton)
        self.table = table_of(model)
        self._first = np.full(len(model.row_start) - 1, -1, dtype=np.int32)  # -1: not chosen yet
        self._count = np.zeros(len(model.row_start) - 1, dtype=np.int32)
        self._unknown: dict[bytes, int] = {}
        self.words = WordCount()
        self._unknown_words: dict[bytes, int] = {}
        self._n_options = 0
        self._n_places = 0
        hierarchical = any(model.hierarchical)
        self.sparse = None
        if sparse is not None:
            self.sparse = SparseOptions(sparse, model.target, seed)
            hierarchical |= self.sparse.keys.hierarchical
        self._n_columns = HIERARCHICAL_SCORES if hierarchical else OPTION_SCORES
        self.options = no_options(self._n_columns, len(self.lm.begin))
        self.word = np.zeros(FIRST_PLACES, np.int32)
        self.extra = (np.zeros(0, np.uint8), np.zeros(1, np.int64))

    def turns(self) -> bool:
        """Whether a sparse feature with a weight depends on orientations."""
        return self.sparse is not None and self.sparse.turns

    def phrases(self, option: int) -> tuple[Phrase, Phrase]:
        """Return source and target words of an option; only with sparse features."""
        assert self.sparse is not None
        source = tuple(word.decode() for word in self.sparse.sources[option])
        length, place = self.options.info[option, [LENGTH, PLACE]].tolist()
        return source, tuple(map(self.target_text, self.word[place : place + length].tolist()))

    def target_text(self, number: int) -> str:
        """Return a target word; numbers past the model's are unknown words."""
        extra = number - len(self._model.target)
        if extra < 0:
            return self._model.target.word(number).decode()
        blob, offset = self.extra
        return blob[offset[extra] : offset[extra + 1]].tobytes().decode()

    def seams(self, option: Ints | None = None) -> Seams:
        """Return the Seams for a search with some options (default: with any)."""
        if self.sparse is None:
            return no_seams()
        return self.sparse.seams(self.word, self.options.info, option)

    def choices(self, option: Ints | None = None) -> Choices:
        """Return what the search of a sentence with some options chooses from (default: any)."""
        return Choices(self.options, self.seams(option))

    def spans(self, sentences: list[list[bytes]]) -> list[tuple[Ids, Ids]]:
        """Return first option and number of options of every span (n, longest) of each sentence."""
        nodes = self.nodes(sentences)
        met = np.unique(np.concatenate([node.ravel() for node in nodes]))
        self._choose(met[self._first[met] < 0])
        result = []
        for words, node in zip(sentences, nodes, strict=True):
            first = self._first[node]
            count = self._count[node]
            self.words.words += len(words)
            # a word that has no option alone is copied, though longer phrases may hold it
            for i in np.flatnonzero(count[:, 0] == 0).tolist():
                first[i, 0] = self.unknown_option(words[i])
                count[i, 0] = 1
                self.words.unknown += self._model.source.find(words[i]) < 0
            result.append((first, count))
        return result

    def nodes(self, sentences: list[list[bytes]]) -> list[Ints]:
        """Return the trie node of every span (n, longest) of each sentence, 0 for none."""
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

    def _choose(self, nodes: Ints) -> None:
        """Choose the options of some trie nodes and store them."""
        from campanula.stages.kernels.search import options as kernels

        nodes = nodes[self.table.row_start[nodes + 1] > self.table.row_start[nodes]]
        if not len(nodes):
            return
        start, row = kernels.choose_rows(
            nodes, self.table, self.lm, self.row_weights, self.limit, self.sparse_scores(nodes)
        )
        first = self.add_rows(row, nodes, np.repeat(np.arange(len(nodes)), np.diff(start)))
        self._first[nodes] = start[:-1] + first
        self._count[nodes] = np.diff(start)

    def sparse_scores(self, nodes: Ints) -> Floats:
        """Return scores of local sparse features of all rows of trie nodes; empty without any."""
        return np.zeros(0) if self.sparse is None else self.sparse.row_scores(nodes, self.table)

    def add_rows(self, row: Ints, nodes: Ints, owner: Ints) -> int:
        """Store rows of the table as options; row x is of trie node nodes[owner[x]].

        Returns the number of the first option; the others follow.
        """
        from campanula.stages.kernels.search import options as kernels

        options, word = kernels.describe_rows(
            row,
            self.table,
            self.lm,
            self.row_weights,
            self._reordering_weight,
            self._n_columns,
        )
        if self.sparse is not None:
            phrases = self.sparse.phrases_of(nodes)
            self.sparse.add(phrases, owner, self._n_places, options, word)
        return self._append(options, word)

    def reorder(self, score: Floats, info: Ids, change: Floats, reordering: Singles) -> None:
        """Change score and info of a sentence's own options for other reordering scores.

        score, info: as in records.Options; reordering (n, 6 * n_tables): the new scores; change:
        their difference from the model's.
        """
        weight = self._reordering_weight
        hierarchical = np.repeat(np.array(self._model.hierarchical or [False]), TURNS)
        for k in range(len(weight)):
            apart = TURNS if hierarchical[k % len(hierarchical)] else 0
            score[:, BACKWARD + apart + k % TURNS] += weight[k] * change[:, k]
        forward = np.arange(len(weight)) % TURNS >= ORIENTATIONS
        if weight[forward].any():  # options of one kind have equal forward scores: number anew
            own = np.flatnonzero(change.any(axis=1) & (info[:, KIND] >= 0))
            _, kind = np.unique(reordering[own][:, forward], axis=0, return_inverse=True)
            info[own, KIND] = self._n_kinds + kind.reshape(-1)

    def _append(self, more: Options, word: Ids) -> int:
        """Store options whose places count from 0; return the number of the first."""
        options = self.options
        first = self._n_options
        places = self._n_places
        more.info[:, PLACE] += places
        self.options = Options(
            extended(options.score, first, more.score),
            extended(options.info, first, more.info),
            extended(options.lm_word, places, more.lm_word),
            extended(options.rest, places, more.rest),
        )
        self.word = extended(self.word, places, word)
        self._n_options += len(more.score)
        self._n_places += len(word)
        return first

    def unknown_option(self, word: bytes) -> int:
        """Return the number of the option that copies a word without a translation."""
        if word in self._unknown:
            return self._unknown[word]
        lms = self._model.lm
        lm_word = np.zeros(1, np.int32) if lms is None else lms.numbers(word)
        options = copied_option(lm_word, self.lm, self._weight, self.row_weights, self._n_columns)
        words = np.array(
            [self._target_number(word), 0], np.int32
        )  # two places, as options.rest has
        if self.sparse is not None:
            self.sparse.add([(word,)], np.zeros(1, np.int64), self._n_places, options, words)
        self._unknown[word] = self._append(options, words)
        return self._unknown[word]

    def _target_number(self, word: bytes) -> int:
        """Return the number of a target word; unknown words are numbered after the vocabulary."""
        number = self._model.target.find(word)
        if number < 0 and word not in self._unknown_words:
            self._unknown_words[word] = len(self._model.target) + len(self._unknown_words)
            blob, offset = self.extra
            self.extra = (
                np.concatenate([blob, np.frombuffer(word, np.uint8)]),
                np.append(offset, offset[-1] + len(word)),
            )
            if self.sparse is not None:
                self.sparse.add_word(word)
        return self._unknown_words[word] if number < 0 else number
