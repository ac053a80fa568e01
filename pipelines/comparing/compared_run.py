"""A run that is compared with others: its translations, references, metric and histories.

The translations of a data set are NAME.out of the run's folder, those of replicates NAME.out in
replicate-SEED or NAME.SEED.out; run.json says what the references are.
"""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from campanula.formats.errors import DataError
from campanula.pipelines import history
from campanula.pipelines.history import Iteration
from campanula.pipelines.results import HISTORY
from campanula.pipelines.run_record import NAME, RunRecord
from campanula.pipelines.tasks import digest
from campanula.stages.command import UsageError
from campanula.stages.comparing.systems import System
from campanula.stages.metrics.metric import UNBOUNDED, Bounds, Metric
from campanula.stages.metrics.table import metric_named

BLEU = "bleu"
NUMBER = re.compile(r"[.-]([0-9]+)(?:\.out)?$")


@dataclass(frozen=True, slots=True)
class ComparedRun:
    """A run and its name in the table; record: its run.json, None where the folder has none."""

    name: str
    folder: str
    record: RunRecord | None

    @classmethod
    def open(cls, name: str, folder: str, needs_record: bool = True) -> ComparedRun:
        """The run of a folder; raises DataError where run.json is needed and missing."""
        if not os.path.isdir(folder):
            raise DataError(folder, None, "expected the folder of a run of `tune`, found none")
        try:
            record: RunRecord | None = RunRecord.read(folder)
        except DataError:
            if needs_record:
                raise
            record = None
        return cls(name, folder, record)

    @property
    def sets(self) -> list[str]:
        """Names of its data sets, dev first."""
        return [] if self.record is None else list(self.record.sets)

    def refs(self, name: str) -> tuple[str, ...]:
        """References of a data set; raises DataError for a file that has changed since the run."""
        assert self.record is not None
        paths = self.record.sets[name]["refs"]
        if not paths:
            problem = f"expected references of {name}, found none (`tune compare --ref` names some)"
            raise DataError(os.path.join(self.folder, NAME), None, problem)
        hint = "; `tune compare --ref` takes other references"
        return tuple(self._unchanged(path, hint) for path in paths)

    def source(self, name: str) -> str:
        """Source sentences of a data set; raises DataError for a file that has changed."""
        assert self.record is not None
        return self._unchanged(self.record.sets[name]["source"])

    def _unchanged(self, path: str, hint: str = "") -> str:
        """Path of a file of a data set; raises DataError where the run has read other bytes."""
        assert self.record is not None
        resolved = self.record.resolved
        digests = {os.path.abspath(resolved(path)): d for path, d in self.record.inputs.items()}
        file = resolved(path)
        before = digests.get(os.path.abspath(file))
        # the run has not read a file without a digest, so that nothing can be said of it
        if before is not None and digest.of_path(file) != before:
            problem = f"has changed since {self.folder} was made: restore it, or tune again{hint}"
            raise DataError(file, None, problem)
        return file

    def outputs(self, name: str) -> System:
        """The translations of a data set, a file a replicate; raises DataError where there is none.

        Replicates are in the order of their seeds.
        """
        file = f"{name}.out"
        replicates = [folder for folder in self.folders if folder != self.folder]
        # replicates of most loops have folders, `tune expected-bleu` has numbered files
        paths = self._existing(file, replicates) or self._numbered(name)
        paths = paths or self._existing(file, [self.folder])
        if not paths:
            problem = f"expected translations {file}, found none: the run has not come to its end"
            raise DataError(self.folder, None, problem)
        return System(self.name, tuple(paths))

    def metric(self) -> Metric:
        """The metric that the run was tuned on; BLEU where another program gave the gains.

        Raises DataError for an unknown metric, such as one of a package that is not installed.
        """
        try:
            return self._metric()
        except ValueError as error:  # of which UnknownName is a subclass
            raise DataError(os.path.join(self.folder, NAME), "settings", str(error)) from error

    @property
    def measured(self) -> str:
        """Name of the metric of its history; `gain` where another program gives gains."""
        if self._has_given_gains():
            return "gain"
        metric = self.metric()
        # a report on no text at all, for the name that it has
        return metric.report(np.zeros(metric.width, np.int64)).name

    @property
    def bounds(self) -> Bounds:
        """Least and greatest value that its history may have."""
        return UNBOUNDED if self._has_given_gains() else self.metric().bounds

    def _has_given_gains(self) -> bool:
        """Whether the values of its history are mean gains that another program gives."""
        settings = {} if self.record is None else self.record.settings
        return bool(settings.get("score_command") and not settings.get("metric"))

    def _metric(self) -> Metric:
        settings = {} if self.record is None else self.record.settings
        name = settings.get("metric") or BLEU
        metric = metric_named(str(name))
        if not metric.compares_texts:
            # another program's gains are not to be had for the translations here
            return metric_named(BLEU)
        tokenize = str(settings.get("tokenize") or "none")
        return metric_named(
            metric.name, tokenize=tokenize, lowercase=settings.get("lowercase") is True
        )

    @staticmethod
    def _existing(file: str, folders: Iterable[str]) -> list[str]:
        """Paths of a file in those folders that have it."""
        paths = (os.path.join(folder, file) for folder in folders)
        return [path for path in paths if os.path.isfile(path)]

    def _numbered(self, name: str) -> list[str]:
        """The translations NAME.SEED.out of a data set, in the order of the seeds."""
        paths = glob.glob(os.path.join(glob.escape(self.folder), f"{glob.escape(name)}.*.out"))
        # a data set may be called test.1, whose translations are not those of test with seed 1
        others = {f"{other}.out" for other in self.sets}
        return _by_seed(path for path in paths if os.path.basename(path) not in others)

    @property
    def folders(self) -> list[str]:
        """Folders of its replicates, in the order of their seeds; its own folder without any."""
        replicates = glob.glob(os.path.join(glob.escape(self.folder), "replicate-*"))
        return _by_seed(replicates) or [self.folder]

    def histories(self) -> list[list[Iteration]]:
        """Histories of its replicates, or its own; none for `tune expected-bleu`.

        Lines of that loop's history are systems, not iterations.
        """
        paths = self._existing(HISTORY, self.folders) or self._existing(HISTORY, [self.folder])
        if self.record is not None and self.record.command[1:2] == ["expected-bleu"]:
            return []
        try:
            return [history.read(path) for path in paths]
        except (ValueError, TypeError, LookupError) as error:
            problem = f"expected the history of a run of `tune`, found something else ({error})"
            raise DataError(self.folder, None, problem) from None


def _by_seed(paths: Iterable[str]) -> list[str]:
    """Paths that end in the seed of a replicate, in the order of the seeds; others are left out."""
    # numbers: as text, 10 would come before 9
    seeds = {int(match[1]): path for path in paths if (match := NUMBER.search(path))}
    return [seeds[seed] for seed in sorted(seeds)]


def names_of(folders: Sequence[str]) -> list[str]:
    """Names of runs: the last parts of their paths, or the whole paths where two would be equal.

    Raises UsageError for a folder that is given twice.
    """
    paths = [os.path.normpath(folder) for folder in folders]
    for place, path in enumerate(paths):
        # a link to a run would compare it with itself
        if os.path.realpath(path) in map(os.path.realpath, paths[:place]):
            raise UsageError(f"RUN {folders[place]}: given twice")
    short = [os.path.basename(os.path.abspath(path)) for path in paths]
    return short if len({*short}) == len(short) else paths
