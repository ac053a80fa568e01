"""Lists joined to references, oracles, lines of text."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.formats.records.kbest import KBest
from campanula.formats.records.texts import Texts
from campanula.formats.text.references import References
from campanula.stages.metrics import scored_lists
from campanula.stages.metrics.bleu import Bleu
from campanula.stages.metrics.wer import Wer
from tests.examples import random_lists


def references(tmp_path: Path, n_lines: int) -> References:
    (tmp_path / "ref").write_text("x\n" * n_lines)
    return References.read([str(tmp_path / "ref")])


def test_lists_and_references_must_fit(tmp_path: Path) -> None:
    lists, _ = random_lists(3, n_lists=4)
    join = scored_lists.with_references
    assert list(join(lists, "dev", references(tmp_path, 4), False)) == lists
    with pytest.raises(DataError) as few:
        list(join(lists, "dev", references(tmp_path, 3), True))
    ref = str(tmp_path / "ref")
    problem = f"expected a reference in {ref}, found the end after 3 lines"
    assert str(few.value) == f"dev: sentence 3: {problem}"
    with pytest.raises(
        DataError, match=r"ref: line 5: expected a k-best list of sentence 4 in dev"
    ):
        list(join(lists, "dev", references(tmp_path, 6), False))
    assert list(join(lists, "dev", references(tmp_path, 6), True)) == lists


def test_a_gap_in_the_lists_names_the_first_line_without_one(tmp_path: Path) -> None:
    lists, _ = random_lists(3, n_lists=4)
    with pytest.raises(DataError, match="ref: line 2: expected a k-best list of sentence 1"):
        list(
            scored_lists.with_references(
                lists[:1] + lists[3:], "dev", references(tmp_path, 4), False
            )
        )


def test_no_lists_and_no_references(tmp_path: Path) -> None:
    assert list(scored_lists.with_references([], "dev", references(tmp_path, 0), False)) == []


def with_gains(gain: list[float], stats: list[list[int]] | None = None) -> KBest:
    kbest = random_lists(3, n_lists=1)[0][0].take(np.zeros(len(gain), np.int64))
    return replace(kbest, gain=np.array(gain), stats=None if stats is None else np.array(stats))


def test_oracles_are_the_highest_gains_and_ties_go_to_the_lower_index() -> None:
    kbest = with_gains([0.2, 0.5, 0.1, 0.5, 0.5])
    for metric in (None, Bleu()):
        assert scored_lists.oracles(kbest, metric, 1).tolist() == [1]
        assert scored_lists.oracles(kbest, metric, 4).tolist() == [1, 3, 4, 0]
        assert scored_lists.oracles(kbest, metric, 9).tolist() == [1, 3, 4, 0, 2]


def test_error_rates_beyond_1_have_an_oracle_by_their_statistics() -> None:
    kbest = with_gains([0.0, 0.0, 0.0, 0.0], [[9, 3], [4, 3], [8, 6], [5, 3]])
    assert scored_lists.oracles(kbest, Wer(), 4).tolist() == [1, 2, 3, 0]
    assert scored_lists.oracles(kbest, None, 4).tolist() == [0, 1, 2, 3]
    other = with_gains([0.0, 0.5], [[9] * 10, [4] * 10])
    assert scored_lists.oracles(other, Wer(), 1).tolist() == [1]


def test_lists_without_gains_are_refused() -> None:
    lists = random_lists(5)[0]
    assert list(scored_lists.scored(lists, "dev")) == lists
    with pytest.raises(DataError, match="dev: sentence 1: expected gains"):
        list(scored_lists.scored([lists[0], replace(lists[1], gain=None)], "dev"))


def test_text_lines_stand_at_their_sentence() -> None:
    lists = random_lists(5, n_lists=4)[0]
    lines = scored_lists.text_lines
    assert list(lines(lists, "dev", False)) == ["hypothesis 0"] * 4
    gaps = [lists[1], lists[3]]
    assert list(lines(gaps, "dev", True)) == ["", "hypothesis 0", "", "hypothesis 0"]
    with pytest.raises(DataError, match="dev: sentence 0: expected its k-best list"):
        list(lines(gaps, "dev", False))
    with pytest.raises(DataError, match="dev: sentence 0: expected one line of text"):
        list(lines([replace(lists[0], text=Texts.of(["a\nb"]))], "dev", False))
