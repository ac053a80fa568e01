"""The table and the JSON of a comparison."""

from __future__ import annotations

import json

import pytest

from campanula.stages.comparing.comparison import Comparison, Result
from campanula.stages.comparing.printing import as_json, table
from campanula.stages.comparing.significance import Chance
from campanula.stages.comparing.systems import System

BLEU = Comparison(
    "BLEU",
    "BLEU|nrefs:1",
    True,
    [
        Result("base", (20.0, 21.0), None),
        Result("new", (22.25,), Chance(0.04, 0.00025)),
    ],
)
TER = Comparison("TER", "TER|nrefs:1", False, [Result("ü", (7.125,), None)])
SYSTEMS = [System("base", ("a", "b")), System("new", ("c",)), System("ü", ("a",))]


def test_table() -> None:
    assert list(table([BLEU, TER])) == [
        "BLEU|nrefs:1",
        "system  files   mean    sd   diff  bootstrap p  randomisation p",
        "base        2  20.50  0.71",
        "new         1  22.25        +1.75       0.0400           0.0003",
        "",
        "TER|nrefs:1 (lower is better)",
        "system  files  mean  sd  diff  bootstrap p  randomisation p",
        "ü           1  7.12",
    ]


def test_a_mean_of_gains_is_shown_to_more_digits() -> None:
    mean = Comparison("comet", "comet", True, [Result("a", (0.81239,), None)], digits=4)
    assert list(table([mean]))[2].split() == ["a", "1", "0.8124"]


def test_json_has_every_value() -> None:
    (bleu, ter) = json.loads(as_json([BLEU, TER], SYSTEMS))
    assert bleu["signature"] == "BLEU|nrefs:1"
    assert bleu["systems"][0] == {
        "name": "base",
        "files": ["a", "b"],
        "values": [20.0, 21.0],
        "mean": 20.5,
        "sd": pytest.approx(0.5**0.5),
        "difference": None,
        "bootstrap_p": None,
        "randomisation_p": None,
    }
    assert bleu["systems"][1]["difference"] == 1.75
    assert bleu["systems"][1]["randomisation_p"] == 0.00025
    assert ter["higher_is_better"] is False
