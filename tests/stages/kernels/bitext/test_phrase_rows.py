"""Phrases of a text, found in a phrase table."""

from __future__ import annotations

import numpy as np

from campanula.formats.model.hash_table import table_bits
from campanula.formats.model.phrase_trie import build_trie
from campanula.formats.moses.phrase_table import WordSequences
from campanula.stages.kernels.bitext import phrase_rows


def test_phrases_with_unknown_words_have_no_key():
    word = np.array([4, 5, -1, 4, 5], np.int32)
    at, length = np.array([0, 1, 3, 2], np.int32), np.array([2, 2, 2, 1], np.uint8)
    key = phrase_rows.text_keys(word, at, length)
    assert key[1] == key[3] == -1
    assert key[0] == key[2] > 0
    rows = phrase_rows.row_keys(np.array([1]), np.array([0, 1, 3]), np.array([9, 4, 5], np.int32))
    assert rows.tolist() == [key[0]]


def test_nodes_are_those_of_whole_phrases():
    phrases = WordSequences(np.array([0, 1, 0, 1, 1], np.int32), np.array([0, 1, 2, 5]))
    trie, node, _, _ = build_trie(phrases)
    word = np.array([0, 1, 1, -1, 2], np.int32)
    spans = [(0, 1), (1, 1), (0, 3), (2, 2), (3, 1), (4, 1), (0, 4)]
    at, length = np.array(spans).T.astype(np.int32)
    found = phrase_rows.text_nodes(word, at, length.astype(np.uint8), trie, table_bits(trie))
    assert found.tolist() == [node[0], node[1], node[2], 0, 0, 0, 0]


def test_rows_are_found_by_node_and_key():
    row_start, key = np.array([0, 0, 2, 3]), np.array([4, 9, 4])
    node, wanted = np.array([1, 1, 2, 2, 0, 1]), np.array([9, 4, 4, 9, 4, -1])
    rows = phrase_rows.rows_of(node, wanted, row_start, key, np.array([1, 0, 2]))
    assert rows.tolist() == [0, 1, 2, -1, -1, -1]
