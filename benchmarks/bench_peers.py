"""Whole processes of peers and ours in turn: the ratios of their times, and how answers agree.

    CAMPANULA_MOSES=BIN CAMPANULA_KENLM=BIN CAMPANULA_DATA=DATA python -m benchmarks.bench_peers
    python -m benchmarks.bench_peers --rows lm,mert --pairs 5 --times 10

Each row is a work that a user of the peer has, on Multi30k.  The folders are those of the peers'
programs: Moses's `moses2`, `mert`, `kbmira`, `extractor`, `train-expected-bleu` (with
`prepare-expected-bleu-training`, `sentence-bleu-nbest`), KenLM's `query`, `lmplz`, `build_binary`.
Where one is not there, plain NumPy stands in, or the row says what it lacks.  Prints a Markdown
table: medians, the ratio of theirs to ours with the lowest and the highest of the pairs, and what
both take on the first sentence alone.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from functools import partial
from pathlib import Path

from benchmarks import peer_answers as answers
from benchmarks import peer_rows as rows
from benchmarks.peer_data import DATA, Task
from benchmarks.peer_rows import Other, Row, kenlm, moses, plain
from benchmarks.side_by_side import alternate, cost, ratio

THREADED = ("decode", "mert", "bleu", "ter", "import", "export")
TIMES = "s (of CPU)"
STARTS = 3  # runs on one sentence; the median leaves out a first one that fills a cache
# the least that a command with arrays can take; the row's own side is three such processes
NUMPY = f"{sys.executable} -c 'import numpy'"


def of_threads(what: str) -> Row:
    """A command with two threads beside the same with one."""
    one = Other("ours, one thread", partial(rows.threads, what=what, jobs=1))
    two = partial(rows.threads, what=what, jobs=2)
    return Row(f"jobs-{what}", (one,), two, answers.of_threads)


ROWS = (
    Row("decode", (moses("moses2", rows.moses2_best),), rows.best, answers.of_decoding),
    Row("500-best", (moses("moses2", rows.moses2_many),), rows.many, answers.of_nbest),
    Row(
        "lm",
        (
            kenlm("query", lambda task: rows.query(task, task.arpa)),
            plain("lm", lambda task: f"{task.arpa} {task.texts} theirs.lm"),
        ),
        rows.add_lm,
        answers.of_language_model,
    ),
    Row(
        "lm-binary",
        (kenlm("query", lambda task: rows.query(task, task.binary)),),
        rows.add_lm,
        answers.of_language_model,
    ),
    Row("estimate-lm", (kenlm("lmplz", rows.lmplz),), rows.estimate_lm, answers.of_arpa),
    Row(
        "statistics",
        (moses("extractor", lambda task: rows.extractor(task, "-b")),),
        rows.statistics,
        answers.of_statistics,
    ),
    Row("mert", (moses("mert", rows.mert),), rows.line_search, answers.of_weights),
    Row("mira", (moses("kbmira", rows.kbmira),), rows.batch_mira, answers.of_weights),
    Row(
        "expected-bleu",
        (
            moses("train-expected-bleu", rows.train_expected_bleu),
            plain("expected-bleu", lambda task: f"{task.gained} {task.weights}"),
        ),
        rows.expected_bleu,
        answers.of_expected_bleu,
    ),
    *map(of_threads, THREADED),
    Row("pipe", (Other("Python with NumPy alone", lambda _: NUMPY),), rows.pipe),
)


def start(command: str, first: Task) -> str:
    """Median of the wall times on one sentence; a peer may fail on so little, and has none then."""
    try:
        times = [cost(command, first.folder).wall for _ in range(STARTS)]
    except RuntimeError:
        return "-"
    return f"{statistics.median(times):.2f}"


def line(row: Row, task: Task, first: Task, pairs: int) -> str:
    """The row's line of the table; `first` has the first sentence alone."""
    other = row.other
    if other is None:
        return f"| `{row.name}` | {row.others[0].name} is not there | | | | | | |"
    # to write a command line is to make the files that it reads: no clock counts that
    costs = alternate(other.command(task), row.ours(task), task.folder, pairs)
    starts = start(other.command(first), first), start(row.ours(first), first)
    wall, cpu = ratio(costs, "wall"), ratio(costs, "cpu")
    cells = (
        f"`{row.name}`",
        other.name,
        # both, since a pipe or a thread more lowers the one and not the other
        f"{wall.theirs:.2f} ({cpu.theirs:.2f})",
        f"{wall.ours:.2f} ({cpu.ours:.2f})",
        f"{wall}",
        f"{cpu}",
        ", ".join(starts),
        row.agree(task) if row.agree else "",
    )
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Print the table."""
    p = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    names = [row.name for row in ROWS]
    p.add_argument("--rows", default=",".join(names), help=f"rows: {', '.join(names)}")
    p.add_argument("--pairs", type=int, default=5, help="pairs of runs (default: 5)")
    p.add_argument("--times", type=int, default=1, help="the data so many times over")
    args = p.parse_args()
    wanted = args.rows.split(",")
    if not set(wanted) <= set(names):
        p.error(f"unknown rows: {', '.join(set(wanted) - set(names))}")
    if not DATA.is_dir():
        p.error(f"no data in {DATA}; set CAMPANULA_DATA")
    print(f"| row | beside | theirs: {TIMES} | ours: {TIMES} | ratio | of CPU | starts | answers |")
    print("|---|---|---|---|---|---|---|---|", flush=True)
    with tempfile.TemporaryDirectory() as all_data, tempfile.TemporaryDirectory() as one:
        task, first = Task(Path(all_data), args.times), Task(Path(one), 0)
        for row in ROWS:
            if row.name in wanted:
                print(line(row, task, first, args.pairs), flush=True)


if __name__ == "__main__":
    main()
