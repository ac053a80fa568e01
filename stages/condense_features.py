"""Make learned weights of sparse features columns of Moses tables.

    column of a phrase pair = exp(sum of theta_v over the features v of a template that fire)

so that a feature type becomes a few dense features, whose weights MERT then tunes (Wuebker et al.
2015, section 5.3, after Auli et al. 2014).  --features says which templates become columns of the
phrase table, one each, behind the scores that there are: of wuebker-a one, -b one, -c two.
Features of a block and its orientation become a reordering table of their own
(--orientation-table), of those phrase pairs that have any.

Reads weights, as text or a weights stream, and a phrase table; writes the table, line by line, gzip
if its name ends in .gz.  A feature that fires in no phrase pair of the table, such as that of a
copied word, is in no column.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, nullcontext
from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.types import Floats
from campanula.formats.errors import DataError
from campanula.formats.files import Output, display_name
from campanula.formats.moses.learned_scores import (
    HIGHEST,
    LOWEST,
    beyond,
    reordering_rows,
    with_scores,
)
from campanula.formats.weight_stream import WeightStream
from campanula.formats.weights import AnyWeights, read_any_weights
from campanula.stages import command
from campanula.stages.condensing.columns import LearnedColumn, LearnedColumns, columns_of
from campanula.stages.condensing.rows import TableRows, read_rows
from campanula.stages.condensing.sums import LearnedSums
from campanula.stages.decoding.list_inventory import ListInventory
from campanula.stages.decoding.sparse.flags import (
    add_sparse_flag,
    templates_of_flags,
)
from campanula.stages.decoding.sparse.mapped_weights import MappedWeights
from campanula.stages.decoding.sparse.options import SparseWeights

COMMAND = "condense-features"
EXAMPLE = (
    f"{COMMAND} theta.29 --inventory features --features wuebker-a,wuebker-b \\\n"
    "      --phrase-table phrase-table.gz -o condensed.gz"
)


class Condensed(NamedTuple):
    """Some rows of a phrase table with the sums of their learned weights.

    local (n_rows, n_columns) are the new columns of the phrase table, oriented (n_rows, 6) those
    of the reordering table, or None.
    """

    rows: TableRows
    local: Floats
    oriented: Floats | None


def condense(sums: LearnedSums, path: str) -> Iterator[Condensed]:
    """Yield the rows of a phrase table with their sums; raises DataError for one out of bounds."""
    columns = sums.columns
    for rows in read_rows(path, len(columns.local)):
        local = sums.local(rows)
        _refuse_beyond(local, rows, columns.local, path)
        oriented = None
        if columns.oriented is not None:
            oriented = sums.oriented(rows)
            _refuse_beyond(oriented, rows, (columns.oriented,) * oriented.shape[1], path)
        yield Condensed(rows, local, oriented)


def _refuse_beyond(
    value: Floats, rows: TableRows, columns: tuple[LearnedColumn, ...], path: str
) -> None:
    """Raise DataError, which names the phrase pair, for a sum whose exp a table cannot hold."""
    outside = np.argwhere(beyond(value))
    if len(outside):
        row, column = outside[0].tolist()
        expected = f"expected a sum of {columns[column]} from {LOWEST:g} to {HIGHEST:g}"
        problem = f"{expected}, found {value[row, column]:g} of {rows.pair(row)}"
        raise DataError(display_name(path), f"line {rows.line + row}", problem)


def parser() -> argparse.ArgumentParser:
    """Return the parser of the flags."""
    p = command.parser(COMMAND, __doc__, EXAMPLE)
    p.add_argument("weights", nargs="?", default="-", help="weights theta (default: stdin)")
    p.add_argument("--phrase-table", required=True, metavar="FILE", help="Moses phrase table")
    add_sparse_flag(p)
    p.add_argument(
        "--together",
        action="append",
        default=[],
        metavar="TEMPLATE,TEMPLATE...",
        help="have one column for these, repeatable: templates, sets, or letters of W15's (a,b)",
    )
    p.add_argument(
        "--orientation-table",
        metavar="OUT",
        help="reordering table to write, of block-orientation or hierarchical-orientation",
    )
    p.add_argument("--inventory", metavar="FOLDER", help="inventory of a weights stream")
    p.add_argument(
        "--cache",
        metavar="DIR",
        help="folder of indexes of inventories (default: campanula in the user's cache folder)",
    )
    return p


def main(argv: list[str] | None = None) -> int:
    """Run the command."""
    return command.run(body, parser(), argv)


def body(args: argparse.Namespace) -> None:
    """Read the weights, and the table row by row; write both tables."""
    command.one_stdin(args.weights, args.phrase_table)
    columns = columns_of(templates_of_flags(args.features), args.together)
    paths = table_paths(args.output, args.orientation_table, columns)
    weights = read_any_weights(args.weights)
    with inventory_of(args, weights) or nullcontext() as inventory:
        sums = LearnedSums(weights_of(weights, columns, inventory), columns)
        condensed = command.progress(condense(sums, args.phrase_table), args, COMMAND)
        n_rows = write_tables(condensed, paths, columns)
    command.say(args, f"{COMMAND}: {summary(sums, n_rows, number_of(weights))}")


def write_tables(
    condensed: Iterable[Condensed], paths: Sequence[str], columns: LearnedColumns
) -> dict[LearnedColumn, int]:
    """Write both tables, or neither; return the number of rows whose sum is not 0, by column."""
    n_rows = dict.fromkeys(columns.every, 0)
    with ExitStack() as stack:
        outputs = [stack.enter_context(Output(path)) for path in paths]
        for rows, local, oriented in condensed:
            outputs[0].write(with_scores(rows.fields, local))
            for column, n in zip(columns.local, np.count_nonzero(local, axis=0), strict=True):
                n_rows[column] += int(n)
            if columns.oriented is not None and oriented is not None:
                outputs[1].write(reordering_rows(rows.fields, oriented))
                n_rows[columns.oriented] += int(np.count_nonzero(oriented.any(axis=1)))
        for output in outputs:
            output.finish()
    return n_rows


def summary(sums: LearnedSums, n_rows: Mapping[LearnedColumn, int], n_weights: int) -> str:
    """Return the summary line: of each column its weights, and its rows other than 0."""
    of_columns = [
        f"{column}: {sums.weights(column)} weights, not 0 in {n} rows"
        for column, n in n_rows.items()
    ]
    n_others = n_weights - sum(map(sums.weights, n_rows))
    others = [f"{n_others} other weights are in no column"] if n_others else []
    return "; ".join([*of_columns, *others])


def table_paths(output: str | None, orientations: str | None, columns: LearnedColumns) -> list[str]:
    """Return the paths of the phrase table and, if there is one, of the reordering table.

    Raises UsageError where --features and --orientation-table do not fit.
    """
    if not columns.templates:
        raise command.UsageError("expected --features, whose weights become columns")
    if columns.oriented is not None and orientations is None:
        raise command.UsageError(f"{columns.oriented} needs --orientation-table OUT")
    if columns.oriented is None and orientations is not None:
        problem = "is for block-orientation or hierarchical-orientation"
        raise command.UsageError(f"--orientation-table {problem} in --features")
    paths = [output or "-", *([] if orientations is None else [orientations])]
    command.outputs_apart(*paths)
    return paths


def inventory_of(args: argparse.Namespace, weights: AnyWeights) -> ListInventory | None:
    """Return the inventory of a weights stream, None for weights by name."""
    is_stream = isinstance(weights, WeightStream)
    if is_stream and args.inventory is None:
        raise command.UsageError("a weights stream needs --inventory, which has its names")
    if args.inventory is not None and not is_stream:
        raise command.UsageError("--inventory is for weights that are a stream")
    if args.inventory is None:
        return None
    return ListInventory(args.inventory, extend=False, cache=args.cache)


def weights_of(
    weights: AnyWeights, columns: LearnedColumns, inventory: ListInventory | None
) -> SparseWeights:
    """Return the weights of the columns' features.

    Raises DataError for a weights stream that is against another inventory.
    """
    if isinstance(weights, WeightStream):
        mapped = MappedWeights.of(weights, inventory)
        return SparseWeights(columns.templates, {}, weights.source, (), mapped)
    weights.refuse_beyond()
    return SparseWeights(columns.templates, weights, weights.source)


def number_of(weights: AnyWeights) -> int:
    """Return the number of weights that are not 0."""
    if isinstance(weights, WeightStream):
        return int(np.count_nonzero(weights.theta))
    return sum(value != 0.0 for value in weights.values())


if __name__ == "__main__":
    raise SystemExit(main())
