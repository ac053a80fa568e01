"""Settings of a tuning run, as its flags or a program give them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from campanula.pipelines.convergence import Convergence
from campanula.pipelines.run_record import CommandLine
from campanula.stages.command import UsageError

SEEDS_A_RUN = 1000
"""In the run with seed s, what makes the weights of number t draws with the seed 1000 s + t."""


@dataclass(frozen=True, slots=True)
class Files:
    """A data set by its files: a name, the file of source sentences, files of references."""

    name: str
    source: str
    refs: tuple[str, ...]

    @property
    def paths(self) -> tuple[str, ...]:
        """Paths of source and references."""
        return (self.source, *self.refs)


def refuse_taken_names(tests: Sequence[Files], taken: Sequence[str]) -> None:
    """Raise UsageError for test sets of equal names, or of a name in `taken`."""
    names = [*taken, *(test.name for test in tests)]
    if len(set(names)) < len(names):
        others = ", ".join(f"`{name}`" for name in taken)
        raise UsageError(f"--test takes a new name each time, and not {others}")


@dataclass(frozen=True, slots=True)
class TrainingFiles:
    """Parallel text to train on; alignment: for decoding a sentence without its own blocks."""

    source: str
    target: str
    alignment: str | None = None


@dataclass(frozen=True, slots=True)
class LoopSettings:
    """Settings of a loop; the defaults are the paper's (G&S 2012, section 4).

    merge     tune on all lists so far
    keep      `best`: the weights that are best on dev; `last`
    test_at   decode test sets at `each` iteration, or at both `ends`
    trim      remove the lists of an iteration when the next one is done
    """

    iterations: int = 20
    k: int = 500
    merge: bool = False
    keep: str = "last"
    test_at: str = "each"
    seed: int = 1
    stop: Convergence = field(default_factory=Convergence)
    trim: bool = False


@dataclass(frozen=True, slots=True)
class RunSettings:
    """Settings of a run: data sets, folder, initial weights, replicates, its loop.

    weights: the initial ones, None for the model's; initial: `default` or `random`; replicates:
    None for a single run; command: command line for run.json.
    """

    work_dir: str
    dev: Files
    tests: tuple[Files, ...] = ()
    weights: str | None = None
    initial: str = "default"
    replicates: int | None = None
    quiet: bool = False
    loop: LoopSettings = field(default_factory=LoopSettings)
    command: CommandLine = field(default_factory=CommandLine)
