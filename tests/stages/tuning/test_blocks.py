import numpy as np
import pytest

from campanula.stages.tuning.blocks import SIZE, blocks, over_blocks


@pytest.mark.parametrize("n", [0, 1, SIZE - 1, SIZE, SIZE + 1, 3 * SIZE + 7])
def test_blocks_cover_all_once(n):
    seen = np.zeros(n, int)
    for block in blocks(n):
        assert 0 < block.stop - block.start <= SIZE
        seen[block] += 1
    assert (seen == 1).all()


def test_results_are_in_order_for_any_number_of_threads():
    n = 5 * SIZE + 3
    expected = [block.start for block in blocks(n)]
    assert over_blocks(n, lambda block: block.start, jobs=3) == expected
