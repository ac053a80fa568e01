"""The commands of docs/reranking.md run one after another, on small lists made here."""

from __future__ import annotations

import json
import random
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from campanula.stages.hypothesis_features.own import own_feature
from campanula.stages.hypothesis_features.table import FEATURES
from tests.examples import random_lists
from tests.shell import run_block

ROOT = Path(__file__).parents[2]
BLOCKS = re.findall(
    r"^```(\w*)\n(.*?)^```$", (ROOT / "docs" / "reranking.md").read_text(), re.M | re.S
)
WORDS = ["a", "the", "cat", "dog", "man", "sees", "hears", "big", "old", "house", "in", "on", "."]
N_SENTENCES, N_HYPOTHESES = 60, 8


def sentence(rng: random.Random) -> list[str]:
    return rng.choices(WORDS, k=rng.randint(5, 10))


def write_set(folder: Path, name: str, seed: int) -> None:
    """References; lists in Marian's format whose score says little, and a column that says much."""
    rng = random.Random(seed)
    lists, scores, references = [], [], []
    for sid in range(N_SENTENCES):
        reference = sentence(rng)
        references.append(" ".join(reference))
        for _ in range(N_HYPOTHESES):
            share = rng.uniform(0.0, 0.6)
            words = [rng.choice(WORDS) if rng.random() < share else w for w in reference]
            score = round(rng.gauss(-5 * share, 1.5), 4)
            lists.append(f"{sid} ||| {' '.join(words)} ||| F0= {score} ||| {score}")
            scores.append(f"{rng.gauss(-share, 0.1):.5f}")
    for suffix, lines in (("nbest", lists), ("comet", scores), ("ref", references)):
        (folder / f"{name}.{suffix}").write_text("".join(f"{line}\n" for line in lines))


@pytest.mark.slow
def test_the_recipe_runs_and_finds_better_weights(tmp_path: Path) -> None:
    write_set(tmp_path, "dev", 1)
    write_set(tmp_path, "test", 2)
    rng = random.Random(3)
    (tmp_path / "text").write_text("".join(f"{' '.join(sentence(rng))}\n" for _ in range(300)))
    run_block("estimate-lm text --order 2 -o lm.arpa", tmp_path)
    printed = [run_block(block, tmp_path) for language, block in BLOCKS if language == "sh"]
    assert len((tmp_path / "dev.hypotheses").read_text().splitlines()) == 60 * 8
    (comparison,) = json.loads(printed[-1])
    baseline, pro = comparison["systems"]
    assert len(pro["values"]) == 3
    assert pro["mean"] > baseline["mean"] + 5
    assert pro["randomisation_p"] < 0.01
    tables = [text for text in printed if text.startswith("BLEU|")]
    assert [len(text.split("\n\n")) for text in tables] == [3, 1]


def test_every_block_is_run() -> None:
    assert {language for language, _ in BLOCKS} == {"sh", "python", "toml"}


def test_the_feature_of_ones_own_is_one() -> None:
    (code,) = (block for language, block in BLOCKS if language == "python")
    (toml,) = (block for language, block in BLOCKS if language == "toml")
    points = tomllib.loads(toml)["project"]["entry-points"]
    ((name, target),) = points[FEATURES.group].items()
    names: dict[str, Any] = {}
    exec(code, names)
    feature = own_feature(name, names[target.partition(":")[2]])
    assert feature.summary == "Words of the hypothesis for each word of the source."
    (kbest, *_), _ = random_lists(seed=1, n_lists=1)
    ratios = names[target.partition(":")[2]](list(kbest.text), source="a b c d")
    assert ratios == [len(text.split()) / 4 for text in kbest.text]
