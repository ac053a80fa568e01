"""Jumps of aligned pairs against the twin, and counts of them."""

from __future__ import annotations

import numpy as np

from campanula.stages.kernels.bitext import distortion_counts as kernels
from tests.naive import distortion as naive


def jumps_of(links, n_source, n_target):
    """Jumps of one pair, by the kernel and by the twin, with places as words."""
    link = np.array(sorted(links), np.int64).reshape(-1, 2)
    source, target = np.ascontiguousarray(link[:, 0]), np.ascontiguousarray(link[:, 1])
    ends = [np.array([0, n]) for n in (len(link), n_source, n_target)]
    found = np.stack(kernels.jumps(source, target, *ends), axis=1).tolist()
    words = [str(i) for i in range(n_source)]
    expected = naive.jumps((words, [""] * n_target, set(links)))
    return found, [[-1 if a == "<s>" else int(a), int(b), d] for a, b, d in expected]


def test_jumps_equal_the_twin():
    rng = np.random.default_rng(1)
    for _ in range(300):
        n_source, n_target = rng.integers(1, 8, 2).tolist()
        every = [(s, t) for s in range(n_source) for t in range(n_target)]
        links = [link for link in every if rng.random() < rng.choice([0.1, 0.3])]
        found, expected = jumps_of(links, n_source, n_target)
        assert found == expected
        assert all(d != -1 for _, _, d in found)


def test_units_that_meet_are_one():
    # 3; 5, which grows to 3-5 and so meets 3; then 0
    found, expected = jumps_of([(3, 0), (5, 1), (3, 2), (5, 2), (0, 3)], 6, 4)
    assert found == expected == [[-1, 3, 3], [5, 0, -6]]


def test_no_links_no_jumps():
    assert jumps_of([], 3, 2) == ([], [])


def test_counts():
    word, jump = np.array([0, 2, 2, 2]), np.array([0, 7, 3, -9])
    pointer, jumps, count, total = kernels.jump_counts(word, jump, 4, 2)
    assert pointer.tolist() == [0, 1, 1, 3, 3]
    assert (jumps.tolist(), count.tolist()) == ([0, -2, 2], [1, 1, 2])
    assert total.tolist() == [1, 0, 1, 0, 2]
    np.testing.assert_allclose(kernels.all_words(total), np.array([2, 0, 2, 1, 3]) / 8)
