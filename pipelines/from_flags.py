"""Makes settings, decoder, scorer, tuner and workers of the flags of a loop."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from dataclasses import replace

from campanula import cli
from campanula.formats.weights import Weights
from campanula.pipelines import runs
from campanula.pipelines.convergence import Convergence
from campanula.pipelines.decoder import EmbeddedDecoder, LoopDecoder, has_sparse_features
from campanula.pipelines.external_decoder import ExternalDecoder
from campanula.pipelines.external_scorer import ExternalScorer
from campanula.pipelines.initial import default_weights
from campanula.pipelines.loop import LoopParts
from campanula.pipelines.loops.optimizing import OptimizeFlags, Recipe
from campanula.pipelines.patterns import beginnings_of, patterns, refuse_unmatched
from campanula.pipelines.run_record import CommandLine
from campanula.pipelines.scorer import GAIN_COLUMN, EmbeddedScorer, LoopScorer, MetricSettings
from campanula.pipelines.settings import Files, LoopSettings, RunSettings, TrainingFiles
from campanula.pipelines.tasks.building import Workers
from campanula.stages.command import UsageError
from campanula.stages.engines.engine_flags import engine_of_flags, engine_words
from campanula.stages.metrics.meteor import Meteor
from campanula.stages.metrics.meteor_flags import meteor_words, refuse_meteor_flags
from campanula.stages.metrics.table import metric_named

NO_SETTINGS = {"words", "prog"}
NO_SETTINGS_OF_DECODE = {"input", "output", "quiet"}
"""Attributes of a Namespace that are no settings: our parsers' own, and what a loop sets itself."""


def tune(args: argparse.Namespace, recipe: Recipe) -> None:
    """Run the loop of a recipe with the settings of the flags."""
    _check_engine(args)
    _check_patterns(args)
    check = recipe.tuner(optimize_flags(args)).check()
    workers = Workers(args.workers, args.luigi_scheduler)
    runs.tune(settings_of(args), parts_of(args, recipe), model_of(args), workers, check)


def _check_engine(args: argparse.Namespace) -> None:
    """Raise UsageError for `--engine dask` in a run where its workers would have no tasks."""
    another = args.decode_command is not None or args.score_command is not None
    if another and engine_of_flags(args) is not None:
        raise UsageError("--engine dask is for the decoder and the scorers that are ours")
    refuse_engine_without_parts(args, args.source)


def refuse_engine_without_parts(args: argparse.Namespace, source: str) -> None:
    """Raise UsageError for `--engine dask` on a text in one file, which is no work to share."""
    if engine_of_flags(args) is not None and not os.path.isdir(source):
        raise UsageError("--engine dask takes folders of texts: their files are the tasks")


def _check_patterns(args: argparse.Namespace) -> None:
    """Raise UsageError for a pattern of --freeze, --only or --bounds that no feature can match."""
    given, flags = args.optimize_flags, args.decoder_flags
    if not patterns(given):
        return
    if args.decode_command is None:
        # sparse features get their names while decoding: now only beginnings of names are known
        refuse_unmatched(given, default_weights(flags), beginnings_of(flags))
    elif args.weights is not None and not args.allow_missing:  # every feature has a weight
        refuse_unmatched(given, Weights.read(args.weights))


def parts_of(args: argparse.Namespace, recipe: Recipe) -> LoopParts:
    """Decoder, scorer and tuner of the loop."""
    return LoopParts(decoder_of(args), scorer_of(args), recipe.tuner(optimize_flags(args)))


def settings_of(args: argparse.Namespace) -> RunSettings:
    """Settings of the run: texts, folder, initial weights, replicates, the loop's own."""
    stop = Convergence(args.weights_tolerance, args.new_hypotheses, args.patience)
    return RunSettings(
        work_dir=args.work_dir,
        dev=Files("dev", args.source, tuple(args.ref)),
        tests=tuple(of_test(name, files) for name, *files in args.test),
        weights=args.weights,
        initial=args.initial,
        replicates=args.replicates,
        quiet=args.quiet,
        loop=LoopSettings(
            iterations=args.iterations,
            k=args.k,
            merge=args.merge,
            keep=args.keep,
            test_at=args.test_at,
            seed=args.seed,
            trim=args.trim,
            stop=stop,
        ),
        command=command_line(args),
    )


def command_line(args: argparse.Namespace) -> CommandLine:
    """The words of the command line, with all settings of the loop and those of `decode`."""
    own = {name: value for name, value in vars(args).items() if name not in NO_SETTINGS}
    if getattr(args, "decode_command", None) is None:
        decoder, _ = cli.parser_of("decode").parse_known_args(args.decoder_flags)
        flags = vars(decoder).items()
        # with the defaults of `decode`: where a later version has others, it is another run
        own["decode"] = {k: v for k, v in flags if k not in own and k not in NO_SETTINGS_OF_DECODE}
    return CommandLine(tuple(getattr(args, "words", ())), own)


def of_test(name: str, files: list[str]) -> Files:
    """The test set of a --test; raises UsageError for a bad name or a lack of references."""
    if os.sep in name:
        raise UsageError(f"--test: a name is that of a file, too, so without {os.sep}: {name!r}")
    if len(files) < 2:
        raise UsageError("--test takes a name, a source, and at least one reference")
    return Files(name, files[0], tuple(files[1:]))


def training_files(given: Sequence[str], leave_one_out: bool) -> TrainingFiles:
    """The text of a --train; its alignment counts where a sentence's own blocks are left out.

    Raises UsageError for too few files, or too many.
    """
    if len(given) not in (2, 3):
        raise UsageError("--train takes a source, a target, and for --leave-one-out an alignment")
    if leave_one_out and len(given) != 3:
        raise UsageError("--leave-one-out needs --train SOURCE TARGET ALIGNMENT")
    return TrainingFiles(given[0], given[1], given[2] if leave_one_out else None)


def model_of(args: argparse.Namespace) -> list[str] | None:
    """Flags that name the model whose weights a run may begin from; None for another decoder."""
    flags: list[str] = args.decoder_flags
    return flags if args.decode_command is None else None


def optimize_flags(args: argparse.Namespace) -> OptimizeFlags:
    """Flags of `optimize`; sparse features may lack weights, since each decode may add new ones."""
    return OptimizeFlags(
        given=tuple(args.optimize_flags),
        refs=tuple(args.ref),
        metric=metric_of(args),
        allow_missing=args.allow_missing or has_sparse_features(args.decoder_flags),
        jobs=args.jobs,
    )


def decoder_of(args: argparse.Namespace) -> LoopDecoder:
    """`decode`, or the program of --decode-command."""
    if args.decode_command is None:
        missing = ["--allow-missing"] if args.allow_missing else []
        return EmbeddedDecoder([*args.decoder_flags, *missing], args.jobs, engine_words(args))
    if args.decoder_flags:
        problem = (
            f"{args.decoder_flags[0]} is no flag of this loop, and --decode-command has its own"
        )
        raise UsageError(problem)
    formats = (args.decode_format, args.weights_format)
    return ExternalDecoder.of(args.decode_command, args.shell, *formats, args.decode_timeout)


def metric_of(args: argparse.Namespace) -> str:
    """Name of the metric that scores and optimises: --metric, or a default."""
    if args.metric is not None:
        return str(args.metric)
    return "bleu" if args.score_command is None else GAIN_COLUMN


def metric_settings(args: argparse.Namespace, name: str) -> MetricSettings:
    """Settings of a metric of corpora: how it reads texts, and METEOR's own."""
    settings = MetricSettings(name, tokenize=args.tokenize, lowercase=args.lowercase)
    if not isinstance(metric_named(name), Meteor):
        return settings
    return replace(settings, meteor=meteor_words(args), wordnet=args.meteor_wordnet)


def with_gain(args: argparse.Namespace, settings: MetricSettings) -> MetricSettings:
    """Settings of the metric that gives sentences their gains: with those of the gain."""
    return replace(settings, gain=args.gain, smooth_value=args.smooth_value)


def metric_of_run(args: argparse.Namespace, name: str) -> MetricSettings:
    """Settings of the only metric of a run; raises UsageError for flags of another."""
    refuse_meteor_flags(args, [metric_named(name)])
    return with_gain(args, metric_settings(args, name))


def scorer_of(args: argparse.Namespace) -> LoopScorer:
    """`score-bleu`, or the program of --score-command."""
    metric = metric_of_run(args, metric_of(args))
    limits = tuple(args.gain_range or ())
    if args.score_command is None:
        if limits:
            raise UsageError("--gain-range goes with --score-command")
        return EmbeddedScorer(metric, args.jobs, engine_words(args))
    if limits and args.metric is not None:
        raise UsageError(f"--gain-range is of gains, and --metric {args.metric} makes them itself")
    timeout = args.score_timeout
    return ExternalScorer.of(args.score_command, args.shell, metric, limits, timeout, args.jobs)
