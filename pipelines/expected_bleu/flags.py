"""Flags of `tune expected-bleu`; all others are the decoder's and are passed to `decode`."""

from __future__ import annotations

import argparse
from dataclasses import dataclass

from campanula.pipelines import flags
from campanula.pipelines.loops import mert
from campanula.pipelines.loops.optimizing import Recipe
from campanula.stages import command
from campanula.stages.decoding.left_out.flags import part_names, probability_text
from campanula.stages.engines.engine_flags import add_engine_flags

RPROP, SGD, ADAGRAD = GRADIENT = ("rprop", "sgd", "adagrad")
GROWTH = "growth"
SOLVERS = (*GRADIENT, GROWTH)

OPTIMIZE = (
    *("--rprop", "--first-step", "--smallest-step", "--largest-step"),
    *("--fobos", "--min-count"),
)
"""Flags of `optimize` that go through to the training of theta."""

MERT = ("--restarts", "--random-directions", "--trust")
"""Flags of `optimize` that go through to MERT."""

TAU = "1e-4"
DEFAULT = "(default: %(default)s)"


@dataclass(frozen=True, slots=True)
class ExpectedBleuRecipe:
    """The recipe of the loop: what `tune` asks for its flags and to run it."""

    def add_to(self, p: argparse.ArgumentParser, title: str) -> None:
        """Add all flags of the loop."""
        _add_data_flags(p.add_argument_group("data"))
        _add_list_flags(p.add_argument_group("n-best lists of the training text"))
        _add_training_flags(p.add_argument_group("training of theta"))
        _add_mert_flags(p.add_argument_group("MERT"))
        Recipe(passed=(*OPTIMIZE, *MERT), usual=mert.RECIPE.usual).add_flags(p, title)
        flags.add_metric_flags(p.add_argument_group("metric of dev, selection and test sets"))
        flags.add_luigi_flags(p.add_argument_group("Luigi"))
        add_engine_flags(p)
        p.add_argument("-q", "--quiet", action="store_true", help="no progress, no summary")

    def tune(self, args: argparse.Namespace) -> None:
        """Run the loop as the flags say."""
        from campanula.pipelines.expected_bleu import from_flags

        from_flags.tune(args)


def _add_data_flags(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--train",
        nargs="+",
        required=True,
        metavar=("SOURCE", "TARGET ALIGNMENT"),
        help="parallel text to train on, files or folders of files, with its links for"
        " --leave-one-out",
    )
    flags.add_text_flags(group, "the development set, for MERT")
    group.add_argument(
        "--selection",
        nargs="+",
        metavar=("SOURCE", "REF"),
        help="sentences that tau, eta and t are chosen by, with one or more references"
        " (default: dev)",
    )
    group.add_argument(
        "--weights", metavar="FILE", help="where the baseline's MERT begins (default: Moses's)"
    )
    group.add_argument(
        "--share",
        metavar="DIR",
        help="keep lists and all other steps there, for runs that have some in common, one at a"
        " time (default: cache in --work-dir)",
    )
    command.add_jobs_flag(group)


def _add_list_flags(group: argparse._ArgumentGroup) -> None:
    count = command.positive_int
    group.add_argument(
        "--features",
        action="append",
        required=True,
        metavar="TEMPLATE[,TEMPLATE...]",
        help="templates of the features, repeatable, local to a block or of its orientation; or"
        " wuebker-a, -b, -c, -d",
    )
    group.add_argument("-k", type=count, default=100, help=f"hypotheses a sentence {DEFAULT}")
    group.add_argument(
        "--leave-one-out",
        action=argparse.BooleanOptionalAction,
        default=True,
        help=f"decode a sentence without its own counts {DEFAULT}",
    )
    group.add_argument(
        "--singleton-penalty",
        type=probability_text,
        metavar="P",
        help="with --leave-one-out, probability of a block that no other sentence yields (see"
        " decode --help)",
    )
    group.add_argument(
        "--leave-out",
        action="append",
        type=left_out,
        metavar="PARTS",
        help="what a sentence has no part in, repeatable (see decode --help; default: relative"
        " frequencies)",
    )
    group.add_argument(
        "--leave-out-text",
        nargs=3,
        metavar=("SOURCE", "TARGET", "ALIGNMENT"),
        help="the text that the phrase table was extracted from (default: --train)",
    )
    group.add_argument(
        "--shards",
        type=count,
        default=8,
        metavar="N",
        help=f"files that a text in one file is cut into, for the lists' collection {DEFAULT}",
    )


def _add_training_flags(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--solver",
        choices=SOLVERS,
        default="rprop",
        help=f"how theta is updated; growth: the table by growth transformation {DEFAULT}",
    )
    group.add_argument(
        "--solver-iterations",
        type=command.positive_int,
        default=40,
        metavar="T",
        help=f"updates, each after a pass over all lists {DEFAULT}",
    )
    group.add_argument(
        "--tau",
        nargs="+",
        action="extend",
        type=strength,
        metavar="X",
        help=f"tau |theta|^2; of several the best (default: {TAU})",
    )
    group.add_argument(
        "--eta",
        nargs="+",
        action="extend",
        type=strength,
        default=[],
        metavar="X",
        help="step size of sgd and adagrad, which have no usual one; of several the best",
    )
    group.add_argument(
        "--together",
        action="append",
        default=[],
        metavar="TEMPLATE,TEMPLATE...",
        help="one column of the model for these features (see condense-features --help)",
    )


def _add_mert_flags(group: argparse._ArgumentGroup) -> None:
    count = command.positive_int
    group.add_argument(
        "--mert-at",
        action="extend",
        type=numbers,
        metavar="T[,T...]",
        help="run it with theta after these iterations (default: 10,20,30,40, as far as there are"
        " so many, else the last)",
    )
    group.add_argument(
        "--replicates",
        type=count,
        default=3,
        metavar="N",
        help=f"runs of it, with the seeds from --seed on {DEFAULT}",
    )
    group.add_argument(
        "--seed", type=command.non_negative_int, default=1, help=f"of the first one {DEFAULT}"
    )
    group.add_argument(
        "--mert-iterations", type=count, default=25, metavar="T", help=f"at most {DEFAULT}"
    )
    group.add_argument(
        "--mert-k", type=count, default=100, metavar="K", help=f"hypotheses a list {DEFAULT}"
    )


def numbers(text: str) -> tuple[int, ...]:
    """Argument type: whole numbers from 1, with commas between."""
    return tuple(sorted({command.positive_int(part) for part in text.split(",")}))


def left_out(text: str) -> str:
    """Argument type: what leave-one-out leaves out, as it was given."""
    part_names(text)
    return text


def strength(text: str) -> str:
    """Argument type: a number of at least 0, as it was given."""
    command.non_negative_float(text)
    return text
