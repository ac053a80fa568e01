"""The flags of a search for oracles over block sequences, and the setup made of them."""

from __future__ import annotations

import argparse

from campanula.stages import command
from campanula.stages.decoding.block_oracles import OracleSettings
from campanula.stages.decoding.inventory_flags import add_lists_inventory_flags
from campanula.stages.decoding.left_out.flags import (
    LEAVE_OUT,
    add_leave_out_flags,
    own_blocks_of_flags,
)
from campanula.stages.decoding.list_inventory import ListInventory
from campanula.stages.decoding.model_flags import (
    add_model_flags,
    dense_features_of_flags,
    model_files,
)
from campanula.stages.decoding.oracle_setup import OracleSetup
from campanula.stages.decoding.sparse.flags import (
    add_list_flag,
    add_sparse_flag,
    read_lists,
    templates_of_flags,
)

DEFAULT = OracleSettings()
NO_PRUNING = 1 << 40  # hypotheses of a stack: more than any has
TABLES = ("reordering_table", "lm", "class_lm", "classes", "distortion_table")
OF_A_SEARCH = (
    *("ref", *TABLES, "dense_features", "features", "feature_list"),
    *("bag_of_blocks", "inventory", "no_extend", "no_count", "leave_one_out", *LEAVE_OUT),
    *("reordering", "beam", "no_pruning", "distinct", "seed", "jobs"),
)


def add_oracle_flags(p: argparse.ArgumentParser) -> None:
    """Add the flags of the search over block sequences, and of its model and features."""
    add_model_flags(p)
    add_sparse_flag(p)
    add_list_flag(p)
    add_lists_inventory_flags(p)
    search = p.add_argument_group("the search, with a model")
    search.add_argument(
        "--ref",
        action="append",
        default=[],
        metavar="FILE",
        help="references, a line a sentence; repeat it for several",
    )
    search.add_argument(
        "--reordering",
        choices=["monotone", "swap"],
        help="order of the source phrases: monotone; swap, where two neighbours may change places"
        " (default)",
    )
    search.add_argument(
        "--beam",
        type=command.positive_int,
        metavar="N",
        help=f"hypotheses kept per number of covered words (default: {DEFAULT.beam})",
    )
    search.add_argument(
        "--no-pruning", action="store_true", help="keep all hypotheses: for short sentences only"
    )
    search.add_argument(
        "--distinct",
        action="store_true",
        help="N different strings, each with its shortest block sequence",
    )
    search.add_argument(
        "--bag-of-blocks",
        action="store_true",
        help="write z_0 instead: one random block for every source span that has blocks",
    )
    search.add_argument(
        "--leave-one-out",
        nargs=2,
        metavar=("TARGET", "ALIGNMENT"),
        help="the input is the source of the training text, TARGET its other side and a --ref,"
        " ALIGNMENT its links: each sentence has the blocks that others yield",
    )
    add_leave_out_flags(search)
    search.add_argument("--seed", type=command.non_negative_int, help="of the bags (default: 0)")
    command.add_jobs_flag(search, default=None)


def searches(args: argparse.Namespace) -> bool:
    """Whether the flags name a model to search with."""
    models = (args.model, args.moses_ini, args.phrase_table)
    return any(model is not None for model in models)


def given_for_search(args: argparse.Namespace) -> list[str]:
    """Return the names of the flags that were given and belong to a search."""
    values = {name: getattr(args, name) for name in OF_A_SEARCH}
    # without a flag argparse has None, False or []; 0 is none of these, as for --seed 0
    return [name for name, v in values.items() if v is not None and v is not False and v != []]


def search_of_flags(args: argparse.Namespace, inventory: ListInventory | None) -> OracleSetup:
    """Return the setup of the search; raises UsageError for flags that do not fit together."""
    beam = NO_PRUNING if args.no_pruning else int(args.beam or DEFAULT.beam)
    n = args.n or (1 if args.text else DEFAULT.n)
    files = model_files(args)
    return OracleSetup(
        files=files,
        refs=tuple(args.ref),
        settings=OracleSettings(n, args.distinct, args.reordering != "monotone", beam),
        dense_features=dense_features_of_flags(args.dense_features),
        templates=templates_of_flags(args.features),
        listed=tuple(read_lists(args.feature_list)),
        bags=args.bag_of_blocks,
        seed=args.seed or 0,
        left_out=own_blocks_of_flags(args, files),
        cache=args.cache,
        inventory=inventory,
    )
