"""Loops that run `optimize` once an iteration: which of its flags they fix, which the user may set.

The loop takes such a flag with the help text and the checks of `optimize`, and passes it on.  Its
`--iterations` is called `--solver-iterations` here, since the loop has an `--iterations` itself.
"""

from __future__ import annotations

import argparse
import functools
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any

from campanula import cli
from campanula.pipelines import flags
from campanula.pipelines.convergence import Convergence
from campanula.stages import command

if TYPE_CHECKING:
    from campanula.pipelines.tasks.cache import Cache
    from campanula.pipelines.tasks.stage_task import Argument, Product, StageTask

OWN = {"--help", "--version", "--output", "--quiet", "--weights", "--hope", "--check"}
OWN |= {"--ref", "--seed", "--jobs", "--allow-missing", "--truth", "--summary"}
OWN |= {"--folds", "--engine", "--dask-scheduler", "--dask-workers", "--dask-folder"}
"""Flags of `optimize` that a loop sets itself or has no use for."""

RENAMED = {"--iterations": "--solver-iterations"}
"""Flags of `optimize` that mean something else for a loop, with their names there."""

THEIRS = {ours: theirs for theirs, ours in RENAMED.items()}

STOP = Convergence(weights_tolerance=1e-5, new_hypotheses=1, patience=5)
CONVERGENT: Mapping[str, object] = {
    "iterations": 25,
    "k": 100,
    "merge": True,
    "keep": "best",
    "weights_tolerance": STOP.weights_tolerance,
    "new_hypotheses": STOP.new_hypotheses,
    "patience": STOP.patience,
}
"""Defaults of the loops that run to convergence; 25 and 1e-5 are Moses's."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """A loop: flags of `optimize` that it fixes or passes on, defaults of the loop itself.

    passed: flags that the user may set; None: all flags of `optimize`.
    usual: defaults of passed flags, where they are not those of `optimize`.
    texts: help of passed flags, where that of `optimize` is about other solvers.
    center: `theta0`, the initial weights, or a value of `--center`; None where L2 has no centre.
    draws: whether the solver draws random numbers, and so takes a seed for each iteration.
    """

    fixed: tuple[str, ...] = ()
    passed: tuple[str, ...] | None = None
    center: str | None = None
    draws: bool = True
    usual: Mapping[str, str] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    defaults: Mapping[str, object] = field(default_factory=dict)

    def add_to(self, p: argparse.ArgumentParser, title: str) -> None:
        """Add all flags of the loop."""
        flags.add_flags(p)
        self.add_flags(p, title)

    def tune(self, args: argparse.Namespace) -> None:
        """Run the loop with the settings of the flags."""
        # here, or `tune --help` would have to wait for the import of Luigi
        from campanula.pipelines import from_flags

        from_flags.tune(args, self)

    def add_flags(self, p: argparse.ArgumentParser, title: str) -> None:
        """Add the passed flags of `optimize`, and set the loop's defaults."""
        group = p.add_argument_group(f"{title} (flags of `optimize`)", self._besides())
        p.set_defaults(optimize_flags=[], **self.defaults)
        for flag, theirs in flags_of_optimize().items():
            if self.passed is None or flag in self.passed:
                _add(group, flag, theirs, self._text(flag, theirs))

    def _text(self, flag: str, theirs: argparse.Action) -> str | None:
        """Help of a passed flag."""
        usual, text = self.usual.get(flag), self.texts.get(flag, theirs.help)
        if text is not None and usual is not None:
            text = f"{text.partition(' (default:')[0]} (default: {usual})"
        switched = isinstance(theirs, argparse.BooleanOptionalAction)
        if switched and flag.startswith("--no-") and flag not in self.texts:
            return f"not --{flag.removeprefix('--no-')}"
        return text

    @property
    def first(self) -> tuple[str, ...]:
        """Flags of `optimize` that come before the user's, which may override them."""
        return self.fixed + tuple(chain(*self.usual.items()))

    def _besides(self) -> str | None:
        """Help text on the flags that the loop gives to `optimize` itself, or None."""
        center = {None: "", "theta0": "theta0 is where the run started"}
        parts = [
            f"fixed: {' '.join(self.fixed)}" if self.fixed else "",
            center.get(self.center, f"--center {self.center} if not given"),
        ]
        return "; ".join(part for part in parts if part) or None

    def tuner(self, given: OptimizeFlags) -> OptimizeTuner:
        """The tuner of the loop, with the flags of a run."""
        return OptimizeTuner(self, given)


@functools.cache
def flags_of_optimize() -> dict[str, argparse.Action]:
    """Flags of `optimize` that loops may pass on, by their names in a loop."""
    actions = {}
    # argparse has no public way to list the flags of a parser
    for action in cli.parser_of("optimize")._actions:
        for flag in action.option_strings:
            if flag.startswith("--") and flag not in OWN:
                actions[RENAMED.get(flag, flag)] = action
    return actions


def _add(
    group: argparse._ArgumentGroup, flag: str, theirs: argparse.Action, text: str | None
) -> None:
    """Add a flag that `optimize` has, with its check; its values are kept as they were given.

    theirs: the flag in the parser of `optimize`.
    """
    metavar = theirs.metavar if theirs.metavar or theirs.choices else theirs.dest.upper()
    values: dict[str, Any] = (
        {} if theirs.nargs == 0 else {"metavar": metavar, "choices": theirs.choices}
    )
    if callable(theirs.type):
        values["type"] = _as_given(theirs.type)
    group.add_argument(
        flag,
        action=_Passed,
        nargs=theirs.nargs,
        dest=flag.lstrip("-").replace("-", "_"),
        # a flag that is not given is not passed on, so that the default of `optimize` holds
        default=argparse.SUPPRESS,
        help=text,
        theirs=THEIRS.get(flag, flag),
        **values,
    )


def _as_given(convert: Callable[[str], object]) -> Callable[[str], str]:
    """Argument type that checks a text by converting it, and returns the text itself."""

    def text(value: str) -> str:
        convert(value)
        return value

    # argparse calls a wrong value by the name of its type
    text.__name__ = getattr(convert, "__name__", "text")
    return text


class _Passed(argparse.Action):
    """Keeps a flag, as `optimize` calls it, and its values, in the order given."""

    def __init__(self, *args: Any, theirs: str, **named: Any) -> None:
        super().__init__(*args, **named)
        self._theirs = theirs

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        texts = [values] if isinstance(values, str) else list(values or [])
        # a new list: the one in set_defaults is shared by all that is parsed in this process
        namespace.optimize_flags = [*namespace.optimize_flags, self._theirs, *texts]


@dataclass(frozen=True, slots=True)
class OptimizeFlags:
    """Flags of `optimize` in a run: the user's own, references, metric, threads."""

    given: tuple[str, ...] = ()
    refs: tuple[str, ...] = ()
    metric: str = "bleu"
    allow_missing: bool = False
    jobs: int = 1


@dataclass(frozen=True, slots=True)
class OptimizeTuner:
    """Runs `optimize` once, with the flags of a loop before those of the user."""

    recipe: Recipe
    flags: OptimizeFlags

    def check(self) -> list[str]:
        """Flags that must go together; raises UsageError for a metric that does not fit."""
        self._check_metric()
        references = [part for ref in self._refs() for part in ("--ref", ref)]
        return [*self.recipe.first, *self.flags.given, *references]

    def _check_metric(self) -> None:
        from campanula.stages.metrics.table import metric_named
        from campanula.stages.tuning.solvers.table import SOLVERS

        solver, metric = self._value("--solver"), self.flags.metric
        if solver is None or not SOLVERS[solver].needs_bleu:
            return
        if not metric_named(metric).has_bleu_statistics:
            problem = f"the solver {solver} goes by BLEU: expected --metric bleu, found {metric}"
            raise command.UsageError(problem)

    def task(
        self, cache: Cache, lists: Product, weights: Product, origin: Product, seed: int
    ) -> StageTask:
        """Task that makes new weights of scored lists and weights; origin is theta0."""
        from campanula.pipelines.tasks.stage_task import Leaf, stage

        recipe, flags = self.recipe, self.flags
        settings: list[Argument] = [*recipe.first]
        # a seed that changes nothing would still change the digest, and replicates share no work
        settings += ["--seed", str(seed)] if recipe.draws else []
        if recipe.center is not None and "--center" not in flags.given and not self._of_sets():
            settings += ["--center", origin if recipe.center == "theta0" else recipe.center]
        settings += ["--allow-missing"] if flags.allow_missing else []
        settings += _files(cache, flags.given)
        for ref in self._refs():
            settings += ["--ref", Leaf.of(cache, ref)]
        given = (lists, "--weights", weights, *settings)
        free = ("--jobs", str(flags.jobs))
        return stage(cache, "optimize", *given, suffix=".weights", free=free)

    def _refs(self) -> Sequence[str]:
        """References, for a loss that needs to know which hypotheses reach them; else none."""
        from campanula.stages.tuning.losses import LOSSES

        loss = self._value("--loss")
        needed = loss is not None and LOSSES[loss].needs_references
        return self.flags.refs if needed else ()

    def _of_sets(self) -> bool:
        """Whether the loss is of relevant sets, whose L2 has no center."""
        from campanula.stages.tuning.losses import LOSSES

        loss = self._value("--loss")
        return loss is not None and LOSSES[loss].of_sets

    def _value(self, flag: str) -> str | None:
        """Value of the last occurrence of a flag, or None."""
        words = pairwise([*self.recipe.first, *self.flags.given])
        values = [value for word, value in words if word == flag]
        return values[-1] if values else None


def check_flags(cache: Cache, flags: Sequence[str]) -> None:
    """Let `optimize --check` refuse flags that do not go together, before any work.

    Raises StageFailed.
    """
    cache.run("optimize", [*flags, "--check", os.devnull, "--weights", os.devnull, "-q"])


def _files(cache: Cache, given: Sequence[str]) -> Iterator[Argument]:
    """Yield the user's flags; the file of --center is a leaf, whose bytes the digest covers."""
    from campanula.pipelines.tasks.stage_task import Leaf

    previous = ""
    for text in given:
        yield Leaf.of(cache, text) if previous == "--center" and text != "0" else text
        previous = text
