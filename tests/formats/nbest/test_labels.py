from __future__ import annotations

import pytest

from campanula.formats.errors import LineError
from campanula.formats.nbest.labels import Labels


def features(text: str, mark: str = "=") -> dict[str, float]:
    labels = Labels(mark)
    return labels.features(labels.groups(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", {}),
        ("LM0= -17.4", {"LM0": -17.4}),
        ("TM0= -0.2 -0.5", {"TM0_0": -0.2, "TM0_1": -0.5}),
        ("TM0= -0.2  -0.5\tLM0= 1", {"TM0_0": -0.2, "TM0_1": -0.5, "LM0": 1.0}),
        ("my_score= 1 pp_a~b= 2", {"my_score": 1.0, "pp_a~b": 2.0}),
        ("lm_0=-1 tm_pt_0=2", {"lm_0": -1.0, "tm_pt_0": 2.0}),
        ("a=b= 1 == 2 x:y= 3 |||= 4 %f= 5", {"a=b": 1, "=": 2, "x:y": 3, "|||": 4, "%f": 5}),
        ("Lex=a=0.5", {"Lex=a": 0.5}),
        ("-1 0 -0.3 tgt_the= 1", {"F0": -1.0, "F1": 0.0, "F2": -0.3, "tgt_the": 1.0}),
        ("LM0= 1E-5 +3 .5 1e+10", {"LM0_0": 1e-5, "LM0_1": 3.0, "LM0_2": 0.5, "LM0_3": 1e10}),
    ],
)
def test_labels_cover_the_values_that_follow(text: str, expected: dict[str, float]) -> None:
    assert features(text) == expected


def test_a_colon_may_end_a_label() -> None:
    assert features("LM: -1.7E1 a:b: 2 c=d:3", ":") == {"LM": -17.0, "a:b": 2.0, "c=d": 3.0}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("LM0= nan", "feature 'LM0': expected a finite number, found 'nan'"),
        ("LM0= 1 TM0= 2 -inf", "feature 'TM0': expected a finite number, found '-inf'"),
        ("LM0=inf", "feature 'LM0': expected a finite number, found 'inf'"),
        ("LM0= 0,5", "feature 'LM0': expected a number, found '0,5'"),
        ("LM0= TM0= 2", "feature 'LM0': expected a number, found none"),
        ("LM0= 1 LM0= 2", "label 'LM0' stands here for the second time"),
        ("TM0= 1 2 TM0_1= 3", "feature 'TM0_1' stands here for the second time"),
        ("1 word 2", "features: expected a number, found 'word'"),
        ("= 1", "features: expected a number, found '='"),
    ],
)
def test_what_is_wrong_is_named(text: str, problem: str) -> None:
    with pytest.raises(LineError, match=problem):
        features(text)


def test_a_label_has_the_same_number_of_values_in_every_line() -> None:
    labels = Labels()
    labels.features(labels.groups("TM0= 1 2 LM0= 3"))
    labels.features(labels.groups("LM0= 3 TM0= 1 2 pp_a= 1"))
    with pytest.raises(LineError, match="feature 'TM0': expected 2 values as before, found 3"):
        labels.features(labels.groups("TM0= 1 2 3"))
    labels.features(labels.groups("1 2"))
    with pytest.raises(LineError, match="without labels: expected 2 values as before, found 1"):
        labels.features(labels.groups("1"))


@pytest.mark.parametrize("text", ["LM0= 1", "LM0=1", "a=b= 1", "1=2"])
def test_features_are_recognised(text: str) -> None:
    assert Labels().recognise(text)


@pytest.mark.parametrize("text", ["", "the cat", "0-0 1-1", "a=b c", "= 3", "LM: 3", "-1 2", "nan"])
def test_other_fields_are_not(text: str) -> None:
    assert not Labels().recognise(text)


@pytest.mark.parametrize("text", ["LM=0,5 WP=-2", "a=b c", "0-1=0-1", "LM=1"])
def test_features_with_a_bad_number_seem_to_be_some(text: str) -> None:
    assert Labels().seems(text)
    assert not Labels().seems(f"x {text}")


def test_a_sparse_label_has_one_value_and_dense_ones_go_on_behind_it() -> None:
    labels = Labels(sparse=True)
    groups = labels.groups("-1 -2 TN_a= 1 TN_b= 1 -9 5")
    assert groups == {None: [-1.0, -2.0, -9.0, 5.0], "TN_a": [1.0], "TN_b": [1.0]}
    with pytest.raises(LineError, match="feature 'TN_a': expected one value, found another, '2'"):
        labels.groups("LM0= 1 TN_a= 1 2")
    assert Labels().groups("LM0= 1 TN_a= 1 2") == {"LM0": [1.0], "TN_a": [1.0, 2.0]}


def test_a_joined_label_has_one_value() -> None:
    with pytest.raises(LineError, match="feature 'LM': expected one value, found another, '5'"):
        Labels(joined=True).groups("LM=0 5 WP=1")
    assert Labels(joined=True).groups("LM= 0 WP=1") == {"LM": [0.0], "WP": [1.0]}
