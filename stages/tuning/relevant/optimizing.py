"""`optimize` on relevant sets: its flags and files around the training, which sees neither."""

from __future__ import annotations

import argparse
from contextlib import ExitStack
from typing import TYPE_CHECKING

from campanula.formats.files import Output
from campanula.stages import command
from campanula.stages.command_line.inventory_flags import given_inventory
from campanula.stages.tuning.regularised import nothing
from campanula.stages.tuning.saving import NAME, Saving, refuse_saved
from campanula.stages.tuning.solvers.online import order_of

if TYPE_CHECKING:
    from campanula.stages.tuning.plan import Plan


def refuse_files(args: argparse.Namespace, plan: Plan) -> None:
    """Raise UsageError for files that the loss does not read."""
    name = f"--loss {plan.loss_name}"
    if args.summary is not None:
        command.outputs_apart(args.output, args.summary)
        Output.check(args.summary)
    refuse_saved(args.save_each, NAME, (args.output, args.summary))
    if not plan.loss.of_sets:
        if args.truth is not None:
            problem = "is for relevant sets (costmargin, relevant-perceptron); drop it"
            raise command.UsageError(f"--truth {problem}")
        if len(args.inputs) > 1:
            problem = "takes one input; merge them with merge-kbest"
            raise command.UsageError(f"{name} {problem}")
        return
    # `local`, the default of --engine, counts as not given
    for flag in ("center", "ref", "engine"):
        if getattr(args, flag) not in (None, "local"):
            raise command.UsageError(f"{name} does not read --{flag}; drop it")
    if args.truth is not None and "update" not in plan.loss.reads:
        raise command.UsageError(f"{name} has its truths in the sets; drop --truth")


def by_sets(args: argparse.Namespace, plan: Plan) -> None:
    """Train on relevant sets, the union of the lists of each sentence, and write the weights."""
    from campanula.formats.model.array_folder import default_cache
    from campanula.stages.tuning.relevant.given_sets import GivenSets, SetStart
    from campanula.stages.tuning.relevant.relevant_sets import RelevantSets
    from campanula.stages.tuning.relevant.reporting import sets_signature, write_summary
    from campanula.stages.tuning.relevant.training import train, wants_apart

    settings = plan.settings
    cache = args.cache or default_cache()
    inputs = GivenSets.read(
        args.inputs or ["-"],
        args.truth,
        given_inventory(args),
        lambda lists: command.progress(lists, args, "reading"),
        cache,
    )
    if args.min_count is not None and inputs.reference is None:
        problem = "is for lists against an inventory (index-features)"
        raise command.UsageError(f"--min-count {problem}")
    start = SetStart.of(
        inputs, args.weights, settings.freeze, settings.only, args.min_count, args.allow_missing
    )
    data = RelevantSets.of(
        inputs.sets,
        inputs.truth,
        apart=wants_apart(plan),
        kept=start.kept,
        memory=plan.solver_settings.memory,
        scratch=cache,
    )
    order = order_of(data, plan.solver_settings).kind
    signature = sets_signature(plan, data, order, start.theta, min_count=args.min_count)
    after = nothing
    if args.save_each is not None:
        after = Saving(args.save_each, lambda path, w: start.write(path, w, [signature]))
    trained = train(data, start.theta, start.limits, plan, kept=start.kept, after=after)
    with ExitStack() as stack:
        if args.summary is not None:
            # first, so that a summary that cannot be written leaves no weights either
            write_summary(stack.enter_context(Output(args.summary)), data, trained)
        start.write(args.output, trained.w, [signature, f"objective:{trained.objective!r}"])
    objective = f"objective {trained.objective!r}, {trained.before!r} at the start"
    counts = f"{data.counts.distinct} of {data.counts.hypotheses} hypotheses are distinct"
    command.say(args, f"optimize: {objective}; {counts}, {data.counts.new} are new")
