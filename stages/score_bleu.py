"""Price every hypothesis: sufficient statistics of a metric, and the sentence gain.

    stats   hypothesis length, reference length, matches of 1..4, totals of 1..4
    gain    BLEU+1 = BP (prod_n p_n)^(1/4), p_n with 1 added above and below for n > 1
                                                                      (Lin and Och 2004)

Statistics equal sacrebleu's.  Reads a k-best stream, writes it with both columns.  Line i of each
reference file belongs to sentence i; every list must have references and every line a list.
Other metrics: wer (edits to the nearest reference), ter, chrf, chrf++, and gain-column, numbers
from 0 to 1 that another program made.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator

from campanula.formats.files import Output
from campanula.formats.records.kbest import KBest
from campanula.formats.stream import Reader, Writer
from campanula.formats.text.references import References
from campanula.stages import command
from campanula.stages.metrics.flags import add_metric_flags, metric_of
from campanula.stages.metrics.gain_column import Column, column_gains
from campanula.stages.metrics.metric import Metric
from campanula.stages.metrics.scored_lists import Summary, with_references
from campanula.stages.metrics.statistics import Scorer
from campanula.stages.threads import in_order

EXAMPLE = "import-nbest run1.gz | score-bleu --ref val.en - -o dev.kbest"


def score_bleu(lists: Iterable[KBest], scorer: Scorer, jobs: int = 1) -> Iterator[KBest]:
    """Yield every list with statistics and gains; the order is kept."""
    yield from in_order(scorer, lists, jobs)


def parser() -> argparse.ArgumentParser:
    """Return the parser of the flags."""
    p = command.parser("score-bleu", __doc__, EXAMPLE)
    p.add_argument("input", nargs="?", default="-", help="k-best stream (default: stdin)")
    add_metric_flags(p)
    p.add_argument(
        "--allow-missing", action="store_true", help="accept references without a k-best list"
    )
    p.add_argument(
        "--summary",
        metavar="FILE",
        help="gets the corpus values of the first hypotheses and of the oracles, as JSON",
    )
    p.add_argument(
        "--jobs", type=command.positive_int, default=1, metavar="N", help="threads (default: 1)"
    )
    return p


def main(argv: list[str] | None = None) -> int:
    """Run the command."""
    return command.run(body, parser(), argv)


def by_references(
    args: argparse.Namespace, metric: Metric, source: str
) -> tuple[Callable[[Iterable[KBest]], Iterator[KBest]], str]:
    """What scores the lists of the stream `source`, and its signature."""
    references = References.read(args.ref)
    scorer = Scorer(metric, references)

    def price(lists: Iterable[KBest]) -> Iterator[KBest]:
        joined = with_references(lists, source, references, args.allow_missing)
        return score_bleu(joined, scorer, args.jobs)

    digest = references.digest()
    return price, command.signature("score-bleu", **metric.fields(), references=digest)


def by_column(
    args: argparse.Namespace, metric: Metric, source: str
) -> tuple[Callable[[Iterable[KBest]], Iterator[KBest]], str]:
    """The same with the numbers of another program."""
    column = Column(args.column, args.field, source)

    def price(lists: Iterable[KBest]) -> Iterator[KBest]:
        yield from column_gains(lists, column, source, args.gain_range or ())
        column.finish()

    numbers = column.digest()
    return price, command.signature("score-bleu", **metric.fields(), numbers=numbers)


def body(args: argparse.Namespace) -> None:
    """Read, score, write."""
    metric = metric_of(args)
    summary = Summary(metric)
    with Reader(args.input, KBest) as lists:
        prepare = by_column if metric.name == "gain-column" else by_references
        price, how = prepare(args, metric, lists.name)
        how = f"{how} < {lists.signature}"
        with Writer(args.output, KBest, how, metric.header()) as out:
            for kbest in summary.count(price(command.progress(lists, args, "score-bleu"))):
                out.write(kbest)
    if args.summary:
        with Output(args.summary) as report:
            report.write_line(summary.to_json())
    command.say(args, f"score-bleu: {summary}")


if __name__ == "__main__":
    raise SystemExit(main())
