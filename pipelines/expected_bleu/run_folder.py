"""The folder of a run: names of its files, and what may not be there before it begins."""

from __future__ import annotations

import os

from campanula.formats.atomic import output_folder
from campanula.pipelines.expected_bleu.flags import GROWTH
from campanula.pipelines.expected_bleu.report import PHRASE_TABLE
from campanula.pipelines.expected_bleu.settings import ExpectedBleuSettings
from campanula.pipelines.expected_bleu.systems import BASELINE
from campanula.pipelines.results import HISTORY, INVENTORY, REPORT, WEIGHTS, outputs, refuse_folders
from campanula.pipelines.run_folder import RunFolder

MODEL, THETA, TRAINING, SECONDS = "model", "theta", "training.jsonl", "seconds.jsonl"
RESULTS = (WEIGHTS, THETA, INVENTORY, "*.jsonl", "*.out", "*.compare", "model.json", REPORT)
FOLDERS = (BASELINE, MODEL, "*-t[0-9]*")


def folder_of(settings: ExpectedBleuSettings) -> RunFolder:
    """The folder of a run, with the names of its results."""
    selection = [] if settings.selection is None else [settings.selection]
    sets = [settings.dev, *selection, *settings.tests]
    results = (*RESULTS, *FOLDERS)
    return RunFolder(settings.work_dir, results, settings.command, sets, settings.quiet)


def made_by(settings: ExpectedBleuSettings) -> set[str]:
    """Names of the files that a run makes in its folder, or their paths from there."""
    mert = settings.mert
    seeds = range(mert.seed, mert.seed + mert.replicates)
    tests = [test.name for test in settings.tests]
    made = {WEIGHTS, HISTORY, TRAINING, SECONDS, *(f"{name}.compare" for name in tests)}
    made |= outputs(["dev", *tests])
    made |= outputs(f"{name}.{seed}" for name in ("dev", *tests) for seed in seeds)
    made |= {os.path.join(MODEL, name) for name in ("model.json", PHRASE_TABLE)}
    return made | (set() if settings.training.solver == GROWTH else {THETA, INVENTORY})


def refuse_places(settings: ExpectedBleuSettings) -> None:
    """Raise DataError where a folder has the name of a result file, or a file of a folder."""
    refuse_folders(settings.work_dir, made_by(settings))
    for name in (MODEL, BASELINE):
        path = os.path.join(settings.work_dir, name)
        if os.path.lexists(path):
            output_folder(path)
