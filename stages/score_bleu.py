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
from contextlib import ExitStack
from functools import partial

from campanula.formats.collections.opening import ListWriter, OpenedLists, open_lists
from campanula.formats.collections.reader import CollectionReader
from campanula.formats.collections.writer import CollectionWriter
from campanula.formats.files import Output
from campanula.formats.records.kbest import KBest
from campanula.formats.stream import Writer
from campanula.stages import command
from campanula.stages.command_line.text_flags import TextForm, add_text_flags
from campanula.stages.engines.engine_flags import (
    add_engine_flags,
    engine_of_flags,
    flags_to_send,
    open_engine,
)
from campanula.stages.engines.engine_settings import EngineSettings
from campanula.stages.metrics import shard_scoring
from campanula.stages.metrics.flags import add_metric_flags, metric_flags
from campanula.stages.metrics.forked_scoring import ForkedScoring
from campanula.stages.metrics.pricing import COMMAND, Pricing, ScoreSettings, way_to_score
from campanula.stages.metrics.summary import Summary
from campanula.stages.outputs.list_files import refuse_folder_on_stdout, writer_for
from campanula.stages.parallel.forked_lists import can_be_shared

EXAMPLE = "import-nbest run1.gz | score-bleu --ref val.en - -o dev.kbest"


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
    prepare = way_to_score(settings)
    engine = engine_of_flags(args)
    summary = Summary(metric)
    with open_lists(args.input, KBest, by_shard=True) as lists, ExitStack() as stack:
        pricing = prepare(settings, lists)
        report = stack.enter_context(Output(args.summary)) if args.summary else None
        if engine is not None:
            summary = by_workers(args, engine, lists, pricing, report)
        else:
            with writer_for(lists, args.output, KBest, pricing.signature, metric.header()) as out:
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
    shard_scoring.compare_first_texts(lists, form, pricing.likeness)
    refuse_folder_on_stdout(lists, args.output)
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
