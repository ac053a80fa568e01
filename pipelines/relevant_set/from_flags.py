"""Makes the settings of `tune relevant-set` of its flags."""

from __future__ import annotations

import argparse

from campanula.pipelines.from_flags import (
    command_line,
    metric_settings,
    of_test,
    refuse_engine_without_parts,
    training_files,
    with_gain,
)
from campanula.pipelines.relevant_set import runs
from campanula.pipelines.relevant_set.decodings import refuse_own
from campanula.pipelines.relevant_set.settings import (
    FIRST,
    ORACLE,
    PERCEPTRON,
    SEEDS,
    VIOLATING,
    DecoderFlags,
    RelevantLoopSettings,
    RelevantSetSettings,
)
from campanula.pipelines.settings import Files, TrainingFiles, refuse_taken_names
from campanula.pipelines.tasks.building import Workers
from campanula.stages.command import UsageError
from campanula.stages.engines.engine_flags import engine_words
from campanula.stages.metrics.meteor_flags import refuse_meteor_flags
from campanula.stages.metrics.table import metric_named


def tune(args: argparse.Namespace) -> None:
    """Run the loop with the settings of the flags."""
    runs.tune(settings_of(args), Workers(args.workers, args.luigi_scheduler))


def settings_of(args: argparse.Namespace) -> RelevantSetSettings:
    """Settings of the run; raises UsageError for flags that do not go together."""
    metric = args.metric or "bleu"
    refuse_meteor_flags(args, [metric_named(name) for name in (metric, *args.also)])
    settings = RelevantSetSettings(
        work_dir=args.work_dir,
        dev=Files("dev", args.source, tuple(args.ref)),
        train=_training_files(args),
        tests=tuple(of_test(name, files) for name, *files in args.test),
        weights=args.weights,
        decoder=DecoderFlags(
            tuple(args.decoder_flags), args.reordering, args.singleton_penalty or "0"
        ),
        metric=with_gain(args, metric_settings(args, metric)),
        also=tuple(metric_settings(args, name) for name in args.also),
        then=args.then,
        jobs=args.jobs,
        engine=tuple(engine_words(args)),
        quiet=args.quiet,
        loop=_loop_settings(args),
        command=command_line(args),
    )
    _check(settings)
    refuse_engine_without_parts(args, args.source if args.train is None else args.train[0])
    return settings


def _training_files(args: argparse.Namespace) -> TrainingFiles | None:
    """The training text; None for dev."""
    if args.singleton_penalty is not None and not args.leave_one_out:
        raise UsageError("--singleton-penalty belongs to --leave-one-out")
    if args.train is not None:
        return training_files(args.train, args.leave_one_out)
    if args.leave_one_out:
        raise UsageError("--leave-one-out needs --train SOURCE TARGET ALIGNMENT")
    return None


def _loop_settings(args: argparse.Namespace) -> RelevantLoopSettings:
    perceptron = args.algorithm == PERCEPTRON
    return RelevantLoopSettings(
        algorithm=args.algorithm,
        start=args.start or (SEEDS if perceptron else ORACLE),
        iterations=args.iterations,
        k=args.k,
        select=args.select,
        keep=args.keep,
        test_at=args.test_at,
        seed=args.seed,
        optimize=tuple(args.optimize_flags),
        trim=args.trim,
    )


def _check(settings: RelevantSetSettings) -> None:
    """Raise UsageError for settings that do not fit together."""
    loop = settings.loop
    refuse_own(settings.decoder.given)
    if loop.algorithm == PERCEPTRON and loop.start == ORACLE:
        raise UsageError("the perceptron has no truth: expected --start seeds")
    if loop.select == VIOLATING and loop.start != ORACLE:
        raise UsageError("--select violating goes by the truth of --start oracle")
    # of two stages one starts from seeds, whose first weights are later than the oracle's
    first = loop.first if settings.then is None else FIRST[SEEDS]
    if loop.iterations < first:
        raise UsageError(f"--iterations L: the first weights are those of l = {first}")
    refuse_taken_names(settings.tests, (settings.dev.name, "train"))
    if settings.then is not None and settings.train is None:
        raise UsageError("--then needs --train: one of the two stages is on it")
    metrics = [settings.metric.metric, *(other.metric for other in settings.also)]
    if len(set(metrics)) < len(metrics):
        raise UsageError("--also takes a new metric each time, and not that of the run")
