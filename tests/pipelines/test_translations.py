from __future__ import annotations

from pathlib import Path

from campanula.formats.records.kbest import KBest
from campanula.formats.stream import Writer
from campanula.pipelines import translations
from campanula.pipelines.stage_task import Leaf
from tests.examples import random_lists


def test_the_first_hypothesis_of_each_list_is_written(tmp_path: Path) -> None:
    lists, out = tmp_path / "lists", tmp_path / "dev.out"
    records = random_lists(3, n_lists=4)[0]
    with Writer(str(lists), KBest, "made by hand") as writer:
        for kbest in records:
            writer.write(kbest)
    translations.write(str(out), Leaf(str(lists), ""))
    assert out.read_text().splitlines() == [kbest.text[0] for kbest in records]
