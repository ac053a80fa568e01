"""Numbers of a feature by its name."""

import pytest

from campanula.formats.errors import ListError
from campanula.stages.hypothesis_features.named import numbers_of
from tests.listing import lists_of

LINES = "0 ||| a ||| AM= 3 Z= 0 x_y= 1 z_w= 2 ||| 5\n0 ||| b ||| AM= -1 Z= 0 x_y= 4 ||| 6\n"


def test_dense_sparse_and_binary_ones_and_the_score(tmp_path):
    (kbest,) = lists_of(tmp_path, LINES + "0 ||| c ||| AM= 0 Z= 0 ||| 7\n")
    assert numbers_of(kbest, "AM").tolist() == [3.0, -1.0, 0.0]
    assert numbers_of(kbest, "Z").tolist() == [0.0, 0.0, 0.0]
    assert numbers_of(kbest, "x_y").tolist() == [1.0, 4.0, 0.0]
    assert numbers_of(kbest, "z_w").tolist() == [2.0, 0.0, 0.0]
    assert numbers_of(kbest, "score").tolist() == [5.0, 6.0, 7.0]


def test_a_feature_called_score_comes_first(tmp_path):
    (kbest,) = lists_of(tmp_path, "0 ||| a ||| score= 3 ||| 5\n")
    assert numbers_of(kbest, "score").tolist() == [3.0]


def test_what_is_not_there_is_named(tmp_path):
    first, second = lists_of(tmp_path, "0 ||| a ||| x_y= 1\n1 ||| b ||| z_w= 1\n")
    assert numbers_of(first, "x_y").tolist() == [1.0]
    for kbest, name in ((second, "x_y"), (first, "score"), (first, "LM")):
        with pytest.raises(ListError, match=f"expected a feature '{name}', found [xz]_[yw]"):
            numbers_of(kbest, name)
