"""A loop whose iteration is an `optimize` for every scale gamma of the scores; its flag.

    for gamma = 2^-A, .., 1/2, 1:   theta = argmin loss(theta) + C / (2 gamma^2) |theta|^2

With theta = gamma w that is  loss(gamma w) + (C/2) |w|^2.  A is --doublings.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from campanula.pipelines.loops.optimizing import OptimizeFlags, OptimizeTuner, Recipe
from campanula.stages import command

if TYPE_CHECKING:
    from campanula.pipelines.tasks.cache import Cache
    from campanula.pipelines.tasks.stage_task import Product, StageTask


@dataclass(frozen=True, slots=True)
class AnnealedTuner(OptimizeTuner):
    """Runs `optimize` for every gamma: 2^-doublings first, 1 last."""

    doublings: int  # of gamma

    def check(self) -> list[str]:
        """Flags that must go together; raises UsageError for an annealing that changes nothing."""
        if self.doublings > 0 and self._strength() == 0.0:
            raise command.UsageError("--C 0 leaves nothing to anneal: expected --doublings 0")
        return OptimizeTuner.check(self)

    def task(
        self, cache: Cache, lists: Product, weights: Product, origin: Product, seed: int
    ) -> StageTask:
        """Task that makes the weights of the last gamma, which needs those of the others."""
        first, *others = self._steps()
        new = first.task(cache, lists, weights, origin, seed)
        for step in others:
            new = step.task(cache, lists, new, origin, seed)
        return new

    def _steps(self) -> Iterator[OptimizeTuner]:
        """Yield the tuner of every gamma."""
        for doublings in range(self.doublings, -1, -1):
            strength = self._strength() * 4.0**doublings  # C / gamma^2
            # after the user's own --C, since the last one counts; repr loses no digit
            given = (*self.flags.given, "--C", repr(strength))
            yield OptimizeTuner(self.recipe, replace(self.flags, given=given))

    def _strength(self) -> float:
        """Return C."""
        from campanula.stages.tuning.losses import LOSSES

        given, loss = self._value("--C"), str(self._value("--loss"))
        return LOSSES[loss].C if given is None else float(given)


@dataclass(frozen=True, slots=True)
class AnnealedRecipe(Recipe):
    """A loop whose iteration is an `optimize` for every gamma."""

    doublings: int = 4

    def add_flags(self, p: argparse.ArgumentParser, title: str) -> None:
        """Add the flags that go through, and that of the annealing."""
        Recipe.add_flags(self, p, title)
        p.add_argument_group("annealing").add_argument(
            "--doublings",
            type=command.non_negative_int,
            default=self.doublings,
            metavar="A",
            help="gamma begins at 2^-A and doubles to 1; 0: no annealing (default: %(default)s)",
        )

    def tune(self, args: argparse.Namespace) -> None:
        """Run the loop as the flags say."""
        Recipe.tune(replace(self, doublings=args.doublings), args)

    def tuner(self, given: OptimizeFlags) -> AnnealedTuner:
        """The tuner of the loop, with the flags of a run."""
        return AnnealedTuner(self, given, self.doublings)
