"""Price every hypothesis: sufficient statistics of a metric, and the sentence gain.

    stats   hypothesis length, reference length, matches of 1..4, totals of 1..4
    gain    BLEU+1 = BP (prod_n p_n)^(1/4), p_n with 1 added above and below for n > 1
                                                                      (Lin and Och 2004)

Statistics equal sacrebleu's.  Reads a k-best stream, writes it with both columns.  Line i of each
reference file belongs to sentence i; every list must have references and every line a list.
--text-field and --remove-subwords say which text is compared; the lists keep theirs.
Other metrics have other statistics and gains; those of gain-column are numbers from 0 to 1 that
another program made.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, TypeAlias

from campanula.formats.collections.opening import ListWriter, OpenedLists, open_lists
from campanula.formats.collections.reader import CollectionReader
from campanula.formats.collections.writer import CollectionWriter
from campanula.formats.files import Output
from campanula.formats.records.kbest import KBest
from campanula.formats.stream import Writer
from campanula.formats.text.references import References
from campanula.stages import command
from campanula.stages.command_line.text_flags import AS_IT_IS, TextForm, add_text_flags
from campanula.stages.engines.engine_flags import (
    add_engine_flags,
    engine_of_flags,
    flags_to_send,
    open_engine,
)
from campanula.stages.engines.engine_settings import EngineSettings
from campanula.stages.metrics import shard_scoring
from campanula.stages.metrics.flags import MetricFlags, add_metric_flags, metric_flags
from campanula.stages.metrics.forked_scoring import ForkedScoring
from campanula.stages.metrics.gain_column import ListNumbers, column_gains
from campanula.stages.metrics.given_statistics import GivenStatistics
from campanula.stages.metrics.likeness import Likeness
from campanula.stages.metrics.scored_lists import with_references
from campanula.stages.metrics.scoring import Scorer
from campanula.stages.metrics.summary import Summary
from campanula.stages.outputs.list_files import made_of, refuse_nameless
from campanula.stages.parallel.forked_lists import can_be_shared

COMMAND = "score-bleu"
EXAMPLE = "import-nbest run1.gz | score-bleu --ref val.en - -o dev.kbest"

Price: TypeAlias = Callable[[Iterable[KBest]], Iterator[KBest]]


class Pricing(NamedTuple):
    """The scoring of lists.

    price: yields lists with statistics and gains.  signature: that of the scored lists.
    likeness: compares texts with the references, None for numbers.  references: those of a scoring
    that may be done shard by shard, else None.
    """

    price: Price
    signature: str
    likeness: Likeness | None = None
    references: References | None = None

    def watched(self, lists: Iterable[KBest]) -> Iterator[KBest]:
        """Return the scored lists; their texts are compared with the references on the way."""
        return self.price(lists if self.likeness is None else self.likeness.watch(lists))

    def warning(self) -> str | None:
        """Return how the texts differ in kind from the references, or None."""
        return None if self.likeness is None else self.likeness.warning()


@dataclass(frozen=True, slots=True)
class ScoreSettings:
    """The metric with its files, whether references may lack a list, threads.

    statistics is a file with those of another program, or None; text says which texts count.
    """

    metric: MetricFlags
    statistics: str | None = None
    allow_missing: bool = False
    jobs: int = 1
    text: TextForm = AS_IT_IS

    def signature(self, lists: OpenedLists[KBest], **checksums: str) -> str:
        """Return the signature of scored lists; checksums: those of the files that were read."""
        settings = {**self.metric.metric.fields(), **self.text.signature()}
        return command.signature(COMMAND, lists.signature, **settings, **checksums)


def parser() -> argparse.ArgumentParser:
    """Return the parser of the flags."""
    p = command.parser(COMMAND, __doc__, EXAMPLE)
    command.add_input(p, "k-best stream or collection")
    add_metric_flags(p)
    add_text_flags(p)
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
        help="gets corpus values and mean gains of the first hypotheses and the oracles, as JSON",
    )
    command.add_jobs_flag(p, "processes, or threads")
    add_engine_flags(p)
    return p


def main(argv: list[str] | None = None) -> int:
    """Run the command."""
    return command.run(body, parser(), argv)


def read_references(settings: ScoreSettings, lists: OpenedLists[KBest]) -> References:
    """Return the references; raises DataError for parts that are not the shards of the lists."""
    references = References.read(settings.metric.refs)
    if isinstance(lists, CollectionReader):
        references.refuse_other_shards(lists.spans, lists.name)
    return references


def by_references(settings: ScoreSettings, lists: OpenedLists[KBest]) -> Pricing:
    """Return the scoring of lists by references."""
    metric = settings.metric.metric
    references = read_references(settings, lists)
    price = partial(
        Scorer(metric, references).score,
        allow_missing=settings.allow_missing,
        jobs=settings.jobs,
        source=lists.name,
    )
    signature = settings.signature(lists, references=references.digest())
    return Pricing(price, signature, Likeness(references, metric), references)


def by_column(settings: ScoreSettings, lists: OpenedLists[KBest]) -> Pricing:
    """Return the scoring of lists by the numbers of another program."""
    metric = settings.metric.metric
    column = ListNumbers(settings.metric.column, settings.metric.field, lists.name)

    def price(records: Iterable[KBest]) -> Iterator[KBest]:
        yield from column_gains(records, column, lists.name, metric.gain_settings)
        # only after the last list is it known whether numbers are left over
        column.finish()

    signature = settings.signature(lists, numbers=column.digest())
    return Pricing(price, signature)


def by_statistics(settings: ScoreSettings, lists: OpenedLists[KBest]) -> Pricing:
    """Return the scoring of lists by the statistics of another program."""
    metric = settings.metric.metric
    references = read_references(settings, lists)
    given = GivenStatistics.read(str(settings.statistics), metric)

    def price(records: Iterable[KBest]) -> Iterator[KBest]:
        joined = with_references(records, lists.name, references, settings.allow_missing)
        yield from given.score(joined)

    checksums = {"references": references.digest(), "statistics": given.digest()}
    signature = settings.signature(lists, **checksums)
    return Pricing(price, signature, Likeness(references, metric))


def way_of(settings: ScoreSettings) -> Callable[[ScoreSettings, OpenedLists[KBest]], Pricing]:
    """Return the function that makes the scoring of lists.

    Raises UsageError for flags of texts or statistics beside a metric that compares no texts.
    """
    compares = settings.metric.metric.compares_texts
    if not compares and settings.text != AS_IT_IS:
        raise command.UsageError("--text-field and --remove-subwords go with metrics of texts")
    if settings.statistics is None:
        return by_references if compares else by_column
    if not compares:
        raise command.UsageError("--statistics goes with a metric that compares texts")
    return by_statistics


def body(args: argparse.Namespace) -> None:
    """Read the lists, score them, write them."""
    command.one_stdin(args.input, args.statistics, *args.ref)
    if args.summary is not None:
        command.outputs_apart(args.output, args.summary)
    form = TextForm.of_flags(args)
    settings = ScoreSettings(
        metric_flags(args), args.statistics, args.allow_missing, args.jobs, form
    )
    metric = settings.metric.metric
    prepare = way_of(settings)
    engine = engine_of_flags(args)
    summary = Summary(metric)
    with open_lists(args.input, KBest, by_shard=True) as lists, ExitStack() as stack:
        pricing = prepare(settings, lists)
        report = stack.enter_context(Output(args.summary)) if args.summary else None
        if engine is not None:
            summary = by_workers(args, engine, lists, pricing, report)
        else:
            with made_of(lists, args.output, KBest, pricing.signature, metric.header()) as out:
                write_scored(args, settings, pricing, summary, lists, out)
                write_report(report, summary, pricing)
    if (unlike := pricing.warning()) is not None:
        command.say(args, f"{COMMAND}: warning: {unlike}")
    command.say(args, f"{COMMAND}: {summary}")


def write_scored(
    args: argparse.Namespace,
    settings: ScoreSettings,
    pricing: Pricing,
    summary: Summary,
    lists: OpenedLists[KBest],
    out: ListWriter[KBest],
) -> None:
    """Score lists and write them: in forked processes where that can be, else in threads."""
    references = pricing.references
    likeness = pricing.likeness
    if references and likeness and isinstance(out, Writer) and can_be_shared(lists, settings.jobs):
        watch = partial(command.progress, args=args, label=COMMAND, total=lists.total)
        ForkedScoring(
            settings.metric.metric,
            references,
            settings.text,
            settings.jobs,
            settings.allow_missing,
            likeness,
            summary,
        ).write(lists, out, watch)
        return
    watched = command.progress(lists, args, COMMAND)
    for kbest in summary.count(settings.text.scored(watched, pricing.watched, lists.name)):
        out.write(kbest)


def by_workers(
    args: argparse.Namespace,
    engine: EngineSettings,
    lists: OpenedLists[KBest],
    pricing: Pricing,
    report: Output | None = None,
) -> Summary:
    """Score the shards of a collection on workers; return the summary.

    Raises UsageError for lists without shards, and for a metric that compares no texts.
    """
    references = pricing.references
    form = TextForm.of_flags(args)
    if not isinstance(lists, CollectionReader):
        raise command.UsageError("--engine dask takes a collection: its shards are the tasks")
    # workers read the references themselves, and have another stdin
    if references is None or "-" in args.ref:
        raise command.UsageError("--engine dask takes a metric of texts, and --ref FILE")
    # before any task: a worker sees one shard, so it cannot tell a gap from the end of its shard
    shard_scoring.refuse_gaps(lists, references, args.allow_missing)
    shard_scoring.look_at(lists, form, pricing.likeness)
    refuse_nameless(lists, args.output)
    metric = metric_flags(args).metric
    summary = Summary(metric)
    flags = flags_to_send(args, shard_scoring.PATHS)
    with (
        CollectionWriter(args.output, KBest, pricing.signature, metric.header()) as out,
        open_engine(engine, args.output) as (dask, folder),
    ):
        for counts in shard_scoring.score_shards(dask, folder, flags, lists, references, out):
            summary.add(counts)
        write_report(report, summary, pricing)
    return summary


def write_report(report: Output | None, summary: Summary, pricing: Pricing) -> None:
    """Write the summary, if asked for, to the end: then only renaming is left, as for the lists."""
    if report is not None:
        report.write_line(summary.to_json(pricing.warning()))
        report.finish()


if __name__ == "__main__":
    raise SystemExit(main())
