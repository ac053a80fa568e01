"""Outputs with statistics and gains, a file beside another."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from campanula.formats.text.references import References
from campanula.stages.comparing.scored_outputs import ScoredOutputs, side_by_side
from campanula.stages.metrics.table import metric_named

REF = ["a b c", "d"]
FILES = [["a b", "d"], ["a b c", "e"], ["", "d"]]


def test_statistics_and_gains_by_sentence_and_file() -> None:
    seen: list[tuple[str, int]] = []

    def watch(items: Iterable[Any], label: str, total: int) -> Iterable[Any]:
        seen.append((label, total))
        return items

    scored = ScoredOutputs.of_texts(metric_named("wer"), FILES, References.of(REF), 2, watch)
    assert scored.stats.tolist() == [[[1, 3], [0, 3], [3, 3]], [[0, 1], [1, 1], [0, 1]]]
    assert scored.gain.round(3).tolist() == [[0.667, 1.0, 0.0], [1.0, 0.0, 1.0]]
    assert seen == [("wer", 2)]


def test_a_sentence_has_its_outputs_in_the_order_of_the_files() -> None:
    lists = list(side_by_side(FILES))
    assert [kbest.sid for kbest in lists] == [0, 1]
    assert list(lists[0].text) == ["a b", "a b c", ""]
