"""Names taken apart by the kernel, against `split_name`."""

from __future__ import annotations

import random

import numpy as np
import pytest

from campanula.formats.feature_names.sparse import (
    BY_PREFIX,
    COUNT,
    JUMP,
    ORIENTATION,
    PREFIXES,
    WORDS,
    sparse_name,
    split_name,
)
from campanula.stages.decoding.sparse.name_parsing import parsed_names, text_of
from campanula.stages.kernels.sparse import names as kernels

CHARACTERS = "ab~_%+-09AF=|,\u00a0é𝔘\u200b\ufffd 1RLN"
BITS = ["_", "~", "~~", "%41", "%C3%A9", "%20", "%c2%a0", "%C2%A0", "%ED%A0%80", "%FF", "%C0%80"]
BITS += ["%F4%90%80%80", "%E2%80%8B", "%E2%80", "a", "é", "+1", "0", "R", "007", "1234567890", "٣"]


def canonical_name(rng):
    """A name as the decoder writes it, of any words."""
    prefix = rng.choice(PREFIXES)
    heads = {COUNT: ["0", "1", "12", "123456789"], JUMP: ["0", "+1", "-12"], ORIENTATION: "RLN"}
    head = rng.choice(heads.get(BY_PREFIX[prefix].head, [""]))
    sizes = WORDS.get(prefix) or [rng.randint(0, 3) for _ in BY_PREFIX[prefix].sides]
    phrases = [
        tuple("".join(rng.choices(CHARACTERS, k=rng.randint(1, 3))) for _ in range(size))
        for size in sizes
    ]
    return sparse_name(prefix, head, *phrases)


def random_name(rng):
    """A name of a feature, one with a letter more or less, or anything that begins like one."""
    if rng.random() < 0.5:
        prefix = rng.choice([*PREFIXES, "blocks", "LM0", ""])
        return prefix + "".join(rng.choices(BITS, k=rng.randint(0, 6)))
    name = canonical_name(rng)
    if rng.random() < 0.3:
        place = rng.randrange(len(name) + 1)
        name = name[:place] + rng.choice(CHARACTERS) + name[place + rng.randint(0, 1) :]
    return name


def expected_kind(name):
    feature = split_name(name)
    if feature is not None:
        return PREFIXES.index(feature.prefix)
    return kernels.MALFORMED if name.partition("_")[0] in BY_PREFIX else kernels.NOT_SPARSE


@pytest.mark.parametrize("seed", range(4))
def test_names_are_taken_apart_as_one_by_one(seed):
    rng = random.Random(seed)
    names = [random_name(rng) for _ in range(500)] + ["block_", "slen_", "plen_2", "bound_~~a"]
    parsed = parsed_names(*text_of(names))
    assert parsed.kind.tolist() == [expected_kind(name) for name in names]
    sparse = [split_name(name) is not None for name in names]
    assert (parsed.key >= 0).tolist() == sparse
    by_key = dict(zip(parsed.key.tolist(), names, strict=True))
    assert len({n for n, is_one in zip(names, sparse, strict=True) if is_one}) == len(
        by_key.keys() - {-1}
    )


def test_marks_are_those_of_the_words_or_of_the_phrases():
    names = ["bigram_a~b", "trigram_b~%25~a", "uni_a", "tph_a~b~~", "LM0", "tph_~~a~b"]
    mark = parsed_names(*text_of(names)).mark
    a, b = mark[0, :2].tolist()
    assert mark[0].tolist() == [a, b, b]
    assert mark[1, [0, 2]].tolist() == [b, a]
    assert mark[2].tolist() == [a, a, a]
    assert mark[3, :2].tolist() == mark[5, 1::-1].tolist()
    assert mark[4].tolist() == [-1, -1, -1]
    assert parsed_names(*text_of(["uni_%25"])).mark[0, 0] == mark[1, 1]


def test_other_seeds_make_other_keys():
    names = ["bigram_a~b", "block_a~~b"]
    assert not np.intersect1d(
        parsed_names(*text_of(names)).key, parsed_names(*text_of(names), 1).key
    ).size


def test_characters_are_asked_for_once():
    names = [f"uni_{chr(0x4E00 + k)}" for k in range(3)] + ["uni_%E2%80%8B", "uni_\u200b"]
    for _ in range(2):
        kind = parsed_names(*text_of(names)).kind
        assert kind.tolist() == [PREFIXES.index("uni")] * 4 + [kernels.MALFORMED]
