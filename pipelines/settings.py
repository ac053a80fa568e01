"""Settings of a tuning run, as its flags or a program give them."""

from __future__ import annotations

from dataclasses import dataclass, field

from campanula.pipelines.convergence import Convergence
from campanula.pipelines.run_record import CommandLine


@dataclass(frozen=True, slots=True)
class Files:
    """Sentences to tune on or to test on: a name, the file of sources, those of references."""

    name: str
    source: str
    refs: tuple[str, ...]

    @property
    def paths(self) -> tuple[str, ...]:
        """All of its files."""
        return (self.source, *self.refs)


@dataclass(frozen=True, slots=True)
class TrainingFiles:
    """Parallel text to train on; the alignment is for leaving a sentence's own blocks out."""

    source: str
    target: str
    alignment: str | None = None


@dataclass(frozen=True, slots=True)
class LoopSettings:
    """How a loop goes; the defaults are the paper's (G&S 2012, section 4).

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
    """What a run works on, where, and how often.

    weights are the initial ones or None for the model's; initial is `default` or `random`;
    replicates is None for one run; command is what run.json says of how it was asked for.
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
