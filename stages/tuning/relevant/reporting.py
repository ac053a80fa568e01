"""The signature of weights trained on relevant sets, and a summary of the training as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict

from campanula.formats.arrays.types import Floats
from campanula.formats.files import Output
from campanula.stages import command
from campanula.stages.tuning.plan import Plan
from campanula.stages.tuning.relevant.relevant_sets import RelevantSets
from campanula.stages.tuning.relevant.training import Trained
from campanula.stages.tuning.signature import digest_of, frozen

OTHERWISE = ("memory", "shuffle", "lambda_", "update", "printed_sign")
"""Settings that have entries of their own form, or whose effect is in the entry `order`."""


def sets_signature(
    plan: Plan, data: RelevantSets, order: str, start: Floats, **more: object
) -> str:
    """Return the signature of the weights; start (n_features,): the weights before training."""
    settings = plan.settings
    solver_settings = plan.solver_settings
    entries: dict[str, object] = {"loss": plan.loss_name, "solver": plan.solver_name}
    if "update" in plan.loss.reads:
        sign = "/printed-sign" if solver_settings.printed_sign else ""
        entries["update"] = solver_settings.update + sign
    names = [name for name in plan.solver.reads if name not in OTHERWISE]
    entries |= {name: getattr(solver_settings, name) for name in names}
    entries |= {"lambda": solver_settings.lambda_, "order": order, "seed": settings.seed}
    entries |= {**frozen(settings), **more, "start": digest_of(start), "sets": data.checksum}
    return command.signature("optimize", **entries)


def write_summary(out: Output, data: RelevantSets, trained: Trained) -> None:
    """Write counts and the objective as JSON; it is finished, so that a full disk fails here."""
    summary = {**asdict(data.counts), "updates": trained.updates, "objective": trained.objective}
    out.write_line(json.dumps(summary))
    out.finish()
