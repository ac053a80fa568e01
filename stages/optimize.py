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
from campanula.formats.text.references import References
from campanula.formats.weight_stream import is_weight_stream
from campanula.formats.weights import Weights
from campanula.stages import command
from campanula.stages.engines.engine_flags import add_engine_flags, engine_of_flags, open_engine
from campanula.stages.tuning import flags
from campanula.stages.tuning.folds import vector
from campanula.stages.tuning.folds_flags import (
    add_folds_flag,
    center_of,
    chosen_by_folds,
    is_piped,
    refuse_folds,
)
from campanula.stages.tuning.hopes import Hopes
from campanula.stages.tuning.outcome import before_and_after, outcome
from campanula.stages.tuning.regularised import nothing
from campanula.stages.tuning.relevant import optimizing
from campanula.stages.tuning.saving import Saving
from campanula.stages.tuning.sharded.inventory_ids import against_inventory
from campanula.stages.tuning.signature import signature
from campanula.stages.tuning.summary import summarised
from campanula.stages.tuning.tune import minimise, minimise_theta
from campanula.stages.tuning.tuning_set import TuningSet

if TYPE_CHECKING:
    from campanula.formats.arrays.types import Floats
    from campanula.stages.tuning.plan import Plan
    from campanula.stages.tuning.saving import Write
    from campanula.stages.tuning.sharded.by_inventory import InventoryInputs
    from campanula.stages.tuning.sharded.sharded_set import ShardedSet
    from campanula.stages.tuning.solvers.solver import Solution


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
    inputs = args.inputs or ["-"]
    args.input = inputs[0]
    others = args.weights, args.hope, args.center, args.truth, *(args.ref or [])
    command.one_stdin(*inputs, *others)
    settings = flags.settings_of(args)
    if args.stream and not args.check and is_piped(args.input):  # --check reads no lists
        raise command.UsageError("--stream reads its input again and again: give a file")
    given = {"hopes": args.hope is not None, "references": bool(args.ref)}
    plan = settings.plan(streamed=args.stream, **given)
    if args.save_each is not None and not plan.solver.iterates:
        problem = "does not read --save-each: it climbs from many starts; drop it"
        raise command.UsageError(f"{plan.solver_name} {problem}")
    engine = engine_of_flags(args)
    optimizing.refuse_files(args, plan)
    if args.folds is not None:
        refuse_folds(args, plan)
    if args.check:
        return
    # now, and not after hours of tuning
    Output.check(args.output)
    if args.folds is not None:
        settings = chosen_by_folds(args, settings, given)
        plan = settings.plan(**given)
    if plan.loss.of_sets:
        optimizing.by_sets(args, plan)
        return
    by_id = args.inventory is not None or is_weight_stream(args.weights)
    if against_inventory(args.input, if_piped=by_id):
        sharded = plan.goes_by_shards and not args.stream
        if engine is not None and not (sharded and is_collection(args.input)):
            problem = "takes a collection against an inventory, and losses and solvers by shard"
            raise command.UsageError(f"--engine dask {problem}")
        _by_inventory(args, settings.plan(sharded=sharded, streamed=args.stream, **given), sharded)
    elif engine is not None:
        raise command.UsageError("--engine dask takes a collection against an inventory")
    else:
        _by_names(args, plan)


def _by_names(args: argparse.Namespace, plan: Plan) -> None:
    """Tune on lists with names, in memory or streamed."""
    for flag in ("inventory", "min_count"):
        if getattr(args, flag) is not None:
            name = "--" + flag.replace("_", "-")
            raise command.UsageError(f"{name} is for lists against an inventory (index-features)")
    initial = Weights.read(args.weights)
    center = center_of(args.center)
    references = References.read(args.ref) if plan.loss.needs_references else None
    data = TuningSet.read(
        args.input, references, args.stream, lambda lists: command.progress(lists, args, "reading")
    )
    tuned = minimise(
        data,
        initial,
        plan,
        center=center,
        hopes=Hopes.read(args.hope, data) if args.hope else None,
        allow_missing=args.allow_missing,
        after=_after(args.save_each, lambda path, theta: _named(initial, data, theta).write(path)),
        watch=lambda rounds: command.progress(rounds, args, "optimize", plan.rounds, "rounds"),
    )
    comments = [signature(plan, data, tuned.center), f"objective:{tuned.objective!r}"]
    with summarised(args.summary, tuned.last.history, tuned.last.reason):
        tuned.weights.write(args.output, comments)
    _say(args, plan, data, tuned.history, tuned.last, tuned.skipped)
    if not args.quiet:
        start = vector(initial, data)
        after = outcome(data, tuned.last.theta)
        for line in before_and_after(outcome(data, start), after):
            command.say(args, f"optimize: {line}")


def _named(initial: Weights, data: TuningSet, theta: Floats) -> Weights:
    """Return the initial weights with the values of theta for the features of the lists."""
    return Weights({**initial, **Weights.of(data.names, theta)})


def _by_inventory(args: argparse.Namespace, plan: Plan, sharded: bool) -> None:
    """Tune on lists with ids of an inventory: shard by shard, or in memory if not `sharded`."""
    from campanula.formats.model.array_folder import default_cache
    from campanula.stages.tuning.sharded.by_inventory import InventoryInputs

    given = InventoryInputs(
        args.input,
        args.weights,
        args.cache or default_cache(),
        center=_given_center(args.center, plan),
        inventory=args.inventory,
        min_count=args.min_count,
        references=References.read(args.ref) if plan.loss.needs_references else None,
        jobs=args.jobs,
    )
    with ExitStack() as stack:
        _solve(args, plan, given, _data(args, given, sharded, stack))


def _data(
    args: argparse.Namespace, given: InventoryInputs, sharded: bool, stack: ExitStack
) -> ShardedSet | TuningSet:
    """Return the lists, with workers that pass over them if asked for, until the stack ends."""
    if not sharded:
        return given.in_memory(args.stream, lambda k: command.progress(k, args, "reading"))
    engine = engine_of_flags(args)
    passes = None
    if engine is not None:
        from campanula.stages.tuning.sharded.worker_passes import WorkerPasses

        opened = stack.enter_context(open_engine(engine, args.output))
        refs = tuple(map(os.path.abspath, args.ref or ())) if given.references else ()
        collection = Collection.open(given.lists)
        cache = os.path.abspath(given.cache)
        passes = WorkerPasses(*opened, collection, cache, refs)
        # on workers, before the shards are opened here: what they have packed is only mapped then
        passes.pack()
    data = given.shards(lambda line: command.say(args, f"optimize: {line}"))
    return replace(data, passes=passes)


def _solve(
    args: argparse.Namespace,
    plan: Plan,
    given: InventoryInputs,
    data: ShardedSet | TuningSet,
) -> None:
    from campanula.stages.tuning.sharded.by_inventory import Start

    start = Start.of(given, data.names, data.path)
    made_by = signature(plan, data, start.origin, min_count=args.min_count)
    write = start.weights.write
    solved = minimise_theta(
        data,
        start.weights.theta,
        start.origin,
        plan,
        hopes=Hopes.read(args.hope, data) if args.hope else None,
        kept=start.kept,
        after=_after(args.save_each, lambda path, theta: write(path, theta, [made_by])),
        watch=lambda rounds: command.progress(rounds, args, "optimize", plan.rounds, "rounds"),
        watch_pass=lambda shards: command.progress(shards, args, "a pass", unit="shards"),
    )
    objective = solved.history[-1]
    with summarised(args.summary, solved.last.history, solved.last.reason):
        write(args.output, solved.last.theta, [made_by, f"objective:{objective!r}"])
    _say(args, plan, data, solved.history, solved.last, solved.skipped)


def _after(folder: str | None, write: Write) -> Callable[[Floats], None]:
    """Return the function that is called after an iteration: it saves theta, or does nothing."""
    return nothing if folder is None else Saving(folder, write)


def _say(
    args: argparse.Namespace,
    plan: Plan,
    data: ShardedSet | TuningSet,
    history: list[float],
    last: Solution,
    skipped: int,
) -> None:
    if plan.loss.needs_references:
        reach = f"{skipped} of {data.n_lists} lists reach no reference"
        command.say(args, f"optimize: {reach} and are skipped")
    rounds = f" after {len(history) - 1} of {plan.rounds} rounds" if plan.rounds else ""
    objective = f"objective {history[-1]!r}{rounds}, {history[0]!r} at the start"
    command.say(args, f"optimize: {objective}; {last.reason}")


def _given_center(path: str | None, plan: Plan) -> str | float | None:
    """Return the centre of L2: a path that is read later, a number, or None for the start.

    That of expected BLEU (W15) is 0 by default.
    """
    if path is None:
        return None if plan.tau is None else 0.0
    return 0.0 if path == "0" else path


if __name__ == "__main__":
    raise SystemExit(main())
