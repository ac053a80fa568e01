"""Kernels of lexical weights without a pair's links; whole lists stand in tests of decoding."""

from __future__ import annotations

import numpy as np

from campanula.stages.kernels.bitext.left_lexical import log_gain, share


def test_no_weight_gains_more_than_the_bound():
    for total in (1, 7, 5_000_000):
        for n in (0, 1, total // 2, 3 * total):
            for count in {1, (total + 1) // 2, total}:
                gain = np.log(share(count, total)) - np.log(share(count, total + n))
                assert gain <= log_gain(total, n)
