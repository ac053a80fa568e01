"""Lists joined to references, oracles, lines of text."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.formats.records.kbest import KBest
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


def named(*ids: str) -> list[KBest]:
    lists, _ = random_lists(5, n_lists=len(ids))
    return [replace(kbest, id=name) for kbest, name in zip(lists, ids, strict=True)]


def test_lists_and_references_fit_by_their_ids() -> None:
    refs = References.of(["u2 b", "u1 a"])
    lists = named("u1", "u2")
    assert [k.id for k in scored_lists.with_references(lists, "dev", refs, False)] == ["u1", "u2"]
    more = References.of(["u2 b", "u1 a", "u3 c"])
    assert len(list(scored_lists.with_references(lists, "dev", more, True))) == 2
    expected = "references 1: line 3: expected a k-best list of 'u3' in dev, found none"
    with pytest.raises(DataError, match=expected):
        list(scored_lists.with_references(lists, "dev", more, False))
    with pytest.raises(DataError, match="references 1: expected a line of 'u4', which dev has"):
        list(scored_lists.with_references(named("u1", "u2", "u4"), "dev", refs, True))


def test_ids_that_only_later_lists_share_with_the_lines() -> None:
    ids = [f"v{i}" for i in range(8)] + [f"u{i}" for i in range(9)]
    refs = References.of([f"u{i} x" for i in range(17)])
    with pytest.raises(DataError, match="references 1: expected a line of 'v0', which dev has"):
        list(scored_lists.with_references(named(*ids), "dev", refs, False))
