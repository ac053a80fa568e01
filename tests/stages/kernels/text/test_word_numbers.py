"""Words at the edges of a block, by hand."""

from __future__ import annotations

import numpy as np

from campanula.stages.kernels.text.word_numbers import HashedWords, fill_slots, number_lines


def empty() -> HashedWords:
    return HashedWords(
        np.empty(64, np.uint8),
        np.zeros(17, np.int64),
        np.empty(16, np.int64),
        np.full(32, -1, np.int32),
        5,
        np.zeros(2, np.int64),
    )


def numbered(known: HashedWords, block: bytes) -> tuple[list[int], list[int]]:
    token, length = np.empty(len(block), np.int32), np.empty(len(block), np.int32)
    n_tokens, n_lines = number_lines(known, np.frombuffer(block, np.uint8), token, length)
    return token[:n_tokens].tolist(), length[:n_lines].tolist()


def test_words_keep_their_numbers_from_block_to_block() -> None:
    known = empty()
    assert numbered(known, b"b a\tb\n\n a\r\n") == ([0, 1, 0, 1], [3, 0, 1])
    assert numbered(known, b"c\rd a\n") == ([2, 1], [2])
    assert known.filled.tolist() == [3, 5]
    assert known.blob[:5].tobytes() == b"bac\rd"


def test_words_are_found_in_other_slots() -> None:
    known = empty()
    numbered(known, b"b a c\n")
    other = known._replace(slot=np.full(8, -1, np.int32), bits=3)
    fill_slots(other)
    assert numbered(other, b"c a b d\n") == ([2, 1, 0, 3], [4])
