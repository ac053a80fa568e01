"""What sentence pairs yield themselves, by the extraction that made the phrase table.

The blocks of a pair are those of kernels/bitext/extraction.py; a source phrase goes by its trie
node, a target phrase by the key of its words' numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from campanula.formats.arrays.pointers import pointer_of
from campanula.formats.arrays.types import Ints
from campanula.formats.errors import DataError
from campanula.formats.model.model import Model
from campanula.stages.decoding.own_links import OwnWords
from campanula.stages.decoding.training_text import Batch

if TYPE_CHECKING:
    from campanula.stages.kernels.bitext.extraction import Occurrences
    from campanula.stages.kernels.bitext.left_records import Own


class OwnBlocks(NamedTuple):
    """Occurrences (n,) of a batch's blocks, by block of Own: their order among all occurrences.

    Block b has the occurrences order[start[b]:start[b + 1]] of found; pair (n_blocks,) is the
    sentence pair of each.
    """

    found: Occurrences
    order: Ints
    start: Ints
    pair: Ints


class OwnCounts:
    """Counts of sentence pairs in the numbers of a model; `table` is its phrase table's name.

    With `links` the words' links are counted, too.
    """

    def __init__(self, model: Model, table: str, links: bool = False) -> None:
        from campanula.stages.kernels.bitext.extraction import MAX_LENGTH

        self.longest = max(model.longest, int(np.diff(model.target_start).max(initial=1)))
        if self.longest > MAX_LENGTH:
            problem = f"expected phrases of at most {MAX_LENGTH} words, as extract-blocks has them"
            raise DataError(table, None, f"{problem}, found {self.longest}")
        self._model = model
        self._links = OwnWords(model) if links else None
        self._number: dict[bytes, int] = {}

    def count(self, batch: Batch, nodes: list[Ints]) -> tuple[Own, OwnBlocks]:
        """Counts of the pairs; `nodes` (n, longest) are the trie nodes of all spans of each."""
        from campanula.stages.kernels.bitext.left_records import NO_OWN_LINKS, Own

        found, node, key = self._extract(batch, nodes)
        start = _starts(batch.source)
        pair = np.searchsorted(start, found.source_at, side="right") - 1
        keys, order, block = _keys(len(nodes), pair, key, node)
        blocks = OwnBlocks(found, order, np.append(block, len(order)), pair[order][block])
        links = NO_OWN_LINKS
        if self._links is not None:
            links = self._links.of(batch, blocks.start, found.links[order])
        return Own(*self._nodes(nodes, pair, node), *keys, links), blocks

    def lacking(self, batch: Batch, pair: int, nodes: Ints, node: int, keys: Ints) -> str:
        """First block of a pair with a source phrase, whose target phrase is none of the keys."""
        one = batch.pair(pair)
        found, its_node, key = self._extract(one, [nodes])
        x = np.flatnonzero((its_node == node) & ~np.isin(key, keys))[0]
        spans = (
            one.source[0][found.source_at[x] :][: found.source_length[x]],
            one.target[0][found.target_at[x] :][: found.target_length[x]],
        )
        return b" ||| ".join(map(b" ".join, spans)).decode()

    def _extract(self, batch: Batch, nodes: list[Ints]) -> tuple[Occurrences, Ints, Ints]:
        """Blocks of the pairs, each with its source phrase's node and its target phrase's key."""
        from campanula.stages.kernels.bitext import extraction, phrase_rows

        links = batch.alignments
        starts = _starts(batch.source), _starts(batch.target)
        found = extraction.extract(*starts, links.start, links.source, links.target, self.longest)
        word = np.array([self._word(w) for text in batch.target for w in text], np.int32)
        key = phrase_rows.text_keys(word, found.target_at, found.target_length)
        flat = np.pad(np.concatenate(nodes), ((0, 0), (0, 1)))  # longer than the trie: no node
        length = np.minimum(found.source_length.astype(np.int64), flat.shape[1])
        return found, flat[found.source_at, length - 1], key

    def _word(self, word: bytes) -> int:
        number = self._number.get(word)
        if number is None:
            number = self._number[word] = self._model.target.find(word)
        return number

    def _nodes(self, nodes: list[Ints], pair: Ints, node: Ints) -> tuple[Ints, Ints, Ints]:
        """Distinct nodes of each pair that have rows, and how often the pair yields them."""
        size = len(self._model.row_start)
        row_start = self._model.row_start
        owner = np.repeat(np.arange(len(nodes)), [node.size for node in nodes])
        code = np.unique(owner * size + np.concatenate([node.ravel() for node in nodes]))
        met = code % size
        code = code[row_start[met + 1] > row_start[met]]
        yielded, times = np.unique(pair * size + node, return_counts=True)
        place = np.minimum(np.searchsorted(yielded, code), max(len(yielded) - 1, 0))
        count = np.zeros(len(code), np.int64)
        if len(yielded):
            count = np.where(yielded[place] == code, times[place], 0)
        return np.searchsorted(code, np.arange(len(nodes) + 1) * size), code % size, count


def orientations_of(batch: Batch, blocks: OwnBlocks, longest: int, kind: int) -> Ints:
    """How often each block of a batch is monotone, swapped, other, before and then after it.

    (n_blocks, 6); kind as in extraction.extract, longest the longest phrase in words.
    """
    from campanula.stages.kernels.bitext import extraction, links

    found = blocks.found
    if kind != links.WORD:  # the same occurrences
        starts, link = (_starts(batch.source), _starts(batch.target)), batch.alignments
        given = (*starts, link.start, link.source, link.target)
        found = extraction.extract(*given, longest, kind)
    turn = found.orientation[blocks.order].astype(np.int64)
    n_blocks = len(blocks.pair)
    block = np.repeat(np.arange(n_blocks), np.diff(blocks.start))
    sides = (
        np.bincount(3 * block + side, minlength=3 * n_blocks) for side in (turn // 3, turn % 3)
    )
    return np.concatenate([side.reshape(-1, 3) for side in sides], axis=1)


def _keys(
    n_pairs: int, pair: Ints, key: Ints, node: Ints
) -> tuple[tuple[Ints, Ints, Ints, Ints, Ints, Ints], Ints, Ints]:
    """Distinct target phrases of each pair and their counts, and the blocks of each of them.

    And the order of occurrences by these, with the place in it where each block begins.
    """
    known = np.flatnonzero(key >= 0)
    order = known[np.lexsort((node[known], key[known], pair[known]))]
    pair, key, node = pair[order], key[order], node[order]
    new_key = np.ones(len(key), np.bool_)
    new_key[1:] = (np.diff(pair) != 0) | (np.diff(key) != 0)
    first = np.flatnonzero(new_key)
    new_block = new_key.copy()
    new_block[1:] |= np.diff(node) != 0
    block = np.flatnonzero(new_block)
    counts = (
        np.searchsorted(pair[first], np.arange(n_pairs + 1)),
        key[first],
        np.diff(np.append(first, len(key))),
        np.searchsorted(block, np.append(first, len(key))),
        node[block],
        np.diff(np.append(block, len(key))),
    )
    return counts, order, block


def _starts(text: list[list[bytes]]) -> Ints:
    """Where each sentence begins among the words of all (n + 1,)."""
    return pointer_of([len(words) for words in text])
