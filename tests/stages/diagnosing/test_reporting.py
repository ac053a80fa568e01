"""Tables and JSON of a diagnosis."""

import json
from dataclasses import replace

import numpy as np
import pytest

from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.stages.diagnosing.diagnosis import diagnose
from campanula.stages.diagnosing.reporting import as_json, as_tables
from campanula.stages.metrics.wer import Wer


@pytest.fixture
def lists():
    """Two lists of scores, word errors and features that say the same, and a list of one."""
    names = Names()
    texts = ["a b", "a c", "a b", ""], ["d e f", "d e"], ["g"]
    errors = [2, 1, 2, 3], [1, 0], [0]
    made = []
    for sid, (text, edits) in enumerate(zip(texts, errors, strict=True)):
        rows = [
            {"F0": -1.5 * j, "F1": 3.0 * j, "Same": 1.0 + sid} | ({"b_x": 1.0} if j else {})
            for j in range(len(text))
        ]
        rows = [rows[0] if text.index(t) < j and t else rows[j] for j, t in enumerate(text)]
        stats = np.array([[n, 3] for n in edits])
        made.append(
            KBest(
                sid,
                Texts.of(text),
                Features.of(rows, names),
                names,
                score=np.arange(len(text), dtype=float),
                stats=stats,
                gain=1.0 - stats[:, 0] / 3,
            )
        )
    return made


def test_the_tables(lists):
    table = "\n".join(as_tables(diagnose(lists, Wer())))
    assert table.split("\n\n")[0].splitlines() == [
        "3 lists, 7 hypotheses",
        "lengths                 mean  lowest  median  highest",
        "hypotheses a list       2.33       1       2        4",
        "different texts a list  2.00       1       2        3",
        "words a hypothesis      1.71       0       2        3",
        "with the text of one before it in its list: 1 (14.3%), and its features: 1",
        "lists of one hypothesis, with nothing to choose: 1",
        "hypotheses without a word: 1",
    ]
    assert table.split("\n\n")[1].splitlines() == [
        "metric:wer|gain:1-wer|nrefs:1|case:mixed|tok:none",
        "hypothesis       wer  mean gain  mean rank  is first  word edits to first  to oracle",
        "first          33.33     0.6667       1.00    100.0%                 0.00       0.67",
        "highest score  33.33     0.6667       2.33     33.3%                 1.00       0.67",
        "oracle         11.11     0.8889       1.67     33.3%                 0.67       0.00",
    ]
    assert table.split("\n\n")[2].splitlines() == [
        "oracle of the first k hypotheses",
        "k    wer  mean gain",
        "1  33.33     0.6667",
        "2  11.11     0.8889",
        "4  11.11     0.8889",
    ]
    features = table.split("\n\n")[3].splitlines()
    assert [line.split()[:4] for line in features[2:6]] == [
        ["F0", "-4.5", "0", "0.0%"],
        ["F1", "0", "9", "0.0%"],
        ["Same", "1", "3", "100.0%"],
        ["b_x", "0", "1", "0.0%"],
    ]
    assert features[6:] == [
        "constant in every list, so that no weight changes a choice: Same",
        "F0 and F1 differ alike within lists: one of them is enough",
    ]


def test_lists_without_gains_or_scores_or_features(lists):
    bare = [replace(k, stats=None, gain=None, score=None) for k in lists]
    table = "\n".join(as_tables(diagnose(bare)))
    assert "no gains: score-bleu adds them\nhypothesis  mean rank  is first" in table
    assert "oracle" not in table
    assert "r gain" not in table
    nothing = Features.of([{}], Names())
    alone = [replace(bare[2], features=nothing)]
    assert "feature" not in "\n".join(as_tables(diagnose(alone)))
    assert next(iter(as_tables(diagnose([])))) == "0 lists, 0 hypotheses"


def test_gains_without_a_metric(lists):
    table = "\n".join(as_tables(diagnose(lists)))
    assert "\n\nmean gain\nhypothesis     mean gain  mean rank" in table


def test_what_is_not_listed_is_counted(lists):
    table = "\n".join(as_tables(diagnose(lists, Wer(), ["F?"])))
    assert table.endswith(
        "other features: 2, on average 1.43 in a hypothesis; 0 in one list alone"
        " (--feature PATTERN lists some)"
    )


def test_json_has_all_in_full(lists):
    found = json.loads(as_json(diagnose(lists, Wer())))
    assert (found["lists"], found["hypotheses"]) == (3, 7)
    assert found["lengths"]["size"] == {"mean": 7 / 3, "lowest": 1, "median": 2.0, "highest": 4}
    assert found["metric"]["metric"] == "wer"
    assert [choice["name"] for choice in found["choices"]] == ["first", "highest score", "oracle"]
    assert found["choices"][2]["metric"] == pytest.approx(100 / 9)
    assert [oracle["k"] for oracle in found["oracles"]] == [1, 2, 4]
    assert found["features"][0]["alike"] == "F1"
    assert found["features"][2]["gain_correlation"] is None
    assert found["others"] is None
    nothing = json.loads(as_json(diagnose([])))
    assert nothing["choices"] == nothing["oracles"] == nothing["features"] == []
