"""Weights of sparse features as the search reads them, and their scores and keys by option.

Features local to a block are part of the option's score, those of its orientation part of its
reordering scores; features of neighbouring blocks are looked up by keys during the search
(kernels/sparse/seams.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from campanula.formats.arrays.growing import extended, grown
from campanula.formats.arrays.pointers import expand, pointer_of
from campanula.formats.arrays.types import Floats, Ids, Ints
from campanula.formats.errors import DataError
from campanula.formats.feature_names.sparse import PREFIXES, TEMPLATES
from campanula.formats.model.vocabulary import Vocabulary
from campanula.formats.weights import Weights
from campanula.stages.decoding.sparse.keys import (
    NO_MARKS,
    BlockWords,
    MalformedName,
    SparseKeys,
)
from campanula.stages.decoding.sparse.mapped_weights import MappedWeights
from campanula.stages.decoding.sparse.name_parsing import bytes_of
from campanula.stages.decoding.sparse.triggers import no_triggers
from campanula.stages.kernels.records import (
    BACKWARD,
    ESTIMATED,
    KIND,
    LENGTH,
    ORIENTATIONS,
    PLACE,
    PLAIN,
)

if TYPE_CHECKING:
    from campanula.stages.kernels.records import Options, Seams, Table

# Room of new arrays, which double as they fill: options, and the places of their target words.
FIRST_OPTIONS = 1024
FIRST_PLACES = 4096

SourcePhrase = tuple[bytes, ...]


@dataclass(frozen=True)
class SparseWeights:
    """Templates of sparse features that are on, and weights by name, from the file `source`.

    listed: single features that are on, too; mapped: weights of a weights stream, with which
    `theta` is empty.
    """

    templates: tuple[str, ...]
    theta: Mapping[str, float]
    source: str = "weights"
    listed: tuple[str, ...] = ()
    mapped: MappedWeights | None = None


class SparseOptions:
    """Sparse weights, and arrays with an entry for each option, or each place of a target word.

    Weights that are 0 or of features that are off do not take part in the search.  target: the
    numbered target words.  Raises DataError for a weight whose name no feature has.
    """

    def __init__(self, weights: SparseWeights, target: Vocabulary, seed: int = 0) -> None:
        self.sources: list[SourcePhrase] = []  # source phrase of each option
        self._node_words: dict[int, SourcePhrase] = {}
        self._source_marks: dict[bytes, int] = {}
        self._weights = weights
        self.keys = weights_by_key(weights, seed)
        self.turns = self.keys.turns
        self._no_triggers = no_triggers()
        self.mark = self.keys.marks(target.blob, target.offset)
        self._phrase = np.zeros((FIRST_OPTIONS, 2), np.int64)
        self._context = np.zeros((FIRST_OPTIONS, 2), np.int64)
        self._useful = np.zeros(FIRST_PLACES, np.int32)
        self._left = np.zeros(FIRST_PLACES, np.int32)
        self._right = np.zeros(FIRST_PLACES, np.int32)

    @cached_property
    def digest(self) -> str:
        """Digest of the weights that take part in the search."""
        return digest_of(self._weights, self.keys)

    def add_word(self, word: bytes) -> None:
        """Add the fingerprint of a target word; words are added in the order of their numbers."""
        # a new array and not a longer one in place: a running search has the old one in its Seams
        self.mark = np.append(self.mark, self._marks([word]))

    def source_marks(self, words: list[bytes]) -> Ints:
        """Return the fingerprints (n,) of source words; each word is hashed once."""
        marks = self._source_marks
        new = [word for word in dict.fromkeys(words) if word not in marks]
        if new:
            marks.update(zip(new, self._marks(new).tolist(), strict=True))
        return np.array([marks[word] for word in words], np.int64)

    def _marks(self, words: list[bytes]) -> Ints:
        return self.keys.marks(bytes_of(b"".join(words)), pointer_of([*map(len, words)]))

    def meet(self, words: list[bytes], node: Ints) -> None:
        """Note the source phrase of each trie node (n, longest) of a sentence, for `phrases_of`."""
        for i, row in enumerate(node.tolist()):
            for k, number in enumerate(row):
                if number and number not in self._node_words:  # 0: the trie lacks the span
                    self._node_words[number] = tuple(words[i : i + k + 1])

    def row_scores(self, nodes: Ints, table: Table) -> Floats:
        """Return the scores (n,) of the local features of all rows of the nodes, in order.

        The array is empty if no sparse feature has a weight.
        """
        if not self.keys.weigh:
            return np.zeros(0)
        first = table.row_start[nodes]
        count = table.row_start[nodes + 1] - first
        _, row = expand(first, count)
        owner = np.repeat(np.arange(len(nodes)), count)
        source, start = self._flat(self.phrases_of(nodes))
        begin = table.target_start[row]
        end = table.target_start[row + 1]
        words = BlockWords(source, start, owner, table.target_word, begin, end, self.mark)
        return self.keys.scores(words)

    def phrases_of(self, nodes: Ints) -> list[SourcePhrase]:
        """Return the source phrases of trie nodes, which `meet` has seen."""
        return [self._node_words[node] for node in nodes.tolist()]

    def _flat(self, phrases: list[SourcePhrase]) -> tuple[Ints, Ints]:
        """Return the fingerprints of the words of all phrases, and their pointer (n + 1,)."""
        words = [word for phrase in phrases for word in phrase]
        return self.source_marks(words), pointer_of([len(phrase) for phrase in phrases])

    def add(
        self,
        phrases: list[SourcePhrase],
        owner: Ints,
        places: int,
        options: Options,
        word: Ids,
    ) -> None:
        """Add new options; their sparse scores are added to options.score and info in place.

        Option x has source phrase phrases[owner[x]].  places: number of places of words before the
        first one of these options.
        """
        score = options.score
        info = options.info
        n = len(self.sources)
        self.sources += [phrases[x] for x in owner.tolist()]
        if not self.keys.weigh:  # no feature has a weight, so the arrays are never read
            self._phrase = grown(self._phrase, n + len(owner))
            self._context = grown(self._context, n + len(owner))
            return
        begin = info[:, PLACE].astype(np.int64)
        end = begin + info[:, LENGTH]
        source, start = self._flat(phrases)
        blocks = self.keys.blocks(BlockWords(source, start, owner, word, begin, end, self.mark))
        score[:, [PLAIN, ESTIMATED]] += blocks.local[:, None]
        turn = blocks.turn
        score[:, BACKWARD : BACKWARD + turn.shape[1]] += turn
        sides = turn.reshape(len(turn), -1, 2, ORIENTATIONS)
        # sides: option, set of orientations, backward or forward, orientation
        forward = np.flatnonzero(sides[:, :, 1].any(axis=(1, 2)))
        # kinds from -2 down are one option's: its forward scores are equal to no other's
        info[forward, KIND] = -2 - (n + forward)
        self._phrase = extended(self._phrase, n, blocks.phrase)
        self._context = extended(self._context, n, blocks.context)
        self._useful = extended(self._useful, places, blocks.useful)
        self._left = extended(self._left, places, blocks.left)
        self._right = extended(self._right, places, blocks.right)

    def seams(self, word: Ids, info: Ids, option: Ints | None = None) -> Seams:
        """Return what the search needs for features of neighbouring blocks.

        word, info: those of all options; option: the options for which triggers are needed, None
        for all.
        """
        from campanula.stages.kernels.records import Seams

        keys = self.keys
        triggers = self._no_triggers
        if len(keys.triggers):
            option = np.arange(len(self.sources)) if option is None else option
            _, place = expand(info[option, PLACE], info[option, LENGTH])
            used = (self._left[place], self._right[place])
            triggers = keys.triggers.of_sentence(self._left, self._right, used)
        arrays = (self._phrase, self._context, word, self._useful)
        table = keys.table._replace(mark=self.mark)
        return Seams(int(keys.seamed), table, *arrays, keys.jump, triggers)


def weights_by_key(weights: SparseWeights, seed: int = 0) -> SparseKeys:
    """Return the weights of the features that are on, by the keys that kernels look up.

    seed: seed of the words' fingerprints, for keys equal to those of an index made before.  Raises
    DataError for a weight whose name no feature has.
    """
    if weights.mapped is not None:
        return weights.mapped.keys(weights.templates, weights.listed)
    names = names_on(weights)
    theta = np.array([weights.theta[name] for name in names], np.float64)
    try:
        return SparseKeys.of_names(names, theta, seed)
    except MalformedName as error:
        [name] = error.args
        problem = f"expected a name as the decoder writes those of {name.partition('_')[0]}_"
        raise DataError(weights.source, f"feature {name!r}", problem) from error


def names_on(weights: SparseWeights) -> list[str]:
    """Return the names of the features that are on and have a weight."""
    on = {prefix for name in weights.templates for prefix in TEMPLATES[name].prefixes}
    listed = set(weights.listed)
    return [name for name in weights.theta if name.partition("_")[0] in on or name in listed]


def digest_of(weights: SparseWeights, keys: SparseKeys) -> str:
    """Return a digest of the weights that are not 0 of features that are on; "" if none is."""
    if not keys.weigh:
        return ""
    if weights.mapped is not None:
        return weights.mapped.stream.digest()
    # a weight of 0 changes no score: a file that lists it is the same search as one that does not
    values = {name: weights.theta[name] for name in names_on(weights)}
    return Weights({name: value for name, value in values.items() if value != 0.0}).digest()


def no_seams() -> Seams:
    """Return the Seams of a search without sparse features."""
    from campanula.stages.kernels.records import Seams, SparseTable

    pairs = np.zeros((0, 2), np.int64)
    words = np.zeros(0, np.int32)
    on = np.zeros(len(PREFIXES), np.bool_)
    table = SparseTable(np.full(1, -1, np.int64), np.zeros(1, np.int32), np.zeros(0), on, NO_MARKS)
    return Seams(0, table, pairs, pairs, words, words, np.zeros(1), no_triggers())
