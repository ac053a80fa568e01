"""A loss over the shards of a collection: passes over them side by side, sums in their order.

What a pass over a shard comes to depends on the shard and theta alone, and is added in the order of
the shards: the same bytes for any number of threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from xxhash import xxh3_128_hexdigest

from campanula.formats.arrays.types import Flags, Floats
from campanula.formats.errors import DataError
from campanula.formats.files import display_name
from campanula.stages.kernels.lists.formulas import EXPECTED_GAIN
from campanula.stages.kernels.shards.records import OwnSums, Question, Sums
from campanula.stages.threads import in_order
from campanula.stages.tuning.hopes import Hopes
from campanula.stages.tuning.losses import Loss
from campanula.stages.tuning.regularised import (
    NONE,
    Epoch,
    Regularised,
    Watch,
    not_watched,
    nothing,
    unreached,
)
from campanula.stages.tuning.restraints import Restraints
from campanula.stages.tuning.sharded.folding import folded
from campanula.stages.tuning.sharded.sharded_set import ShardedSet
from campanula.stages.tuning.sharded.store import NO_ROOM, PackedShard

Numbered = tuple[int, PackedShard]
NO_PLACES = np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True)
class ShardedObjective(Regularised):
    """A loss over shards that are mapped.

    jobs: passes side by side; watch: what the shards of a pass go through, such as a progress bar;
    known: losses by a digest of theta, since one that was passed over may be asked for once more.
    """

    data: ShardedSet
    loss: Loss
    alpha: float
    center: Floats
    C: float
    L1: float
    limits: Restraints
    hopes: Hopes | None = None
    varies: Flags | None = None
    jobs: int = 1
    after: Callable[[Floats], None] = nothing
    watch: Watch[Any] = not_watched
    known: dict[str, float] = field(default_factory=dict, repr=False, compare=False)

    @property
    def n_lists(self) -> int:
        """Number of lists."""
        return self.data.n_lists

    def prepared(self) -> ShardedObjective:
        """The same with the features that vary worked out."""
        if self.loss.form == EXPECTED_GAIN:
            self.data.refuse_gains_below_0()
        if self.loss.is_absolute:
            return self
        varies = np.zeros(len(self.center), np.bool_)
        for shard in self.data.shards:
            varies[np.delete(shard.ids, shard.constant)] = True
        return replace(self, varies=varies)

    def folded(self, theta: Floats) -> ShardedObjective:
        """The same with dense features that stay at theta as one (folding.py).

        Not where hopes are imputed, whose steps know the weights of all features.
        """
        if self.loss.has_terms:
            return self
        return replace(self, data=folded(self.data, theta, self.limits.free))

    def numbered(self) -> Iterator[Numbered]:
        """Yield the shards with the number of their first list."""
        yield from zip(self.data.first[:-1].tolist(), self.data.shards, strict=True)

    def question(self, first: int, shard: PackedShard) -> Question:
        """What is asked of a shard, whose first list is number `first`."""
        formula = self.loss.formula
        if self.hopes is None:
            return Question(formula, self.alpha, np.zeros(1, np.int64), NO_PLACES, NONE)
        hopes = self.hopes.span(first, first + len(shard.sid))
        return Question(formula, self.alpha, hopes.pointer, hopes.place, hopes.weight)

    def _loss(self, theta: Floats, gradient: Floats) -> float:
        of = xxh3_128_hexdigest(theta.data)
        if of not in self.known or len(gradient):
            self.known[of] = self._passed(theta, gradient)
        return self.known[of]

    def _passed(self, theta: Floats, gradient: Floats) -> float:
        from campanula.stages.kernels.lists.total_losses import joined
        from campanula.stages.kernels.shards.gaps import scatter
        from campanula.stages.kernels.shards.losses import add_partial

        rooms, width = self.data.rooms, 1 + (len(gradient) > 0)
        widest = width * self.data.widest

        def over(item: Numbered) -> tuple[PackedShard, OwnSums, Floats]:
            first, shard = item
            room = rooms.take(widest)
            return (
                shard,
                partial_of(shard, theta, self.question(first, shard), width > 1, room),
                room,
            )

        if self.data.passes is not None:
            asked = self.loss.formula, self.alpha, self.hopes
            value = self.data.passes.passed(*asked, theta, gradient)
            return joined(value, self.loss.formula, gradient, self.n_lists)
        sums = Sums(np.array([0.0, -np.inf]), gradient)
        passed = in_order(over, self.numbered(), self.jobs, ahead=1)
        for shard, own, room in self.watch(passed):
            add_partial(sums, own.sums)
            if len(gradient):
                scatter(shard.gaps, own.pair, gradient)
            rooms.give(room)
        return joined(sums.value, self.loss.formula, gradient, self.n_lists)

    def impute(self, theta: Floats) -> ShardedObjective:
        """The objective with its concave part replaced by the tangent at theta."""
        from campanula.stages.kernels.shards import losses

        def shares(item: Numbered) -> tuple[np.ndarray, Floats]:
            first, shard = item
            question = replace(self, hopes=None).question(first, shard)
            found = losses.impute(shard.lists, shard.gathered(theta), question)
            return shard.lists.list_pointer, found

        found = in_order(shares, self.numbered(), self.jobs, ahead=1)
        return self.with_hopes(Hopes.of(found))

    def with_hopes(self, hopes: Hopes) -> ShardedObjective:
        """The same with hopes that stay fixed."""
        return replace(self, hopes=hopes, known={})

    def subgradient_epoch(self, center: Floats, eta: float, shrink: float) -> Epoch:
        """One shard after the other: every step is from where the one before has led."""
        from campanula.stages.kernels.shards import ssd

        free = self.limits.free

        def epoch(u: Floats, a: float) -> float:
            for first, shard in self.numbered():
                ids, factor = shard.ids, np.array([a, 1.0])
                own = ssd.ShardWeights(u[ids], center[ids], free[ids], factor)
                ssd.ssd(shard.lists, self.question(first, shard), own, eta, shrink)
                a = float(factor[0])
                if factor[1] != 1.0:
                    u *= factor[1]
                u[ids] = own.u
            return a

        return epoch

    def skipped(self) -> int:
        """Lists that the loss passes over, since no hypothesis reaches a reference."""
        if not self.loss.needs_references:
            return 0
        all_lists = (shard.lists for shard in self.data.shards)
        return sum(unreached(lists.reaches, lists.list_pointer) for lists in all_lists)


def partial_of(
    shard: PackedShard,
    theta: Floats,
    question: Question,
    with_gradient: bool,
    room: Floats = NO_ROOM,
) -> OwnSums:
    """What a pass over a shard comes to, under the weights theta (n_features,) of all.

    It stands in the room, if that is large enough.  Raises DataError for scores that overflow.
    """
    from campanula.stages.kernels.shards.losses import add_losses

    own = shard.own(theta, with_gradient, room)
    bad = add_losses(shard.lists, question, own)
    if bad >= 0:
        problem = "expected finite scores under these weights, found one that is not"
        place = f"sentence {shard.sid[bad]}"
        raise DataError(display_name(shard.name), place, f"{problem}: numbers too large")
    return own
