"""Winners and envelopes of all lists against the naive twin."""

import numpy as np
import pytest

from campanula.stages.kernels.lists.projection import project
from campanula.stages.kernels.lists.scores import score_lists
from campanula.stages.kernels.solvers import axes, envelope, visits
from tests.naive import line_search as naive
from tests.present import present
from tests.stages.kernels.solvers.visited import visited
from tests.stages.tuning.scored import packed, random_plain

THETA = np.array([0.5, 1.0, -1.0])


def lines_of(found, p):
    return found.line[found.begin[p] : found.begin[p + 1]].tolist()


def half_sparse(lists):
    """The lists with half of each value dense, and half of it sparse."""
    n = lists.n_hyps
    values = [
        lists.dense[start : start + 3 * size].reshape(3, size).T.ravel() / 2
        for start, size in zip(lists.dense_start, np.diff(lists.list_pointer), strict=False)
    ]
    return lists._replace(
        dense=lists.dense / 2,
        sparse_pointer=np.arange(n + 1) * 3,
        sparse_id=np.tile(np.arange(3, dtype=np.int32), n),
        sparse_value=np.concatenate(values),
    )


@pytest.mark.parametrize("seed", range(6))
def test_a_visit_finds_winners_and_envelopes(seed):
    plain = random_plain(seed, n_lists=5, whole=False)
    lists, _ = packed(plain)
    for given in (lists, half_sparse(lists)):
        pieces, winner, found = visited(given, THETA)
        assert (winner - lists.list_pointer[:-1]).tolist() == naive.winners(plain, THETA.tolist())
        for p, (i, k) in enumerate(zip(pieces.list, pieces.axis, strict=True)):
            expected = naive.intervals([plain[i]], THETA.tolist(), np.eye(3)[k].tolist())
            assert lines_of(found, p) == [places[0] for _, _, places in expected]
            x = found.x[found.begin[p] : found.begin[p + 1] - 1]
            assert x == pytest.approx([float(present(end)) for _, end, _ in expected[:-1]])


def test_padded_scores_are_the_scores_to_the_last_bit():
    lists, _ = packed(random_plain(3, n_lists=4, whole=False))
    lists = half_sparse(lists)
    pieces, expected = axes.index(lists, np.ones(3, bool)), score_lists(lists, THETA)
    for i in range(4):
        first, last = lists.list_pointer[i], lists.list_pointer[i + 1]
        out = np.full(pieces.pad[i + 1] - pieces.pad[i], np.nan)
        visits.score_padded(lists, pieces, i, THETA, out)
        assert out[: last - first].tobytes() == expected[first:last].tobytes()
        assert (out[last - first :] == -np.inf).all()


def test_lists_that_are_not_stale_keep_their_winners_and_envelopes():
    lists, _ = packed(random_plain(8, n_lists=4, whole=False))
    pieces, winner, found = visited(lists, THETA)
    room = envelope.scratch(int(np.diff(pieces.pad).max()))
    stale, other = np.array([False, True, False, True]), np.array([-1.0, 0.25, 2.0])
    again, after = winner.copy(), axes.envelopes(pieces)
    visits.visit(lists, pieces, other, stale, found, after, again, room)
    _, expected_winner, expected = visited(lists, other)
    assert again.tolist() == np.where(stale, expected_winner, winner).tolist()
    for p, i in enumerate(pieces.list):
        assert lines_of(after, p) == lines_of(expected if stale[i] else found, p)


def test_other_directions_are_visited_as_axes_are():
    plain = random_plain(5, n_lists=4, whole=False)
    lists, _ = packed(plain)
    pieces, _, expected = visited(lists, THETA)
    along = axes.index(project(lists, np.eye(3)), np.ones(3, bool))
    found, room = axes.envelopes(along), envelope.scratch(int(np.diff(pieces.pad).max()))
    visits.visit_along(lists, pieces, THETA, along, found, room)
    assert found.begin.tolist() == expected.begin.tolist()
    assert all(lines_of(found, p) == lines_of(expected, p) for p in range(len(along.list)))
