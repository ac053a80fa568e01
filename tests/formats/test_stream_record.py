"""Kinds of records are what a stream asks of one."""

from __future__ import annotations

import pytest

from campanula.formats.records.hope import Hope
from campanula.formats.records.kbest import KBest
from campanula.formats.records.lattice import Lattice
from campanula.formats.stream_record import SID_LIMIT, StreamRecord


@pytest.mark.parametrize("kind", [KBest, Hope, Lattice])
def test_a_kind_has_a_name_and_a_version(kind: type[StreamRecord]) -> None:
    assert kind.KIND
    assert kind.VERSION >= 1
    assert callable(kind.unpack)


def test_numbers_of_sentences_are_those_of_json_lines() -> None:
    assert SID_LIMIT == 1 << 62
