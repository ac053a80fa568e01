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
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from campanula.formats.files import Output
from campanula.formats.records.kbest import KBest
from campanula.formats.stream import Reader, Writer
from campanula.formats.text.references import References
from campanula.stages import command
from campanula.stages.metrics.flags import MetricFlags, add_metric_flags, metric_flags
from campanula.stages.metrics.gain_column import Column, column_gains
from campanula.stages.metrics.given_statistics import GivenStatistics
from campanula.stages.metrics.scored_lists import Summary, with_references
from campanula.stages.metrics.scoring import Scorer

COMMAND = "score-bleu"
EXAMPLE = "import-nbest run1.gz | score-bleu --ref val.en - -o dev.kbest"

Pricing: TypeAlias = Callable[[Iterable[KBest]], Iterator[KBest]]


@dataclass(frozen=True, slots=True)
class Settings:
    """The metric with its files, whether references may lack a list, threads.

    statistics is a file with those of another program, or None.
    """

    metric: MetricFlags
    statistics: str | None = None
    allow_missing: bool = False
    jobs: int = 1


def parser() -> argparse.ArgumentParser:
    """Return the parser of the flags."""
    p = command.parser(COMMAND, __doc__, EXAMPLE)
    p.add_argument("input", nargs="?", default="-", help="k-best stream (default: stdin)")
    add_metric_flags(p)
    p.add_argument(
        "--statistics",
        metavar="FILE",
        help="the metric's statistics as another program counts them, a line a hypothesis",
    )
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


def by_references(settings: Settings, source: str) -> tuple[Pricing, str]:
    """What scores the lists of the stream `source`, and its signature."""
    metric = settings.metric.metric
    references = References.read(settings.metric.refs)
    price = partial(
        Scorer(metric, references).score,
        allow_missing=settings.allow_missing,
        jobs=settings.jobs,
        source=source,
    )
    digest = references.digest()
    return price, command.signature(COMMAND, **metric.fields(), references=digest)


def by_column(settings: Settings, source: str) -> tuple[Pricing, str]:
    """The same with the numbers of another program."""
    metric = settings.metric.metric
    column = Column(settings.metric.column, settings.metric.field, source)

    def price(lists: Iterable[KBest]) -> Iterator[KBest]:
        yield from column_gains(lists, column, source, metric.gain_settings)
        column.finish()

    return price, command.signature(COMMAND, **metric.fields(), numbers=column.digest())


def by_statistics(settings: Settings, source: str) -> tuple[Pricing, str]:
    """The same with the statistics of another program."""
    metric = settings.metric.metric
    references = References.read(settings.metric.refs)
    given = GivenStatistics.read(str(settings.statistics), metric)

    def price(lists: Iterable[KBest]) -> Iterator[KBest]:
        joined = with_references(lists, source, references, settings.allow_missing)
        yield from given.score(joined)

    checksums = {"references": references.digest(), "statistics": given.digest()}
    return price, command.signature(COMMAND, **metric.fields(), **checksums)


def way_of(settings: Settings) -> Callable[[Settings, str], tuple[Pricing, str]]:
    """How lists are scored; raises UsageError for statistics of a metric that has numbers."""
    compares = settings.metric.metric.compares_texts
    if settings.statistics is None:
        return by_references if compares else by_column
    if not compares:
        raise command.UsageError("--statistics goes with a metric that compares texts")
    return by_statistics


def body(args: argparse.Namespace) -> None:
    """Read, score, write."""
    command.one_stdin(args.input, args.statistics, *args.ref)
    settings = Settings(metric_flags(args), args.statistics, args.allow_missing, args.jobs)
    metric = settings.metric.metric
    prepare = way_of(settings)
    summary = Summary(metric)
    with Reader(args.input, KBest) as lists:
        price, how = prepare(settings, lists.name)
        how = f"{how} < {lists.signature}"
        with Writer(args.output, KBest, how, metric.header()) as out:
            for kbest in summary.count(price(command.progress(lists, args, COMMAND))):
                out.write(kbest)
    if args.summary:
        with Output(args.summary) as report:
            report.write_line(summary.to_json())
    command.say(args, f"{COMMAND}: {summary}")


if __name__ == "__main__":
    raise SystemExit(main())
