"""Show any stream, a line of JSON a record.

    {"sid": 0, "hyps": [{"text": "...", "score": -3.2, "features": {"LM0": -17.4}, "gain": 0.41}]}
    {"sid": 0, "size": 100, "hope": [{"index": 17, "weight": 1.0}]}
    {"sid": 0, "source": ["ja"], "nodes": 2, "arcs": [{"before": 0, "after": 1, "text": "yes"}]}

A hypothesis has the keys that are known of it.
"""

from __future__ import annotations

import argparse
import itertools
import json
from collections.abc import Iterable, Iterator
from typing import Any

from campanula.formats.collections.opening import Lists, open_lists
from campanula.formats.files import Output
from campanula.formats.nbest.jsonl import list_object
from campanula.formats.records.hope import Hope
from campanula.formats.records.kbest import KBest
from campanula.formats.records.lattice import Lattice
from campanula.stages import command


def show(records: Iterable[KBest | Hope | Lattice]) -> Iterator[str]:
    """Yield the line of every record."""
    for record in records:
        yield json.dumps(shown(record), ensure_ascii=False)


def shown(record: KBest | Hope | Lattice) -> dict[str, Any]:
    """A record as JSON shows it."""
    if isinstance(record, KBest):
        return list_object(record)
    return hope_object(record) if isinstance(record, Hope) else lattice_object(record)


def hope_object(hope: Hope) -> dict[str, object]:
    """A hope as JSON shows it."""
    places = zip(hope.index.tolist(), hope.weight.tolist(), strict=True)
    shown = [{"index": index, "weight": weight} for index, weight in places]
    return {"sid": hope.sid, "size": hope.size, "hope": shown}


def lattice_object(lattice: Lattice) -> dict[str, object]:
    """A search graph as JSON shows it."""
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


def parser() -> argparse.ArgumentParser:
    """Return the parser of the flags."""
    p = command.parser("show", __doc__, "show dev.kbest --limit 1")
    p.add_argument("input", nargs="?", default="-", help="any stream (default: stdin)")
    p.add_argument("--header", action="store_true", help="show kind and signature first")
    p.add_argument(
        "--limit", type=command.positive_int, metavar="N", help="show and read no more than N"
    )
    return p


def main(argv: list[str] | None = None) -> int:
    """Run the command."""
    return command.run(body, parser(), argv)


def body(args: argparse.Namespace) -> None:
    """Read and show."""
    records: Lists[KBest | Hope | Lattice]
    records = open_lists(args.input, KBest, Hope, Lattice, by_shard=True)
    with records, Output(args.output) as out:
        if args.header:
            header = {"kind": records.kind.KIND, "signature": records.signature}
            out.write_line(json.dumps(header, ensure_ascii=False))
        for line in show(itertools.islice(records, args.limit)):
            out.write_line(line)


if __name__ == "__main__":
    raise SystemExit(main())
