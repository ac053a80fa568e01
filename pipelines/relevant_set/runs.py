"""Runs of the loop in their folder: one stage, or two (Tillmann and Zhang, Table IX).

    one stage        on the training text, or on dev
    --then dense     sparse features on the training text without dense ones; then dense ones on
                     dev, from seeds, with the sparse ones fixed (line 3)
    --then binary    dense features on dev, from seeds; then sparse ones on the training text with
                     the dense ones fixed (line 2)

The first of two stages has a folder of its own, `first-stage`, and the second that of the run.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace

from campanula.formats.atomic import output_folder
from campanula.formats.errors import DataError
from campanula.formats.weight_stream import is_weight_stream
from campanula.formats.weights import Weights
from campanula.pipelines.data_set import DataSet
from campanula.pipelines.decoder import has_sparse_features
from campanula.pipelines.initial import default_weights
from campanula.pipelines.loops.optimizing import check_flags
from campanula.pipelines.patterns import beginnings_of, patterns, refuse_unmatched
from campanula.pipelines.relevant_set.decodings import Decodings, SetTrainingText
from campanula.pipelines.relevant_set.loop import RelevantSetLoop
from campanula.pipelines.relevant_set.settings import (
    BINARY,
    DENSE,
    LOSSES,
    SEEDS,
    RelevantSetSettings,
)
from campanula.pipelines.relevant_set.steps import RelevantSetSteps
from campanula.pipelines.relevant_set.weights import Beginning, flat, perturbed
from campanula.pipelines.results import (
    CURVE,
    HISTORY,
    INITIAL,
    INVENTORY,
    REPORT,
    WEIGHTS,
    outputs,
    refuse_folders,
)
from campanula.pipelines.run_folder import RunFolder
from campanula.pipelines.runs import speaker
from campanula.pipelines.scorer import EmbeddedScorer
from campanula.pipelines.settings import Files
from campanula.pipelines.tasks.building import Workers
from campanula.pipelines.tasks.cache import Cache, remove_temporary
from campanula.pipelines.tasks.progress import Progress
from campanula.pipelines.tasks.stage_task import Leaf, Product
from campanula.stages.command import UsageError

FIRST_STAGE = "first-stage"
RESULTS = (WEIGHTS, HISTORY, "curve.*", INITIAL, "seed-*", "*.out", INVENTORY, REPORT)
SEED_WEIGHTS = ("seed-1", "seed-2")
BEGUN = (INITIAL, *SEED_WEIGHTS)


@dataclass(frozen=True, slots=True)
class Fixed:
    """Result of a stage: weights, and the inventory whose ids they have, if any."""

    weights: Product
    inventory: Leaf | None


def tune(settings: RelevantSetSettings, workers: Workers) -> None:
    """Run in the folder of the settings."""
    workers.check()
    _check_patterns(settings)
    folder = os.path.join(settings.work_dir, "cache")
    with (
        Progress("relevant-set", settings.quiet) as progress,
        Cache(folder, workers, progress) as cache,
    ):
        loop = settings.loop
        check_flags(cache, ["--loss", LOSSES[loop.algorithm], *loop.optimize])
        refuse_folders(settings.work_dir, made_by(settings))
        with folder_of(settings).begun(cache):
            if settings.then is None:
                Stage(cache, settings).run()
            elif settings.then == DENSE:
                binary_then_dense(cache, settings)
            else:
                dense_then_binary(cache, settings)


def folder_of(settings: RelevantSetSettings) -> RunFolder:
    """The folder of a run, with the names of its results."""
    sets = [settings.dev, *settings.tests]
    results = (*RESULTS, FIRST_STAGE)
    return RunFolder(settings.work_dir, results, settings.command, sets, settings.quiet)


def _check_patterns(settings: RelevantSetSettings) -> None:
    """Raise UsageError for a pattern that no feature of a stage can match."""
    given, flags = settings.loop.optimize, settings.decoder.given
    if patterns(given):
        beginnings = [] if settings.then == BINARY else beginnings_of(flags)
        refuse_unmatched(given, dense_names(settings), beginnings)


def binary_then_dense(cache: Cache, settings: RelevantSetSettings) -> None:
    """Sparse features on the training text, then dense ones on dev."""
    _refuse_sparse(settings)
    names = dense_names(settings)
    # w_0 has dense features alone, which this stage does without
    first = replace(_first_stage(settings), weights=None).without_dense()
    made = Stage(cache, first, names=names).run()
    loop = replace(settings.loop, start=SEEDS, select="all")
    # the sparse weights of the first stage stay as they are
    loop = replace(loop, optimize=(*loop.optimize, *_each("--only", names)))
    second = replace(settings, train=None, loop=loop)
    Stage(cache, second, fixed=made, names=names).run()


def dense_then_binary(cache: Cache, settings: RelevantSetSettings) -> None:
    """Dense features on dev, from seeds, then sparse ones on the training text."""
    _refuse_sparse(settings)
    names = dense_names(settings)
    seeded = replace(settings.loop, start=SEEDS, select="all")
    first = replace(_first_stage(settings), train=None, loop=seeded).without_sparse()
    made = Stage(cache, first).run()
    loop = settings.loop
    # the dense weights of the first stage stay as they are
    loop = replace(loop, optimize=(*loop.optimize, *_each("--freeze", names)))
    Stage(cache, replace(settings, loop=loop), fixed=made).run()


def _first_stage(settings: RelevantSetSettings) -> RelevantSetSettings:
    folder = os.path.join(settings.work_dir, FIRST_STAGE)
    output_folder(folder)
    # the folder of the whole run is cleared by RunFolder, but not the folders in it
    remove_temporary(folder, RESULTS)
    return replace(settings, work_dir=folder)


def _each(flag: str, names: Sequence[str]) -> list[str]:
    return [word for name in names for word in (flag, name)]


def dense_names(settings: RelevantSetSettings) -> list[str]:
    """Names of the dense features that are on."""
    return list(default_weights(settings.decoder.given))


def _refuse_sparse(settings: RelevantSetSettings) -> None:
    """Raise UsageError or DataError where one of the two stages has no features to train."""
    if not has_sparse_features(settings.decoder.given):
        raise UsageError(f"--then {settings.then} is for sparse features: expected --features")
    names = dense_names(settings)
    if not names:
        raise UsageError(f"--then {settings.then} is for dense features, too: none is on")
    if settings.weights is not None:
        _check_origin(settings.weights, names)


def _check_origin(path: str, names: Sequence[str]) -> None:
    """Raise DataError for a w_0 with sparse features, which have no ids yet, or with others."""
    if is_weight_stream(path):
        problem = "expected weights of dense features as text, found a weights stream"
        raise DataError(path, None, problem)
    others = [name for name in Weights.read(path) if name not in names]
    if others:
        on = ", ".join(names) or "none"
        problem = f"expected dense features alone, of those that are on ({on}), found {others[0]!r}"
        raise DataError(path, None, problem)


def _check_seeds(settings: RelevantSetSettings, names: Sequence[str]) -> None:
    """Raise UsageError for seeds that are both w_0 = 0, whose equal outputs move no weight."""
    loop = settings.loop
    if loop.start == SEEDS and not names and loop.k == 1 and settings.weights is None:
        raise UsageError(
            "--start seeds are weights of dense features, and none is on: both give the same"
            " outputs, of which nothing can be learned (expected --dense-features or -k 2)"
        )


def made_by(settings: RelevantSetSettings, begun: Sequence[Product] = ()) -> set[str]:
    """Names of the files that a stage makes in its folder; begun: its initial weights."""
    folder, texts = settings.work_dir, (settings.dev, *settings.tests)
    made = {WEIGHTS, HISTORY, CURVE, *outputs(text.name for text in texts)}
    made |= {INVENTORY} if has_sparse_features(settings.decoder.given) else set()
    there = {one.path for one in begun}
    return made | {name for name in BEGUN if os.path.join(folder, name) in there}


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage: a loop in the folder of its settings.

    fixed: weights of an earlier stage, which do not change.  names: the first names of its
    inventory; None: the dense features that are on.
    """

    cache: Cache
    settings: RelevantSetSettings
    fixed: Fixed | None = None
    names: Sequence[str] | None = None

    def run(self) -> Fixed:
        """Run the stage; return its weights with their inventory."""
        settings = self.settings
        own = dense_names(settings)
        _check_seeds(settings, own)
        names = tuple(own if self.names is None else self.names)
        steps = self._steps(own)
        say = speaker(settings.quiet)
        refuse_folders(settings.work_dir, made_by(settings, (steps.origin, *steps.seeds)))
        if steps.decodings.extends:
            steps = RelevantSetSteps.with_inventories(steps, names)
        loop = RelevantSetLoop(settings.work_dir, steps, names, say)
        return Fixed(loop.run(), steps.inventory)

    def _steps(self, names: Sequence[str]) -> RelevantSetSteps:
        """Steps of the loop, without the inventory that this stage may make."""
        settings, cache = self.settings, self.cache
        given = None if self.fixed is None else self.fixed.inventory
        extends = given is None and has_sparse_features(settings.decoder.given)
        engine = settings.engine
        decodings = Decodings(cache, settings.decoder, given, extends, settings.jobs, engine)
        dev = DataSet.of(cache, settings.dev)
        return RelevantSetSteps(
            cache=cache,
            text=self._text(dev),
            dev=dev,
            tests=tuple(DataSet.of(cache, test) for test in settings.tests),
            decodings=decodings,
            scorer=EmbeddedScorer(settings.metric, settings.jobs, engine),
            also={
                other.metric: EmbeddedScorer(other, settings.jobs, engine)
                for other in settings.also
            },
            settings=settings.loop,
            origin=self._origin(names, given),
            seeds=self._seeds(names, given) if settings.loop.start == SEEDS else (),
            inventory=given,
        )

    def _text(self, dev: DataSet) -> SetTrainingText:
        train, cache = self.settings.train, self.cache
        if train is None:
            return SetTrainingText(dev)
        data = DataSet.of(cache, Files("train", train.source, (train.target,)))
        alignment = None if train.alignment is None else Leaf.of(cache, train.alignment)
        return SetTrainingText(data, alignment)

    def _beginning(self, inventory: Leaf | None) -> Beginning:
        fixed = None if self.fixed is None or inventory is None else self.fixed.weights
        return Beginning(self.cache, self.settings.work_dir, inventory, fixed)

    def _origin(self, names: Sequence[str], inventory: Leaf | None) -> Product:
        """The weights w_0, where every training begins."""
        given = self.settings.weights
        if self.fixed is not None and inventory is None:
            return self.fixed.weights
        if given is not None and inventory is None:
            if has_sparse_features(self.settings.decoder.given):
                _check_origin(given, names)
            return Leaf.of(self.cache, given)
        values = dict.fromkeys(names, 0.0)
        if given is not None:
            values |= Weights.read(given)
        return self._beginning(inventory).weights(INITIAL, values, "zero")

    def _seeds(self, names: Sequence[str], inventory: Leaf | None) -> tuple[Product, ...]:
        """Two weights for the first outputs: the fixed ones or 0.1, and these perturbed."""
        values = flat(names)
        if self.fixed is not None and inventory is None:
            values = dict(Weights.read(self.fixed.weights.path))
        seed = self.settings.loop.seed
        beginning = self._beginning(inventory)
        one, two = SEED_WEIGHTS
        other = beginning.weights(two, perturbed(values, seed), f"perturbed|seed:{seed}")
        return beginning.weights(one, values, "flat"), other
