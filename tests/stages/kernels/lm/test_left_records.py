"""Kernels tell a model without a sentence from a whole one by its length."""

from __future__ import annotations

from campanula.stages.kernels.lm.left_records import MEMORY_BITS, LeftLanguageModel
from campanula.stages.kernels.records import WHOLE, LanguageModel


def test_it_has_what_every_model_has_and_more() -> None:
    assert LeftLanguageModel._fields[:WHOLE] == LanguageModel._fields
    assert len(LeftLanguageModel._fields) > WHOLE
    assert MEMORY_BITS <= 31  # as transition_home has them
