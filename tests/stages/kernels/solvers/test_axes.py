"""Pieces of a line search against the features of plain lists."""

import numpy as np
import pytest

from campanula.stages.kernels.solvers import axes
from tests.stages.tuning.scored import packed, random_plain


def slopes(pieces, n_axes, sizes):
    """Slopes of all hypotheses along all axes, (n_axes, n_hyps); 0 where there is no piece."""
    found = [np.zeros((n_axes, size)) for size in sizes]
    room = np.empty(int(np.diff(pieces.pad).max()))
    for p, (i, k) in enumerate(zip(pieces.list, pieces.axis, strict=True)):
        width = pieces.pad[i + 1] - pieces.pad[i]
        slope = pieces.column[pieces.start[p] : pieces.start[p] + width]
        if pieces.entry[p] < pieces.entry[p + 1]:
            axes.spread(pieces, p, room)
            slope = room[:width]
        assert not slope[sizes[i] :].any()
        assert (pieces.low[p], pieces.high[p]) == (min(slope[: sizes[i]]), max(slope[: sizes[i]]))
        found[i][k] = slope[: sizes[i]]
    return found


@pytest.mark.parametrize("seed", range(8))
def test_pieces_are_the_features_that_vary(seed):
    plain = random_plain(seed, n_features=4)
    lists, _ = packed(plain)
    pieces = axes.index(lists, np.array([True, True, False, True]))
    for one, found in zip(plain, slopes(pieces, 4, [len(one) for one in plain]), strict=True):
        rows = np.array([f for f, _ in one]).T
        rows[2] = 0.0
        rows[rows.min(axis=1) == rows.max(axis=1)] = 0.0
        assert found == pytest.approx(rows)


def test_pieces_are_found_by_list_and_by_axis():
    lists, _ = packed(random_plain(2, n_lists=6))
    pieces = axes.index(lists, np.ones(3, bool))
    for i in range(6):
        part = slice(pieces.list_pieces[i], pieces.list_pieces[i + 1])
        assert (pieces.list[part] == i).all()
    for k in range(3):
        part = slice(pieces.axis_pointer[k], pieces.axis_pointer[k + 1])
        assert (pieces.axis[pieces.of_axis[part]] == k).all()
    assert pieces.axis_pointer[-1] == pieces.list_pieces[-1] == len(pieces.list)


def test_lists_without_features_have_no_pieces():
    lists, _ = packed([[((0.0, 0.0), (1,) * 10), ((0.0, 0.0), (1,) * 10)]])
    assert len(axes.index(lists, np.ones(2, bool)).list) == 0
