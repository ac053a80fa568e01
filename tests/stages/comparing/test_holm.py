"""Holm's correction, by a worked example and by the rules that it keeps."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campanula.stages.comparing.holm import holm


def test_a_worked_example() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_one_is_as_it_is_and_none_is_none() -> None:
    assert holm([0.04]) == [0.04]
    assert holm([]) == []


@given(st.lists(st.floats(0, 1), max_size=8))
def test_corrected_values_keep_the_order_and_lie_between_p_and_bonferroni(p: list[float]) -> None:
    corrected = holm(p)
    assert all(a <= b <= min(1.0, len(p) * a) or a == b for a, b in zip(p, corrected, strict=True))
    order = sorted(range(len(p)), key=p.__getitem__)
    assert [corrected[i] for i in order] == sorted(corrected)
