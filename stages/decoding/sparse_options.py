"""Weights of sparse features as the search reads them, and what it must know of each option.

Features that are local to a block belong to the option's score, those of its orientation to its
reordering scores; for those of neighbours the search is given keys (kernels/sparse/seams.py).
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
from campanula.stages.decoding.mapped_weights import MappedWeights
from campanula.stages.decoding.name_parsing import bytes_of
from campanula.stages.decoding.sparse_keys import (
    NO_MARKS,
    MalformedName,
    SparseKeys,
    no_triggers,
)
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

SourcePhrase = tuple[bytes, ...]


@dataclass(frozen=True)
class SparseWeights:
    """Templates of sparse features that are on, and weights by name, from the file `source`.

    `listed` are single features that are on, too.  Weights of a stream stand in `mapped`, and none
    in `theta`.
    """

    templates: tuple[str, ...]
    theta: Mapping[str, float]
    source: str = "weights"
    listed: tuple[str, ...] = ()
    mapped: MappedWeights | None = None


class SparseOptions:
    """Sparse weights, and arrays beside those of the options.

    Weights of value 0 or of features that are off have no part in the search.  `target` are the
    target words that have numbers.  Raises DataError for a weight whose name no feature has.
    """

    def __init__(self, given: SparseWeights, target: Vocabulary, seed: int = 0) -> None:
        self.sources: list[SourcePhrase] = []
        self._node_words: dict[int, SourcePhrase] = {}
        self._source_marks: dict[bytes, int] = {}
        self._given = given
        self.keys = weights_by_key(given, seed)
        self.turns = self.keys.turns
        self._no_triggers = no_triggers()
        self.mark = self.keys.marks(target.blob, target.offset)
        self._phrase = np.zeros((1024, 2), np.int64)
        self._context = np.zeros((1024, 2), np.int64)
        self._useful = np.zeros(4096, np.int32)
        self._left = np.zeros(4096, np.int32)
        self._right = np.zeros(4096, np.int32)

    @cached_property
    def digest(self) -> str:
        """Digest of the weights that take part."""
        return digest_of(self._given, self.keys)

    def add_word(self, word: bytes) -> None:
        """Take in the next target word that gets a number."""
        self.mark = np.append(self.mark, self._marks([word]))

    def source_marks(self, words: list[bytes]) -> Ints:
        """Fingerprints of source words."""
        known = self._source_marks
        new = [word for word in dict.fromkeys(words) if word not in known]
        if new:
            known.update(zip(new, self._marks(new).tolist(), strict=True))
        return np.array([known[word] for word in words], np.int64)

    def _marks(self, words: list[bytes]) -> Ints:
        return self.keys.marks(bytes_of(b"".join(words)), pointer_of([*map(len, words)]))

    def meet(self, words: list[bytes], node: Ints) -> None:
        """Learn which source phrases the trie nodes (n, longest) of a sentence stand for."""
        for i, row in enumerate(node.tolist()):
            for k, number in enumerate(row):
                if number and number not in self._node_words:
                    self._node_words[number] = tuple(words[i : i + k + 1])

    def row_scores(self, nodes: Ints, table: Table) -> Floats:
        """Scores of the local features of all rows of the nodes, in order; none without weights."""
        if not self.keys.weigh:
            return np.zeros(0)
        first = table.row_start[nodes]
        count = table.row_start[nodes + 1] - first
        _, row = expand(first, count)
        owner = np.repeat(np.arange(len(nodes)), count)
        phrases = self._flat(self.phrases_of(nodes))
        begin, end = table.target_start[row], table.target_start[row + 1]
        return self.keys.scores(*phrases, owner, table.target_word, begin, end, self.mark)

    def phrases_of(self, nodes: Ints) -> list[SourcePhrase]:
        """Source phrases of trie nodes."""
        return [self._node_words[node] for node in nodes.tolist()]

    def _flat(self, phrases: list[SourcePhrase]) -> tuple[Ints, Ints]:
        """Fingerprints of the words of source phrases, and where those of each begin (n + 1,)."""
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
        """Take in options that are new, whose score and info change in place.

        Option x has source phrase phrases[owner[x]].  `places` are those taken before its words.
        """
        score, info = options.score, options.info
        n = len(self.sources)
        self.sources += [phrases[x] for x in owner.tolist()]
        if not self.keys.weigh:  # nothing is asked: room is all that is needed
            self._phrase = grown(self._phrase, n + len(owner))
            self._context = grown(self._context, n + len(owner))
            return
        begin = info[:, PLACE].astype(np.int64)
        end = begin + info[:, LENGTH]
        blocks = self.keys.blocks(*self._flat(phrases), owner, word, begin, end, self.mark)
        score[:, [PLAIN, ESTIMATED]] += blocks.local[:, None]
        turn = blocks.turn
        score[:, BACKWARD : BACKWARD + turn.shape[1]] += turn
        sides = turn.reshape(len(turn), -1, 2, ORIENTATIONS)
        forward = np.flatnonzero(sides[:, :, 1].any(axis=(1, 2)))
        info[forward, KIND] = -2 - (n + forward)  # forward scores of its own
        self._phrase = extended(self._phrase, n, blocks.phrase)
        self._context = extended(self._context, n, blocks.context)
        self._useful = extended(self._useful, places, blocks.useful)
        self._left = extended(self._left, places, blocks.left)
        self._right = extended(self._right, places, blocks.right)

    def seams(self, word: Ids, info: Ids, option: Ints | None = None) -> Seams:
        """What the search needs of neighbours; `word` and `info` are the options'.

        Triggers are those of some options, or of all.
        """
        from campanula.stages.kernels.records import Seams

        keys = self.keys
        triggers = self._no_triggers
        if keys.has_triggers:
            option = np.arange(len(self.sources)) if option is None else option
            _, place = expand(info[option, PLACE], info[option, LENGTH])
            there = (self._left[place], self._right[place])
            triggers = keys.triggers(self._left, self._right, there)
        arrays = (self._phrase, self._context, word, self._useful)
        table = keys.table._replace(mark=self.mark)
        return Seams(int(keys.seamed), table, *arrays, keys.jump, triggers)


def weights_by_key(given: SparseWeights, seed: int = 0) -> SparseKeys:
    """Weights of the features that are on, as the kernels find them.

    seed: of the fingerprints of words, where others have made keys with them already.  Raises
    DataError for a weight whose name no feature has.
    """
    if given.mapped is not None:
        return given.mapped.keys(given.templates, given.listed)
    names = names_on(given)
    theta = np.array([given.theta[name] for name in names], np.float64)
    try:
        return SparseKeys.of_names(names, theta, seed)
    except MalformedName as error:
        [name] = error.args
        problem = f"expected a name as the decoder writes those of {name.partition('_')[0]}_"
        raise DataError(given.source, f"feature {name!r}", problem) from error


def names_on(given: SparseWeights) -> list[str]:
    """Features with a weight that are on."""
    on = {prefix for name in given.templates for prefix in TEMPLATES[name].prefixes}
    listed = set(given.listed)
    return [name for name in given.theta if name.partition("_")[0] in on or name in listed]


def digest_of(given: SparseWeights, keys: SparseKeys) -> str:
    """Digest of the weights other than 0 of features that are on, "" of none."""
    if not keys.weigh:
        return ""
    if given.mapped is not None:
        return given.mapped.stream.digest()
    values = {name: given.theta[name] for name in names_on(given)}
    return Weights({name: value for name, value in values.items() if value != 0.0}).digest()


def no_seams() -> Seams:
    """What the search is given when there are no sparse features."""
    from campanula.stages.kernels.records import Seams, SparseTable

    pairs = np.zeros((0, 2), np.int64)
    words = np.zeros(0, np.int32)
    on = np.zeros(len(PREFIXES), np.bool_)
    table = SparseTable(np.full(1, -1, np.int64), np.zeros(1, np.int32), np.zeros(0), on, NO_MARKS)
    return Seams(0, table, pairs, pairs, words, words, np.zeros(1), no_triggers())
