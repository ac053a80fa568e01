from itertools import pairwise

import numpy as np
import pytest

from campanula.stages.growth.interned import Interned


@pytest.mark.parametrize("size", [0, 1, 40, 3000])
def test_texts_are_numbered_as_they_are_met(size):
    rng = np.random.default_rng(size)
    texts = [b"w%d \xc3\xa9" % k for k in rng.integers(0, size // 2 + 1, size)] + [b""]
    numbers: dict[bytes, int] = {}
    expected = [numbers.setdefault(text, len(numbers)) for text in texts]
    interned = Interned()
    cuts = [0, size // 3, size // 3, size + 1]
    parts = [interned.ids(texts[a:b]) for a, b in pairwise(cuts)]
    assert np.concatenate(parts).tolist() == expected
    assert len(interned) == len(numbers)
    assert interned.ids([b"", *texts[:3]]).tolist() == [expected[-1], *expected[:3]]
