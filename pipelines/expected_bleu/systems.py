"""Systems: a model with the weights of several runs of MERT, and its values on data sets.

The baseline is a system, and the tables of each theta_t make another.  Runs of MERT differ in their
seed (Clark et al. 2011); each has a folder, replicate-SEED, in the folder of the system.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean

from campanula.formats.atomic import output_folder
from campanula.formats.weights import Weights
from campanula.pipelines import convergence, runs, translations
from campanula.pipelines.data_set import DataSet
from campanula.pipelines.decoder import EmbeddedDecoder
from campanula.pipelines.evaluation import evaluation_of
from campanula.pipelines.expected_bleu.settings import ExpectedBleuSettings
from campanula.pipelines.loop import LoopParts
from campanula.pipelines.loops import mert
from campanula.pipelines.loops.optimizing import STOP, OptimizeFlags, OptimizeTuner
from campanula.pipelines.scorer import EmbeddedScorer
from campanula.pipelines.settings import LoopSettings, RunSettings
from campanula.pipelines.tasks.cache import Cache
from campanula.pipelines.tasks.side_by_side import finish
from campanula.pipelines.tasks.stage_task import Product, StageTask

BASELINE = "baseline"


@dataclass(frozen=True, slots=True)
class MertSystem:
    """A model, by the decoder's flags, and the weights that each run of MERT has ended with.

    values: corpus metric of data sets by name, a number a run.
    """

    folder: str
    flags: tuple[str, ...]
    weights: tuple[Product, ...]
    values: Mapping[str, tuple[float, ...]]

    def mean(self, name: str) -> float:
        """Mean corpus metric of a data set."""
        return mean(self.values[name])


@dataclass(frozen=True, slots=True)
class Systems:
    """Tunes systems on dev, and decodes other texts with them."""

    cache: Cache
    settings: ExpectedBleuSettings
    say: Callable[[str], None]

    @property
    def scorer(self) -> EmbeddedScorer:
        """Scorer of dev, selection and test sets."""
        return EmbeddedScorer(self.settings.metric, self.settings.jobs, self.settings.engine)

    @property
    def tuner(self) -> OptimizeTuner:
        """Tuner of MERT, which makes weights of lists of dev."""
        settings = self.settings
        given = OptimizeFlags(
            given=settings.mert.optimize,
            refs=settings.dev.refs,
            metric=settings.metric.metric,
            jobs=settings.jobs,
        )
        return mert.RECIPE.tuner(given)

    def decoder(self, flags: Sequence[str]) -> EmbeddedDecoder:
        """Decoder of a system."""
        return EmbeddedDecoder(flags, self.settings.jobs, self.settings.engine)

    def tuned(self, name: str, flags: tuple[str, ...], weights: str | None) -> MertSystem:
        """Tune a system on dev, from weights or, for None, Moses's defaults."""
        settings = self.settings
        folder = os.path.join(settings.work_dir, name)
        output_folder(folder)
        self.say(f"{name}: MERT, {settings.mert.replicates} runs")
        own = RunSettings(
            work_dir=folder,
            dev=settings.dev,
            weights=weights,
            replicates=settings.mert.replicates,
            quiet=settings.quiet,
            loop=self._loop(),
        )
        parts = LoopParts(self.decoder(flags), self.scorer, self.tuner)
        numbers = range(settings.mert.replicates)
        self.cache.progress.expect(settings.mert.replicates * settings.mert.iterations)
        made = finish(
            self.cache, [runs.replicate(self.cache, own, parts, flags, n) for n in numbers]
        )
        dev = tuple(run.tuned["dev"] for run in made)
        return MertSystem(folder, flags, tuple(run.result.weights for run in made), {"dev": dev})

    def _loop(self) -> LoopSettings:
        """Settings of MERT's loop: those of `tune mert`."""
        settings = self.settings.mert
        return LoopSettings(
            iterations=settings.iterations,
            k=settings.k,
            merge=True,
            keep="best",
            test_at="ends",
            seed=settings.seed,
            stop=STOP,
        )

    def best_weights(self, system: MertSystem) -> Product:
        """The weights of the run of MERT that is best on dev."""
        higher = self.scorer.higher_is_better
        return system.weights[convergence.best(system.values["dev"], higher)]

    def outputs(self, system: MertSystem, data: DataSet) -> list[StageTask]:
        """Tasks that decode and score a text under the weights of each run: the best outputs."""
        decoder = self.decoder(system.flags)
        return [
            data.scored(self.cache, decoder, self.scorer, weights, 1) for weights in system.weights
        ]

    def measured(self, system: MertSystem, data: DataSet) -> MertSystem:
        """The system with its values on another text."""
        tasks = self.outputs(system, data)
        self.cache.build(tasks)
        values = {**system.values, data.name: tuple(evaluation_of(task).value for task in tasks)}
        return MertSystem(system.folder, system.flags, system.weights, values)

    def translated(self, system: MertSystem, data: DataSet) -> list[str]:
        """Write the translations of a text under each run's weights; their paths."""
        tasks = self.outputs(system, data)
        self.cache.build(tasks)
        # the folder of a run of MERT goes by its seed
        seeds = range(self.settings.mert.seed, self.settings.mert.seed + len(tasks))
        paths = [
            os.path.join(system.folder, f"replicate-{seed}", f"{data.name}.out") for seed in seeds
        ]
        for path, task in zip(paths, tasks, strict=True):
            translations.write(path, task)
        return paths


def start_of(path: str, baseline: Product, names: Sequence[str]) -> str:
    """Write weights to begin with: the baseline's, and 1 for learned features (W15 Eq. 11)."""
    weights = {**Weights.read(baseline.path), **dict.fromkeys(names, 1.0)}
    output_folder(os.path.dirname(path))
    Weights(weights).write(path, ["initial:learned"])
    return path
