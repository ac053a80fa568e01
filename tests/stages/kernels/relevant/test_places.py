"""Places of weights, by hand, and codes that lead to them."""

import numpy as np
import pytest

from campanula.stages.kernels.relevant import places
from tests.stages.kernels.relevant.packed import features_of, packed, packed_lists


def sentences(*features):
    """A sentence of one hypothesis for each of these strings of the digits of its features."""
    return [[("a", {f"f{digit}": 1.0 for digit in own}, 0.5)] for own in features]


def test_what_most_sentences_have_stands_first_and_else_what_a_sentence_has_first():
    found = packed_lists(sentences("014", "24", "124", "34", "14"))
    assert found.place.tolist() == [3, 1, 2, 4, 0]
    assert [sorted(features_of(found.sets, i)) for i in range(3)] == [[0, 1, 3], [0, 2], [0, 1, 2]]


def test_counts_of_powers_of_two_are_classes_and_what_nothing_has_stands_last():
    found = packed_lists(sentences("035", "035", "035", "03", "03", "03", "03", "0"))
    assert found.place.tolist() == [0, 3, 4, 1, 5, 2]


@pytest.mark.parametrize("common", [0, 3, 1 << 16])
def test_rare_ones_follow_common_ones_and_codes_point_to_the_same(monkeypatch, common):
    expected = packed(2, binary=False)
    monkeypatch.setattr(places, "COMMON", common)
    monkeypatch.setattr(places, "settle", getattr(places.settle, "py_func", places.settle))
    found = packed(2, binary=False)
    assert (found.place == expected.place).all()
    n_common = np.diff(found.sets.common_pointer).sum()
    assert n_common == len(found.sets.common) == (expected.sets.common < common).sum()
    assert len(found.sets.rare) == len(expected.sets.common) - n_common
    for i in range(6):
        own = features_of(found.sets, i)
        before = features_of(expected.sets, i)
        begin, end = found.sets.pointer[i], found.sets.pointer[i + 1]
        binary = slice(found.sets.binary_pointer[begin], found.sets.binary_pointer[end])
        assert [own[code] for code in found.sets.binary_code[binary]] == [
            before[code] for code in expected.sets.binary_code[binary]
        ]
