"""A loss over the shards of a collection: threads pass over shards, sums are in shard order.

The result of a pass over a shard depends on the shard and theta alone, and results are added in the
order of the shards, so the bytes are the same for any number of threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from xxhash import xxh3_128_hexdigest

from campanula.formats.arrays.types import Flags, Floats, Ints
from campanula.formats.errors import DataError
from campanula.formats.files import display_name
from campanula.stages.kernels.lists.formulas import EXPECTED_GAIN
from campanula.stages.kernels.shards.records import OwnSums, Question, Sums
from campanula.stages.parallel.threads import in_threads
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
from campanula.stages.tuning.sharded.store import NO_BUFFER, PackedShard

Numbered = tuple[int, PackedShard]
"""A shard with the number of its first list."""

NO_PLACES = np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True)
class ShardedObjective(Regularised):
    """A loss over shards that are mapped.

    jobs: threads that pass over shards; watch: wraps the shards of a pass, for instance in a
    progress bar; losses: losses by a digest of theta, since solvers ask again for the value at the
    theta where they had the gradient.
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
    losses: dict[str, float] = field(default_factory=dict, repr=False, compare=False)

    @property
    def n_lists(self) -> int:
        """Number of lists."""
        return self.data.n_lists

    def prepared(self) -> ShardedObjective:
        """Return the objective with the mask of features that vary within some list."""
        if self.loss.form == EXPECTED_GAIN:
            self.data.refuse_gains_below_0()
        # a loss of scores themselves has a slope for features that are constant in a list, too
        if self.loss.is_absolute:
            return self
        varies = np.zeros(len(self.center), np.bool_)
        for shard in self.data.shards:
            varies[np.delete(shard.ids, shard.constant)] = True
        return replace(self, varies=varies)

    def folded(self, theta: Floats) -> ShardedObjective:
        """Return the objective with the dense features that stay at theta as one (folding.py).

        A loss with hopes stays as it is, since its steps use the weights of all features.
        """
        if self.loss.has_terms:
            return self
        return replace(self, data=folded(self.data, theta, self.limits.free))

    def numbered(self) -> Iterator[Numbered]:
        """Yield the shards in order, each with the number of its first list."""
        yield from zip(self.data.first[:-1].tolist(), self.data.shards, strict=True)

    def question(self, first: int, shard: PackedShard) -> Question:
        """Return the loss to compute on a shard, with the hopes of its lists.

        first: number of the shard's first list.
        """
        formula = self.loss.formula
        if self.hopes is None:
            return Question(formula, self.alpha, np.zeros(1, np.int64), NO_PLACES, NONE)
        hopes = self.hopes.span(first, first + len(shard.sid))
        return Question(formula, self.alpha, hopes.pointer, hopes.place, hopes.weight)

    def _loss(self, theta: Floats, gradient: Floats) -> float:
        """Return the loss of all lists; add its gradient to `gradient` unless that is empty."""
        digest = xxh3_128_hexdigest(theta.data)
        if digest not in self.losses or len(gradient):
            self.losses[digest] = self._passed(theta, gradient)
        return self.losses[digest]

    def _passed(self, theta: Floats, gradient: Floats) -> float:
        """Pass over all shards; return the loss, and add its gradient unless that is empty."""
        from campanula.stages.kernels.lists.total_losses import joined
        from campanula.stages.kernels.shards.gaps import scatter
        from campanula.stages.kernels.shards.losses import add_partial

        buffers = self.data.buffers
        width = 1 + (len(gradient) > 0)  # of a feature in a shard: its weight, and its slope
        widest = width * self.data.widest

        def pass_over(item: Numbered) -> tuple[PackedShard, OwnSums, Floats]:
            first, shard = item
            buffer = buffers.take(widest)
            return (
                shard,
                partial_of(shard, theta, self.question(first, shard), width > 1, buffer),
                buffer,
            )

        if self.data.passes is not None:
            value = self.data.passes.passed(
                self.loss.formula, self.alpha, self.hopes, theta, gradient
            )
            return joined(value, self.loss.formula, gradient, self.n_lists)
        sums = Sums(np.array([0.0, -np.inf]), gradient)
        passed = in_threads(pass_over, self.numbered(), self.jobs, ahead=1)
        for shard, own, buffer in self.watch(passed):
            add_partial(sums, own.sums)
            if len(gradient):
                # here and not in the threads: sums are added in the order of the shards
                scatter(shard.gaps, own.pair, gradient)
            buffers.give(buffer)
        return joined(sums.value, self.loss.formula, gradient, self.n_lists)

    def impute(self, theta: Floats) -> ShardedObjective:
        """Return the objective with its concave part replaced by the tangent at theta."""
        from campanula.stages.kernels.shards import losses

        def shares(item: Numbered) -> tuple[Ints, Floats]:
            first, shard = item
            # shares of the loss itself, whatever hopes this objective holds fixed
            question = replace(self, hopes=None).question(first, shard)
            share = losses.impute(shard.lists, shard.gathered(theta), question)
            return shard.lists.list_pointer, share

        all_shares = in_threads(shares, self.numbered(), self.jobs, ahead=1)
        return self.with_hopes(Hopes.of(all_shares))

    def with_hopes(self, hopes: Hopes) -> ShardedObjective:
        """Return the objective with these hopes held fixed."""
        # the losses kept so far are those under other hopes
        return replace(self, hopes=hopes, losses={})

    def subgradient_epoch(self, center: Floats, eta: float, shrink: float) -> Epoch:
        """Return RAMPION's steps on all lists in order, with theta as center + a u.

        Shards are visited one after the other, since every step starts where the last one ended.
        """
        from campanula.stages.kernels.shards import ssd

        free = self.limits.free

        def epoch(u: Floats, a: float) -> float:
            for first, shard in self.numbered():
                ids = shard.ids
                factor = np.array([a, 1.0])  # a, and a factor for u (shards/ssd.py)
                own = ssd.ShardWeights(u[ids], center[ids], free[ids], factor)
                ssd.ssd(shard.lists, self.question(first, shard), own, eta, shrink)
                a = float(factor[0])
                # the kernel rescaled the features of the shard: the others follow here
                if factor[1] != 1.0:
                    u *= factor[1]
                u[ids] = own.u
            return a

        return epoch

    def skipped(self) -> int:
        """Return the number of lists the loss skips, since no hypothesis reaches a reference."""
        if not self.loss.needs_references:
            return 0
        all_lists = (shard.lists for shard in self.data.shards)
        return sum(unreached(lists.reaches, lists.list_pointer) for lists in all_lists)


def partial_of(
    shard: PackedShard,
    theta: Floats,
    question: Question,
    with_gradient: bool,
    buffer: Floats = NO_BUFFER,
) -> OwnSums:
    """Pass over a shard under theta (n_features,); return its loss and gradient.

    Their arrays lie in `buffer` if that is large enough.  Raises DataError for scores that are not
    finite.
    """
    from campanula.stages.kernels.shards.losses import add_losses

    own = shard.own_sums(theta, with_gradient, buffer)
    bad = add_losses(shard.lists, question, own)
    if bad >= 0:
        problem = "expected finite scores under these weights, found one that is not"
        place = f"sentence {shard.sid[bad]}"
        raise DataError(display_name(shard.name), place, f"{problem}: numbers too large")
    return own
