"""Systems in memory compared: sacrebleu's values, replicates, any metric that compares texts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from sacrebleu.metrics.bleu import BLEU

from campanula.formats.errors import DataError
from campanula.formats.text.references import References
from campanula.stages.comparing.comparison import Comparison, compare
from campanula.stages.comparing.significance import Chance, Sampling
from campanula.stages.metrics.bleu import Bleu
from campanula.stages.metrics.gain_function import MeanGain

REFS = ["the cat sat on the mat .", "a dog ran", "", "it is 3.5 % , OK"]
BASE = ["the cat sat on a mat .", "a dog", "x", "it is 3 , ok"]
ONE = ["the cat sat on the mat .", "dog ran", "", "it is 3.5 % , OK"]
TWO = ["the cat sat on the mat .", "a dog ran", "y", "it is 3 % , OK"]
FEW = Sampling(samples=50, trials=60)


def found(systems: dict[str, Any], *metrics: Any, **options: Any) -> list[Comparison]:
    return compare(systems, References.of(REFS), metrics or ("bleu",), FEW, **options)


def test_values_are_sacrebleus_and_the_first_is_the_baseline() -> None:
    (comparison,) = found({"base": BASE, "new": [ONE, TWO]})
    judge = BLEU(tokenize="none", force=True)
    files = [[BASE], [ONE, TWO]]
    values = [[judge.corpus_score(lines, [REFS]).score for lines in system] for system in files]
    assert [list(result.values) for result in comparison.results] == values
    base, new = comparison.results
    (difference,) = comparison.differences
    assert (difference.first, difference.second) == ("base", "new")
    assert difference.value == pytest.approx(new.mean - base.mean)
    assert comparison.improves(difference)
    assert base.deviation is None
    assert new.deviation == pytest.approx(abs(values[1][0] - values[1][1]) / 2**0.5)
    assert all(r.interval[0] <= r.mean <= r.interval[1] for r in comparison.results)
    assert comparison.signature.startswith("BLEU|nrefs:1|bs:50|ar:60|seed:12345|case:mixed")


def test_a_metric_has_its_settings_and_the_number_of_references() -> None:
    (comparison,) = found({"base": BASE}, Bleu(lowercase=True, n_refs=7))
    assert "|nrefs:1|" in comparison.signature
    assert "|case:lc|" in comparison.signature
    assert comparison.differences == []


def test_wer_and_a_metric_of_ones_own() -> None:
    def same(text: str, references: Iterable[str]) -> float:
        return float(text in references)

    wer, own = found({"base": BASE, "one": ONE, "again": [BASE]}, "wer", MeanGain(function=same))
    assert wer.higher_is_better is False
    assert wer.differences[0].value < 0.0
    assert wer.improves(wer.differences[0]) is True
    assert wer.improves(wer.differences[1]) is None
    assert [result.values for result in own.results] == [(0.0,), (0.75,), (0.0,)]
    assert own.improves(own.differences[0]) is True
    assert own.differences[1].chance == Chance(1.0, 1.0, 0, True)
    assert own.digits == 4


def test_all_pairs_are_corrected_for_their_number() -> None:
    systems = {"base": BASE, "one": ONE, "two": TWO}
    (pairs,) = found(systems, all_pairs=True)
    (first,) = found(systems)
    names = [(d.first, d.second) for d in pairs.differences]
    assert names == [("base", "one"), ("base", "two"), ("one", "two")]
    assert [d.chance for d in pairs.differences[:2]] == [d.chance for d in first.differences]
    least = min(d.chance.randomisation for d in pairs.differences)
    assert min(d.holm for d in pairs.differences) == pytest.approx(min(1.0, 3 * least))


def test_sentences_keep_the_mean_gain_of_the_replicates() -> None:
    (wer,) = found({"base": BASE, "new": [ONE, TWO]}, "wer")
    assert wer.results[1].gain == pytest.approx([1.0, (2 / 3 + 1) / 2, 0.5, (1 + 0.8333333) / 2])


def test_an_output_is_as_long_as_the_references() -> None:
    with pytest.raises(DataError, match="new: expected 4 lines, as references 1 has, found 1"):
        found({"base": BASE, "new": [ONE, ["x"]]})


def test_a_watch_sees_sentences_and_then_groups_to_deal_out() -> None:
    seen: list[tuple[str, int]] = []

    def watch(items: Iterable[Any], label: str, total: int) -> Iterable[Any]:
        seen.append((label, total))
        return items

    many = {"base": ["x", *BASE[1:]] * 6, "new": TWO * 6}
    compare(many, References.of(REFS * 6), ["wer"], FEW, watch=watch)
    assert seen == [("wer", 24), ("wer: new", 2)]
