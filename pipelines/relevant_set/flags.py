"""Flags of `tune relevant-set`; all others are the decoder's and are passed to `decode`."""

from __future__ import annotations

import argparse
from dataclasses import dataclass

from campanula.pipelines import flags
from campanula.pipelines.loops.optimizing import Recipe
from campanula.stages import command
from campanula.stages.decoding.left_out.flags import probability_text
from campanula.stages.engines.engine_flags import add_engine_flags
from campanula.stages.metrics.flags import add_metric_flag

OPTIMIZE = (
    *("--epochs", "--eta", "--update", "--printed-sign", "--lambda"),
    *("--shuffle", "--no-shuffle", "--freeze", "--only", "--memory"),
)
"""Flags of `optimize` that the loop passes on."""

TEXTS = {
    "--epochs": "R, passes over the sentences of each training (default: 40)",
    "--eta": "step size (default: 1e-4; 1e-5 with --algorithm perceptron)",
    "--shuffle": "visit the sentences in random order (--seed), as is the default",
    "--no-shuffle": "visit them as they stand",
}
"""Help of those flags whose help in `optimize` is about other solvers."""

DEFAULT = "(default: %(default)s)"


@dataclass(frozen=True, slots=True)
class RelevantSetRecipe:
    """The recipe of the loop: what `tune` asks for its flags and to run it."""

    def add_to(self, p: argparse.ArgumentParser, title: str) -> None:
        """Add all flags of the loop."""
        _add_data_flags(p.add_argument_group("data"))
        _add_loop_flags(p.add_argument_group("loop"))
        _add_decoder_flags(p.add_argument_group("decoder"))
        Recipe(passed=OPTIMIZE, texts=TEXTS).add_flags(p, title)
        metric = p.add_argument_group("metric")
        flags.add_metric_flags(metric)
        also = "another metric for the history, of dev and test sets (repeatable)"
        add_metric_flag(metric, also, "--also", several=True)
        flags.add_luigi_flags(p.add_argument_group("Luigi"))
        add_engine_flags(p)
        p.add_argument("-q", "--quiet", action="store_true", help="no progress, no summary")

    def tune(self, args: argparse.Namespace) -> None:
        """Run the loop as the flags say."""
        from campanula.pipelines.relevant_set import from_flags

        from_flags.tune(args)


def _add_data_flags(group: argparse._ArgumentGroup) -> None:
    flags.add_text_flags(group, "the development set: sentences that the weights are chosen by")
    group.add_argument(
        "--train",
        nargs="+",
        metavar=("SOURCE", "TARGET ALIGNMENT"),
        help="parallel text to train on, with its links for --leave-one-out (default: dev)",
    )
    group.add_argument(
        "--weights",
        metavar="FILE",
        help="w_0, where every training begins: weights of dense features (default: all 0)",
    )
    group.add_argument(
        "--test-at",
        choices=("each", "end"),
        default="each",
        help=f"decode test sets at each iteration, or under the final weights alone {DEFAULT}",
    )


def _add_loop_flags(group: argparse._ArgumentGroup) -> None:
    count = command.positive_int
    group.add_argument(
        "--algorithm",
        choices=("costmargin", "perceptron"),
        default="costmargin",
        help=f"Table II, or Table III {DEFAULT}",
    )
    group.add_argument(
        "--start",
        choices=("oracle", "seeds"),
        help="truth and a bag of blocks, or outputs under two vectors of flat weights (default:"
        " oracle; seeds with the perceptron, which has no truth)",
    )
    group.add_argument(
        "--iterations", type=count, default=30, metavar="L", help=f"the last l {DEFAULT}"
    )
    group.add_argument(
        "-k",
        type=count,
        default=1,
        help=f"outputs of a training sentence in an iteration {DEFAULT}",
    )
    group.add_argument(
        "--select",
        choices=("all", "violating"),
        default="all",
        help="add all of the -k, or the one that violates the margin most (Eq. 6); with -k 1 that"
        f" is the same {DEFAULT}",
    )
    flags.add_run_flags(group, keep="best")
    group.add_argument(
        "--then",
        choices=("dense", "binary"),
        help="two stages: sparse features on the training text without dense ones, then dense ones"
        " on dev; or dense ones on dev, then sparse ones with these fixed (Table IX)",
    )
    group.add_argument(
        "--trim",
        action="store_true",
        help="remove lists from the cache when they are there scored, too",
    )


def _add_decoder_flags(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--reordering",
        choices=("monotone", "swap"),
        default="swap",
        help=f"of the source phrases, for decoder and oracle search {DEFAULT}",
    )
    group.add_argument(
        "--leave-one-out",
        action="store_true",
        help="decode and search the training text without the blocks that a sentence alone yields",
    )
    group.add_argument(
        "--singleton-penalty",
        type=probability_text,
        metavar="P",
        help="with --leave-one-out, score of a block that no other sentence yields (see decode"
        " --help; default: 0, it takes no part)",
    )
