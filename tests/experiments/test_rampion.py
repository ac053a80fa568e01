"""Tables of RAMPION: what runs come to, the average over all scores; one from text to table."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from experiments import rampion
from experiments.rampion import Run, Values
from tests.pages import ROOT

WORDS = {"uno": "one", "dos": "two", "casa": "house", "roja": "red", "grande": "big", "la": "the"}


def run(language: str, method: str, start: str, values: dict[str, Values]) -> Run:
    before: dict[str, Values] = {name: [10.0] for name in values}
    return Run(language, method, start, values, before, f"{method} {language}")


def test_the_average_is_over_all_scores_of_test_sets() -> None:
    runs = [
        run(
            "ar", "mert", "default", {"dev": [30.0, 30.0], "old": [20.0, 22.0], "new": [24.0, 26.0]}
        ),
        run(
            "es", "mert", "default", {"dev": [40.0, 40.0], "old": [30.0, 32.0], "new": [34.0, 36.0]}
        ),
        run("ar", "rampion", "default", {"dev": [30.0], "old": [21.0], "new": [25.0]}),
        run("es", "rampion", "default", {"dev": [40.0], "old": [31.0], "new": [35.0]}),
    ]
    made = rampion.table("t", runs, with_dev=False)
    assert made.columns == ["ar old", "ar new", "es old", "es new", "avg"]
    assert made.rows["mert"]["avg"] == [28.0]
    assert made.rows["rampion"]["avg"] == [28.0]
    assert made.rows["untuned"]["avg"] == [10.0]
    assert made.signatures["mert"] == {"ar": "mert ar", "es": "mert es"}
    with_dev = rampion.table("t", runs, with_dev=True)
    assert with_dev.columns[:3] == ["ar dev", "ar old", "ar new"]
    assert with_dev.rows["mert"]["avg"] == [28.0]


def test_a_method_that_lacks_a_score_has_no_average() -> None:
    runs = [
        run(language, "pro", "default", {"dev": [1.0], "x": [2.0]}) for language in ("ar", "es")
    ]
    runs.append(run("es", "mert", "default", {"dev": [1.0], "x": [4.0]}))
    made = rampion.table("t", runs, with_dev=False)
    assert made.rows["pro"]["avg"] == [2.0]
    assert "avg" not in made.rows["mert"]
    assert rampion.table("t", [], with_dev=False).rows == {"untuned": {}}


def text(folder: Path) -> None:
    """A parallel text of few words, some of which have two translations."""
    chance = random.Random(1)
    for name, size in (("train", 300), ("val", 30), ("test", 20)):
        source = [chance.choices(list(WORDS), k=chance.randint(3, 7)) for _ in range(size)]
        target = [
            [WORDS[w] if chance.random() < 0.8 else WORDS[w].upper() for w in s] for s in source
        ]
        for suffix, sentences in (("es", source), ("en", target)):
            lines = "".join(" ".join(words) + "\n" for words in sentences)
            (folder / f"{name}.{suffix}").write_text(lines)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
def test_from_a_text_to_the_tables(tmp_path: Path) -> None:
    text(tmp_path)
    work = tmp_path / "work"
    words = [f"DATA={tmp_path}", f"WORK={work}", "SRC=es", "TRG=en", "TESTS=test", "FAST=1"]
    words += [f"BIN={Path(sys.executable).parent}", "LOSSES=ramp3 bayes-risk"]
    targets = ["rampion-table1", "rampion-table2", "rampion-losses"]
    argv = ["make", "-C", str(ROOT / "experiments"), *words, *targets]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    (results,) = (work / "results").iterdir()
    found = {}
    for target in targets:
        found[target] = json.loads((results / f"{target}.json").read_text())
        for suffix in ("md", "tex", "svg"):
            assert (results / f"{target}.{suffix}").stat().st_size
    for target in targets[:2]:
        assert set(found[target]["values"]) >= {"untuned", "pro", "rampion"}
        assert len(found[target]["signatures"]["rampion"]["es"]) > 20
        assert found[target]["made"]["sentences"] == {"dev": 30, "test": 20}
    losses = found["rampion-losses"]
    assert list(losses["values"]) == ["untuned", "ramp3", "bayes-risk"]
    assert losses["columns"] == ["val", "val: p", "test", "test: p"]
    assert losses["values"]["ramp3"]["test: p"]
    assert "ramp3" in losses["signatures"]["ramp3"]
    assert losses["signatures"]["test"].startswith("BLEU|nrefs:1|")
