"""Diagnose k-best lists: their lengths, duplicates, oracles and features, before weights are tuned.

    hypothesis    the first of each list, that of the highest score (of lists that have scores), and
                  the oracle, which is the best by the metric of score-bleu: the metric, the mean
                  rank, how often it is the first one, and the word edits that make one the other
    oracle        of the first k hypotheses, k = 1, 2, 5, 10, ...: what choosing could come to
    feature       lowest and highest value; share of lists in which it is constant; correlation with
                  the gain, and with the feature that it is most alike, within lists

A feature has a line if every hypothesis has it, or if there are no more than 100; the others are
counted.  Lists without gains have no oracles.  `rerank --kbest` makes lists in the order of other
weights.  One pass; memory does not grow with the number of lists.
"""

from __future__ import annotations

import argparse

from campanula.formats.collections.opening import open_lists
from campanula.formats.files import Output
from campanula.formats.records.kbest import KBest
from campanula.stages import command
from campanula.stages.command_line.inventory_flags import add_inventory_flag, given_inventory
from campanula.stages.diagnosing.diagnosis import diagnose
from campanula.stages.diagnosing.reporting import as_json, as_tables
from campanula.stages.metrics.scored_lists import sound
from campanula.stages.metrics.table import metric_of

COMMAND = "kbest-stats"
EXAMPLE = "kbest-stats dev.kbest\n  score-bleu dev.kbest --ref dev.en --metric wer | kbest-stats"
TABLE, JSON = "table", "json"


def parser() -> argparse.ArgumentParser:
    """Return the parser of the flags."""
    p = command.parser(COMMAND, __doc__, EXAMPLE)
    command.add_input(p, "k-best stream or collection")
    p.add_argument(
        "--feature",
        action="append",
        default=[],
        metavar="PATTERN",
        help="features that get a line, dense or sparse: names with *, ?, [...] (repeat it)",
    )
    p.add_argument(
        "--format", choices=(TABLE, JSON), default=TABLE, help="of the output (default: table)"
    )
    add_inventory_flag(p, "needed for the features' names")
    return p


def main(argv: list[str] | None = None) -> int:
    """Run the command."""
    return command.run(body, parser(), argv)


def body(args: argparse.Namespace) -> None:
    """Read all lists, write the diagnosis."""
    inventory = given_inventory(args, for_names=True)
    with open_lists(args.input, KBest, inventory=inventory) as lists:
        metric = metric_of(lists.metric, lists.name)
        watched = sound(command.progress(lists, args, COMMAND), metric, lists.name)
        diagnosis = diagnose(watched, metric, args.feature, lists.name)
        lines = [as_json(diagnosis)] if args.format == JSON else as_tables(diagnosis)
        with Output(args.output) as out:
            for line in lines:
                out.write_line(line)


if __name__ == "__main__":
    raise SystemExit(main())
