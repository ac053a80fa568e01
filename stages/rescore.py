"""Extract k-best lists from lattices, under other weights and with features that look beyond.

    score = theta . (f(derivation), sparse(derivation), lexical(derivation))

`decode --lattice` writes the lattices.  Under the weights that made it, the k best derivations of a
lattice are those that decode wrote, with the sparse features of the templates that were on then.  A
feature list names others (n-grams of the translation, word pairs, trigger pairs, or any), one a
line, as `extract-features` finds them; every derivation gets the count of each.  A sparse or listed
feature without a weight counts 0.  What belongs to an arc leaves the search exact, under any
weights.  Where features that look beyond it (n-grams, triggers, neighbouring phrases) weigh
anything else than in the search, lists are found by cube pruning, with lists of --node-list
derivations at the nodes (Gimpel and Smith 2012, section 4.3).

Reads a lattice stream, writes a k-best stream; no translation model is needed.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, nullcontext

from campanula.formats.collections.opening import open_lists
from campanula.formats.records.kbest import KBest
from campanula.formats.records.lattice import Lattice
from campanula.formats.weight_stream import WeightStream
from campanula.formats.weights import AnyWeights, read_any_weights
from campanula.stages import command
from campanula.stages.decoding.inventory_flags import add_lists_inventory_flags, lists_inventory
from campanula.stages.decoding.list_inventory import ListInventory
from campanula.stages.decoding.rescorer import Rescorer, RescoreSettings
from campanula.stages.decoding.sparse.flags import add_list_flag, read_lists
from campanula.stages.decoding.sparse.mapped_weights import MappedWeights
from campanula.stages.outputs.list_files import writer_against

DEFAULT = RescoreSettings()
COMMAND = "rescore"


def rescore(rescorer: Rescorer, lattices: Iterable[Lattice], jobs: int = 1) -> Iterator[KBest]:
    """Yield the k-best list of every lattice, in order."""
    return rescorer.rescore(lattices, jobs)


def parser() -> argparse.ArgumentParser:
    """Return the parser of the flags."""
    example = "rescore --weights w1 --feature-list lexical dev.lattice -o dev.kbest"
    p = command.parser(COMMAND, __doc__, example)
    command.add_input(p, "lattice stream or collection")
    p.add_argument("--weights", required=True, metavar="FILE", help="weights theta")
    command.add_missing_flag(p)
    add_list_flag(p)
    add_lists_inventory_flags(p)
    p.add_argument(
        "-k",
        type=command.positive_int,
        default=DEFAULT.k,
        help=f"length of the lists (default: {DEFAULT.k})",
    )
    p.add_argument(
        "--distinct",
        action="store_true",
        help="k different strings, each with its best derivation (default: k derivations)",
    )
    p.add_argument(
        "--node-list",
        type=command.positive_int,
        default=DEFAULT.node_list,
        metavar="N",
        help=f"derivations kept at each node by cube pruning (default: {DEFAULT.node_list})",
    )
    command.add_jobs_flag(p)
    return p


def main(argv: list[str] | None = None) -> int:
    """Run the command."""
    return command.run(body, parser(), argv)


def body(args: argparse.Namespace) -> None:
    """Read lattices, extract their k best derivations, write the lists."""
    command.one_stdin(args.input, args.weights, *args.feature_list)
    weights = read_any_weights(args.weights)
    listed = read_lists(args.feature_list)
    with lists_inventory(args, isinstance(weights, WeightStream)) or nullcontext() as inventory:
        rescore_lattices(args, weights, listed, inventory)


def rescore_lattices(
    args: argparse.Namespace,
    weights: AnyWeights,
    listed: list[str],
    inventory: ListInventory | None,
) -> None:
    """Write the lists of lattices."""
    settings = RescoreSettings(args.k, args.distinct, args.node_list)
    searched = (
        MappedWeights.of(weights, inventory) if isinstance(weights, WeightStream) else weights
    )
    missing = 0.0 if args.allow_missing else None
    rescorer = Rescorer(searched, settings, listed, missing, inventory)
    made_by = {"weights": weights.digest(), "features": len(listed), **vars(settings)}
    with ExitStack() as stack:
        lattices = stack.enter_context(open_lists(args.input, Lattice, by_shard=True))
        signature = command.signature(COMMAND, lattices.signature, **made_by)
        out = stack.enter_context(writer_against(lattices, args.output, signature, inventory))
        watched = command.progress(lattices, args, COMMAND)
        for kbest in rescore(rescorer, watched, args.jobs):
            out.write(kbest)
        if not args.allow_missing:
            rescorer.refuse_unknown(lattices.name)
    more = "" if inventory is None else inventory.summary()
    command.say(args, f"{COMMAND}: {out.count} sentences{more}")


if __name__ == "__main__":
    raise SystemExit(main())
