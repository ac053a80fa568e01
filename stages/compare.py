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

Report the randomisation p, or with several differences the Holm p: the bootstrap's is a little
low, above all where few sentences differ.  The texts are not tokenised unless --tokenize asks for
it; 13a is what is usual for text that is not tokenised yet.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from dataclasses import replace

from campanula.formats.errors import DataError
from campanula.formats.files import Output
from campanula.formats.text.references import References
from campanula.stages import command
from campanula.stages.comparing.as_json import as_json
from campanula.stages.comparing.comparison import Comparison, compare
from campanula.stages.comparing.reporting import tables_of
from campanula.stages.comparing.significance import Sampling
from campanula.stages.comparing.systems import System, systems_of
from campanula.stages.comparing.table_formats import TABLE_FORMATS
from campanula.stages.metrics.flags import metric_of_texts
from campanula.stages.metrics.metric import LOWERCASE, TOKENIZE, Metric
from campanula.stages.metrics.table import metric_named, metrics_of_texts

COMMAND = "compare"
JSON = "json"
EXAMPLE = "compare baseline.out tuned=seed1.out,seed2.out,seed3.out --ref test.en --metric bleu"


def parser() -> argparse.ArgumentParser:
    """Return the parser of the flags."""
    p = command.parser(COMMAND, __doc__, EXAMPLE)
    p.add_argument("systems", nargs="+", metavar="SYSTEM", help="FILE or NAME=FILE,FILE,...")
    p.add_argument(
        "--ref",
        action="append",
        required=True,
        metavar="FILE",
        help="references, a line a sentence; repeat it for several",
    )
    p.add_argument(
        "--metric",
        action="append",
        type=metric_of_texts,
        metavar=command.braces(metrics_of_texts()),
        help="repeat it for several (default: bleu)",
    )
    p.add_argument("--lowercase", action="store_true", help="ignore case")
    p.add_argument(
        "--tokenize",
        default="none",
        metavar="NAME",
        help="for bleu, wer: one of sacrebleu's tokenizers (default: none: split at white space)",
    )
    p.add_argument("--all-pairs", action="store_true", help="all systems against each other")
    p.add_argument(
        "--format",
        choices=[*TABLE_FORMATS, JSON],
        default="text",
        help="of the output; csv and json have full precision (default: text)",
    )
    p.add_argument("--json", action="store_const", dest="format", const=JSON, help="--format json")
    positive = command.positive_int
    p.add_argument("--samples", type=positive, default=1000, help="bootstrap (default: 1000)")
    p.add_argument("--trials", type=positive, default=10000, help="randomisation (default: 10000)")
    p.add_argument("--seed", type=positive, default=12345, help="of both (default: 12345)")
    p.add_argument("--jobs", type=positive, default=1, metavar="N", help="threads (default: 1)")
    return p


def main(argv: list[str] | None = None) -> int:
    """Run the command."""
    return command.run(body, parser(), argv)


def body(args: argparse.Namespace) -> None:
    """Read all, compare, write."""
    systems = systems_of(args.systems, args.ref)
    metrics = [_metric(name, args) for name in dict.fromkeys(args.metric or ["bleu"])]
    references = References.read(args.ref)
    if not len(references):
        raise DataError(references.names[0], None, "expected at least one line, found none")
    comparisons = compare(
        {system.name: system.outputs(references) for system in systems},
        references,
        metrics,
        Sampling(args.samples, args.trials, args.seed),
        all_pairs=args.all_pairs,
        jobs=args.jobs,
        watch=lambda items, label, total: command.progress(items, args, label, total),
    )
    with Output(args.output) as out:
        for line in _lines(comparisons, systems, args.format, args.all_pairs):
            out.write_line(line)


def _lines(
    comparisons: Sequence[Comparison], systems: Sequence[System], form: str, all_pairs: bool
) -> Iterable[str]:
    """The outcome in a format."""
    if form == JSON:
        return [as_json(comparisons, {system.name: system.paths for system in systems})]
    return TABLE_FORMATS[form](list(tables_of(comparisons, all_pairs)))


def _metric(name: str, args: argparse.Namespace) -> Metric:
    metric = metric_named(name)
    tokenize = args.tokenize if TOKENIZE in metric.takes else "none"
    lowercase = args.lowercase and LOWERCASE in metric.takes
    return replace(metric, lowercase=lowercase, tokenize=tokenize)


if __name__ == "__main__":
    raise SystemExit(main())
