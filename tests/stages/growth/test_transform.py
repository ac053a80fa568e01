import numpy as np
import pytest

from campanula.stages.growth.growth_lists import GrowthLists
from campanula.stages.growth.posterior import Posterior
from campanula.stages.growth.transform import DONE, NO_STEP, Channels, GrowthSettings, transform
from tests.naive import growth as naive
from tests.stages.growth.problems import KEYS, Problem


def solve(problem, folder, settings, filtered=False):
    """Run on a problem; the outcome, and rows by name as (condition, outcome) of every step."""
    paths = problem.write(folder)
    lists = GrowthLists.read(paths[0], None, str(folder / "cache"))
    theta = lists.theta(paths[2], allow_missing=False)
    rows = lists.rows(paths[1])
    start = lists.channels(rows, theta, filtered, paths[1])
    each: list[Channels] = []
    posterior = Posterior.of(lists.data, theta, rows.fired_feature)
    grown = transform(posterior, start, settings, after=each.append)
    return grown, [[table_of(problem, rows, side, c[side]) for side in (0, 1)] for c in each]


def table_of(problem, rows, side, channel):
    """All probabilities of a channel by (condition, outcome)."""
    values = problem.scores[side] * channel.factor()[rows.condition[side]]
    values[rows.fired] = channel.own
    keys = [KEYS[side](row) for row in problem.rows]
    return dict(zip(keys, values.tolist(), strict=True))


@pytest.mark.parametrize("tau", [0.0, 1e-3, 0.1])
@pytest.mark.parametrize("seed", range(4))
def test_every_step_is_that_of_the_slow_reading(tmp_path, seed, tau):
    problem = Problem(seed)
    expected, history, doubled = naive.transform(
        problem.plain, problem.table, problem.weights, KEYS, tau, 8
    )
    grown, each = solve(problem, tmp_path, GrowthSettings(8, tau))
    assert grown.history == pytest.approx(history, abs=1e-9)
    assert (grown.doubled, grown.reason) == (doubled, DONE)
    assert history[-1] > history[0]
    for found, slow in zip(each, expected, strict=True):
        for side in (0, 1):
            assert found[side] == pytest.approx(slow[side], abs=1e-9)
            assert {k: np.log(v) for k, v in found[side].items()} == pytest.approx(
                {k: np.log(v) for k, v in slow[side].items()}, abs=1e-7
            )


def sums_of(table):
    total: dict[str, float] = {}
    for (i, _), p in table.items():
        total[i] = total.get(i, 0.0) + p
    return list(total.values())


def test_the_objective_never_falls_and_tables_sum_to_one(tmp_path):
    doubled = 0
    for seed in range(100):
        folder = tmp_path / str(seed)
        folder.mkdir()
        problem = Problem(100 + seed, n_lists=1 + seed % 5, exact=seed % 2 == 0)
        tau = (0.0, 1e-4, 1e-2, 1.0)[seed % 4]
        grown, each = solve(problem, folder, GrowthSettings(6, tau))
        assert (np.diff(grown.history) >= 0.0).all()
        assert grown.reason == (DONE if grown.steps == 6 else NO_STEP)
        assert len(grown.history) == len(grown.gains) == len(each) + 1 == 7
        for tables in each:
            for table in tables:
                assert min(table.values()) > 0.0
                assert sums_of(table) == pytest.approx([1.0] * len(sums_of(table)), abs=1e-12)
        doubled += grown.doubled
    assert doubled


def test_a_part_of_a_table_gives_what_the_whole_gives(tmp_path):
    """Rows that never fire are left out: what remains comes to the same, without dividing."""
    problem = Problem(3)
    whole = Problem(3)
    whole.scores = np.array([list(naive.normalised(t).values()) for t in whole.table])
    settings = GrowthSettings(5, 1e-3)
    (tmp_path / "whole").mkdir()
    expected, each = solve(whole, tmp_path / "whole", settings)
    fired = {row for kbest in problem.plain for _, rows, _ in kbest for row in rows}
    kept = [k for k, row in enumerate(whole.rows) if row in fired]
    assert len(kept) < len(whole.rows)
    problem.rows = [problem.rows[k] for k in kept]
    problem.scores = whole.scores[:, kept]
    found, of_part = solve(problem, tmp_path, settings, filtered=True)
    assert found.history == pytest.approx(expected.history, abs=1e-12)
    for side in (0, 1):
        part = {key: p for key, p in each[-1][side].items() if key in of_part[-1][side]}
        assert of_part[-1][side] == pytest.approx(part, abs=1e-12)
