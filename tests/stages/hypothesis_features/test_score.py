from dataclasses import replace

import numpy as np
import pytest

from campanula.formats.errors import ListError
from campanula.stages.hypothesis_features.score import FEATURE
from tests.examples import random_lists


def test_the_score_of_the_lists() -> None:
    kbest = random_lists(1, n_lists=1)[0][0]
    scored = replace(kbest, score=np.arange(len(kbest), dtype=np.float64))
    assert FEATURE.values().of_list(scored).tolist() == list(range(len(kbest)))
    with pytest.raises(ListError, match="expected scores, found none"):
        FEATURE.values().of_list(replace(kbest, score=None))
