"""The folder of a run: what the run puts there, and what is not to be there before it begins."""

from __future__ import annotations

import os
import re
from collections.abc import Callable

from campanula.formats.atomic import output_folder
from campanula.pipelines.expected_bleu.flags import GROWTH, SOLVERS
from campanula.pipelines.expected_bleu.report import PHRASE_TABLE
from campanula.pipelines.expected_bleu.settings import ExpectedBleuSettings
from campanula.pipelines.expected_bleu.systems import BASELINE
from campanula.pipelines.results import HISTORY, INVENTORY, WEIGHTS, Results, data_sets, outputs

MODEL, THETA, TRAINING, SECONDS = "model", "theta", "training.jsonl", "seconds.jsonl"
FORMS = (r"{}\.out", r"{}\.[0-9]+\.out", r"{}\.compare")
SYSTEM = re.compile(rf"{BASELINE}|(?:{'|'.join(SOLVERS)})-tau.*-t[0-9]+")
REPLICATE = re.compile(r"replicate-[0-9]+")


def results_of(settings: ExpectedBleuSettings) -> Results:
    """Results of a run in its folder."""
    mert = settings.mert
    seeds = range(mert.seed, mert.seed + mert.replicates)
    tests = [test.name for test in settings.tests]
    made = {WEIGHTS, HISTORY, TRAINING, SECONDS, *(f"{name}.compare" for name in tests)}
    made |= outputs(["dev", *tests])
    made |= outputs(f"{name}.{seed}" for name in ("dev", *tests) for seed in seeds)
    made |= {os.path.join(MODEL, name) for name in ("model.json", PHRASE_TABLE)}
    made |= set() if settings.training.solver == GROWTH else {THETA, INVENTORY}
    texts = (settings.dev, *settings.tests, *([settings.selection] if settings.selection else []))
    train = settings.train
    reads = [train.source, train.target, *([train.alignment] if train.alignment else [])]
    reads += [path for text in texts for path in text.paths]
    reads += [settings.weights] if settings.weights else []
    return Results(settings.work_dir, frozenset(made), (THETA, INVENTORY), FORMS, tuple(reads))


def refuse_places(settings: ExpectedBleuSettings) -> None:
    """Raise DataError for a folder in the place of a file, or a file in that of a folder."""
    results_of(settings).refuse_folders()
    for name in (MODEL, BASELINE):
        path = os.path.join(settings.work_dir, name)
        if os.path.lexists(path):
            output_folder(path)


def begin(settings: ExpectedBleuSettings, say: Callable[[str], None]) -> None:
    """Remove what an earlier run has made and this one does not, in the folders of systems, too.

    There translations of tests are made again, of the baseline and of the system that is best then.
    """
    folder = settings.work_dir
    tests = {*data_sets(folder), *(test.name for test in settings.tests)} - {"dev"}
    for system in filter(SYSTEM.fullmatch, os.listdir(folder)):
        around = os.path.join(folder, system)
        for run in filter(REPLICATE.fullmatch, os.listdir(around) if os.path.isdir(around) else ()):
            if tests:
                Results(os.path.join(around, run), frozenset(), ()).remove_stale(tests)
    results_of(settings).begin(say)
