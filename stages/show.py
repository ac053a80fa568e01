"""Show any stream, a line of JSON a record.

    {"sid": 0, "hyps": [{"text": "...", "score": -3.2, "features": {"LM0": -17.4}, "gain": 0.41}]}
    {"sid": 0, "size": 100, "hope": [{"index": 17, "weight": 1.0}]}
    {"sid": 0, "source": ["ja"], "nodes": 2, "arcs": [{"before": 0, "after": 1, "text": "yes"}]}
    {"id": 17, "name": "LM0", "weight": 0.5}
    {"id": 17, "name": "LM0", "count": 2000}

A hypothesis has the keys that are known of it.  The last two are of a weights stream and of an
inventory's folder, which is checked byte by byte unless there is a --limit.  Features that have
ids of an inventory are shown by name with --inventory, and as #17 without.
"""

from __future__ import annotations

import argparse
import itertools
import json
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from typing import Any, TypeAlias

from campanula.formats.collections.opening import OpenedLists, open_lists
from campanula.formats.files import Output
from campanula.formats.inventories.inventory import Inventory, is_inventory
from campanula.formats.inventories.verifying import blocks, verify
from campanula.formats.nbest.jsonl import list_object, sentence_of
from campanula.formats.records.hope import Hope
from campanula.formats.records.kbest import KBest
from campanula.formats.records.lattice import Lattice
from campanula.formats.weight_stream import (
    WeightStream,
    is_weight_stream,
    read_weight_stream,
)
from campanula.stages import command
from campanula.stages.command_line.inventory_flags import add_inventory_flag, given_inventory


def show(records: Iterable[KBest | Hope | Lattice]) -> Iterator[str]:
    """Yield the line of every record."""
    for record in records:
        yield json.dumps(shown(record), ensure_ascii=False)


def shown(record: KBest | Hope | Lattice) -> dict[str, Any]:
    """Return the object that JSON shows for a record."""
    if isinstance(record, KBest):
        return list_object(record)
    return hope_object(record) if isinstance(record, Hope) else lattice_object(record)


def hope_object(hope: Hope) -> dict[str, object]:
    """Return the object that JSON shows for a hope."""
    places = zip(hope.index.tolist(), hope.weight.tolist(), strict=True)
    shown = [{"index": index, "weight": weight} for index, weight in places]
    return {**sentence_of(hope), "size": hope.size, "hope": shown}


def lattice_object(lattice: Lattice) -> dict[str, object]:
    """Return the object that JSON shows for a search graph: its nodes by number, its arcs."""
    names = [lattice.names[number] for number in lattice.dense_id.tolist()]
    phrases = [lattice.phrase_text(p) for p in range(len(lattice.phrase_pointer) - 1)]
    columns = (lattice.before, lattice.after(), lattice.start, lattice.end, lattice.phrase)
    rows = zip(*(column.tolist() for column in (*columns, lattice.score)), strict=True)
    arcs = [
        {"before": b, "after": a, "span": [i, j], "text": phrases[p], "score": score}
        | {"features": dict(zip(names, values, strict=True))}
        for (b, a, i, j, p, score), values in zip(rows, lattice.dense.T.tolist(), strict=True)
    ]
    source = list(lattice.source)
    return {"sid": lattice.sid, "source": source, "nodes": lattice.n_nodes, "arcs": arcs}


def shown_weights(weights: WeightStream, inventory: Inventory | None) -> Iterator[str]:
    """Yield the lines of a weights stream."""
    for start, end in blocks(len(weights)):
        names = [None] * (end - start) if inventory is None else inventory.between(start, end)
        rows = zip(range(start, end), names, weights.theta[start:end].tolist(), strict=True)
        for number, name, value in rows:
            named = {} if name is None else {"name": name}
            yield json.dumps({"id": number, **named, "weight": value}, ensure_ascii=False)


def shown_inventory(inventory: Inventory) -> Iterator[str]:
    """Yield the lines of an inventory."""
    for start, end in blocks(len(inventory)):
        counts = inventory.count[start:end].tolist()
        rows = zip(range(start, end), inventory.between(start, end), counts, strict=True)
        for number, name, count in rows:
            row = {"id": number, "name": name, "count": count}
            yield json.dumps(row, ensure_ascii=False)


def parser() -> argparse.ArgumentParser:
    """Return the parser of the flags."""
    p = command.parser("show", __doc__, "show dev.kbest --limit 1")
    command.add_input(p, "any stream, collection or inventory")
    p.add_argument("--header", action="store_true", help="show kind and signature first")
    p.add_argument(
        "--limit", type=command.positive_int, metavar="N", help="show and read no more than N"
    )
    add_inventory_flag(p, "needed for their names")
    return p


def main(argv: list[str] | None = None) -> int:
    """Run the command."""
    return command.run(body, parser(), argv)


def body(args: argparse.Namespace) -> None:
    """Open whatever the input is, and write its lines."""
    inventory = given_inventory(args, for_names=True)
    with ExitStack() as stack:
        if is_inventory(args.input):
            lines, header = inventory_with_header(args.input, args.limit)
        elif is_weight_stream(args.input):
            lines, header = weights_with_header(args.input, inventory)
        else:
            records: OpenedLists[KBest | Hope | Lattice]
            kinds = (KBest, Hope, Lattice)
            records = open_lists(args.input, *kinds, inventory=inventory, by_shard=True)
            lines = show(stack.enter_context(records))
            header = header_of(records)
        out = stack.enter_context(Output(args.output))
        if args.header:
            out.write_line(json.dumps(header, ensure_ascii=False))
        for line in itertools.islice(lines, args.limit):
            out.write_line(line)


LinesWithHeader: TypeAlias = tuple[Iterator[str], dict[str, object]]
"""Lines, and the object that --header shows before them."""


def header_of(records: OpenedLists[Any]) -> dict[str, object]:
    """Return the header of a stream: kind and signature, and its inventory if it has one."""
    header: dict[str, object] = {"kind": records.kind.KIND, "signature": records.signature}
    return header | ({} if records.inventory is None else {"inventory": records.inventory.pack()})


def inventory_with_header(path: str, limit: int | None) -> LinesWithHeader:
    """Return lines and header of an inventory; it is checked byte by byte if all is shown."""
    inventory = Inventory.open(path)
    if limit is None:
        verify(inventory)
    header = {"kind": "inventory", **inventory.reference.pack()}
    return shown_inventory(inventory), {**header, "sentences": inventory.manifest.sentences}


def weights_with_header(path: str, inventory: Inventory | None) -> LinesWithHeader:
    """Return lines and header of a weights stream; raises DataError for another inventory."""
    weights = read_weight_stream(path)
    if inventory is not None:
        weights.check(inventory)
    header = {"kind": "weights", "signature": weights.signature}
    return shown_weights(weights, inventory), header | {"inventory": weights.reference.pack()}


if __name__ == "__main__":
    raise SystemExit(main())
