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
from collections.abc import Iterable, Iterator
from functools import partial

import numpy as np

from campanula.formats.arrays.types import Ints
from campanula.formats.errors import DataError
from campanula.formats.files import Output
from campanula.formats.records.features import NO_IDS, Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.formats.text.references import References
from campanula.stages import command
from campanula.stages.comparing.comparison import Comparison, Result, as_json, table
from campanula.stages.comparing.significance import Sampling, chance
from campanula.stages.comparing.systems import System, systems_of
from campanula.stages.metrics.metric import METRICS, Metric
from campanula.stages.metrics.statistics import Scorer
from campanula.stages.threads import in_order

COMMAND = "compare"
CHOICES = ("bleu", "chrf", "chrf++", "ter")
EXAMPLE = "compare baseline.out tuned=seed1.out,seed2.out,seed3.out --ref test.en --metric bleu"


def side_by_side(files: list[list[str]]) -> Iterator[KBest]:
    """Yield every sentence's outputs, one a file, as a list without features."""
    names = Names()
    nothing = Features.of_dense(NO_IDS, np.zeros((0, len(files))))
    for sid, texts in enumerate(zip(*files, strict=True)):
        yield KBest(sid, Texts.of(texts), nothing, names)


def statistics(lists: Iterable[KBest], scorer: Scorer, jobs: int) -> Ints:
    """The metric's statistics (n, files, width) of every output."""
    scored = in_order(scorer, lists, jobs)
    return np.stack([kbest.stats for kbest in scored if kbest.stats is not None])


def compare(
    metric: Metric, stats: Ints, systems: list[System], sampling: Sampling, args: argparse.Namespace
) -> Comparison:
    """Values of all systems under a metric, and how they stand against the first."""
    bounds = np.cumsum([len(system.paths) for system in systems])[:-1]
    baseline, *parts = np.split(stats, bounds, axis=1)
    results = [Result(systems[0], _values(metric, baseline), None)]
    for system, part in zip(systems[1:], parts, strict=True):
        watch = partial(command.progress, args=args, label=system.name, total=len(stats))
        found = chance(metric, (baseline, part), sampling, watch)
        results.append(Result(system, _values(metric, part), found))
    line = metric.corpus(baseline[:, 0].sum(axis=0))[1].partition(" = ")[0]
    name, refs, rest = line.split("|", 2)
    how = f"bs:{sampling.samples}|ar:{sampling.trials}|seed:{sampling.seed}"
    return Comparison(name, f"{name}|{refs}|{how}|{rest}", metric.name != "ter", results)


def _values(metric: Metric, stats: Ints) -> tuple[float, ...]:
    return tuple(metric.corpus(sums)[0] for sums in stats.sum(axis=0))


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
        "--metric", action="append", choices=CHOICES, help="repeat it for several (default: bleu)"
    )
    p.add_argument("--lowercase", action="store_true", help="ignore case")
    p.add_argument(
        "--tokenize",
        default="none",
        metavar="NAME",
        help="for bleu: one of sacrebleu's tokenizers (default: none: split at white space)",
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
    files = [lines for system in systems for lines in system.outputs(references)]
    sampling = Sampling(args.samples, args.trials, args.seed)
    comparisons = []
    for metric in metrics:
        lists = command.progress(side_by_side(files), args, metric.name, len(references))
        stats = statistics(lists, Scorer(metric, references), args.jobs)
        comparisons.append(compare(metric, stats, systems, sampling, args))
    with Output(args.output) as out:
        for line in [as_json(comparisons)] if args.json else table(comparisons):
            out.write_line(line)


def _metric(name: str, args: argparse.Namespace) -> Metric:
    tokenize = args.tokenize if METRICS[name].tokenized else "none"
    return Metric(name, METRICS[name].gains[0], len(args.ref), args.lowercase, tokenize)


if __name__ == "__main__":
    raise SystemExit(main())
