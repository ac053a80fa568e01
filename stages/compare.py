"""Compare systems by corpus metrics, and say how likely the differences are by chance.

A SYSTEM is a file of outputs, one a line, or NAME=FILE,FILE,... with a file a replicate: the same
system from several seeds of its optimizer (Clark et al. 2011).  The first is the baseline.

    mean, sd          corpus metric: mean and standard deviation over the replicates
    95 % from, to     percentile interval of the mean over samples of the sentences (Koehn 2004)
    diff, differ      difference to the baseline; sentences that have not the same statistics
    bootstrap p       two-sided, paired bootstrap resampling of the sentences      (Koehn 2004)
    randomisation p   two-sided, approximate randomisation of the outputs, by sentence; exact
                      where up to 16 sentences differ                 (Riezler and Maxwell 2005)
    Holm p            randomisation p corrected for the number of differences     (Holm 1979)

Report the randomisation p, or with several differences the Holm p: the bootstrap's is too low
where few sentences differ.  The texts are not tokenised unless --tokenize asks for it; 13a is what
is usual for text that is not tokenised yet.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from campanula.formats.errors import DataError
from campanula.formats.files import Output
from campanula.formats.text.references import References
from campanula.stages import command
from campanula.stages.command import UsageError
from campanula.stages.command_line.text_flags import add_subwords_flag
from campanula.stages.comparing.comparison import compare_scored
from campanula.stages.comparing.outcome import JSON, Outcome
from campanula.stages.comparing.output_files import references_beside
from campanula.stages.comparing.score_command import ScoreCommand
from campanula.stages.comparing.scoring import OutputTexts, Scoring
from campanula.stages.comparing.sentences import ShownSentence
from campanula.stages.comparing.significance import Sampling
from campanula.stages.comparing.systems import systems_of
from campanula.stages.comparing.table_formats import TABLE_FORMATS
from campanula.stages.metrics.flags import add_metric_flag, any_metric
from campanula.stages.metrics.meteor import Meteor
from campanula.stages.metrics.meteor_flags import (
    add_meteor_flags,
    refuse_meteor_flags,
    with_meteor_flags,
)
from campanula.stages.metrics.metric import LOWERCASE, TOKENIZE, Metric
from campanula.stages.metrics.table import metric_named

COMMAND = "compare"
EXAMPLE = "compare baseline.out tuned=seed1.out,seed2.out,seed3.out --ref test.en --metric bleu"


def parser() -> argparse.ArgumentParser:
    """Return the parser of the flags."""
    p = command.parser(COMMAND, __doc__, EXAMPLE)
    p.add_argument("systems", nargs="+", metavar="SYSTEM", help="FILE or NAME=FILE,FILE,...")
    p.add_argument(
        "--ref",
        action="append",
        default=[],
        metavar="FILE",
        help="references, a line a sentence; repeat it for several",
    )
    add_metric_flag(
        p,
        "repeat it for several (default: bleu, or --score-command alone)",
        metric=any_metric,
        several=True,
    )
    p.add_argument(
        "--keyed",
        action="store_true",
        help="lines of outputs and references are `id text`, in any order (JSON lines, in files"
        " called *.jsonl, go by their ids without it)",
    )
    p.add_argument("--lowercase", action="store_true", help="ignore case")
    p.add_argument(
        "--tokenize",
        default="none",
        metavar="NAME",
        help="for bleu, wer, meteor: one of sacrebleu's tokenizers (default: none: at white space)",
    )
    add_subwords_flag(p)
    add_meteor_flags(p.add_argument_group("meteor"))
    _add_number_flags(p)
    _add_output_flags(p)
    positive = command.positive_int
    p.add_argument("--samples", type=positive, default=1000, help="bootstrap (default: 1000)")
    p.add_argument("--trials", type=positive, default=10000, help="randomisation (default: 10000)")
    p.add_argument("--seed", type=positive, default=12345, help="of both (default: 12345)")
    command.add_jobs_flag(p)
    return p


def _add_number_flags(p: argparse.ArgumentParser) -> None:
    """Add the flags for numbers that other programs give."""
    numbers = p.add_argument_group("numbers of another program, whose corpus value is the mean")
    numbers.add_argument(
        "--column",
        action="append",
        default=[],
        metavar="FILE",
        help="for gain-column: numbers, a line a sentence; one for every file of outputs, in "
        "order (without it the SYSTEMs' files are the numbers)",
    )
    numbers.add_argument(
        "--score-command",
        metavar="COMMAND",
        help="run for every file of outputs, gives a number a line: "
        "'score.py {hypotheses} {references} {source} {gains}'",
    )
    numbers.add_argument("--source", metavar="FILE", help="what {source} stands for")
    numbers.add_argument("--shell", action="store_true", help="give the command to /bin/sh")
    numbers.add_argument(
        "--score-timeout",
        type=command.non_negative_float,
        default=0.0,
        metavar="SECONDS",
        help="what the command may take (default: 0: any)",
    )
    numbers.add_argument("--lower-is-better", action="store_true", help="of all such numbers")


def _add_output_flags(p: argparse.ArgumentParser) -> None:
    """Add the flags that say what is written, and in which format."""
    p.add_argument("--all-pairs", action="store_true", help="all systems against each other")
    p.add_argument(
        "--sentences",
        type=command.positive_int,
        metavar="N",
        help="the N sentences most improved and most worsened, too, by their gains",
    )
    p.add_argument(
        "--format",
        choices=[*TABLE_FORMATS, JSON],
        default="text",
        help="of the output; csv and json have full precision (default: text)",
    )
    p.add_argument("--json", action="store_const", dest="format", const=JSON, help="--format json")


def main(argv: list[str] | None = None) -> int:
    """Run the command."""
    return command.run(body, parser(), argv)


def body(args: argparse.Namespace) -> None:
    """Read outputs and references, compare the systems, write the outcome."""
    scoring = _scoring(args)
    systems = systems_of(args.systems, [*args.ref, *args.column, args.source or ""])
    sizes = {system.name: len(system.paths) for system in systems}
    watch = partial(_watched, args)
    shown = ShownSentence({})
    if scoring.columns is None:
        scored = scoring.of_numbers(systems)
    else:
        if args.column and len(args.column) != sum(sizes.values()):
            problem = f"expected one for each of {sum(sizes.values())} files of outputs"
            raise UsageError(f"--column: {problem}, found {len(args.column)}")
        paths = [path for system in systems for path in system.paths]
        references = references_beside(References.read(args.ref), paths, args.keyed)
        if not len(references):
            raise DataError(references.names[0], None, "expected at least one line, found none")
        texts = OutputTexts.read(systems, references, args.remove_subwords, args.keyed)
        shown = ShownSentence(texts.firsts(), references)
        if (unlike := texts.unlike(references, scoring.metrics)) is not None:
            command.say(args, f"{COMMAND}: warning: {unlike}")
        scored = scoring.of_texts(texts, references, watch)
    sampling = Sampling(args.samples, args.trials, args.seed)
    comparisons = [
        compare_scored(files, sizes, sampling, args.all_pairs, watch) for files in scored
    ]
    if args.remove_subwords:
        subwords = f"|subwords:{args.remove_subwords}"
        comparisons = [replace(c, signature=f"{c.signature}{subwords}") for c in comparisons]
    outcome = Outcome(comparisons, systems, args.all_pairs, args.sentences, shown)
    with Output(args.output) as out:
        for line in outcome.lines(args.format):
            out.write_line(line)


def _watched(
    args: argparse.Namespace, items: Iterable[Any], label: str, total: int
) -> Iterable[Any]:
    return command.progress(items, args, label, total, "items")


def _scoring(args: argparse.Namespace) -> Scoring:
    """Return the scoring that the flags ask for; raises UsageError where they do not fit."""
    names = list(dict.fromkeys(args.metric or ([] if args.score_command else ["bleu"])))
    metrics = [metric for metric in map(metric_named, names) if metric.compares_texts]
    numbers = len(metrics) < len(names)  # gain-column is among the metrics
    # without texts: the systems' files are the numbers
    alone = numbers and not metrics and not args.column and not args.score_command
    command.refuse_faults(_faults(args, numbers, alone))
    refuse_meteor_flags(args, metrics)
    scorer = None
    if args.score_command:
        scorer = ScoreCommand.of(args.score_command, args.shell, args.score_timeout)
    return Scoring(
        [_with_settings(metric, args) for metric in metrics],
        None if alone else args.column,
        scorer,
        args.source,
        args.lower_is_better,
        args.jobs,
    )


def _faults(args: argparse.Namespace, numbers: bool, alone: bool) -> Iterator[str]:
    """Yield what is wrong with the flags, the worst first.

    numbers: gain-column is a metric.  alone: no other metric is, so there are no texts.
    """
    if not alone and not args.ref:
        yield "--ref FILE is needed, with the references"
    if alone and (args.ref or args.remove_subwords or args.keyed):
        yield "gain-column alone takes files of numbers: no --ref, --remove-subwords or --keyed"
    if args.column and not numbers:
        yield "--column goes with --metric gain-column"
    if numbers and not alone and not args.column:
        yield "--metric gain-column needs --column FILE beside what compares texts"
    if not args.score_command and (args.source or args.shell or args.score_timeout):
        yield "--source, --shell and --score-timeout go with --score-command"
    if args.score_command and "{source}" in args.score_command and not args.source:
        yield "--score-command: {source} needs --source FILE"
    if args.lower_is_better and not (numbers or args.score_command):
        yield "--lower-is-better goes with gain-column and --score-command"


def _with_settings(metric: Metric, args: argparse.Namespace) -> Metric:
    tokenize = args.tokenize if TOKENIZE in metric.takes else "none"
    lowercase = args.lowercase and LOWERCASE in metric.takes
    metric = replace(metric, lowercase=lowercase, tokenize=tokenize)
    return with_meteor_flags(metric, args) if isinstance(metric, Meteor) else metric


if __name__ == "__main__":
    raise SystemExit(main())
