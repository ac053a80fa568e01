"""Settings of a run of the relevant set, as its flags or a program give them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from campanula.pipelines.run_record import CommandLine
from campanula.pipelines.scorer import MetricSettings
from campanula.pipelines.settings import Files, TrainingFiles

COSTMARGIN, PERCEPTRON = "costmargin", "perceptron"
ORACLE, SEEDS = "oracle", "seeds"
ALL, VIOLATING = "all", "violating"
DENSE, BINARY = "dense", "binary"
LOSSES = {COSTMARGIN: "costmargin", PERCEPTRON: "relevant-perceptron"}
FIRST = {ORACLE: 2, SEEDS: 3}
"""Number of the first weights: so many sets of outputs there are before them, and one."""


@dataclass(frozen=True, slots=True)
class DecoderFlags:
    """Flags of the decoder; the oracle search takes some of them, too.

    given are those that the loop does not have itself, in their order; reordering is `monotone`
    or `swap`; penalty is the score of a block that no other sentence yields, where the training
    text is decoded without a sentence's own blocks; 0: it takes no part.
    """

    given: tuple[str, ...] = ()
    reordering: str = "swap"
    penalty: str = "0"


@dataclass(frozen=True, slots=True)
class RelevantLoopSettings:
    """How the loop goes; the defaults are the paper's (Table II).

    start     `oracle`: V_5 and a bag of blocks; `seeds`: outputs under flat weights
    select    add `all` of k outputs, or the most `violating` one (Eq. 6)
    keep      `best`: the weights that are best on dev; `last`
    test_at   decode test sets at `each` iteration, or at the `end`
    optimize  flags of `optimize` that go through
    trim      remove the lists that are there scored, too
    """

    algorithm: str = COSTMARGIN
    start: str = ORACLE
    iterations: int = 30
    k: int = 1
    select: str = ALL
    keep: str = "best"
    test_at: str = "each"
    seed: int = 1
    optimize: tuple[str, ...] = ()
    trim: bool = False

    @property
    def first(self) -> int:
        """The number l of the first weights."""
        return FIRST[self.start]


@dataclass(frozen=True, slots=True)
class RelevantSetSettings:
    """Settings of a run.

    train: None to train on dev; weights: w_0, None for zero; also: further metrics of the history;
    then: `dense`, `binary` or None for one stage; engine: flags with which workers of dask decode
    and score a text in several files.
    """

    work_dir: str
    dev: Files
    train: TrainingFiles | None = None
    tests: tuple[Files, ...] = ()
    weights: str | None = None
    decoder: DecoderFlags = field(default_factory=DecoderFlags)
    metric: MetricSettings = field(default_factory=MetricSettings)
    also: tuple[MetricSettings, ...] = ()
    then: str | None = None
    jobs: int = 1
    engine: tuple[str, ...] = ()
    quiet: bool = False
    loop: RelevantLoopSettings = field(default_factory=RelevantLoopSettings)
    command: CommandLine = field(default_factory=CommandLine)

    def without_dense(self) -> RelevantSetSettings:
        """The same with sparse features alone."""
        given = without(self.decoder.given, "--dense-features")
        return self.with_flags((*given, "--dense-features", "none"))

    def without_sparse(self) -> RelevantSetSettings:
        """The same with dense features alone."""
        return self.with_flags(without(self.decoder.given, "--features", "--feature-list"))

    def with_flags(self, given: tuple[str, ...]) -> RelevantSetSettings:
        """The same with other flags of the decoder."""
        return replace(self, decoder=replace(self.decoder, given=given))


def without(flags: tuple[str, ...], *names: str) -> tuple[str, ...]:
    """Flags without those of some names and their values, `--flag value` or `--flag=value`."""
    left: list[str] = []
    skip = False
    for word in flags:
        name, equals, _ = word.partition("=")
        # `skip`: the word is the value of a flag, and no flag itself whatever it looks like
        if not skip and name not in names:
            left.append(word)
        skip = not skip and name in names and not equals
    return tuple(left)
