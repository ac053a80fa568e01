"""Runs of a loop in their folders: one run, or replicates that differ in their seed.

One run of a randomised tuner says little (Clark et al. 2011).  Replicates share the cache;
each has its weights, history and curve in a folder of its own, `replicate-SEED`.  The table of
means and standard deviations (n - 1) goes to stdout, replicates.jsonl has the values, and the
weights of the replicate that is best on dev become those of the run.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from statistics import mean, stdev

from campanula.formats.atomic import output_folder
from campanula.formats.files import Output
from campanula.pipelines import convergence, evidence, plot
from campanula.pipelines.copying import copy
from campanula.pipelines.history import Values, digits_of
from campanula.pipelines.initial import initial_weights
from campanula.pipelines.loop import Loop, LoopParts, LoopResult
from campanula.pipelines.loops.optimizing import check_flags
from campanula.pipelines.results import (
    CURVE,
    HISTORY,
    INITIAL,
    REPLICATES,
    REPORT,
    WEIGHTS,
    outputs,
    refuse_folders,
)
from campanula.pipelines.room import Room
from campanula.pipelines.run_folder import RunFolder
from campanula.pipelines.scorer import LoopScorer
from campanula.pipelines.settings import RunSettings, refuse_taken_names
from campanula.pipelines.tasks.building import Workers
from campanula.pipelines.tasks.cache import Cache, remove_temporary
from campanula.pipelines.tasks.progress import Progress
from campanula.pipelines.tasks.side_by_side import finish
from campanula.pipelines.tasks.stage_task import StageTask
from campanula.stages.command import complain
from campanula.stages.command_line import bars

RESULTS = (
    *(WEIGHTS, HISTORY, "curve.*", INITIAL, "*.out", REPLICATES),
    *(evidence.BEFORE, evidence.THETA, evidence.LISTS, REPORT),
)


@dataclass(frozen=True, slots=True)
class Replicate:
    """One of several runs: its seed, its result, corpus values by data set before and after."""

    seed: int
    result: LoopResult
    before: dict[str, float]
    tuned: dict[str, float]

    def to_json(self) -> str:
        """The line of replicates.jsonl."""
        last = self.result.history[-1]
        values = {"seed": self.seed, "before": self.before, "tuned": self.tuned}
        return json.dumps({**values, "kept": last.kept, "stopped": last.stopped})


def tune(
    settings: RunSettings,
    parts: LoopParts,
    model: Sequence[str] | None,
    workers: Workers,
    optimize_flags: Sequence[str],
) -> None:
    """Run a loop in its folder.

    model: flags that name the model whose weights a run may begin from; None for another decoder.
    optimize_flags: `optimize --check` refuses those that do not go together, before any work.
    """
    refuse_taken_names(settings.tests, [settings.dev.name])
    workers.check()
    title = str(settings.command.settings.get("loop", "tune"))
    with (
        Progress(title, settings.quiet) as progress,
        Cache(os.path.join(settings.work_dir, "cache"), workers, progress) as cache,
    ):
        # all that can be refused comes before run.json and before results are moved aside
        check_flags(cache, optimize_flags)
        room = Room.of(settings).check(cache.folder)
        if room is not None:
            speaker(settings.quiet)(room)
        refuse_folders(settings.work_dir, made_by(settings, settings.replicates is None))
        progress.expect(settings.loop.iterations * (settings.replicates or 1))
        with folder_of(settings).begun(cache):
            if settings.replicates is None:
                finish(cache, [begun(cache, settings, parts, model, speaker(settings.quiet))])
                return
            numbers = range(settings.replicates)
            curve = plot.Curve(settings.work_dir, parts.scorer.title)
            begin = partial(replicate, cache, settings, parts, model, of_all=curve)
            runs = finish(cache, [begin(number=number) for number in numbers])
            conclude(settings, parts.scorer, runs)
            curve.draw()


def folder_of(settings: RunSettings) -> RunFolder:
    """The folder of a run, with the names of its results."""
    results = (*RESULTS, "replicate-*")
    sets = (settings.dev, *settings.tests)
    return RunFolder(settings.work_dir, results, settings.command, sets, settings.quiet)


def made_by(settings: RunSettings, alone: bool = True) -> set[str]:
    """Names of the files that a run makes in its folder; of replicates most have their own."""
    if not alone:
        return {WEIGHTS, REPLICATES}
    own = {INITIAL} if settings.weights is None or settings.initial != "default" else set()
    texts = (settings.dev, *settings.tests)
    return own | {WEIGHTS, HISTORY, CURVE, evidence.THETA, *outputs(text.name for text in texts)}


def begun(
    cache: Cache,
    settings: RunSettings,
    parts: LoopParts,
    model: Sequence[str] | None,
    say: Callable[[str], None],
    of_all: plot.Curve | None = None,
) -> Generator[Iterable[StageTask], None, LoopResult]:
    """Run a loop from the initial weights of the settings, which are written or read first."""
    begin = replace(settings, weights=initial_weights(settings, model))
    return (yield from Loop(cache, begin, parts, say, of_all).run())


def replicate(
    cache: Cache,
    settings: RunSettings,
    parts: LoopParts,
    model: Sequence[str] | None,
    number: int,
    of_all: plot.Curve | None = None,
) -> Generator[Iterable[StageTask], None, Replicate]:
    """Run replicate `number`, from 0, in its folder; of_all: the curve of all replicates."""
    seed = settings.loop.seed + number
    folder = os.path.join(settings.work_dir, f"replicate-{seed}")
    own = replace(settings, work_dir=folder, loop=replace(settings.loop, seed=seed))
    output_folder(folder)
    remove_temporary(folder, RESULTS)
    say = speaker(settings.quiet)
    refuse_folders(folder, made_by(own))
    say(f"replicate {number + 1} of {settings.replicates}: seed {seed}")
    if cache.workers == 1:
        cache.progress.at(f"replicate {number + 1} of {settings.replicates}")
    else:
        cache.progress.at(f"{settings.replicates} replicates, {cache.workers} workers")
        say = speaker(settings.quiet, f"seed {seed}: ")
    result = yield from begun(cache, own, parts, model, say, of_all)
    first, last = result.history[0], result.history[-1]
    assert last.tuned is not None
    return Replicate(seed, result, by_name(first.values), by_name(last.tuned))


def speaker(quiet: bool, before: str = "") -> Callable[[str], None]:
    """Return a function that writes `before` and a line to stderr, or nothing if quiet."""

    def say(line: str) -> None:
        if not quiet:
            complain(f"{before}{line}")

    return say


def conclude(settings: RunSettings, scorer: LoopScorer, runs: Sequence[Replicate]) -> None:
    """Write the best weights and their translations, the replicates' values, and the table."""
    best = convergence.best([run.tuned["dev"] for run in runs], scorer.higher_is_better)
    folder = settings.work_dir
    own = os.path.join(folder, f"replicate-{runs[best].seed}")
    for name in (WEIGHTS, *(f"{name}.out" for name in runs[best].tuned)):
        copy(os.path.join(own, name), os.path.join(folder, name))
    with Output(os.path.join(folder, REPLICATES)) as out:
        for run in runs:
            out.write_line(run.to_json())
    speaker(settings.quiet)(f"kept: the weights of seed {runs[best].seed}, the best on dev")
    with bars.lines_apart():
        for line in table(runs, scorer.title):
            print(line)


def table(runs: Sequence[Replicate], title: str) -> Iterator[str]:
    """Yield the table: a data set a line, before and after, over all replicates."""
    yield f"{title}, {len(runs)} replicates"
    width = max(len(name) for name in ("data set", *runs[0].tuned)) + 2
    yield f"{'data set':<{width}}{'before':>9}{'mean':>9}{'s.d.':>8}{'lowest':>9}{'highest':>9}"
    for name in runs[0].tuned:
        values = [run.tuned[name] for run in runs]
        digits = digits_of(values)
        deviation = f"{stdev(values):.{digits}f}" if len(values) > 1 else "-"
        row = [mean(run.before[name] for run in runs), mean(values), min(values), max(values)]
        before, after, lowest, highest = (f"{value:.{digits}f}" for value in row)
        yield f"{name:<{width}}{before:>9}{after:>9}{deviation:>8}{lowest:>9}{highest:>9}"


def by_name(values: Values) -> dict[str, float]:
    """Corpus metric by data set, dev first."""
    return {"dev": values.dev, **values.test}
