"""Growth of time and memory of every command: tables at 1, 10 and 100 times the data.

    CAMPANULA_DATA=DATA python -m benchmarks.bench_growth
    python -m benchmarks.bench_growth --table words --rows oracle-search,decode

Three tables, in which the number of sentences grows, of words of one sentence, of hypotheses of one
list.  Times are of the processor, so that other work on the machine matters little; peaks are
resident memory of whole processes.  The exponent e of n^e is the slope of a line through the
logarithms of times (peaks) less that of the smallest data; n log n has 1.1 to 1.2 at these sizes.
Prints Markdown.
"""

from __future__ import annotations

import argparse
import math
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.growth_data import SIZES, Hypotheses, Sample, Sentences, Words
from benchmarks.peer_data import BIN, DATA, TEXTS
from benchmarks.side_by_side import Cost, cost

# --allow-missing: lists of `decode` have UnknownWordPenalty0, which has no weight in START
LISTS = {
    "import-nbest": "import-nbest {s.nbest} -o out",
    "export-nbest": "export-nbest {s.kbest} -o out",
    "merge-kbest": "merge-kbest {s.kbest} {s.more} -o out",
    "score-bleu": "score-bleu {s.kbest} --ref {s.reference} -o out",
    "score-bleu --metric wer": "score-bleu {s.kbest} --ref {s.reference} --metric wer -o out",
    "score-bleu --metric ter": "score-bleu {s.kbest} --ref {s.reference} --metric ter -o out",
    "score-bleu --metric chrf": "score-bleu {s.kbest} --ref {s.reference} --metric chrf -o out",
    "score-bleu --metric meteor": "score-bleu {s.kbest} --ref {s.reference} --metric meteor -o out",
    "add-feature lm": "add-feature lm --arpa {s.arpa} --name New {s.kbest} -o out",
    "show": "show {s.kbest} -o out",
    "kbest-stats": "kbest-stats {s.scored} -o out",
    "rerank": "rerank {s.kbest} --weights {s.weights} --allow-missing -o out",
    "compare": "compare {s.output} {s.other} --ref {s.reference} -o out",
    "oracle-search LISTS": "oracle-search {s.scored} -o out",
    "impute-hope": "impute-hope {s.scored} --weights {s.weights} --allow-missing -o out",
    "select-violating": "select-violating {s.scored} --truth {s.truth} --weights {s.weights}"
    " --allow-missing -o out",
}
LISTS |= {
    f"optimize {flags}".strip(): f"optimize {{s.scored}} --weights {{s.weights}} {flags}"
    " --allow-missing -o out"
    for flags in (
        "",
        "--loss cost",
        "--loss expected-bleu",
        "--loss bayes-risk",
        "--loss pairwise",
        "--loss costmargin",
        "--solver mira --loss ramp1",
        "--solver batch-mira",
    )
}
DECODING = {
    "decode": "decode {s.source} --moses-ini {s.ini} -o out",
    "decode --features tillmann-zhang": "decode {s.source} --moses-ini {s.ini} -k 20"
    " --features tillmann-zhang -o out",
    "rescore": "rescore {s.lattice} --weights {s.weights} --allow-missing -o out",
    "oracle-search": "oracle-search {s.source} --ref {s.meant} --moses-ini {s.ini} -o out",
    # rm -rf: what the last run has left would be refused here, and taken up again by `tune`
    "index-features": "rm -rf names; index-features {s.sparse} --inventory names -o out",
    "drop-features": "drop-features {s.sparse} -o out",
    "growth-transform": "growth-transform {s.blocks} --phrase-table {s.ini.parent}/phrase-table.gz"
    " --weights {s.weights} --allow-missing --iterations 5 -o out",
    "import-weights": "import-weights {s.learned} -o out",
    "export-weights": "export-weights {s.learned} --sparse out2 -o out",
}
TRAINING = {
    "align-words": "align-words {s.german} {s.english} --jobs 1 -o out",
    "extract-blocks": "extract-blocks {s.german} {s.english} {s.links} --phrase-table out.gz"
    " --reordering-table out2.gz",
    "extract-features": "extract-features {s.german} {s.english} {s.links} -o out",
    "estimate-lm": "estimate-lm {s.english} -o out",
    "estimate-classes": "estimate-classes {s.english} -o out",
    "estimate-distortion": "estimate-distortion {s.german} {s.english} {s.links} -o out",
    "select-sentences": "select-sentences {s.german} {s.english} {s.links}"
    f" --test {TEXTS}/val.de -o out",
    "condense-features": "condense-features {s.learned} --features block --phrase-table {s.table}"
    " -o out",
    "tune rampion": "rm -rf run; tune rampion --source {s.source} --ref {s.meant} --moses-ini"
    " {s.ini} --weights {s.weights} --allow-missing --iterations 1 -k 100 --work-dir run",
}
TABLES: dict[str, tuple[type[Sample], dict[str, str]]] = {
    "sentences": (Sentences, LISTS | DECODING | TRAINING),
    "words": (Words, LISTS | DECODING),
    "hypotheses": (Hypotheses, LISTS),
}


class Growth(NamedTuple):
    """Times and peaks of a command at each of SIZES."""

    costs: list[Cost]

    def exponent(self, field: str, least: float) -> str:
        """Slope of a line through the logarithms of values less the first; `-` for one point.

        field: `cpu` or `peak`; least: differences that are not larger are noise and left out.
        """
        # a constant start would make the slope of small data flatter than the command's growth
        start, *rest = (getattr(one, field) for one in self.costs)
        points = [
            (math.log(size), math.log(value - start))
            for size, value in zip(SIZES[1:], rest, strict=True)
            if value - start > least
        ]
        return f"{slope(points):.2f}" if len(points) > 1 else "-"

    def line(self, name: str) -> str:
        """The row of the table."""
        times = " | ".join(f"{one.cpu:.2f}" for one in self.costs)
        peaks = " | ".join(f"{one.peak:.0f}" for one in self.costs)
        exponents = self.exponent("cpu", LEAST_SECONDS), self.exponent("peak", LEAST_MB)
        return f"| `{name}` | {times} | {exponents[0]} | {peaks} | {exponents[1]} |"


LEAST_SECONDS = 0.05  # differences of time and memory that are not larger are noise
LEAST_MB = 2.0


def slope(points: Sequence[tuple[float, float]]) -> float:
    """Least squares slope of a line through some points."""
    x, y = (sum(column) / len(points) for column in zip(*points, strict=True))
    above = sum((a - x) * (b - y) for a, b in points)
    return above / sum((a - x) ** 2 for a, _ in points)


def cheapest(command: str, folder: Path) -> Cost:
    """The least of up to three runs, of one where a run takes two seconds."""
    runs = [cost(command, folder)]
    # other work can only make a run slower: the least is nearest to the command's own
    while len(runs) < 3 and sum(run.wall for run in runs) < 2:
        runs.append(cost(command, folder))
    return min(runs, key=lambda run: run.cpu)


def growths(table: str, wanted: Sequence[str], folder: Path) -> Iterator[tuple[str, Growth]]:
    """Yield the growth of the commands of a table whose first word is wanted, or of all."""
    kind, templates = TABLES[table]
    samples = [kind(folder / table / str(size), size) for size in SIZES]
    for name, template in templates.items():
        if not wanted or name.split()[0] in wanted:
            words = f"export PATH={BIN}:$PATH; {template} -q"
            for sample in samples:
                cost(words.format(s=sample), sample.folder)  # compiles: large data take more
            costs = [cheapest(words.format(s=sample), sample.folder) for sample in samples]
            yield name, Growth(costs)


def main() -> None:
    """Print the tables."""
    p = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    p.add_argument("--table", choices=TABLES, nargs="+", default=list(TABLES))
    p.add_argument("--rows", type=lambda text: text.split(","), default=[], help="commands")
    args = p.parse_args()
    if not DATA.is_dir():
        p.error(f"no data in {DATA}; set CAMPANULA_DATA")
    for table in args.table:
        sizes = " | ".join("start" if not size else f"{size}" for size in SIZES)
        print(f"\n| {table} | s: {sizes} | n^ | MB: {sizes} | n^ |")
        print(f"|---|{'---|' * (2 * len(SIZES) + 2)}", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            for name, growth in growths(table, args.rows, Path(folder)):
                print(growth.line(name), flush=True)


if __name__ == "__main__":
    main()
