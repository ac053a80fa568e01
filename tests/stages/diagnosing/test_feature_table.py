"""The table of features: the twin's numbers, whatever is dense, sparse, constant or too large."""

import numpy as np
import pytest

from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.stages.diagnosing import feature_table
from campanula.stages.diagnosing.feature_table import FeatureSums, about_mean, sort_key
from tests.examples import random_lists
from tests.naive import diagnosis as naive
from tests.plain import plain


def lines_of(lists, ids=None):
    """The lines by name; ids: of each list, the features that have a row from it on."""
    table = FeatureSums()
    names = lists[0].names
    every = np.arange(len(names), dtype=np.int32)
    for i, kbest in enumerate(lists):
        table.add(kbest, every if ids is None else ids[i])
    return {line.name: line for line in table.lines(names)}


def check(found, expected):
    """Whether a line is the twin's; of features that are alike to a rounding any may be named."""
    assert found.lowest == expected["lowest"]
    assert found.highest == expected["highest"]
    assert found.constant == pytest.approx(expected["constant"])
    assert found.gain_correlation == pytest.approx(expected["gain_correlation"])
    most = max(map(abs, expected["alike"].values()), default=None)
    if most is None:
        assert (found.alike, found.alike_correlation) == (None, None)
    else:
        assert abs(found.alike_correlation) == pytest.approx(most)
        assert found.alike_correlation == pytest.approx(expected["alike"][found.alike])


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("max_size", [1, 3, 12])
def test_all_lines_are_the_twins(seed, max_size):
    lists, _ = random_lists(seed, 6, max_size)
    found = lines_of(lists)
    expected = naive.features([plain(kbest) for kbest in lists], list(lists[0].names))
    assert list(found) == sorted(expected)
    for name, line in found.items():
        check(line, expected[name])


def test_names_are_in_the_order_of_their_numbers():
    names = ["F10", "F2", "F02", "LM0", "F", "F1_10", "F1_9", "F" + "9" * 5000]
    ordered = ["F", "F1_9", "F1_10", "F02", "F2", "F10", "F" + "9" * 5000, "LM0"]
    assert sorted(names, key=sort_key) == ordered


def test_rows_come_late_and_go():
    lists, _ = random_lists(2, 8, 6)
    last = [2, 5, 0, 3, 1]
    asked = [[0, 1], [0, 1], [2, 0, 1], last, last, last, [5, 0, 1], [5, 1]]
    seen = set()
    for at, numbers in enumerate(asked):  # what has no row yet has been in no list
        seen |= set(numbers)
        kept = np.isin(np.arange(len(lists[0].names)), sorted(seen))
        lists[at] = KBest(
            at,
            lists[at].text,
            lists[at].features.only(kept),
            lists[at].names,
            gain=lists[at].gain,
        )
    found = lines_of(lists, [np.array(numbers, np.int32) for numbers in asked])
    names = [lists[0].names[i] for i in asked[-1]]
    assert set(found) == set(names)
    expected = naive.features([plain(kbest) for kbest in lists], names)
    for name, line in found.items():
        check(line, expected[name])


def test_of_very_many_the_gain_alone_is_correlated(monkeypatch):
    lists, _ = random_lists(4, 6, 6)
    before = lines_of(lists)
    monkeypatch.setattr(feature_table, "MOST_PAIRED", 3)
    for name, line in lines_of(lists).items():
        assert line.gain_correlation == pytest.approx(before[name].gain_correlation)
        assert (line.alike, line.alike_correlation) == (None, None)


def of_rows(rows, gain=None):
    names = Names()
    made = []
    for sid, row in enumerate(rows):
        gains = None if gain is None else np.array(gain[sid])
        text = Texts.of(["x"] * len(row))
        made.append(KBest(sid, text, Features.of(row, names), names, gain=gains))
    return made


def test_a_feature_that_is_constant_correlates_with_nothing_and_no_rounding_does():
    rows = [[{"third": 1 / 3, "x": j / 7} for j in range(n)] for n in (3, 7, 11)]
    found = lines_of(of_rows(rows, [[0.05 * j for j in range(n)] for n in (3, 7, 11)]))
    assert found["third"].constant == 1.0
    assert found["third"].gain_correlation is None
    assert found["third"].alike is None
    assert found["x"].alike is None
    assert found["x"].gain_correlation == pytest.approx(1.0)
    assert about_mean(np.full((1, 7), 1 / 3)).tolist() == [[0.0] * 7]


def test_multiples_within_lists_have_correlation_1():
    rows = [[{"a": sid + j, "b": -3.0 * j} for j in range(4)] for sid in range(3)]
    found = lines_of(of_rows(rows))
    assert (found["a"].alike, found["a"].alike_correlation) == ("b", pytest.approx(-1.0))
    assert found["a"].gain_correlation is None


def test_numbers_too_large_to_square_have_no_correlation():
    rows = [[{"huge": 1e200 * j, "x": 1.0 * j * j} for j in range(4)]]
    with np.errstate(over="ignore", invalid="ignore"):
        found = lines_of(of_rows(rows, [[0.0, 0.1, 0.2, 0.3]]))
    assert found["huge"].highest == 3e200
    assert (found["huge"].gain_correlation, found["huge"].alike) == (None, None)
    assert found["x"].gain_correlation is not None
