"""Language model scores as a feature."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.formats.records.texts import Texts
from campanula.stages.decoding.language_model import SentenceScorer
from campanula.stages.hypothesis_features import lm
from tests.examples import random_lists

pytestmark = pytest.mark.usefixtures("own_cache")

ARPA = "\\data\\\nngram 1=3\n\n\\1-grams:\n-1.5 <s> 0\n-0.25 </s>\n-2 <unk>\n\\end\\\n"


def test_values_are_those_of_the_scorer(tmp_path: Path) -> None:
    (tmp_path / "lm").write_text(ARPA)
    values, scorer = lm.values(str(tmp_path / "lm")), SentenceScorer.of_file(str(tmp_path / "lm"))
    (kbest, *_), _ = random_lists(seed=1, n_lists=1)
    np.testing.assert_array_equal(values.of_list(kbest), scorer(kbest.text))
    assert values.signature == f"lm:{scorer.digest}"


def test_values_of_a_model_over_classes(tmp_path: Path) -> None:
    (tmp_path / "lm").write_text(ARPA)
    (tmp_path / "classes").write_text("a\t<unk>\nb\t</s>x\n")
    path, classes = str(tmp_path / "lm"), str(tmp_path / "classes")
    with pytest.raises(DataError, match=r"expected classes that .*lm has as its words"):
        lm.values(path, classes)
    (tmp_path / "lm").write_text(ARPA.replace("1=3", "1=4").replace("-2 <unk>", "-2 <unk>\n-3 7"))
    (tmp_path / "classes").write_text("a\t7\nb\t7\n")
    values = lm.values(path, classes)
    kbest = replace(random_lists(seed=1, n_lists=1)[0][0], text=Texts.of(["a b", "c", "7"]))
    expected = np.array([-6.25, -2.25, -2.25]) * np.log(10)
    np.testing.assert_allclose(values.of_list(kbest), expected, rtol=1e-6)
    assert values.signature != f"lm:{SentenceScorer.of_file(path).digest}"
