"""The loop of the relevant set among the loops."""

from __future__ import annotations

from campanula.pipelines import tune


def test_it_is_a_loop_whose_help_tells_the_algorithm() -> None:
    loop = tune.LOOPS["relevant-set"]
    assert "Table II" in str(loop.__doc__)
    args = tune.parser().parse_args(
        ["relevant-set", "--source", "s", "--ref", "r", "--work-dir", "d"]
    )
    assert args.loop == "relevant-set"
