"""What happens at a seam: words on both sides, triggers, and what is remembered."""

from __future__ import annotations

import numpy as np

from campanula.stages.decoding.sparse.feature_index import empty_table
from campanula.stages.kernels.records import Seams, SparseTable, Triggers
from campanula.stages.kernels.sparse import seams as sparse_seams
from campanula.stages.kernels.sparse import tables
from campanula.stages.kernels.sparse import weights as kernels

# options: words (4, 5, 6), (7), none, (6, 7, 6)
INFO = np.array(
    [[0, 3, 0, 0, 0, 0], [0, 1, 4, 0, 0, 0], [0, 0, 6, 0, 0, 0], [0, 3, 7, 0, 0, 0]], np.int32
)
WORD = np.array([4, 5, 6, 0, 7, 0, 0, 6, 7, 6, 0], np.int32)
MARK = 100 + np.arange(10)  # fingerprints of words 0 to 9
PHRASE = np.array([[21, 31], [22, 32], [23, 33], [24, 34]])
NO_WORDS = np.zeros(0, np.int32)
NO_TRIGGERS = Triggers(NO_WORDS, NO_WORDS, np.zeros(1, np.int64), NO_WORDS, np.zeros(0), NO_WORDS)


def triggers(bit=(0, 40)):
    """6 triggers 7 (weight 1), 5 and 6 trigger 6 (weights 10, 100)."""
    left = np.select([WORD == 5, WORD == 6], [0, 1], -1).astype(np.int32)
    right = np.select([WORD == 6, WORD == 7], [0, 1], -1).astype(np.int32)
    first, value = np.array([0, 1, 1], np.int32), np.array([10.0, 100.0, 1.0])
    return Triggers(left, right, np.array([0, 2, 3]), first, value, np.array(bit, np.int32))


def seams(key=0, useful=WORD, pairs=NO_TRIGGERS, on=True):
    keys, ids = empty_table(1)
    tables.insert(keys, ids, np.array([key], np.int64), 0)
    table = SparseTable(keys, ids, np.ones(1), np.full(20, on), MARK)
    return Seams(1, table, PHRASE, PHRASE, WORD, useful, np.zeros(1), pairs)


def row(target, source, last, before, *rest):
    return np.array([[target, source, (before + 1) << 32 | (last + 1), *(rest or (-1,))]])


def score(key, history, option):
    return sparse_seams.seam_score(row(*history), 0, option, INFO, seams(key))


def test_words_and_phrases_meet():
    boundary = kernels.key_of(kernels.BOUNDARY, 109, 104, -1)
    bigram = kernels.key_of(kernels.TEXT_BIGRAM, 109, 104, -1)
    assert score(boundary, [-1, -1, 9, 8], 0) == 1.0
    assert score(bigram, [-1, -1, 9, 8], 0) == 1.0
    assert score(kernels.key_of(kernels.TEXT_TRIGRAM, 109, 104, 105), [-1, -1, 9, 8], 0) == 1.0
    trigram = kernels.key_of(kernels.TEXT_TRIGRAM, 108, 109, 104)
    assert score(trigram, [-1, -1, 9, 8], 0) == 1.0
    assert score(trigram, [-1, -1, 9, 8], 2) == 0.0
    assert score(bigram, [-1, -1, -1, -1], 0) == 0.0
    assert score(kernels.phrases_key(kernels.TARGET_PHRASES, -2, 30, 32), [30, -1, -1, -1], 1) == 1
    assert score(kernels.phrases_key(kernels.SOURCE_PHRASES, -2, 20, 22), [-1, 20, -1, -1], 1) == 1


def test_kinds_that_are_off_weigh_nothing():
    for key in (
        kernels.key_of(kernels.BOUNDARY, 109, 104, -1),
        kernels.key_of(kernels.TEXT_BIGRAM, 109, 104, -1),
        kernels.key_of(kernels.TEXT_TRIGRAM, 108, 109, 104),
        kernels.key_of(kernels.TEXT_TRIGRAM, 109, 104, 105),
    ):
        history = row(-1, -1, 9, 8)
        assert sparse_seams.seam_score(history, 0, 0, INFO, seams(key)) == 1.0
        assert sparse_seams.seam_score(history, 0, 0, INFO, seams(key, on=False)) == 0.0


def after(history, option, useful=WORD, pairs=NO_TRIGGERS):
    first = row(*history)
    rows = np.concatenate([first, np.full_like(first, 77)])
    key = sparse_seams.remember(rows, 0, 1, option, INFO, seams(useful=useful, pairs=pairs))
    assert key == tuple(rows[1, :4])
    return rows[1].tolist()


def test_the_last_two_words_are_remembered():
    assert after([-1, -1, 9, 8], 0) == row(31, 21, 6, 5)[0].tolist()
    assert after([-1, -1, 9, 8], 1) == row(32, 22, 7, 9)[0].tolist()
    assert after([-1, -1, 9, 8], 2) == row(33, 23, 9, 8)[0].tolist()
    useless = np.where(WORD == 6, -1, WORD).astype(np.int32)
    assert after([-1, -1, 9, 8], 0, useless) == row(31, 21, -1, -1)[0].tolist()


def test_a_set_of_triggers_grows():
    nothing = [-1, -1, -1, -1, -1, 0, 0]
    with_both = after(nothing, 0, pairs=triggers())
    assert with_both[4:] == [1, 1 << 8]
    one = after(nothing, 3, pairs=triggers())
    assert one[4:] == [0, 1 << 8]
    assert len({with_both[3], one[3], after(nothing, 1, pairs=triggers())[3]}) == 3
    assert after([-1, -1, -1, -1, 5, 1, 1 << 8], 1, pairs=triggers())[3] == with_both[3]
    assert after([-1, -1, -1, -1, 5, 0, 0], 0, pairs=triggers((-1, 40)))[4:] == [0, 1 << 8]


def test_a_word_that_is_triggered_within_its_block_is_no_seams():
    pairs = triggers()
    history = row(-1, -1, -1, -1, 5, 1, 1 << 8)  # both words are before
    rest = seams(pairs=pairs)
    assert sparse_seams.seam_score(history, 0, 0, INFO, rest) == 100.0  # 5 stands in the block
    assert sparse_seams.seam_score(history, 0, 1, INFO, rest) == 1.0
    assert sparse_seams.seam_score(history, 0, 2, INFO, rest) == 0.0
    assert sparse_seams.seam_score(history, 0, 3, INFO, rest) == 10.0 + 100.0 + 10.0
    history = row(-1, -1, -1, -1, 5, 1, 0)
    assert sparse_seams.seam_score(history, 0, 3, INFO, rest) == 20.0


def test_the_start_remembers_nothing():
    assert sparse_seams.no_history(triggers()).tolist() == [[-1, -1, 0, -1, 0, 0]]
    assert sparse_seams.no_history(triggers((-1, -1))).tolist() == [[-1, -1, 0, -1]]
    assert sparse_seams.no_history(triggers((31, -1))).shape == (1, 5)
