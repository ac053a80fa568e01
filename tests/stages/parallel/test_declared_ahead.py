"""Names go to forks in the order of the records, each once, whoever has read them first."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import msgpack
import pytest

from campanula.formats.messages import RawMessages
from campanula.formats.records.columns import ColumnError
from campanula.formats.records.names import Names
from campanula.stages.parallel.declared_ahead import DeclaredAhead


def raw(*records: dict[str, object]) -> RawMessages:
    data, ends = b"", []
    for record in records:
        data += msgpack.packb(record)
        ends.append(len(data))
    return RawMessages(data, ends)


@pytest.fixture
def ahead() -> Iterator[DeclaredAhead]:
    with closing(DeclaredAhead(Names("ab"), grows=True)) as names:
        yield names


def test_names_are_learnt_up_to_a_message(ahead: DeclaredAhead) -> None:
    names = ahead._names
    ahead.look(raw({"sid": 0}, {"names": ["c", "d"], "sid": 1}, {"sid": 2}))
    count, size = ahead.count, ahead.size
    ahead.look(raw({"names": ["é\n"], **{f"key{i}": i for i in range(20)}}))
    assert (count, ahead.count) == (4, 5)
    ahead.learn(size)
    assert list(names) == ["a", "b", "c", "d"]
    names.id("é\n")  # that of a message which this process has read itself
    ahead.look(raw({"names": ["e"], "sid": 9}))
    ahead.learn(ahead.size)
    assert list(names) == ["a", "b", "c", "d", "é\n", "e"]
    assert ahead.are_right(6)
    assert not ahead.are_right(7)


def test_names_that_are_known_are_refused(ahead: DeclaredAhead) -> None:
    ahead.look(raw({"names": ["a"]}))
    with pytest.raises(ColumnError, match="declared twice"):
        ahead.learn(ahead.size)


@pytest.mark.parametrize("wrong", [7, None])
def test_what_are_no_names_is_left_to_who_reads_it(ahead: DeclaredAhead, wrong: object) -> None:
    ahead.look(raw({"names": wrong, "sid": 1}, {"sid": 1, "names": ["elsewhere"]}))
    assert (ahead.count, ahead.size) == (2, 0)


def test_a_table_that_does_not_grow() -> None:
    with closing(DeclaredAhead(Names("ab"), grows=False)) as ahead:
        ahead.look(raw({"names": ["c"], "sid": 1}))
        ahead.learn(ahead.size)
        assert list(ahead._names) == ["a", "b"]
        assert ahead.are_right(99)
