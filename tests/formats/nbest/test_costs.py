"""Costs are turned where asked, and hinted at where they look like costs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.formats.nbest.costs import CostHints, negate
from campanula.formats.records.kbest import KBest
from tests.listing import lists_of
from tests.plain import plain

LINES = "0 ||| a ||| AC= 3 LM= -1 x_y= 1 z_w= 2 ||| 5\n0 ||| b ||| AC= 0 LM= -2 ||| 6\n"


def lists(folder: Path, text: str = LINES, form: str = "moses") -> list[KBest]:
    return lists_of(folder, text, form)


def test_features_that_patterns_match(tmp_path: Path) -> None:
    (found,) = negate(lists(tmp_path), ["A*", "x_y", "z_w"], "f")
    rows = plain(found)["features"]
    assert rows == [{"AC": -3.0, "LM": -1.0, "x_y": -1.0, "z_w": -2.0}, {"AC": 0.0, "LM": -2.0}]
    assert str(rows[1]["AC"]) == "0.0"
    assert plain(found)["score"] == [5.0, 6.0]
    (again,) = negate([found], ["A*", "x_y", "z_w"], "f")
    assert plain(again) == plain(lists(tmp_path)[0])


@pytest.mark.parametrize("name", ["score", "F0"])
def test_a_score_and_its_feature_are_one(tmp_path: Path, name: str) -> None:
    text = '{"alternatives": [{"text": "a", "confidence": 2.5}]}'
    (found,) = negate(lists(tmp_path, text, "vosk"), [name], "f")
    assert (plain(found)["score"], plain(found)["features"]) == ([-2.5], [{"F0": -2.5}])


def test_a_score_alone(tmp_path: Path) -> None:
    (found,) = negate(lists(tmp_path), ["score"], "f")
    assert found.score is not None
    assert found.score.tolist() == [-5.0, -6.0]
    assert found.features.dense.tolist() == lists(tmp_path)[0].features.dense.tolist()


def test_a_pattern_that_nothing_matches(tmp_path: Path) -> None:
    with pytest.raises(DataError) as error:
        list(negate(lists(tmp_path), ["AC", "TM*"], "f"))
    problem = "f: expected a feature that --negate 'TM*' matches, found AC, LM, score, x_y, z_w"
    assert str(error.value) == problem


def hints(folder: Path, text: str, form: str = "moses") -> list[str]:
    """What is said of lists that are looked at in one go; and in two, of which one is added."""
    hints, whole, rest = CostHints(), CostHints(), CostHints()
    found = lists(folder, text, form)
    for place, kbest in enumerate(found):
        hints.look(kbest)
        (whole if place else rest).look(kbest)
    whole.add(rest.counts(), found[0].names)
    assert list(whole.remarks()) == list(hints.remarks())
    return list(hints.remarks())


def test_a_feature_called_a_cost_that_is_never_below_0(tmp_path: Path) -> None:
    (hint,) = hints(tmp_path, LINES.replace("AC=", "ac_cost="))
    assert hint.startswith("ac_cost is never below 0; if lower is better, --negate ac_cost")
    assert hints(tmp_path, LINES) == []
    assert hints(tmp_path, LINES.replace("LM=", "LMcost=")) == []


def test_scores_that_rise_from_the_first_hypothesis(tmp_path: Path) -> None:
    text = "".join(f"{n} ||| a ||| LM= -1 ||| 1\n{n} ||| b ||| LM= -2 ||| 2\n" for n in range(10))
    (hint,) = hints(tmp_path, text)
    assert hint.startswith("the first hypotheses of 10 lists have the lowest scores")
    assert hints(tmp_path, text.replace("||| 2\n", "||| 0\n")) == []
    assert hints(tmp_path, text.replace("||| 2\n", "||| 1\n")) == []
    score = lists(tmp_path, text)[0].score
    assert score is not None
    assert np.isfinite(score).all()
