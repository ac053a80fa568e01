"""The tuples that the oracle search's kernels share: every field is described."""

from __future__ import annotations

import re

import pytest

from campanula.stages.kernels.oracle import records

TUPLES = [
    records.NGrams,
    records.OptionClasses,
    records.Tails,
    records.TailCache,
    records.Limits,
    records.OracleTask,
    records.StateNodes,
    records.StateArcs,
    records.Growth,
    records.Stacks,
    records.StepRoom,
]


@pytest.mark.parametrize("kind", TUPLES)
def test_no_field_hides_a_method_of_tuples(kind: type) -> None:
    assert not set(kind._fields) & {"count", "index"}  # type: ignore[attr-defined]


@pytest.mark.parametrize("kind", TUPLES)
def test_the_description_names_every_field(kind: type) -> None:
    described = kind.__doc__ or ""
    for field in kind._fields:  # type: ignore[attr-defined]
        assert re.search(rf"\b{field}\b", described), field
