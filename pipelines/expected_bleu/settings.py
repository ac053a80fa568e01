"""Settings of a run of maximum expected BLEU, as its flags or a program give them."""

from __future__ import annotations

from dataclasses import dataclass, field

from campanula.pipelines.expected_bleu.flags import ADAGRAD, RPROP, SGD
from campanula.pipelines.run_record import CommandLine
from campanula.pipelines.scorer import MetricSettings
from campanula.pipelines.settings import Files, TrainingFiles

WITH_ETA = (SGD, ADAGRAD)
ROUNDS = {RPROP: "--iterations", SGD: "--epochs", ADAGRAD: "--epochs"}
"""What `optimize` calls the iterations of a solver; an epoch on all lists at once is one."""


@dataclass(frozen=True, slots=True)
class ListSettings:
    """How the training text is decoded: k hypotheses a sentence, in `shards` files.

    given: flags of `decode` for the training text alone, such as --singleton-penalty; features:
    templates or sets of templates; whole: the files of --leave-out-text, if any.
    """

    features: tuple[str, ...]
    k: int = 100
    shards: int = 8
    given: tuple[str, ...] = ()
    whole: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TrainingSettings:
    """How theta is trained: every tau with every eta.

    together are lists of templates that become one column; optimize are flags that go through.
    """

    solver: str = RPROP
    iterations: int = 40
    tau: tuple[str, ...] = ("1e-4",)
    eta: tuple[str, ...] = ()
    together: tuple[str, ...] = ()
    optimize: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MertSettings:
    """How lambda is tuned: replicates with the seeds from `seed` on, after the iterations `at`.

    iterations and k are those of MERT itself; optimize are flags that go through.
    """

    replicates: int = 3
    at: tuple[int, ...] = (10, 20, 30, 40)
    iterations: int = 25
    k: int = 100
    seed: int = 1
    optimize: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ExpectedBleuSettings:
    """What a run works on, where, and how.

    selection is what tau, eta and t are chosen by, None: dev.  weights are where the baseline's
    MERT begins, None: Moses's defaults.  share is the folder of the cache, None: one of its own.
    decoder are flags of every decode; engine those that have shards worked on by workers.
    """

    work_dir: str
    train: TrainingFiles
    dev: Files
    lists: ListSettings
    selection: Files | None = None
    tests: tuple[Files, ...] = ()
    weights: str | None = None
    decoder: tuple[str, ...] = ()
    metric: MetricSettings = field(default_factory=MetricSettings)
    training: TrainingSettings = field(default_factory=TrainingSettings)
    mert: MertSettings = field(default_factory=MertSettings)
    share: str | None = None
    jobs: int = 1
    engine: tuple[str, ...] = ()
    quiet: bool = False
    command: CommandLine = field(default_factory=CommandLine)
