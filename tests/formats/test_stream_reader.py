"""What a Reader takes as messages, whoever unpacks them; test_stream.py has whole streams."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from campanula.formats import messages
from campanula.formats.errors import DataError
from campanula.formats.messages import unpacked
from campanula.formats.records.columns import ColumnError
from campanula.formats.records.kbest import KBest
from campanula.formats.stream_reader import Reader, is_end, names_in
from tests.examples import random_lists, write_kbest
from tests.plain import plain


@pytest.mark.parametrize("size", [1, 50, 1 << 18])
@pytest.mark.parametrize("before", [0, 2])
def test_messages_that_are_left_are_the_same_as_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int, before: int
) -> None:
    monkeypatch.setattr(messages, "PART", size)
    monkeypatch.setattr(messages, "CHUNK", size)
    lists = random_lists(5)[0]
    path = write_kbest(tmp_path / "dev", lists)
    with Reader(path, KBest) as reader:
        found = list(itertools.islice(reader, before))
        raw = itertools.chain.from_iterable(unpacked(part.data, "dev", 0) for part in reader.raw())
        found += reader.records(raw)
        assert reader.count == len(lists)
        assert reader.checksum
    assert list(map(plain, found)) == list(map(plain, lists))


def test_a_record_that_is_passed_by_is_checked_against_those_before(tmp_path: Path) -> None:
    path = write_kbest(tmp_path / "dev", random_lists(5)[0])
    with Reader(path, KBest) as reader:
        reader.pass_by(3, 2, ["a"])
        reader.pass_by(5, 0, [])
        assert (reader.count, list(reader.names)) == (2, ["a"])
        with pytest.raises(DataError, match=r"sentence 5: expected a sentence after 5"):
            reader.pass_by(5, 2, [])
        with pytest.raises(DataError, match=r"sentence 6: expected 2 statistics"):
            reader.pass_by(6, 3, [])
        with pytest.raises(DataError, match=r"sentence 7: feature name 'a' is declared twice"):
            reader.pass_by(7, 2, ["a"])


def test_an_end_and_names() -> None:
    assert is_end({"end": 3})
    assert not is_end({"sid": 3})
    assert not is_end(b"end")
    assert names_in({}) == ()
    assert names_in({"names": ["a"]}) == ["a"]
    for wrong in ("a", [1], {"a": 1}):
        with pytest.raises(ColumnError, match="feature names"):
            names_in({"names": wrong})
