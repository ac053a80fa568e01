"""Refusing what is of a well-known kind, and looking without taking."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.formats.files import open_expecting
from campanula.formats.foreign.kinds import HEAD
from campanula.formats.foreign.refusing import beginning, kind_of, refuse, refuse_no_stream
from campanula.formats.records.kbest import KBest
from campanula.formats.stream import Reader
from tests.foreign_files import ARPA, NBEST


def test_what_fits_is_taken() -> None:
    refuse(ARPA, "lm", "a model", ("arpa",))
    refuse(b"a text", "lm", "a model", ())
    with pytest.raises(DataError, match=r"^lm: expected a model, found a Moses n-best list: imp"):
        refuse(NBEST, "lm", "a model", ("arpa",))


def test_a_look_takes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(NBEST * 1000)
    for file in (open(path, "rb", 1 << 16), io.BytesIO(NBEST * 1000)):  # noqa: SIM115
        with file:
            assert beginning(file) == (NBEST * 1000)[:HEAD]
            assert file.read() == NBEST * 1000
    with open(path, "rb", buffering=0) as raw:
        assert beginning(raw) == b""
    assert kind_of(b"") is None
    with pytest.raises(DataError, match="expected text, found a Moses n-best list"):
        open_expecting(str(path), "text", ())
    with open_expecting(str(path), "lists", ("n-best",)) as file:
        assert file.readline() == NBEST


@pytest.mark.parametrize(
    ("head", "found"),
    [
        (b"H-0\t-0.5\tdie katze\n", "an n-best list in the format fairseq: import-nbest"),
        (b"sid\ttext\tlm\n0\ta\t1\n", "an n-best list in the format tsv"),
        (b"a text\n", "text: import-nbest makes a stream of n-best lists"),
    ],
)
def test_lists_of_all_formats_are_no_stream(head: bytes, found: str) -> None:
    with pytest.raises(DataError, match=f"expected a stream, found {found}"):
        refuse_no_stream(head, "x")


@pytest.mark.parametrize(
    ("head", "found"), [(b"", "no whole header"), (b"\xe4 in Latin-1", "something else")]
)
def test_what_nothing_is_known_of_is_left_to_the_reader(
    head: bytes, found: str, tmp_path: Path
) -> None:
    refuse_no_stream(head, "x")
    (tmp_path / "x").write_bytes(head)
    with pytest.raises(DataError, match=f"x: expected a stream, found {found}$"):
        Reader(os.fspath(tmp_path / "x"), KBest)
