"""The signature of tuned weights: what determines them, in one line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from campanula.stages import command
from campanula.stages.tuning.blocks import blocks

if TYPE_CHECKING:
    from campanula.formats.arrays.types import Floats
    from campanula.stages.tuning.plan import Plan
    from campanula.stages.tuning.settings import TuneSettings
    from campanula.stages.tuning.sharded.sharded_set import ShardedSet
    from campanula.stages.tuning.tuning_set import TuningSet


def signature(plan: Plan, data: TuningSet | ShardedSet, center: Floats, **more: object) -> str:
    """Return the signature of the weights: loss, solver, their settings, theta0 and the lists.

    The number of CCCP iterations is left out: one run of N and N runs of one make the same weights.
    """
    settings = plan.settings
    solver_settings = plan.solver_settings
    entries: dict[str, object] = {"loss": plan.loss_name, "solver": plan.solver_name}
    entries["alpha"] = plan.alpha
    entries |= {"C": plan.C} if plan.tau is None else {"tau": plan.tau}
    entries |= {"L1": settings.L1, "seed": settings.seed}
    entries |= frozen(settings)
    entries["bounds"] = [[p, _text(low), _text(high)] for p, low, high in settings.bounds] or None
    entries |= {name: getattr(solver_settings, name) for name in plan.solver.reads}
    if "gamma" in plan.loss.reads:
        entries["gamma"] = -plan.loss.up.factor
    if "pairs_kept" in plan.loss.reads:
        sampling = plan.sampling
        numbers = sampling.pairs_sampled, sampling.pairs_kept, sampling.min_difference
        entries["pairs"] = "/".join(map(str, numbers))
    if plan.loss.needs_references and data.references is not None:
        entries["references"] = data.references.digest()
    entries |= {**more, "center": digest_of(center), "lists": data.checksum}
    return command.signature("optimize", **entries)


def frozen(settings: TuneSettings) -> dict[str, object]:
    """Return the entries that say which weights move."""
    return {"freeze": list(settings.freeze) or None, "only": list(settings.only) or None}


def digest_of(theta: Floats) -> str:
    """Return the digest of weights (n_features,), 16 hexadecimal digits."""
    from xxhash import xxh3_64

    digest = xxh3_64()
    for block in blocks(len(theta)):
        digest.update(np.ascontiguousarray(theta[block]).data)
    return digest.hexdigest()


def _text(number: float) -> str:
    # 1.0 and 1 are one bound, so both give one signature
    return repr(number).removesuffix(".0")
