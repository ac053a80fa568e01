"""Sums of the weights that fire in rows, against names."""

import random
from pathlib import Path

import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.formats.feature_names.sparse import sparse_name
from campanula.stages.condensing.columns import columns_of
from campanula.stages.condensing.rows import TableRows, read_rows
from campanula.stages.condensing.sums import LearnedSums
from campanula.stages.decoding.sparse.options import SparseWeights
from tests.naive import sparse as naive

TEMPLATES = ["block", "word-pair", "source-triplet", "target-triplet", "block-orientation"]
WORDS = ["a", "b", "%", "~~", "ü"]


def rows_of(folder: Path, pairs: list[tuple[list[str], list[str]]]) -> TableRows:
    lines = [f"{' '.join(source)} ||| {' '.join(target)} ||| 1\n" for source, target in pairs]
    (folder / "table").write_text("".join(lines))
    [rows] = read_rows(str(folder / "table"), 1)
    return rows


@pytest.mark.parametrize("seed", range(5))
def test_sums_are_those_of_names(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    pairs = [
        (rng.choices(WORDS, k=rng.randint(1, 4)), rng.choices(WORDS, k=rng.randint(0, 4)))
        for _ in range(20)
    ]
    theta: dict[str, float] = {}
    for source, target in pairs:
        steps = [(0, len(source), tuple(target))]
        names = list(naive.features(source, steps, TEMPLATES[:-1]))
        block = (tuple(source), tuple(target))
        heads = [(prefix, turn) for prefix in ("back", "forw") for turn in "RLN"]
        names += [sparse_name(prefix, turn, *block) for prefix, turn in heads]
        theta |= {name: rng.uniform(-1, 1) for name in names if rng.random() < 0.5}
    columns = columns_of(TEMPLATES, ["c"])
    sums = LearnedSums(SparseWeights(columns.templates, theta), columns)
    rows = rows_of(tmp_path, pairs)
    local, oriented = sums.local(rows), sums.oriented(rows)
    assert sum(map(sums.weights, columns.every)) == len(theta)
    for x, (source, target) in enumerate(pairs):
        for k, column in enumerate(columns.local):
            steps = [(0, len(source), tuple(target))]
            fired = naive.features(source, steps, column.templates)
            expected = sum(theta.get(name, 0.0) * n for name, n in fired.items())
            assert local[x, k] == pytest.approx(expected, abs=1e-12)
        block = (tuple(source), tuple(target))
        heads = [(prefix, turn) for prefix in ("back", "forw") for turn in "RLN"]
        expected_turns = [theta.get(sparse_name(*head, *block), 0.0) for head in heads]
        np.testing.assert_allclose(oriented[x], expected_turns, atol=1e-12)


def test_a_name_that_no_feature_has_is_an_error() -> None:
    columns = columns_of(["block"], [])
    with pytest.raises(DataError, match="feature 'block_a'"):
        LearnedSums(SparseWeights(columns.templates, {"block_a": 1.0}, "w"), columns)
