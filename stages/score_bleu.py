"""Price every hypothesis: sufficient statistics of a metric, and the sentence gain.

    stats   hypothesis length, reference length, matches of 1..4, totals of 1..4
    gain    BLEU+1 = BP (prod_n p_n)^(1/4), p_n with 1 added above and below for n > 1
                                                                      (Lin and Och 2004)

Statistics equal sacrebleu's.  Reads a k-best stream, writes it with both columns.  Line i of each
reference file belongs to sentence i; every list must have references and every line a list.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator

from formats.kbest import KBest
from formats.references import References
from formats.stream import Reader, Writer
from stages import command
from stages.metrics import BLEU_GAINS, Metric, Scorer, Summary, with_references
from stages.threads import in_order

EXAMPLE = "import-nbest run1.gz | score-bleu --ref val.en - -o dev.kbest"


def score_bleu(lists: Iterable[KBest], scorer: Scorer, jobs: int = 1) -> Iterator[KBest]:
    """Yield every list with statistics and gains; the order is kept."""
    yield from in_order(scorer, lists, jobs)


def main(argv: list[str] | None = None) -> int:
    """Run the command."""
    p = command.parser("score-bleu", __doc__, EXAMPLE)
    p.add_argument("input", nargs="?", default="-", help="k-best stream (default: stdin)")
    p.add_argument(
        "--ref",
        action="append",
        required=True,
        metavar="FILE",
        help="references, a line a sentence; repeat it for several",
    )
    p.add_argument("--metric", choices=["bleu"], default="bleu", help="metric (default: bleu)")
    p.add_argument(
        "--gain",
        choices=BLEU_GAINS,
        default="bleu+1",
        help="sentence gain; the last four are sacrebleu's smoothings (default: bleu+1)",
    )
    p.add_argument(
        "--smooth-value",
        type=command.non_negative_float,
        metavar="X",
        help="what floor and add-k put in (default: 0.1 and 1, as sacrebleu)",
    )
    p.add_argument(
        "--tokenize",
        default="none",
        metavar="NAME",
        help="one of sacrebleu's tokenizers (default: none: split at white space)",
    )
    p.add_argument("--lowercase", action="store_true", help="ignore case")
    p.add_argument(
        "--allow-missing", action="store_true", help="accept references without a k-best list"
    )
    p.add_argument(
        "--jobs", type=command.positive_int, default=1, metavar="N", help="threads (default: 1)"
    )
    return command.run(body, p, argv)


def metric_of(args: argparse.Namespace) -> Metric:
    """The metric that the flags ask for."""
    if args.smooth_value is not None and args.gain not in ("floor", "add-k"):
        raise command.UsageError("--smooth-value goes with --gain floor or add-k")
    if [args.input, *args.ref].count("-") > 1:
        raise command.UsageError("only one input can be stdin")
    return Metric("bleu", args.gain, len(args.ref), args.lowercase, args.tokenize)


def body(args: argparse.Namespace) -> None:
    """Read, score, write."""
    metric = metric_of(args)
    with Reader(args.input, KBest) as lists:
        references = References.read(args.ref)
        scorer, summary = Scorer(metric, references, args.smooth_value), Summary(metric)
        how = command.signature("score-bleu", **metric.fields(), references=references.digest())
        with Writer(args.output, KBest, f"{how} < {lists.signature}") as out:
            records = command.progress(lists, args, "score-bleu")
            joined = with_references(records, lists.name, references, args.allow_missing)
            for kbest in summary.count(score_bleu(joined, scorer, args.jobs)):
                out.write(kbest)
    command.say(args, f"score-bleu: {summary}")
