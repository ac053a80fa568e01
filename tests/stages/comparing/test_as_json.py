"""The JSON of a comparison."""

from __future__ import annotations

import json

import pytest

from campanula.stages.comparing.as_json import as_json
from campanula.stages.comparing.comparison import Comparison
from campanula.stages.comparing.significance import Sampling
from tests.stages.comparing.test_reporting import BASE, GAIN, LOSS, NEW, OTHER, TER

FILES = {"base": ("a", "b"), "new": ("c",), "ü": ("a",)}


def test_it_has_every_value() -> None:
    bleu = Comparison("BLEU", "BLEU|nrefs:1", True, [BASE, NEW], [GAIN], Sampling(10, 20, 3))
    first, ter = json.loads(as_json([bleu, TER], FILES))
    assert (first["samples"], first["trials"], first["seed"]) == (10, 20, 3)
    assert first["signature"] == "BLEU|nrefs:1"
    assert first["systems"][0] == {
        "name": "base",
        "files": ["a", "b"],
        "values": [20.0, 21.0],
        "mean": 20.5,
        "sd": pytest.approx(0.5**0.5),
        "interval": [19.0, 22.0],
        "difference": None,
        "bootstrap_p": None,
        "randomisation_p": None,
    }
    assert first["systems"][1]["difference"] == 1.75
    assert first["systems"][1]["randomisation_p"] == 0.00025
    assert ter["higher_is_better"] is False
    assert ter["differences"][1] == {
        "first": "base",
        "second": "ü",
        "difference": -13.375,
        "interval": [-20.0, -5.0],
        "improves": True,
        "differing": 16,
        "bootstrap_p": 0.001,
        "randomisation_p": 2.0**-15,
        "randomisation_exact": True,
        "holm_p": 2.0**-14,
    }


def test_pairs_without_the_first_stand_in_the_differences_alone() -> None:
    pair = LOSS.__class__("new", "ü", -1.0, LOSS.chance, 0.5, (-2.0, 0.0))
    comparison = Comparison("BLEU", "s", True, [BASE, NEW, OTHER], [GAIN, LOSS, pair])
    (found,) = json.loads(as_json([comparison], FILES))
    assert [d["first"] for d in found["differences"]] == ["base", "base", "new"]
    assert found["systems"][2]["difference"] == -13.375
