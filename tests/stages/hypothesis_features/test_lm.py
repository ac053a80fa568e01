"""Language model scores as a feature."""

from pathlib import Path

import numpy as np

from campanula.stages.decoding.language_model import SentenceScorer
from campanula.stages.hypothesis_features import lm
from tests.examples import random_lists

ARPA = "\\data\\\nngram 1=3\n\n\\1-grams:\n-1.5 <s> 0\n-0.25 </s>\n-2 <unk>\n\\end\\\n"


def test_values_are_those_of_the_scorer(tmp_path: Path) -> None:
    (tmp_path / "lm").write_text(ARPA)
    values, scorer = lm.values(str(tmp_path / "lm")), SentenceScorer(str(tmp_path / "lm"))
    (kbest, *_), _ = random_lists(seed=1, n_lists=1)
    np.testing.assert_array_equal(values.of_list(kbest), scorer(kbest.text))
    assert values.signature == f"lm:{scorer.digest}"
