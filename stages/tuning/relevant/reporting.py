"""What is said of weights trained on relevant sets: their signature, and a summary as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict

import numpy as np
from xxhash import xxh3_64

from campanula.formats.arrays.types import Floats
from campanula.formats.files import Output
from campanula.stages import command
from campanula.stages.tuning.blocks import blocks
from campanula.stages.tuning.plan import Plan
from campanula.stages.tuning.relevant.relevant_sets import RelevantSets
from campanula.stages.tuning.relevant.training import Trained

NOT_SAID = ("memory", "shuffle", "lambda_", "update", "printed_sign")
"""Settings that are said otherwise, or do not determine the weights."""


def sets_signature(
    plan: Plan, data: RelevantSets, order: str, start: Floats, **more: object
) -> str:
    """Signature of the weights; start (n_features,) are those that they were trained from."""
    settings, read = plan.settings, plan.solver_settings
    parts: dict[str, object] = {"loss": plan.loss_name, "solver": plan.solver_name}
    if "update" in plan.loss.reads:
        parts["update"] = read.update + ("/printed-sign" if read.printed_sign else "")
    parts |= {name: getattr(read, name) for name in plan.solver.reads if name not in NOT_SAID}
    parts |= {"lambda": read.lambda_, "order": order, "seed": settings.seed}
    parts |= {"freeze": list(settings.freeze) or None, "only": list(settings.only) or None}
    digest = xxh3_64()
    for block in blocks(len(start)):
        digest.update(np.ascontiguousarray(start[block]).data)
    parts |= {**more, "start": digest.hexdigest(), "sets": data.checksum}
    return command.signature("optimize", **parts)


def write_summary(out: Output, data: RelevantSets, trained: Trained) -> None:
    """Write counts and the objective as JSON; what can fail has then failed."""
    found = {**asdict(data.counts), "updates": trained.updates, "objective": trained.objective}
    out.write_line(json.dumps(found))
    out.finish()
