from dataclasses import replace

import numpy as np
import pytest

from campanula.formats.errors import ListError
from campanula.formats.records.kbest import KBest
from campanula.formats.records.text_fields import numbers_of_field, texts_of_field
from campanula.formats.records.texts import Texts
from tests.examples import random_lists

KBEST = random_lists(1, n_lists=1)[0][0]


def with_field(*texts: str) -> KBest:
    return replace(KBEST.take(np.zeros(len(texts), np.int64)), fields={"comet": Texts.of(texts)})


def test_texts_and_numbers_of_a_field() -> None:
    kbest = with_field("0.83", "-1")
    assert list(texts_of_field(kbest, "comet")) == ["0.83", "-1"]
    assert numbers_of_field(kbest, "comet").tolist() == [0.83, -1.0]


@pytest.mark.parametrize("text", ["x", "", "nan", "inf"])
def test_a_text_that_is_no_finite_number(text: str) -> None:
    with pytest.raises(ListError, match="hypothesis 1: field 'comet': expected a finite number"):
        numbers_of_field(with_field("1", text), "comet")


def test_a_field_that_a_list_lacks() -> None:
    with pytest.raises(ListError, match="expected a text field 'bleurt', found comet"):
        numbers_of_field(with_field("1"), "bleurt")
    with pytest.raises(ListError, match="expected a text field 'comet', found none"):
        texts_of_field(KBEST, "comet")
