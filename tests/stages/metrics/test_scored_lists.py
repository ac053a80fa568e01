"""Lists joined to references, oracles, lines of text, and the summary."""

from __future__ import annotations

import json
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
from campanula.stages.metrics.table import metric_named
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


def test_summary_without_a_metric_gives_mean_gains() -> None:
    lists, plain = random_lists(5, n_lists=4)
    summary = scored_lists.Summary(None)
    assert list(summary.count(lists)) == lists
    first = sum(hyps[0][1] for hyps in plain) / 4
    oracle = sum(max(gain for _, gain in hyps) for hyps in plain) / 4
    assert f"first: mean gain = {first:.4f}; oracle: {oracle:.4f}" in str(summary)
    assert str(scored_lists.Summary(Bleu())) == "0 lists, 0 hypotheses"


def test_summary_of_statistics() -> None:
    lists = random_lists(5, n_lists=3)[0]
    worse, better = [4, 4, 2, 1, 1, 1, 4, 3, 2, 1], [4, 4, 4, 3, 2, 1, 4, 3, 2, 1]
    lists = [
        replace(r, stats=np.array([better if g == max(r.gain) else worse for g in r.gain]))
        for r in lists
    ]
    summary = scored_lists.Summary(Bleu())
    assert list(summary.count(lists)) == lists
    first = np.sum([r.stats[0] for r in lists], axis=0)
    assert str(summary).endswith(f"first: {Bleu().report(first).line}; oracle: 100.00")


@pytest.mark.parametrize("name", ["bleu", "wer"])
def test_summary_as_json_has_the_values_of_the_words(name: str) -> None:
    metric = metric_named(name)
    width = 10 if name == "bleu" else 2
    stats = np.array([[5, 5, 4, 2, 1, 1, 5, 4, 3, 2][:width], [1] * width])
    lists, _ = random_lists(5, n_lists=1)
    scored = replace(lists[0].take(np.arange(2)), stats=stats, gain=np.array([0.2, 0.4]))
    summary = scored_lists.Summary(metric)
    said = json.loads(summary.to_json())
    assert (said["lists"], said["first"], said["oracle"]) == (0, None, None)
    list(summary.count([scored]))
    said = json.loads(summary.to_json())
    assert (said["lists"], said["hypotheses"], said["metric"]) == (1, 2, name)
    assert said["higher_is_better"] == (name == "bleu")
    assert said["first"] == metric.report(stats[0]).value
    assert said["oracle"] == metric.report(stats[1]).value


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


def test_summaries_of_parts_add_up() -> None:
    rng = np.random.default_rng(3)
    lists = [
        replace(r, stats=np.sort(rng.integers(0, 9, (len(r), 10)), axis=1)[:, ::-1])
        for r in random_lists(5, n_lists=7)[0]
    ]
    whole, parts = scored_lists.Summary(Bleu()), scored_lists.Summary(Bleu())
    list(whole.count(lists))
    for part in (lists[:3], lists[3:4], lists[4:]):
        counted = scored_lists.Summary(Bleu())
        list(counted.count(part))
        assert parts.add(json.loads(json.dumps(counted.counts())))
    assert str(parts) == str(whole)
    assert parts.to_json() == whole.to_json()


def test_a_summary_of_gains_alone_does_not_add_up_exactly() -> None:
    part = scored_lists.Summary(Bleu())
    list(part.count(random_lists(5)[0]))
    assert not scored_lists.Summary(Bleu()).add(part.counts())
