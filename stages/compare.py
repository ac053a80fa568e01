"""Compare systems by corpus metrics, and say how likely the differences are by chance.

A SYSTEM is a file of outputs, one a line, or NAME=FILE,FILE,... with a file a replicate: the same
system from several seeds of its optimizer (Clark et al. 2011).  The first is the baseline.

    mean, sd          sacrebleu's corpus metric: mean and standard deviation over the replicates
    bootstrap p       paired bootstrap resampling of the sentences              (Koehn 2004)
    randomisation p   approximate randomisation of the outputs, by sentence

Both p-values are two-sided, against the baseline: sacrebleu's own for two single files, over all
replicates as MultEval's otherwise.  The texts are not tokenised unless --tokenize asks for it; 13a
is what is usual for text that is not tokenised yet.
"""

from __future__ import annotations

import argparse
from dataclasses import replace

from campanula.formats.errors import DataError
from campanula.formats.files import Output
from campanula.formats.text.references import References
from campanula.stages import command
from campanula.stages.comparing.comparison import compare
from campanula.stages.comparing.printing import as_json, table
from campanula.stages.comparing.significance import Sampling
from campanula.stages.comparing.systems import systems_of
from campanula.stages.metrics.flags import metric_of_texts
from campanula.stages.metrics.metric import LOWERCASE, TOKENIZE, Metric
from campanula.stages.metrics.table import metric_named, metrics_of_texts

COMMAND = "compare"
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
    p.add_argument("--json", action="store_true", help="write one line of JSON, in full precision")
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
        jobs=args.jobs,
        watch=lambda items, label, total: command.progress(items, args, label, total),
    )
    with Output(args.output) as out:
        for line in [as_json(comparisons, systems)] if args.json else table(comparisons):
            out.write_line(line)


def _metric(name: str, args: argparse.Namespace) -> Metric:
    metric = metric_named(name)
    tokenize = args.tokenize if TOKENIZE in metric.takes else "none"
    lowercase = args.lowercase and LOWERCASE in metric.takes
    return replace(metric, lowercase=lowercase, tokenize=tokenize)


if __name__ == "__main__":
    raise SystemExit(main())
