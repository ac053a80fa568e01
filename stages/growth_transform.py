"""Move the phrase probabilities of a table to higher expected gain; they still sum to one.

    O = log((1/N) sum_n <beta>_n) - tau (KL(phi0 || phi) of p(f|e) and of p(e|f))

by growth transformation (He and Deng 2012; Wuebker et al. 2015, 4.1).  The lists have dense and
`block` features, which say what rows of the table fire; weights do not change.  Writes the table
with new first and third scores; all other columns stay.  Probabilities are first divided by their
sum over the rows of one condition.  --filtered: the table is a part of one that summed to one, and
the rows that were left out keep their share of the sum.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable

from campanula.formats.atomic import output_folder
from campanula.formats.files import Output
from campanula.formats.model.array_folder import default_cache
from campanula.stages import command
from campanula.stages.growth.growth_lists import GrowthLists
from campanula.stages.growth.phrase_rows import PhraseRows
from campanula.stages.growth.posterior import Posterior
from campanula.stages.growth.saved_tables import NAME, SavedTables, numbers
from campanula.stages.growth.table_writer import write_table
from campanula.stages.growth.transform import Channels, GrowthSettings, GrowthSolution, transform
from campanula.stages.tuning.saving import refuse_saved
from campanula.stages.tuning.summary import summarised

COMMAND = "growth-transform"


def parser() -> argparse.ArgumentParser:
    """Return the parser of the flags."""
    default = GrowthSettings()
    example = "growth-transform train.kbest --phrase-table t.gz --weights w -o t1.gz"
    p = command.parser(COMMAND, __doc__, example)
    command.add_input(p, "scored lists")
    p.add_argument("--phrase-table", required=True, metavar="FILE", help="Moses's, plain or gzip")
    p.add_argument("--weights", required=True, metavar="FILE", help="text, or a weights stream")
    p.add_argument(
        "--iterations",
        type=command.positive_int,
        default=default.iterations,
        help=f"steps at most (default: {default.iterations})",
    )
    what = f"strength of KL(phi0 || phi) (default: {default.tau:g})"
    p.add_argument("--tau", type=command.non_negative_float, default=default.tau, help=what)
    p.add_argument(
        "--filtered",
        action="store_true",
        help="the table is a part of one that summed to one: nothing is divided",
    )
    p.add_argument(
        "--save-each",
        metavar="DIR",
        help="write the table after every step, too: DIR/phrase-table.1.gz, ...; what an earlier"
        " run left there and this one does not reach stays",
    )
    p.add_argument(
        "--save-at",
        type=numbers,
        metavar="N,N,...",
        help="of --save-each, only the tables after these steps",
    )
    p.add_argument(
        "--summary",
        metavar="FILE",
        help="write objective and expected gain at the start and after every step as JSON, too",
    )
    p.add_argument("--inventory", metavar="FOLDER", help="inventory of lists against one")
    p.add_argument("--cache", metavar="DIR", help="folder of packed shards (default: the user's)")
    command.add_jobs_flag(p)
    command.add_missing_flag(p)
    return p


def main(argv: list[str] | None = None) -> int:
    """Run the command."""
    return command.run(body, parser(), argv)


def body(args: argparse.Namespace) -> None:
    """Read lists and table, take the steps, write the table."""
    command.one_stdin(args.input, args.weights)
    if args.phrase_table == "-":
        raise command.UsageError("--phrase-table is read again to be written: give a file")
    _refuse_saving(args)
    if args.summary is not None:
        command.outputs_apart(args.output, args.summary)
        Output.check(args.summary)
    Output.check(args.output)
    cache = args.cache or default_cache()

    def say(line: str) -> None:
        command.say(args, f"{COMMAND}: {line}")

    lists = GrowthLists.read(args.input, args.inventory, cache, args.jobs, say)
    theta = lists.theta(args.weights, args.allow_missing)
    rows = lists.rows(args.phrase_table)
    channels = lists.channels(rows, theta, args.filtered, args.phrase_table)
    posterior = Posterior.of(lists.data, theta, rows.fired_feature, args.jobs)
    settings = GrowthSettings(args.iterations, args.tau)
    saving = _saving(args, rows)
    grown = transform(
        posterior,
        channels,
        settings,
        after=saving,
        watch=lambda steps: command.progress(steps, args, "steps", args.iterations, "steps"),
    )
    with summarised(args.summary, grown.history, grown.reason, gains=grown.gains):
        write_table(args.output, args.phrase_table, rows, grown.channels)
    _say(say, rows, channels, grown)


def _refuse_saving(args: argparse.Namespace) -> None:
    """Raise UsageError for --save-each and --save-at that do not fit the other flags."""
    refuse_saved(args.save_each, NAME, (args.output, args.summary))
    if args.save_at is None:
        return
    if args.save_each is None:
        raise command.UsageError("--save-at says which tables of --save-each: give both")
    if max(args.save_at) > args.iterations:
        problem = f"there are {args.iterations} steps (--iterations)"
        raise command.UsageError(f"--save-at {max(args.save_at)}: {problem}")


def _saving(args: argparse.Namespace, rows: PhraseRows) -> Callable[[Channels], None]:
    """Return the function that is called after a step: it writes the table, or does nothing."""
    if args.save_each is None:
        return lambda channels: None
    output_folder(args.save_each)

    def write(name: str, channels: Channels) -> None:
        path = os.path.join(args.save_each, name)
        write_table(path, args.phrase_table, rows, channels)

    return SavedTables(write, args.save_at)


def _say(
    say: Callable[[str], None], rows: PhraseRows, start: Channels, grown: GrowthSolution
) -> None:
    """Write the summary lines to stderr."""
    for channel, name in zip(start, ("p(f|e)", "p(e|f)"), strict=True):
        furthest = float(abs(channel.norm - 1.0).max())
        say(f"{name} summed to 1 within {furthest:.2g} under {len(channel.norm)} conditions")
    say(f"{len(rows.fired)} of {len(rows)} rows fire in the lists")
    steps = grown.steps
    first = grown.history[0]
    last = grown.history[-1]
    ended = f"D doubled {grown.doubled} times; {grown.reason}"
    say(f"objective {last!r} after {steps} steps, {first!r} at the start; {ended}")


if __name__ == "__main__":
    raise SystemExit(main())
