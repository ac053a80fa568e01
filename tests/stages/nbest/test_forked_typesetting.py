"""Text that forks write is that of one process, whatever the lists look like, and so are errors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from campanula.formats import messages
from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.stages import export_nbest
from campanula.stages.nbest import typesetting
from campanula.stages.parallel import forked_lists
from tests.examples import random_lists, write_kbest

Change = Callable[[list[KBest]], None]


@pytest.fixture
def lists(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[KBest]:
    monkeypatch.setattr(forked_lists, "can_fork", lambda: True)
    monkeypatch.setattr(messages, "PART", 1500)
    monkeypatch.chdir(tmp_path)
    return [replace(one, score=np.arange(len(one)) / 3) for one in random_lists(2, 60)[0]]


def of_row(sid: int, row: dict[str, float], names: Names) -> KBest:
    return KBest(sid, Texts.of(["a"]), Features.of([row], names), names, np.zeros(1))


def as_they_are(lists: list[KBest]) -> None:
    pass


def laid_out_otherwise(lists: list[KBest]) -> None:
    for place, width in ((20, 2), (33, 3), (34, 2), (50, 1)):
        row = {f"TM0_{i}": float(i) for i in range(width)}
        lists[place] = of_row(lists[place].sid, row, lists[0].names)


def a_line_end(lists: list[KBest]) -> None:
    lists[41] = replace(lists[41], text=Texts.of(["a\nb"] * len(lists[41])))


def a_blank_in_a_name(lists: list[KBest]) -> None:
    lists[37] = of_row(lists[37].sid, {"a b": 1.5}, lists[0].names)


def a_label_that_is_taken(lists: list[KBest]) -> None:
    lists[3] = of_row(3, {"TM0_0": 1.5, "TM0_1": 2.5}, lists[0].names)
    lists[37] = of_row(37, {"TM0": 1.5}, lists[0].names)


CHANGES: list[Change] = [
    as_they_are,
    laid_out_otherwise,
    a_line_end,
    a_blank_in_a_name,
    a_label_that_is_taken,
]


@pytest.mark.parametrize("few", [0, 100, 1 << 20])
@pytest.mark.parametrize("form", ["moses", "cdec"])
@pytest.mark.parametrize("change", CHANGES)
def test_any_number_of_processes_writes_the_same(
    lists: list[KBest],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    change: Change,
    form: str,
    few: int,
) -> None:
    monkeypatch.setattr(typesetting, "FEW", few)
    monkeypatch.setattr(export_nbest, "parts_without_kernels", lambda path: few)
    change(lists)
    write_kbest("dev", lists)
    results = []
    for jobs in ("1", "2"):
        status = export_nbest.main(["dev", "--format", form, "--jobs", jobs, "-o", jobs])
        text = Path(jobs).read_bytes() if Path(jobs).exists() else None
        results.append((status, capsys.readouterr().err, text))
    assert results[0] == results[1]
