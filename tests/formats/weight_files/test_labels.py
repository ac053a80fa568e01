from __future__ import annotations

from campanula.formats.weight_files.labels import is_dense, labelled


def test_numbered_names_stand_behind_a_label() -> None:
    names = ["TM0_1", "LM0", "TM0_0", "pp_a", "x_0", "y_1", "z_0", "z_1", "z", "_0", "_1"]
    assert list(labelled(dict.fromkeys(names, 0.0))) == [
        ("TM0", ["TM0_0", "TM0_1"]),
        ("LM0", ["LM0"]),
        ("pp_a", ["pp_a"]),
        ("x_0", ["x_0"]),
        ("y_1", ["y_1"]),
        ("z_0", ["z_0"]),
        ("z_1", ["z_1"]),
        ("z", ["z"]),
        ("_0", ["_0"]),
        ("_1", ["_1"]),
    ]


def test_a_gap_ends_a_label() -> None:
    assert list(labelled({"a_0": 0, "a_1": 0, "a_3": 0})) == [
        ("a", ["a_0", "a_1"]),
        ("a_3", ["a_3"]),
    ]


def test_dense() -> None:
    assert is_dense("LM0", ["LM0"])
    assert is_dense("my_score", ["my_score_0", "my_score_1"])
    assert not is_dense("pp_a", ["pp_a"])
