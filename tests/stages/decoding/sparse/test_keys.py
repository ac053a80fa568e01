"""Keys of weights, and what blocks are told of them."""

import numpy as np

from campanula.formats.feature_names.sparse import PREFIXES
from campanula.stages.decoding.sparse.keys import BlockWords, SparseKeys
from campanula.stages.decoding.sparse.name_parsing import text_of
from campanula.stages.decoding.sparse.triggers import no_triggers
from campanula.stages.kernels.sparse import weights as sparse_weights

NUMBER = {word: number for number, word in enumerate("uvwxyz")}
WORDS = text_of(NUMBER)


def keys_of(*names):
    return SparseKeys.of_names([*names], np.ones(len(names)))


def test_every_name_finds_its_weight():
    names = ["bound_u~~v", "bigram_u~v", "trigger_u~~v", "slen_2", "orient_N", "pair_u~~v"]
    names += ["block_u~v~~", "back_R_u~~v", "tph_u~~v~w", "plen_2_u", "ttri_u~~v~w", "jump_-3"]
    keys = SparseKeys.of_names(names, np.arange(1.0, 13.0))
    u, v, _, *_ = keys.marks(*WORDS).tolist()
    expected = {
        sparse_weights.key_of(sparse_weights.BOUNDARY, u, v, -1): 1.0,
        sparse_weights.key_of(sparse_weights.TEXT_BIGRAM, u, v, -1): 2.0,
        sparse_weights.key_of(sparse_weights.TRIGGER, u, v, -1): 3.0,
        sparse_weights.number_key(sparse_weights.SOURCE_LENGTH, 2): 4.0,
        sparse_weights.number_key(sparse_weights.ORIENTATION, 2): 5.0,
        sparse_weights.key_of(sparse_weights.PAIR, u, v, -1): 6.0,
        sparse_weights.number_key(sparse_weights.JUMP, -3): 12.0,
    }
    for key, weight in expected.items():
        assert sparse_weights.weight_of(*keys.table[:3], key) == weight


def test_what_there_is_to_ask_for():
    nothing = keys_of()
    assert [nothing.seamed, nothing.turns, len(nothing.triggers)] == [False, False, 0]
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
    source, start = keys.marks(*WORDS)[:1], np.array([0, 1])
    owner = np.zeros(len(targets), np.int64)
    return keys.blocks(BlockWords(source, start, owner, word, begin, end, keys.marks(*WORDS)))


def test_blocks_remember_only_what_a_weight_asks_for():
    found = blocks(keys_of("trigram_u~v~w", "bound_x~~y", "uni_z"), "uvw", "xyz")
    assert found.useful.tolist() == [0, 1, -1, 3, -1, -1]
    assert (found.context == -1).all()
    found = blocks(keys_of("tph_u~v~~w", "sph_u~~v"), "uv", "w")
    assert (found.context >= 0).tolist() == [[True, True], [True, False]]
    found = blocks(keys_of("trigger_u~~v", "trigger_u~~u", "trigger_w~~v"), "uvwx")
    assert sorted(found.left[[0, 2]].tolist()) == sorted(found.right[[0, 1]].tolist()) == [0, 1]
    assert (found.left >= 0).tolist() == [True, False, True, False]
    assert (found.right >= 0).tolist() == [True, True, False, False]
    assert found.local.tolist() == [1.0]


def test_triggers_of_a_sentence():
    keys = keys_of("trigger_u~~v", "trigger_u~~w", "trigger_x~~w", "trigger_y~~z")
    found = blocks(keys, "uvx", "yw")
    triggers = keys.triggers.of_sentence(found.left, found.right, (found.left, found.right))
    u, x, y = found.left[[0, 2, 3]].tolist()
    v, w = found.right[[1, 4]].tolist()
    assert {u, x, y} == {0, 1, 2}
    pairs = {n: sorted(triggers.first[triggers.start[n] : triggers.start[n + 1]]) for n in (v, w)}
    assert pairs == {v: [u], w: sorted([u, x])}
    assert sorted(triggers.bit.tolist()) == [-1, 0, 1]
    assert triggers.bit[y] == -1  # y triggers a word that is not there
    few = keys.triggers.of_sentence(found.left, found.right, (found.left[:2], found.right[:2]))
    assert few.bit[[u, x, y]].tolist() == [0, -1, -1]
    none = keys_of().triggers.of_sentence(found.left, found.left, ([], []))
    assert no_triggers().bit.tolist() == none.bit.tolist() == []
