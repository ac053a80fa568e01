"""Find oracles: the block sequences, or the hypotheses of k-best lists, of highest gain.

    oracle_i = argmax_z gain_i(z)

Of given k-best lists: reads a scored stream, writes the oracle of each list, or with --n N its N
highest gains in order.  Ties go to the lower index.

With a phrase table: reads source sentences, one a line, and their references, and searches all
block sequences for those of highest sentence BLEU (BLEU+1, the gain of score-bleu), whatever a
model says of them.  Writes the N best as k-best lists with features, statistics, gains, and the
fields `segmentation` and `orientation`: V_N of Tillmann and Zhang, section II.  With
--bag-of-blocks their z_0 instead, a random block for every span that has one.  --features adds
sparse features as decode writes them; z_0 has those of blocks and word pairs alone.  With
--leave-one-out blocks are those that other sentences of the training text yield.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass

from campanula.formats.collections.opening import OpenedLists, open_lists
from campanula.formats.output_paths import is_one_file
from campanula.formats.records.kbest import KBest
from campanula.formats.text.parts import TextLines
from campanula.stages import command
from campanula.stages.decoding.inventory_flags import lists_inventory
from campanula.stages.decoding.list_inventory import ListInventory
from campanula.stages.decoding.model_flags import model_inputs
from campanula.stages.decoding.oracle_flags import (
    add_oracle_flags,
    given_for_search,
    search_of_flags,
    searches,
)
from campanula.stages.metrics.metric import Metric
from campanula.stages.metrics.scored_lists import oracles, scored, sound
from campanula.stages.metrics.summary import Summary
from campanula.stages.metrics.table import metric_of
from campanula.stages.outputs import best_texts
from campanula.stages.outputs.list_files import refuse_folder_on_stdout, writer_against

COMMAND = "oracle-search"
EXAMPLE = """oracle-search dev.kbest --text -o dev.oracle
  oracle-search train.de --ref train.en --phrase-table phrase-table.gz -o truth.kbest"""


@dataclass(frozen=True, slots=True)
class Destination:
    """Where oracles are written: to a k-best stream, or as texts.

    text: a format of best_texts, or None for a stream.
    """

    path: str | None
    text: str | None
    allow_missing: bool

    def write(
        self,
        best: Iterable[KBest],
        source: OpenedLists[KBest] | TextLines,
        signature: str,
        metric: Mapping[str, object] | None,
        inventory: ListInventory | None = None,
    ) -> None:
        """Write oracles as a k-best stream, or the text of each as the line of its sentence."""
        if self.text is not None:
            lines = best_texts.FORMATS[self.text]
            best_texts.write(self.path, lines(best, source.name, self.allow_missing))
        else:
            with writer_against(source, self.path, signature, inventory, metric) as out:
                for kbest in best:
                    out.write(kbest)


def oracle_search(lists: Iterable[KBest], metric: Metric | None, n: int = 1) -> Iterator[KBest]:
    """Yield every scored list cut down to its n best by the metric, best first."""
    for kbest in lists:
        yield kbest.take(oracles(kbest, metric, n))


def parser() -> argparse.ArgumentParser:
    """Return the parser of the flags."""
    p = command.parser(COMMAND, __doc__, EXAMPLE)
    command.add_input(
        p, "scored k-best stream or collection, or with a phrase table source sentences"
    )
    p.add_argument(
        "--n",
        type=command.positive_int,
        metavar="N",
        help="hypotheses a list (default: 1; 5 with a phrase table)",
    )
    p.add_argument("--text", action="store_true", help="write texts, line i for sentence i")
    best_texts.add_format_flag(p, default=None)
    p.add_argument(
        "--allow-missing",
        action="store_true",
        help="with --text, of lists: an empty line for a sentence without a list",
    )
    add_oracle_flags(p)
    return p


def main(argv: list[str] | None = None) -> int:
    """Run the command."""
    return command.run(body, parser(), argv)


def body(args: argparse.Namespace) -> None:
    """Find the oracles of lists or of source sentences, and write them."""
    training = args.leave_one_out or []
    command.one_stdin(args.input, *args.ref, *training, *args.feature_list, *model_inputs(args))
    command.refuse_faults(_faults(args))
    form = (args.format or best_texts.TEXT) if args.text else None
    destination = Destination(args.output, form, args.allow_missing)
    if searches(args):
        summary = oracles_of_sentences(args, destination)
    else:
        with open_lists(args.input, KBest, by_shard=True) as lists:
            watched = command.progress(lists, args, COMMAND)
            summary = oracles_of_lists(lists, watched, args.n or 1, destination)
    command.say(args, f"{COMMAND}: {summary}")


def _faults(args: argparse.Namespace) -> Iterator[str]:
    """Yield what is wrong with the flags, the worst first."""
    search = searches(args)
    several = (args.n or 1) > 1
    if args.text and several:
        yield f"--text writes one hypothesis a list, not --n {args.n}"
    if args.format and not args.text:
        yield "--format goes with --text"
    if args.allow_missing and not args.text:
        yield "--allow-missing goes with --text"
    if args.allow_missing and search:
        yield "--allow-missing is for k-best lists"
    if search and not args.ref:
        yield "a search needs --ref FILE"
    if args.leave_one_out:
        target = args.leave_one_out[0]
        # the blocks that are left out must be those of the reference that is searched for, or it
        # would be found as a whole
        if not any(is_one_file(target, ref) for ref in args.ref):
            yield "--leave-one-out: expected TARGET to be a --ref"
    if args.text and args.inventory is not None:
        yield "--text has no features for an --inventory"
    if not search:
        for name in given_for_search(args):
            yield f"--{name.replace('_', '-')} is of a search: give a model"
    if args.bag_of_blocks and several:
        yield "--bag-of-blocks is one hypothesis a sentence"


def oracles_of_lists(
    lists: OpenedLists[KBest], watched: Iterable[KBest], n: int, destination: Destination
) -> str:
    """Write the oracles of scored k-best lists; return the summary.

    `watched` are the lists behind a progress bar.
    """
    metric = metric_of(lists.metric, lists.name)
    summary = Summary(metric)
    # checked before they are counted: impossible statistics would make a corpus value of nonsense
    checked = sound(scored(watched, lists.name), metric, lists.name)
    best = oracle_search(summary.count(checked), metric, n)
    signature = command.signature(COMMAND, lists.signature, n=n)
    destination.write(best, lists, signature, lists.metric)
    return str(summary)


def oracles_of_sentences(args: argparse.Namespace, destination: Destination) -> str:
    """Search the block sequences of source sentences, write the best; return the summary."""
    text = TextLines(args.input)
    refuse_folder_on_stdout(text, args.output)
    with lists_inventory(args, False) or nullcontext() as inventory:
        prepared = search_of_flags(args, inventory).prepare()
        metric = prepared.search.metric
        summary = Summary(metric)
        gains = Gains()
        lines = command.progress(text, args, COMMAND)
        lists = gains.noted(summary.count(prepared.find(lines, text.name, args.jobs or 1)))
        signature = command.signature(COMMAND, **prepared.signature)
        destination.write(lists, text, signature, metric.header(), inventory)
    more = "" if inventory is None else inventory.summary()
    return f"{gains}{summary}{more}"


class Gains:
    """Gains of the first hypotheses of lists; as a string their mean."""

    def __init__(self) -> None:
        self._gains: list[float] = []

    def noted(self, lists: Iterable[KBest]) -> Iterator[KBest]:
        """Pass lists on and note the gain of each one's first hypothesis."""
        for kbest in lists:
            assert kbest.gain is not None
            self._gains.append(float(kbest.gain[0]))
            yield kbest

    def __str__(self) -> str:
        if not self._gains:
            return ""
        return f"mean gain of the best: {sum(self._gains) / len(self._gains):.4f}; "


if __name__ == "__main__":
    raise SystemExit(main())
