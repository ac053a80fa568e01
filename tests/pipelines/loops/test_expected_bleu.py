"""Maximum expected BLEU training among the loops."""

from __future__ import annotations

from campanula.pipelines import tune


def test_it_is_a_loop_whose_help_tells_the_steps_of_figure_1() -> None:
    loop = tune.LOOPS["expected-bleu"]
    assert "(Figure 1.)" in str(loop.__doc__)
    given = ["--train", "a", "b", "c", "--source", "s", "--ref", "r", "--work-dir", "d"]
    args = tune.parser().parse_args(["expected-bleu", *given, "--features", "wuebker-a"])
    assert args.loop == "expected-bleu"
