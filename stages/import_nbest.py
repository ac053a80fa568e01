"""Read the n-best list of another tool and write it as a k-best stream.

Sentence ids decide which hypotheses belong together: lists may be unsorted, and ids may be
missing.  A label with several values gives numbered features (`TM0_0`, `TM0_1`), one with a single
value keeps its name.  The list may be compressed.  --text-field and --remove-subwords change the
text; what was there is kept as the field `text` or `subwords`.
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Iterator

from campanula.formats.errors import DataError
from campanula.formats.files import display_name
from campanula.formats.nbest import FORMATS
from campanula.formats.nbest.blocks import Block, read_ahead
from campanula.formats.nbest.detecting import detect
from campanula.formats.nbest.presence import Presence
from campanula.formats.records.kbest import KBest
from campanula.formats.stream import Writer
from campanula.stages import command
from campanula.stages.text_flags import TextForm, add_text_flags

AUTO = "auto"


def import_nbest(path: str, name: str) -> Iterator[KBest]:
    """Yield the lists of a file in the named format, or the one its first lines show."""
    source = display_name(path)
    blocks = read_ahead(path)
    first = list(itertools.islice(blocks, 1))
    form = FORMATS[format_of(first, source) if name == AUTO else name]
    return form.read(itertools.chain(first, blocks), source)


def format_of(first: list[Block], source: str) -> str:
    """Format that the first block shows; raises DataError."""
    lines = [line for block in first for _, line in itertools.islice(block.lines(), 100)]
    found = detect(lines)
    if found is None:
        line = f"{lines[0][:60]!r}" if lines else "nothing"
        problem = f"expected a list in one of the formats {', '.join(FORMATS)}; found {line}"
        raise DataError(source, None, problem)
    return found


def parser() -> argparse.ArgumentParser:
    """Return the parser of the flags."""
    p = command.parser("import-nbest", __doc__, "import-nbest run1.best100.gz -o run1.kbest")
    p.add_argument("input", nargs="?", default="-", help="n-best list (default: stdin)")
    p.add_argument(
        "--format",
        type=command.choice(FORMATS, AUTO),
        metavar=command.braces([AUTO, *FORMATS]),
        default=AUTO,
        help="format of the list (default: auto, told from its first lines)",
    )
    add_text_flags(p)
    return p


def main(argv: list[str] | None = None) -> int:
    """Run the command."""
    return command.run(body, parser(), argv)


def body(args: argparse.Namespace) -> None:
    """Read all, then write."""
    form = TextForm.of_flags(args)
    lists = form.keeping_all(import_nbest(args.input, args.format), display_name(args.input))
    made = command.signature("import-nbest", **form.signature())
    presence = Presence()
    # the format is not part of the signature: the same list gives the same bytes in any format
    with Writer(args.output, KBest, made) as out:
        for kbest in presence.watch(lists):
            out.write(kbest)
    for remark in presence.remarks():
        command.say(args, f"import-nbest: warning: {remark}")
    command.say(args, f"import-nbest: {presence.hypotheses} hypotheses of {out.count} sentences")


if __name__ == "__main__":
    raise SystemExit(main())
