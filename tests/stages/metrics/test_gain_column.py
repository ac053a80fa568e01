"""Another program's numbers as gains: of a file or of a field, scaled or from 0 to 1."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.formats.records.kbest import KBest
from campanula.formats.records.texts import Texts
from campanula.stages.metrics.gain_column import ListNumbers, column_gains
from tests.examples import random_lists
from tests.present import present


@pytest.fixture
def lists() -> list[KBest]:
    return random_lists(4, n_lists=3, max_size=4)[0]


def write(path: Path, numbers: list[float]) -> str:
    path.write_text("".join(f"{number!r}\n" for number in numbers))
    return str(path)


def with_fields(lists: list[KBest], texts: list[list[str]]) -> list[KBest]:
    return [
        replace(kbest, fields={"comet": Texts.of(text)})
        for kbest, text in zip(lists, texts, strict=True)
    ]


def test_a_file_has_a_line_for_every_hypothesis(tmp_path: Path, lists: list[KBest]) -> None:
    numbers = np.random.default_rng(1).random(sum(map(len, lists))).tolist()
    column = ListNumbers(write(tmp_path / "c", numbers), None, "dev")
    found = list(column_gains(lists, column, "dev", ()))
    column.finish()
    assert [len(kbest) for kbest in found] == [len(kbest) for kbest in lists]
    assert [gain for kbest in found for gain in present(kbest.gain).tolist()] == numbers
    stats = np.concatenate([kbest.stats for kbest in found])
    assert stats[:, 0] == pytest.approx(np.array(numbers) * 1e9, abs=0.5)
    assert stats[:, 1].tolist() == [1] * len(numbers)


def test_a_field_of_the_lists(lists: list[KBest]) -> None:
    texts = [[f"0.{sid}{j}" for j in range(len(kbest))] for sid, kbest in enumerate(lists)]
    column = ListNumbers(None, "comet", "dev")
    found = list(column_gains(with_fields(lists, texts), column, "dev", ()))
    column.finish()
    gains = [present(kbest.gain).tolist() for kbest in found]
    assert gains == [[float(t) for t in row] for row in texts]


@pytest.mark.parametrize("limits", [(-1.0, 3.0), (100.0, 0.0)])
def test_a_range_is_scaled_and_cut_off(lists: list[KBest], limits: tuple[float, float]) -> None:
    low, high = limits
    numbers = [low, high, (low + high) / 2, low - (high - low), high + (high - low)]
    kbest = lists[0].take(np.zeros(5, np.int64))
    found = list(column_gains([kbest], lambda _: np.array(numbers), "dev", limits))
    assert found[0].gain == pytest.approx([0.0, 1.0, 0.5, 0.0, 1.0])


@pytest.mark.parametrize("number", [-0.01, 1.01, 87.0])
def test_a_gain_beyond_0_to_1_is_refused(lists: list[KBest], number: float) -> None:
    with pytest.raises(DataError, match="dev: sentence 0: expected gains from 0 to 1, found"):
        list(column_gains(lists[:1], lambda k: np.full(len(k), number), "dev", ()))


def test_too_few_or_too_many_numbers(tmp_path: Path, lists: list[KBest]) -> None:
    total = sum(map(len, lists))
    column = ListNumbers(write(tmp_path / "c", [0.5] * (total - 1)), None, "dev")
    with pytest.raises(DataError, match=f"found {total - 1} lines; sentence 2 needs more"):
        list(column_gains(lists, column, "dev", ()))
    column = ListNumbers(write(tmp_path / "c", [0.5] * (total + 1)), None, "dev")
    list(column_gains(lists, column, "dev", ()))
    with pytest.raises(DataError, match=f"expected {total} numbers, one for every .* of dev"):
        column.finish()


def test_a_field_that_is_not_there_or_no_number(lists: list[KBest]) -> None:
    with pytest.raises(DataError, match="sentence 0: expected a text field 'comet', found none"):
        ListNumbers(None, "comet", "dev")(lists[0])
    texts = [["x"] * len(kbest) for kbest in lists]
    problem = "dev: sentence 1: hypothesis 0: field 'comet': expected a finite number"
    with pytest.raises(DataError, match=problem):
        ListNumbers(None, "comet", "dev")(with_fields(lists, texts)[1])


def test_the_digest_is_that_of_the_numbers(tmp_path: Path) -> None:
    digests = {
        ListNumbers(write(tmp_path / "c", numbers), None, "dev").digest()
        for numbers in ([0.1, 0.2], [0.2, 0.1], [0.1])
    }
    assert len(digests) == 3
    assert ListNumbers(None, "comet", "dev").digest() == "field comet"
