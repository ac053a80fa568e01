"""Keys of weights, and what blocks are told of them."""

import numpy as np

from campanula.formats.feature_names.sparse import PREFIXES, split_name
from campanula.stages.decoding.sparse_keys import SparseKeys, no_triggers, places_in
from campanula.stages.kernels.sparse import weights as sparse_weights

NUMBER = {word: number for number, word in enumerate("uvwxyz")}


def keys_of(*names):
    features = {split_name(name): 1.0 for name in names}
    return SparseKeys(features, NUMBER.__getitem__, NUMBER.__getitem__)


def test_keys_are_those_of_the_kernels():
    key = keys_of().key
    expected = {
        "bound_u~~v": sparse_weights.key_of(sparse_weights.BOUNDARY, 0, -1, 1, -2),
        "bigram_u~v": sparse_weights.key_of(sparse_weights.TEXT_BIGRAM, 0, 1, -2, -2),
        "trigger_u~~v": sparse_weights.key_of(sparse_weights.TRIGGER, 0, -1, 1, -2),
        "slen_2": sparse_weights.key_of(sparse_weights.SOURCE_LENGTH, 2, -2, -2, -2),
        "orient_N": sparse_weights.key_of(sparse_weights.ORIENTATION, 2, -2, -2, -2),
    }
    for name, number in expected.items():
        assert key(split_name(name)) == number


def test_what_there_is_to_ask_for():
    nothing = keys_of()
    assert [nothing.seamed, nothing.turns, nothing.has_triggers] == [False] * 3
    assert keys_of("orient_R").turns
    assert not keys_of("jump_+1", "uni_u", "bi_u~v").seamed
    for name in ("bigram_u~v", "tph_u~~v", "sph_u~~v", "bound_u~~v", "trigger_u~~v"):
        assert keys_of(name).seamed
    keys = keys_of("jump_-2", "bi_u~v")
    assert keys.jump.tolist() == [1.0, 0.0, 0.0, 0.0, 0.0]
    assert [PREFIXES[k] for k in np.flatnonzero(keys.table.on)] == ["bi", "jump"]


def blocks(keys, *targets):
    word = np.array([NUMBER[w] for target in targets for w in target], np.int32)
    end = np.cumsum([len(target) for target in targets])
    begin = end - [len(target) for target in targets]
    source, start = np.zeros(1, np.int32), np.array([0, 1])
    owner = np.zeros(len(targets), np.int64)
    return keys.blocks(source, start, owner, word, begin, end)


def test_blocks_remember_only_what_a_weight_asks_for():
    found = blocks(keys_of("trigram_u~v~w", "bound_x~~y", "uni_z"), "uvw", "xyz")
    assert found.useful.tolist() == [0, 1, -1, 3, -1, -1]
    assert (found.context == -1).all()
    found = blocks(keys_of("tph_u~v~~w", "sph_u~~v"), "uv", "w")
    assert (found.context >= 0).tolist() == [[True, True], [True, False]]
    found = blocks(keys_of("trigger_u~~v", "trigger_u~~u", "trigger_w~~v"), "uvwx")
    assert found.left.tolist() == [0, -1, 1, -1]
    assert found.right.tolist() == [0, 1, -1, -1]
    assert found.local.tolist() == [1.0]


def test_triggers_of_a_sentence():
    keys = keys_of("trigger_u~~v", "trigger_u~~w", "trigger_x~~w", "trigger_y~~z")
    found = blocks(keys, "uvx", "yw")
    triggers = keys.triggers(found.left, found.right, (found.left, found.right))
    assert triggers.start.tolist() == [0, 1, 3, 4]
    assert triggers.first.tolist() == [0, 0, 1, 2]
    assert triggers.bit.tolist() == [0, 1, -1]  # y triggers a word that is not there
    few = keys.triggers(found.left, found.right, (found.left[:2], found.right[:2]))
    assert few.bit.tolist() == [0, -1, -1]
    assert (
        no_triggers().bit.tolist() == keys_of().triggers(*[found.left] * 2, ([], [])).bit.tolist()
    )


def test_places_in():
    word = np.array([5, 1, 2, 9, 0], np.int32)
    assert places_in(np.array([1, 5]), word).tolist() == [1, 0, -1, -1, -1]
    assert places_in(np.zeros(0, np.int64), word).tolist() == [-1] * 5
