from __future__ import annotations

from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.formats.records.kbest import KBest
from campanula.formats.stream import Writer
from campanula.pipelines import translations
from campanula.pipelines.tasks.stage_task import Leaf
from tests.examples import random_lists


def written(folder: Path, records: list[KBest]) -> Path:
    lists, out = folder / "lists", folder / "dev.out"
    with Writer(str(lists), KBest, "made by hand") as writer:
        for kbest in records:
            writer.write(kbest)
    translations.write(str(out), Leaf(str(lists), ""))
    return out


def test_the_first_hypothesis_of_each_list_is_written(tmp_path: Path) -> None:
    records = random_lists(3, n_lists=4)[0]
    out = written(tmp_path, records)
    assert out.read_text().splitlines() == [kbest.text[0] for kbest in records]


def test_a_sentence_without_a_list_moves_no_line(tmp_path: Path) -> None:
    records = random_lists(3, n_lists=4)[0]
    with pytest.raises(DataError, match="sentence 1: expected its k-best list, found none"):
        written(tmp_path, [records[0], *records[2:]])
    assert not (tmp_path / "dev.out").exists()
