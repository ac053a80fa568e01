"""Pages as bytes: the same by lines, by kernels, and with any number of threads."""

from __future__ import annotations

from pathlib import Path

import pytest

from campanula.formats.nbest import FORMATS
from campanula.stages.nbest.typesetting import FEW, LARGE, by_lines, parts_without_kernels, typeset
from tests.examples import random_lists


@pytest.mark.parametrize("form", ["moses", "cdec"])
@pytest.mark.parametrize("few", [0, 300, FEW])
@pytest.mark.parametrize("jobs", [1, 3])
def test_the_bytes_do_not_depend_on_who_writes(form: str, few: int, jobs: int) -> None:
    lists = random_lists(5, n_lists=40)[0]
    pages = FORMATS[form].pages(lists, "dev")
    assert pages is not None
    text = b"".join(bytes(part) for part in typeset(pages, jobs, few))
    expected = "".join(f"{line}\n" for line in FORMATS[form].write(lists, "dev"))
    assert text.decode("utf-8") == expected
    again = FORMATS[form].pages(lists, "dev")
    assert again is not None
    assert b"".join(map(by_lines, again)) == text


def test_kernels_write_large_streams_from_the_first_list_on(tmp_path: Path) -> None:
    path = tmp_path / "dev"
    path.write_bytes(bytes(LARGE))
    assert parts_without_kernels(str(path)) == FEW
    path.write_bytes(bytes(LARGE + 1))
    assert parts_without_kernels(str(path)) == 0
    assert parts_without_kernels("-") == parts_without_kernels(str(tmp_path)) == FEW


def test_no_pages() -> None:
    assert list(typeset([])) == []
