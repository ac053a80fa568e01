"""Runs of a loop as its flags ask: one, or replicates that differ in their seed.

One run of a tuner that uses chance says little (Clark et al. 2011).  Replicates share the cache;
each has its weights, history and curve in a folder of its own, `replicate-SEED`.  The table of
means and standard deviations (n - 1) goes to stdout, replicates.jsonl has the values, and the
weights of the replicate that is best on dev become those of the run.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import mean, stdev

from campanula.formats.files import Output
from campanula.pipelines import convergence
from campanula.pipelines.cache import Cache, remove_temporary
from campanula.pipelines.decoder import EmbeddedDecoder, has_sparse_features
from campanula.pipelines.external_decoder import ExternalDecoder
from campanula.pipelines.history import Values
from campanula.pipelines.initial import initial_weights
from campanula.pipelines.loop import Loop, Tuned, Tuner
from campanula.stages import command
from campanula.stages.metrics.table import metric_named

RESULTS = ("weights", "history.jsonl", "curve.*", "initial", "replicates.jsonl")  # of a run


@dataclass(frozen=True, slots=True)
class Replicate:
    """One of several runs: its seed, what it came to, and corpus metrics before and after."""

    seed: int
    result: Tuned
    before: dict[str, float]
    tuned: dict[str, float]

    def to_json(self) -> str:
        """The line of replicates.jsonl."""
        last = self.result.history[-1]
        said = {"seed": self.seed, "before": self.before, "tuned": self.tuned}
        return json.dumps({**said, "kept": last.kept, "stopped": last.stopped})


def tune(args: argparse.Namespace, tuner: Tuner, fit: Sequence[str]) -> None:
    """Run a loop in its folder; `fit` are flags of `optimize` that must go together."""
    check(args)
    decoder = decoder_of(args)
    # a sparse feature has no weight until the first step after it is seen
    args.allow_missing = args.allow_missing or has_sparse_features(args.decoder_flags)
    with Cache(os.path.join(args.work_dir, "cache")) as cache:
        remove_temporary(args.work_dir, RESULTS)
        cache.run("optimize", [*fit, "--check", os.devnull, "--weights", os.devnull, "-q"])
        if args.replicates is None:
            args.weights = initial_weights(args, args.decoder_flags)
            Loop(cache, args, decoder, tuner).run()
            return
        runs = [replicate(cache, args, decoder, tuner, n) for n in range(args.replicates)]
        conclude(args, runs)


def decoder_of(args: argparse.Namespace) -> EmbeddedDecoder | ExternalDecoder:
    """The decoder that the flags ask for."""
    if args.decode_command is None:
        return EmbeddedDecoder(args.decoder_flags, args.jobs)
    if args.decoder_flags:
        problem = (
            f"{args.decoder_flags[0]} is no flag of this loop, and --decode-command has its own"
        )
        raise command.UsageError(problem)
    return ExternalDecoder.of(args)


def replicate(
    cache: Cache,
    args: argparse.Namespace,
    decoder: EmbeddedDecoder | ExternalDecoder,
    tuner: Tuner,
    number: int,
) -> Replicate:
    """Run one replicate in its folder."""
    own = argparse.Namespace(**vars(args))
    own.seed = args.seed + number
    own.work_dir = os.path.join(args.work_dir, f"replicate-{own.seed}")
    os.makedirs(own.work_dir, exist_ok=True)
    remove_temporary(own.work_dir, RESULTS)
    own.weights = initial_weights(own, args.decoder_flags)
    command.say(args, f"replicate {number + 1} of {args.replicates}: seed {own.seed}")
    result = Loop(cache, own, decoder, tuner).run()
    first, last = result.history[0], result.history[-1]
    assert last.tuned is not None
    return Replicate(own.seed, result, by_name(first.values), by_name(last.tuned))


def conclude(args: argparse.Namespace, runs: Sequence[Replicate]) -> None:
    """Write the best weights, the replicates' values, and the table."""
    higher = metric_named(args.metric).higher_is_better
    best = convergence.best([run.tuned["dev"] for run in runs], higher)
    chosen = runs[best].result.weights.path
    with open(chosen, "rb") as weights, Output(os.path.join(args.work_dir, "weights")) as out:
        out.write(weights.read())
    with Output(os.path.join(args.work_dir, "replicates.jsonl")) as out:
        for run in runs:
            out.write_line(run.to_json())
    command.say(args, f"kept: the weights of seed {runs[best].seed}, the best on dev")
    with Output(None) as out:
        for line in table(runs, args.metric):
            out.write_line(line)


def table(runs: Sequence[Replicate], metric: str) -> Iterator[str]:
    """Yield the table: a data set a line, before and after, over all replicates."""
    yield f"{metric.upper()}, {len(runs)} replicates"
    width = max(len(name) for name in ("data set", *runs[0].tuned)) + 2
    yield f"{'data set':<{width}}{'before':>9}{'mean':>9}{'s.d.':>8}{'lowest':>9}{'highest':>9}"
    for name in runs[0].tuned:
        values = [run.tuned[name] for run in runs]
        deviation = f"{stdev(values):.2f}" if len(values) > 1 else "-"
        before = mean(run.before[name] for run in runs)
        yield (
            f"{name:<{width}}{before:>9.2f}{mean(values):>9.2f}{deviation:>8}"
            f"{min(values):>9.2f}{max(values):>9.2f}"
        )


def by_name(values: Values) -> dict[str, float]:
    """Corpus metric by data set, dev first."""
    return {"dev": values.dev, **values.test}


def check(args: argparse.Namespace) -> None:
    """Raise UsageError for test sets that are not as they should be."""
    names = [test[0] for test in args.test]
    for test in args.test:
        if len(test) < 3:
            raise command.UsageError("--test takes a name, a source, and at least one reference")
    if len({"dev", *names}) <= len(names):
        raise command.UsageError("--test takes a new name each time, and not `dev`")
