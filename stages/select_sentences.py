"""Select the sentence pairs of a training text that serve a test set.

    substrings      every source substring of up to 12 words of the test texts gets a pair that has
                    it, if there is one                        (Tillmann and Zhang, section VI)
    cross-entropy   pairs of the lowest H_I(s) - H_N(s), per-word cross-entropies of the source
                    under a model of the test texts' domain and a general one
                                                               (Moore and Lewis 2010)

Reads texts in which words are apart by blanks, and perhaps the links between them.  Writes
PREFIX.source, PREFIX.target, PREFIX.alignment, line by line in their order, and PREFIX.indices, the
numbers of the pairs from 0.  Substrings take one pass, in which a pair is selected if it has a
substring that --count pairs do not have yet; memory is theirs alone.  Cross-entropies take several
passes over SOURCE, and some 30 bytes a pair.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator

from campanula.stages import command
from campanula.stages.bitext.parallel_text import add_text_flags
from campanula.stages.selecting.parallel_lines import ParallelLines
from campanula.stages.selecting.selected_files import paths
from campanula.stages.selecting.selection import ByCrossEntropy, BySubstrings, select

COMMAND = "select-sentences"
EXAMPLE = "select-sentences train.de train.en train.align --test test.de -o selected"
SUBSTRINGS, CROSS_ENTROPY = "substrings", "cross-entropy"
FLAGS = {
    SUBSTRINGS: ("max_length", "count"),
    CROSS_ENTROPY: ("keep", "share", "in_domain_lm", "general_lm", "order", "seed"),
}
"""The settings of each criterion, which are flags of these names."""


def parser() -> argparse.ArgumentParser:
    """Return the parser of the flags."""
    p = command.parser(COMMAND, __doc__, EXAMPLE)
    add_text_flags(p)
    p.add_argument("alignment", nargs="?", metavar="ALIGNMENT", help="links i-j of each pair")
    p.add_argument(
        "--test",
        action="append",
        default=[],
        metavar="FILE",
        help="source text that is to be served; repeat it for several",
    )
    p.add_argument(
        "--criterion",
        choices=(SUBSTRINGS, CROSS_ENTROPY),
        default=SUBSTRINGS,
        help=f"what is selected (default: {SUBSTRINGS})",
    )
    _add_substring_flags(p.add_argument_group(SUBSTRINGS))
    _add_entropy_flags(p.add_argument_group(CROSS_ENTROPY))
    return p


def _add_substring_flags(group: argparse._ArgumentGroup) -> None:
    positive = command.positive_int
    group.add_argument(
        "--max-length", type=positive, metavar="N", help="longest substring in words (default: 12)"
    )
    group.add_argument(
        "--count", type=positive, metavar="N", help="pairs for each substring (default: 1)"
    )


def _add_entropy_flags(group: argparse._ArgumentGroup) -> None:
    positive = command.positive_int
    group.add_argument("--keep", type=positive, metavar="N", help="how many pairs")
    group.add_argument("--share", type=_share, metavar="X", help="or which share of them, up to 1")
    group.add_argument(
        "--in-domain-lm",
        metavar="ARPA",
        help="language model of the domain (default: estimated of the --test texts)",
    )
    group.add_argument(
        "--general-lm",
        metavar="ARPA",
        help="general language model (default: estimated of a sample of SOURCE)",
    )
    group.add_argument(
        "--order", type=positive, metavar="N", help="of models that are estimated (default: 4)"
    )
    group.add_argument(
        "--seed", type=command.non_negative_int, metavar="N", help="of the sample (default: 0)"
    )


def _share(text: str) -> float:
    value = command.non_negative_float(text)
    if not 0.0 < value <= 1.0:
        raise argparse.ArgumentTypeError(f"expected a share above 0 and up to 1, found {text}")
    return value


def main(argv: list[str] | None = None) -> int:
    """Run the command."""
    return command.run(body, parser(), argv)


def body(args: argparse.Namespace) -> None:
    """Select sentence pairs, and write them."""
    command.refuse_faults(_faults(args))
    files = [args.source, args.target, *([args.alignment] if args.alignment else [])]
    command.one_stdin(*files, *args.test)
    command.outputs_apart(*paths(args.output, len(files)))
    message = select(_criterion(args), ParallelLines(files), args.output, command.watch(args))
    command.say(args, f"{COMMAND}: {message}")


def _faults(args: argparse.Namespace) -> Iterator[str]:
    """Yield what is wrong with the flags, the worst first."""
    if args.output in (None, "-"):
        yield "-o PREFIX is needed: several files are written"
    elif not os.path.basename(args.output):
        yield f"-o PREFIX: expected a name after the folder, found {args.output}"
    for criterion, names in FLAGS.items():
        for name in names:
            if getattr(args, name) is not None and criterion != args.criterion:
                yield f"--{name.replace('_', '-')} goes with --criterion {criterion}"
    if not args.test and args.in_domain_lm is None:
        yield "--test FILE is needed, the text that is to be served"
    if args.criterion == CROSS_ENTROPY:
        if (args.keep is None) == (args.share is None):
            yield "--criterion cross-entropy needs --keep N or --share X"
        if args.test and args.in_domain_lm is not None:
            yield "--in-domain-lm stands for the --test texts; give one"
        if "-" in (args.source, *args.test):
            yield "cross-entropies take several passes: SOURCE and --test cannot be stdin"


def _criterion(args: argparse.Namespace) -> BySubstrings | ByCrossEntropy:
    """Return the criterion, with the settings that the flags give."""
    kind = BySubstrings if args.criterion == SUBSTRINGS else ByCrossEntropy
    values = {name: getattr(args, name) for name in FLAGS[args.criterion]}
    settings = {name: value for name, value in values.items() if value is not None}
    return kind(tests=tuple(args.test), **settings)


if __name__ == "__main__":
    raise SystemExit(main())
