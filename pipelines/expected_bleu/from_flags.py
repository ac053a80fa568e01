"""Makes the settings of `tune expected-bleu` of its flags."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

from campanula.pipelines.expected_bleu import runs
from campanula.pipelines.expected_bleu.flags import GROWTH, MERT, TAU
from campanula.pipelines.expected_bleu.report import KEYS
from campanula.pipelines.expected_bleu.settings import (
    WITH_ETA,
    ExpectedBleuSettings,
    ListSettings,
    MertSettings,
    TrainingSettings,
)
from campanula.pipelines.from_flags import (
    command_line,
    metric_of_run,
    of_test,
    training_files,
)
from campanula.pipelines.settings import Files, TrainingFiles, refuse_taken_names
from campanula.pipelines.tasks.building import Workers
from campanula.stages.command import UsageError
from campanula.stages.engines.engine_flags import engine_of_flags, engine_words

USUAL_AT = (10, 20, 30, 40)
OURS = ("--inventory", "--no-extend", "--no-count", "--feature-list", "--moses-ini")
"""Flags of `decode` that the loop sets itself, or does without."""


def tune(args: argparse.Namespace) -> None:
    """Run the loop with the settings of the flags."""
    runs.tune(settings_of(args), Workers(args.workers, args.luigi_scheduler))


def settings_of(args: argparse.Namespace) -> ExpectedBleuSettings:
    """Settings of the run; raises UsageError for flags that do not go together."""
    _refuse_ours(args.decoder_flags)
    if "," in args.work_dir:  # `compare` separates the files of a system by commas
        raise UsageError(f"--work-dir: expected a name without commas, found {args.work_dir!r}")
    engine_of_flags(args)  # raises UsageError for flags of the engine that do not go together
    settings = ExpectedBleuSettings(
        work_dir=args.work_dir,
        train=_training_files(args),
        dev=Files("dev", args.source, tuple(args.ref)),
        lists=_lists(args),
        selection=_selection(args.selection),
        tests=tuple(_test_set(name, files) for name, *files in args.test),
        weights=args.weights,
        decoder=tuple(args.decoder_flags),
        metric=metric_of_run(args, args.metric or "bleu"),
        training=_training(args),
        mert=_mert(args),
        share=args.share,
        jobs=args.jobs,
        engine=engine_words(args),
        quiet=args.quiet,
        command=command_line(args),
    )
    refuse_taken_names(settings.tests, ("dev", "selection", "train"))
    _refuse_names([test.name for test in settings.tests], settings.mert)
    return settings


def _refuse_names(names: Sequence[str], mert: MertSettings) -> None:
    """Raise UsageError for test sets whose keys or files would collide with others."""
    for name in names:
        if name in KEYS:
            problem = "that is what history.jsonl calls something else"
            raise UsageError(f"--test: expected another name, found {name!r}: {problem}")
    seeds = range(mert.seed, mert.seed + mert.replicates)
    of_runs = {f"{name}.{seed}": name for name in ("dev", *names) for seed in seeds}
    for name in names:
        if name in of_runs:
            problem = f"{name}.out is what a run of MERT makes of {of_runs[name]}"
            raise UsageError(f"--test: expected another name, found {name!r}: {problem}")


def _refuse_ours(flags: Sequence[str]) -> None:
    for word in flags:
        if word.partition("=")[0] in OURS:
            raise UsageError(f"{word} is no flag of this loop, which has --features and --model")


def _training_files(args: argparse.Namespace) -> TrainingFiles:
    files = training_files(args.train, args.leave_one_out)
    for name in ("singleton_penalty", "leave_out", "leave_out_text"):
        if getattr(args, name) is not None and not args.leave_one_out:
            raise UsageError(f"--{name.replace('_', '-')} belongs to --leave-one-out")
    return files


def _lists(args: argparse.Namespace) -> ListSettings:
    parts = args.leave_out and ",".join(args.leave_out)
    values = {"--singleton-penalty": args.singleton_penalty, "--leave-out": parts}
    given = [word for pair in values.items() if pair[1] is not None for word in pair]
    return ListSettings(
        features=tuple(name.strip() for flag in args.features for name in flag.split(",")),
        k=args.k,
        shards=args.shards,
        given=tuple(given),
        whole=tuple(args.leave_out_text or ()),
    )


def _selection(files: Sequence[str] | None) -> Files | None:
    if files is None:
        return None
    if len(files) < 2:
        raise UsageError("--selection takes a source and at least one reference")
    return Files("selection", files[0], tuple(files[1:]))


def _test_set(name: str, files: list[str]) -> Files:
    if "," in name:  # `compare` separates the files of a system by commas
        raise UsageError(f"--test: expected a name without commas, found {name!r}")
    return of_test(name, files)


def _training(args: argparse.Namespace) -> TrainingSettings:
    optimize = tuple(_passed(args.optimize_flags, mert=False))
    if args.solver == GROWTH and (optimize or args.together):
        flag = optimize[0] if optimize else "--together"
        raise UsageError(f"{flag} is for weights of features, and --solver growth has none")
    if args.solver in WITH_ETA and not args.eta:
        raise UsageError(f"--solver {args.solver} needs a step size: expected --eta X")
    if args.solver not in WITH_ETA and args.eta:
        raise UsageError(f"--solver {args.solver} finds its steps itself: --eta is for none")
    return TrainingSettings(
        solver=args.solver,
        iterations=args.solver_iterations,
        # each value once: the folder of a system has the value in its name
        tau=tuple(dict.fromkeys(args.tau or [TAU])),
        eta=tuple(dict.fromkeys(args.eta)),
        together=tuple(args.together),
        optimize=optimize,
    )


def _mert(args: argparse.Namespace) -> MertSettings:
    last = args.solver_iterations
    asked = tuple(sorted(set(args.mert_at or ())))
    # with fewer iterations than the least of USUAL_AT, the last one
    at = asked or tuple(t for t in USUAL_AT if t <= last) or (last,)
    if at[-1] > last:
        raise UsageError(f"--mert-at {at[-1]}: there are {last} iterations (--solver-iterations)")
    return MertSettings(
        replicates=args.replicates,
        at=at,
        iterations=args.mert_iterations,
        k=args.mert_k,
        seed=args.seed,
        optimize=tuple(_passed(args.optimize_flags, mert=True)),
    )


def _passed(given: Sequence[str], mert: bool) -> Iterator[str]:
    """Yield the passed flags of MERT with their values, or those of training."""
    wanted = False
    for word in given:
        # two hyphens: a value such as -0.5 has one
        if word.startswith("--"):
            wanted = (word in MERT) == mert
        if wanted:
            yield word
