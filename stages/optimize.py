"""Minimise a loss over scored k-best lists and write the new weights.

    theta = argmin  sum_i loss(s_i, c_i) + (C/2) |theta - theta0|^2,    c_ij = alpha (1 - gain_ij)

With --loss ramp3 --solver ssd this is RAMPION (Gimpel & Smith 2012, Algorithm 1): without --hope
lines 4-15, T' CCCP iterations of T'' epochs each; with --hope lines 8-14, one inner problem whose
hopes `impute-hope` found.  CCCP in steps ends in the same bytes as in one run.

The losses costmargin and relevant-perceptron are of relevant sets (Tillmann and Zhang): they take
several streams of the same sentences, and the set of a sentence is the union of its lists.

A collection against an inventory may be larger than memory: its shards are packed once and mapped,
and passed over on --jobs threads, or by workers (--engine dask).  The weights of an inventory are a
stream (import-weights).
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

from campanula.formats.collections.collection import Collection, is_collection
from campanula.formats.files import Output
from campanula.formats.weight_stream import is_weight_stream
from campanula.formats.weights import Weights
from campanula.stages import command
from campanula.stages.engines.engine_flags import add_engine_flags, engine_of_flags, open_engine
from campanula.stages.tuning import flags
from campanula.stages.tuning.folds import vector
from campanula.stages.tuning.folds_flags import (
    add_folds_flag,
    chosen_by_folds,
    is_piped,
    refuse_folds,
)
from campanula.stages.tuning.outcome import before_and_after, outcome
from campanula.stages.tuning.regularised import nothing
from campanula.stages.tuning.relevant import optimizing
from campanula.stages.tuning.saving import Saving
from campanula.stages.tuning.sharded.inventory_ids import against_inventory
from campanula.stages.tuning.signature import signature
from campanula.stages.tuning.summary import summarised
from campanula.stages.tuning.tune import Solved, minimise, minimise_theta
from campanula.stages.tuning.tune_inputs import TuneInputs
from campanula.stages.tuning.tuning_set import TuningSet

if TYPE_CHECKING:
    from campanula.formats.arrays.types import Floats
    from campanula.stages.engines.shards import Engine
    from campanula.stages.tuning.plan import Plan
    from campanula.stages.tuning.saving import Write
    from campanula.stages.tuning.settings import TuneSettings
    from campanula.stages.tuning.sharded.sharded_set import ShardedSet
    from campanula.stages.tuning.sharded.worker_passes import WorkerPasses


def parser() -> argparse.ArgumentParser:
    """Return the parser of the flags."""
    example = "optimize dev.kbest --loss ramp3 --solver ssd --weights w0 -o w1"
    p = command.parser("optimize", __doc__, example)
    p.add_argument(
        "inputs",
        nargs="*",
        metavar="input",
        help="scored k-best stream or collection (default: stdin); several for relevant sets",
    )
    p.add_argument("--weights", required=True, metavar="FILE", help="initial weights")
    p.add_argument("--hope", metavar="FILE", help="hopes; solves the inner problem once")
    flags.add(p)
    p.add_argument(
        "--check", action="store_true", help="only say whether loss, solver and flags fit together"
    )
    add_folds_flag(p)
    command.add_missing_flag(p)
    add_engine_flags(p)
    return p


def main(argv: list[str] | None = None) -> int:
    """Run the command."""
    return command.run(body, parser(), argv)


def body(args: argparse.Namespace) -> None:
    """Read everything, minimise the loss, write the weights."""
    with flags.misfits_name_flags():
        _optimize(args)


def _optimize(args: argparse.Namespace) -> None:
    inputs = _inputs_of(args)
    settings = flags.settings_of(args)
    plan = _checked_plan(args, settings, inputs)
    if args.check:
        return
    # now, and not after hours of tuning
    Output.check(args.output)
    if args.folds is not None:
        settings = chosen_by_folds(args, settings, inputs)
        plan = inputs.plan(settings)
    by_id = inputs.inventory is not None or is_weight_stream(inputs.weights)
    if plan.loss.of_sets:
        optimizing.by_sets(args, plan)
    elif against_inventory(inputs.lists, if_piped=by_id):
        _by_inventory(args, plan, inputs)
    else:
        _by_names(args, plan, inputs)


def _inputs_of(args: argparse.Namespace) -> TuneInputs:
    """Return the inputs of the flags; raises UsageError if two of them are stdin."""
    paths = args.inputs or ["-"]
    refs = tuple(args.ref or ())
    command.one_stdin(*paths, args.weights, args.hope, args.center, args.truth, *refs)
    return TuneInputs(
        lists=paths[0],
        weights=args.weights,
        center=0.0 if args.center == "0" else args.center,
        hope=args.hope,
        refs=refs,
        streamed=args.stream,
        inventory=args.inventory,
        min_count=args.min_count,
        cache=args.cache,
    )


def _checked_plan(args: argparse.Namespace, settings: TuneSettings, inputs: TuneInputs) -> Plan:
    """Return the plan; raises UsageError or Misfit for what does not go together.

    No list is read: --check does this much, and may name lists that are not there yet.
    """
    if inputs.streamed and not args.check and is_piped(inputs.lists):
        raise command.UsageError("--stream reads its input again and again: give a file")
    plan = inputs.plan(settings)
    if args.save_each is not None and not plan.solver.iterates:
        problem = "does not read --save-each: it climbs from many starts; drop it"
        raise command.UsageError(f"{plan.solver_name} {problem}")
    engine_of_flags(args)  # raises UsageError for flags of engines that do not go together
    optimizing.refuse_files(args, plan)
    if args.folds is not None:
        refuse_folds(args, plan, inputs)
    return plan


def _by_names(args: argparse.Namespace, plan: Plan, inputs: TuneInputs) -> None:
    """Tune on lists with names, in memory or streamed."""
    if engine_of_flags(args) is not None:
        raise command.UsageError("--engine dask takes a collection against an inventory")
    for flag in ("inventory", "min_count"):
        if getattr(inputs, flag) is not None:
            name = "--" + flag.replace("_", "-")
            raise command.UsageError(f"{name} is for lists against an inventory (index-features)")
    initial = Weights.read(inputs.weights)
    center = inputs.read_center()
    references = inputs.read_references(plan)
    data = inputs.read_lists(references, lambda lists: command.progress(lists, args, "reading"))
    tuned = minimise(
        data,
        initial,
        plan,
        center=center,
        hopes=inputs.read_hopes(data),
        allow_missing=args.allow_missing,
        after=_after(args.save_each, lambda path, theta: _named(initial, data, theta).write(path)),
        watch=lambda rounds: command.progress(rounds, args, "optimize", plan.rounds, "rounds"),
    )
    comments = [signature(plan, data, tuned.center), f"objective:{tuned.objective!r}"]
    with summarised(args.summary, tuned.last.history, tuned.last.reason):
        tuned.weights.write(args.output, comments)
    _say(args, plan, data, tuned)
    if not args.quiet:
        start = vector(initial, data)
        after = outcome(data, tuned.last.theta)
        for line in before_and_after(outcome(data, start), after):
            command.say(args, f"optimize: {line}")


def _named(initial: Weights, data: TuningSet, theta: Floats) -> Weights:
    """Return the initial weights with the values of theta for the features of the lists."""
    return Weights({**initial, **Weights.of(data.names, theta)})


def _by_inventory(args: argparse.Namespace, plan: Plan, inputs: TuneInputs) -> None:
    """Tune on lists with ids of an inventory: shard by shard if the plan allows, or in memory."""
    sharded = plan.goes_by_shards and not inputs.streamed
    engine = engine_of_flags(args)
    if engine is not None and not (sharded and is_collection(inputs.lists)):
        problem = "takes a collection against an inventory, and losses and solvers by shard"
        raise command.UsageError(f"--engine dask {problem}")
    plan = inputs.plan(plan.settings, sharded)
    if inputs.center is None and plan.tau is not None:
        inputs = replace(inputs, center=0.0)  # the default of expected BLEU (W15)
    references = inputs.read_references(plan)
    with ExitStack() as stack:
        data: ShardedSet | TuningSet
        if sharded:
            passes = None
            if engine is not None:
                opened = stack.enter_context(open_engine(engine, args.output))
                passes = _worker_passes(opened, inputs, () if references is None else inputs.refs)
            data = inputs.shards(
                references, args.jobs, lambda line: command.say(args, f"optimize: {line}")
            )
            data = replace(data, passes=passes)
        else:
            data = inputs.read_lists(references, lambda k: command.progress(k, args, "reading"))
        _solve(args, plan, inputs, data)


def _worker_passes(
    opened: tuple[Engine, str], inputs: TuneInputs, refs: tuple[str, ...]
) -> WorkerPasses:
    """Return passes by the workers of an engine, which have packed the shards by then.

    opened: the engine and the folder of its tasks; refs: references that the loss needs.
    """
    from campanula.stages.tuning.sharded.worker_passes import WorkerPasses

    # absolute, for processes in other working folders
    cache = os.path.abspath(inputs.cache_folder)
    paths = tuple(map(os.path.abspath, refs))
    passes = WorkerPasses(*opened, Collection.open(inputs.lists), cache, paths)
    # on workers, before the shards are opened here: what they have packed is only mapped then
    passes.pack()
    return passes


def _solve(
    args: argparse.Namespace, plan: Plan, inputs: TuneInputs, data: ShardedSet | TuningSet
) -> None:
    """Tune on lists with ids, and write the weights."""
    from campanula.stages.tuning.sharded.start import Start

    start = Start.of(inputs, data.names, data.path)
    made_by = signature(plan, data, start.origin, min_count=inputs.min_count)
    write = start.weights.write
    solved = minimise_theta(
        data,
        start.weights.theta,
        start.origin,
        plan,
        hopes=inputs.read_hopes(data),
        kept=start.kept,
        after=_after(args.save_each, lambda path, theta: write(path, theta, [made_by])),
        watch=lambda rounds: command.progress(rounds, args, "optimize", plan.rounds, "rounds"),
        watch_pass=lambda shards: command.progress(shards, args, "a pass", unit="shards"),
    )
    with summarised(args.summary, solved.last.history, solved.last.reason):
        write(args.output, solved.last.theta, [made_by, f"objective:{solved.objective!r}"])
    _say(args, plan, data, solved)


def _after(folder: str | None, write: Write) -> Callable[[Floats], None]:
    """Return the function that is called after an iteration: it saves theta, or does nothing."""
    return nothing if folder is None else Saving(folder, write)


def _say(
    args: argparse.Namespace, plan: Plan, data: ShardedSet | TuningSet, solved: Solved
) -> None:
    """Say how many lists were skipped, and the objective before and after."""
    if plan.loss.needs_references:
        reach = f"{solved.skipped} of {data.n_lists} lists reach no reference"
        command.say(args, f"optimize: {reach} and are skipped")
    history = solved.history
    rounds = f" after {len(history) - 1} of {plan.rounds} rounds" if plan.rounds else ""
    objective = f"objective {history[-1]!r}{rounds}, {history[0]!r} at the start"
    command.say(args, f"optimize: {objective}; {solved.last.reason}")


if __name__ == "__main__":
    raise SystemExit(main())
