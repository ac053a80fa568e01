"""Shorten k-best lists: keep the first hypotheses of each list, or the first of each text.

    -k N         the first N
    --distinct   of hypotheses of one text the first

With both, the first N texts.  What is kept stays in its order, with all its columns; `rerank
--kbest` sorts lists by weights before.  --text-field and --remove-subwords say which text counts
for --distinct; the lists keep theirs.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass

import numpy as np

from campanula.formats.arrays.types import Ints
from campanula.formats.collections.opening import open_lists
from campanula.formats.records.kbest import KBest
from campanula.formats.records.texts import Texts
from campanula.stages import command
from campanula.stages.command_line.inventory_flags import add_inventory_flag, given_inventory
from campanula.stages.command_line.text_flags import AS_IT_IS, TextForm, add_text_flags
from campanula.stages.outputs.list_files import writer_for

COMMAND = "prune-kbest"
EXAMPLE = (
    "prune-kbest dev.kbest -k 100 --distinct -o dev.short.kbest\n"
    "  rerank --kbest dev.kbest --weights w1 | prune-kbest -k 20 -o dev.short.kbest"
)


@dataclass(frozen=True, slots=True)
class Pruning:
    """What stays of a list: k hypotheses at most (None: all), or texts; which text counts."""

    k: int | None = None
    distinct: bool = False
    text: TextForm = AS_IT_IS


def pruned(kbest: KBest, pruning: Pruning, source: str = "k-best stream") -> KBest:
    """Return what stays of a list; source names it in errors."""
    if not pruning.distinct:
        return kbest.take(np.arange(len(kbest))[: pruning.k])
    return kbest.take(first_of_texts(pruning.text.apply(kbest, source).text)[: pruning.k])


def first_of_texts(text: Texts) -> Ints:
    """Return the places, ascending, of the hypotheses whose text is that of none before them."""
    first: dict[str, int] = {}
    for place, words in enumerate(text):
        # a dict keeps the order of insertion, so places ascend
        first.setdefault(words, place)
    return np.fromiter(first.values(), np.int64, len(first))


def parser() -> argparse.ArgumentParser:
    """Return the parser of the flags."""
    p = command.parser(COMMAND, __doc__, EXAMPLE)
    command.add_input(p, "k-best stream or collection")
    p.add_argument(
        "-k",
        type=command.positive_int,
        metavar="N",
        help="hypotheses to keep of each list (default: all)",
    )
    p.add_argument("--distinct", action="store_true", help="keep the first hypothesis of each text")
    add_inventory_flag(p)
    add_text_flags(p)
    return p


def main(argv: list[str] | None = None) -> int:
    """Run the command."""
    return command.run(body, parser(), argv)


def body(args: argparse.Namespace) -> None:
    """Read, prune, write."""
    pruning = Pruning(args.k, args.distinct, TextForm.of_flags(args))
    if pruning.k is None and not pruning.distinct:
        raise command.UsageError("expected -k N or --distinct: without both, all would stay")
    # refused and not ignored: without --distinct no text is read
    if pruning.text != AS_IT_IS and not pruning.distinct:
        raise command.UsageError("--text-field and --remove-subwords go with --distinct")
    settings = {"k": pruning.k or "all", "distinct": pruning.distinct, **pruning.text.signature()}
    n_before = 0
    n_after = 0
    inventory = given_inventory(args)
    with open_lists(args.input, KBest, inventory=inventory, by_shard=True) as lists:
        signature = command.signature(COMMAND, lists.signature, **settings)
        with writer_for(lists, args.output, KBest, signature, lists.metric) as out:
            for kbest in command.progress(lists, args, COMMAND):
                short = pruned(kbest, pruning, lists.name)
                out.write(short)
                n_before += len(kbest)
                n_after += len(short)
    kept = f"{n_after} of {n_before} hypotheses kept, {out.count} sentences"
    command.say(args, f"{COMMAND}: {kept}")


if __name__ == "__main__":
    raise SystemExit(main())
