"""Blocks that each sentence pair yields itself, by the extraction that made the phrase table.

The blocks of a pair are those of kernels/bitext/extraction.py; a source phrase is identified by its
trie node, a target phrase by the key of its words' numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from campanula.formats.arrays.pointers import pointer_of
from campanula.formats.arrays.types import Ints
from campanula.formats.errors import DataError
from campanula.formats.model.model import Model
from campanula.stages.decoding.left_out.own_links import OwnWords
from campanula.stages.decoding.left_out.training_text import Batch

if TYPE_CHECKING:
    from campanula.stages.kernels.bitext.extraction import Occurrences
    from campanula.stages.kernels.bitext.left_records import Own


class OwnBlocks(NamedTuple):
    """Occurrences (n,) of a batch's blocks, sorted by block; blocks are those of Own.

    Block b has the occurrences order[start[b]:start[b + 1]]; pair (n_blocks,): its sentence pair.
    """

    occurrences: Occurrences
    order: Ints
    start: Ints
    pair: Ints


class _TargetPhrases(NamedTuple):
    """The distinct target phrases of pairs, and their blocks: columns of Own by their names."""

    key_start: Ints
    key: Ints
    key_count: Ints
    pair_start: Ints
    pair_node: Ints
    pair_count: Ints


class OwnCounts:
    """Counts of sentence pairs, with a model's numbers of words and nodes.

    table: name of its phrase table in messages; links: count the links of words, too.
    """

    def __init__(self, model: Model, table: str, links: bool = False) -> None:
        from campanula.stages.kernels.bitext.extraction import MAX_LENGTH

        # a table does not record the limit of its extraction: the longest phrase of either side is
        # the least limit under which a text yields every row
        self.longest = max(model.longest, int(np.diff(model.target_start).max(initial=1)))
        if self.longest > MAX_LENGTH:
            problem = f"expected phrases of at most {MAX_LENGTH} words, as extract-blocks has them"
            raise DataError(table, None, f"{problem}, found {self.longest}")
        self._model = model
        self._links = OwnWords(model) if links else None
        self._number: dict[bytes, int] = {}

    def count(self, batch: Batch, nodes: list[Ints]) -> tuple[Own, OwnBlocks]:
        """Return counts and blocks of the pairs; nodes: trie nodes (n, longest) of each's spans."""
        from campanula.stages.kernels.bitext.left_records import NO_OWN_LINKS, Own

        occurrences, node, key = self._extract(batch, nodes)
        start = _starts(batch.source)
        pair = np.searchsorted(start, occurrences.source_at, side="right") - 1
        phrases, order, block = _target_phrases(len(nodes), pair, key, node)
        blocks = OwnBlocks(occurrences, order, np.append(block, len(order)), pair[order][block])
        links = NO_OWN_LINKS
        if self._links is not None:
            links = self._links.links_of(batch, blocks.start, occurrences.links[order])
        return Own(*self._nodes(nodes, pair, node), *phrases, links), blocks

    def lacking(self, batch: Batch, pair: int, nodes: Ints, node: int, keys: Ints) -> str:
        """Return the first block of a pair with this node and a target key not among `keys`.

        As text, for messages.
        """
        alone = batch.pair(pair)
        blocks, block_node, key = self._extract(alone, [nodes])
        x = np.flatnonzero((block_node == node) & ~np.isin(key, keys))[0]
        spans = (
            alone.source[0][blocks.source_at[x] :][: blocks.source_length[x]],
            alone.target[0][blocks.target_at[x] :][: blocks.target_length[x]],
        )
        return b" ||| ".join(map(b" ".join, spans)).decode()

    def _extract(self, batch: Batch, nodes: list[Ints]) -> tuple[Occurrences, Ints, Ints]:
        """Return the blocks of the pairs, the node of each source phrase, and each target's key."""
        from campanula.stages.kernels.bitext import extraction, phrase_rows

        links = batch.alignments
        starts = _starts(batch.source), _starts(batch.target)
        blocks = extraction.extract(*starts, links.start, links.source, links.target, self.longest)
        word = np.array([self._word(w) for text in batch.target for w in text], np.int32)
        key = phrase_rows.text_keys(word, blocks.target_at, blocks.target_length)
        # one column of zeros, no node, for phrases that are longer than the trie's
        flat = np.pad(np.concatenate(nodes), ((0, 0), (0, 1)))
        length = np.minimum(blocks.source_length.astype(np.int64), flat.shape[1])
        return blocks, flat[blocks.source_at, length - 1], key

    def _word(self, word: bytes) -> int:
        """Return the number of a target word, -1 if the model lacks it; looked up once."""
        number = self._number.get(word)
        if number is None:
            number = self._number[word] = self._model.target.find(word)
        return number

    def _nodes(self, nodes: list[Ints], pair: Ints, node: Ints) -> tuple[Ints, Ints, Ints]:
        """Return the distinct nodes with rows of each pair: start of each pair, node, count.

        count: how often the pair yields the source phrase of the node.
        """
        size = len(self._model.row_start)
        row_start = self._model.row_start
        owner = np.repeat(np.arange(len(nodes)), [node.size for node in nodes])
        # pair and node as one number, so that np.unique sorts by both
        code = np.unique(owner * size + np.concatenate([node.ravel() for node in nodes]))
        met = code % size
        # nodes without rows have no options: inner nodes of the trie, and 0 for spans it lacks
        code = code[row_start[met + 1] > row_start[met]]
        # of the nodes that the pair has, those of its blocks, and how often: the others count 0
        yielded, times = np.unique(pair * size + node, return_counts=True)
        # a code after the last one yielded gets a place that exists, and then compares as unequal
        place = np.minimum(np.searchsorted(yielded, code), max(len(yielded) - 1, 0))
        count = np.zeros(len(code), np.int64)
        if len(yielded):
            count = np.where(yielded[place] == code, times[place], 0)
        return np.searchsorted(code, np.arange(len(nodes) + 1) * size), code % size, count


def orientations_of(batch: Batch, blocks: OwnBlocks, longest: int, kind: int) -> Ints:
    """Return how often each block of a batch is monotone, swapped, other; (n_blocks, 6).

    Three columns count the orientation before the block, three that after it.  longest: words of
    the longest phrase; kind: of orientation, as in extraction.extract.
    """
    from campanula.stages.kernels.bitext import extraction, links

    occurrences = blocks.occurrences
    if kind != links.WORD:  # gives the same occurrences in the same order
        starts = _starts(batch.source), _starts(batch.target)
        link = batch.alignments
        occurrences = extraction.extract(
            *starts, link.start, link.source, link.target, longest, kind
        )
    # an orientation is 3 * before + after
    turn = occurrences.orientation[blocks.order].astype(np.int64)
    n_blocks = len(blocks.pair)
    block = np.repeat(np.arange(n_blocks), np.diff(blocks.start))
    sides = (
        np.bincount(3 * block + side, minlength=3 * n_blocks) for side in (turn // 3, turn % 3)
    )
    return np.concatenate([side.reshape(-1, 3) for side in sides], axis=1)


def _target_phrases(
    n_pairs: int, pair: Ints, key: Ints, node: Ints
) -> tuple[_TargetPhrases, Ints, Ints]:
    """Return the target phrases of occurrences, their order, and where each block begins in it.

    pair, key, node: sentence pair, target phrase and source phrase of each occurrence; order: the
    occurrences sorted by these three.
    """
    numbered = np.flatnonzero(key >= 0)  # -1: a target phrase with a word that the model lacks
    order = numbered[np.lexsort((node[numbered], key[numbered], pair[numbered]))]
    pair = pair[order]
    key = key[order]
    node = node[order]
    # sorted so, a target phrase or a block begins where its columns change
    new_key = np.ones(len(key), np.bool_)
    new_key[1:] = (np.diff(pair) != 0) | (np.diff(key) != 0)
    first = np.flatnonzero(new_key)
    new_block = new_key.copy()
    new_block[1:] |= np.diff(node) != 0
    block = np.flatnonzero(new_block)
    phrases = _TargetPhrases(
        key_start=np.searchsorted(pair[first], np.arange(n_pairs + 1)),
        key=key[first],
        key_count=np.diff(np.append(first, len(key))),
        pair_start=np.searchsorted(block, np.append(first, len(key))),
        pair_node=node[block],
        pair_count=np.diff(np.append(block, len(key))),
    )
    return phrases, order, block


def _starts(text: list[list[bytes]]) -> Ints:
    """Return where each sentence begins among the words of all, (n + 1,)."""
    return pointer_of([len(words) for words in text])
