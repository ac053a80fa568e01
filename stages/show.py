"""Show any stream, a line of JSON a record.

    {"sid": 0, "hyps": [{"text": "...", "score": -3.2, "features": {"LM0": -17.4}, "gain": 0.41}]}
    {"sid": 0, "size": 100, "hope": [{"index": 17, "weight": 1.0}]}

A hypothesis has the keys that are known of it.
"""

from __future__ import annotations

import argparse
import itertools
import json
from collections.abc import Iterable, Iterator

from formats.files import Output
from formats.hope import Hope
from formats.kbest import KBest
from formats.nbest.jsonl import list_object
from formats.stream import Reader
from stages import command


def show(records: Iterable[KBest | Hope]) -> Iterator[str]:
    """Yield the line of every record."""
    for record in records:
        shown = list_object(record) if isinstance(record, KBest) else hope_object(record)
        yield json.dumps(shown, ensure_ascii=False)


def hope_object(hope: Hope) -> dict[str, object]:
    """A hope as JSON shows it."""
    places = zip(hope.index.tolist(), hope.weight.tolist(), strict=True)
    shown = [{"index": index, "weight": weight} for index, weight in places]
    return {"sid": hope.sid, "size": hope.size, "hope": shown}


def main(argv: list[str] | None = None) -> int:
    """Run the command."""
    p = command.parser("show", __doc__, "show dev.kbest --limit 1")
    p.add_argument("input", nargs="?", default="-", help="any stream (default: stdin)")
    p.add_argument("--header", action="store_true", help="show kind and signature first")
    p.add_argument(
        "--limit", type=command.positive_int, metavar="N", help="show and read no more than N"
    )
    return command.run(body, p, argv)


def body(args: argparse.Namespace) -> None:
    """Read and show."""
    with Reader[KBest | Hope](args.input, KBest, Hope) as records, Output(args.output) as out:
        if args.header:
            header = {"kind": records.kind.KIND, "signature": records.signature}
            out.write_line(json.dumps(header, ensure_ascii=False))
        for line in show(itertools.islice(records, args.limit)):
            out.write_line(line)
