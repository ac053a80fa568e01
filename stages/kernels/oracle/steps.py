"""The steps of the oracle search: which span may come next, and the place that results.

A place is the first uncovered word, the open gap before it, the end of the block behind the gap,
and the layer, 1 after a swap.  A gap is one block's, and the next step fills it.
"""

from __future__ import annotations

from campanula.formats.arrays.types import Ids, Ints
from campanula.stages.kernels.compiled import LEAN, njit


@njit(**LEAN)
def steps_from(place: Ids, swap: bool, count: Ids, steps: Ints) -> int:
    """The spans that may come next: rows (first word, words, then place, gap, end, layer after).

    count (n, longest): classes of each span.  Returns how many rows there are.
    """
    n, longest = count.shape
    here, gap, end, layer = place[0], place[1], place[2], place[3]
    if gap > 0:
        steps[0, 0], steps[0, 1], steps[0, 2] = here, gap, end
        steps[0, 3], steps[0, 4], steps[0, 5] = 0, 0, layer
        return 1
    n_steps = 0
    reach = min(longest, n - here - 1) if swap else 0
    for skipped in range(reach + 1):
        if skipped > 0 and count[here, skipped - 1] == 0:
            continue
        for k in range(1, min(longest, n - here - skipped) + 1):
            if count[here + skipped, k - 1] == 0:
                continue
            steps[n_steps, 0], steps[n_steps, 1] = here + skipped, k
            if skipped > 0:
                steps[n_steps, 2], steps[n_steps, 3] = here, skipped
                steps[n_steps, 4], steps[n_steps, 5] = here + skipped + k, 1
            else:
                steps[n_steps, 2], steps[n_steps, 3] = here + k, 0
                steps[n_steps, 4], steps[n_steps, 5] = 0, layer
            n_steps += 1
    return n_steps
