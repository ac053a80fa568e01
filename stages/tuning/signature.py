"""The signature of tuned weights: what determines them, in one line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from campanula.stages import command
from campanula.stages.tuning.blocks import blocks

if TYPE_CHECKING:
    from campanula.formats.arrays.types import Floats
    from campanula.stages.tuning.plan import Plan
    from campanula.stages.tuning.sharded.sharded_set import ShardedSet
    from campanula.stages.tuning.tuning_set import TuningSet


def signature(plan: Plan, data: TuningSet | ShardedSet, center: Floats, **more: object) -> str:
    """Signature of the weights; CCCP in one run or in steps makes the same weights and the same."""
    from xxhash import xxh3_64

    settings, read = plan.settings, plan.solver_settings
    parts: dict[str, object] = {"loss": plan.loss_name, "solver": plan.solver_name}
    parts["alpha"] = plan.alpha
    parts |= {"C": plan.C} if plan.tau is None else {"tau": plan.tau}
    parts |= {"L1": settings.L1, "seed": settings.seed}
    parts |= {"freeze": list(settings.freeze) or None, "only": list(settings.only) or None}
    parts["bounds"] = [[p, _text(low), _text(high)] for p, low, high in settings.bounds] or None
    parts |= {name: getattr(read, name) for name in plan.solver.reads}
    if "gamma" in plan.loss.reads:
        parts["gamma"] = -plan.loss.up.factor
    if "pairs_kept" in plan.loss.reads:
        sampling = plan.sampling
        numbers = sampling.pairs_sampled, sampling.pairs_kept, sampling.min_difference
        parts["pairs"] = "/".join(map(str, numbers))
    if plan.loss.needs_references and data.references is not None:
        parts["references"] = data.references.digest()
    digest = xxh3_64()
    for block in blocks(len(center)):
        digest.update(np.ascontiguousarray(center[block]).data)
    parts |= {**more, "center": digest.hexdigest(), "lists": data.checksum}
    return command.signature("optimize", **parts)


def _text(number: float) -> str:
    return repr(number).removesuffix(".0")
