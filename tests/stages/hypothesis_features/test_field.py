from dataclasses import replace

import numpy as np
import pytest

from campanula.formats.errors import ListError
from campanula.formats.records.kbest import KBest
from campanula.formats.records.texts import Texts
from campanula.stages.hypothesis_features.field import FEATURE
from tests.examples import random_lists

KBEST = random_lists(1, n_lists=1)[0][0]


def with_field(*texts: str) -> KBest:
    return replace(KBEST.take(np.zeros(len(texts), np.int64)), fields={"comet": Texts.of(texts)})


def test_numbers_of_a_field() -> None:
    assert FEATURE.values("comet").of_list(with_field("0.83", "-1")).tolist() == [0.83, -1.0]


def test_what_is_no_number_and_what_is_no_field() -> None:
    with pytest.raises(ListError, match="hypothesis 1: field 'comet': expected a finite number"):
        FEATURE.values("comet").of_list(with_field("1", "x"))
    with pytest.raises(ListError, match="expected a text field 'bleurt', found comet"):
        FEATURE.values("bleurt").of_list(with_field("1"))
