"""Words are in or behind the home slots of their bytes."""

from __future__ import annotations

import random

from campanula.formats.arrays.hashing import LOW31, SPELLED_START, spelled, transition_home
from campanula.formats.model.hash_table import FREE, table_bits
from campanula.formats.model.spelled_words import spelled_slots
from campanula.formats.model.vocabulary import Vocabulary


def test_every_word_is_found_before_a_free_slot() -> None:
    rng = random.Random(0)
    words = list({rng.randbytes(rng.randrange(1, 12)) for _ in range(500)})
    table = spelled_slots(Vocabulary.build(words))
    slot, bits = table.tolist(), table_bits(table)
    for number, word in enumerate(words):
        code = SPELLED_START
        for byte in word:
            code = spelled(code, byte)
        place = transition_home(code & LOW31, code >> 31, bits)
        while slot[place] != number:
            assert slot[place] != FREE
            place += 1


def test_fnv() -> None:
    """The published value of "foobar"."""
    code = SPELLED_START
    for byte in b"foobar":
        code = spelled(code, byte)
    assert code == 0xBF9CF968


def test_no_word() -> None:
    assert (spelled_slots(Vocabulary.build([])) == FREE).all()
