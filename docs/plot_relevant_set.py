"""Draw docs/relevant-set-bounds.svg: `python docs/plot_relevant_set.py`.

Table X of Tillmann and Zhang on sentences whose V(S) is enumerated (tests/naive/table_x.py): what
is left to the minimum of Eq. 3 after each iteration, below the bounds of Lemma 2 and Theorem 1.
"""

from __future__ import annotations

import sys
from pathlib import Path

from matplotlib import rcParams
from matplotlib.figure import Figure

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from tests.naive.table_x import enumerated, lemma_2, table_x, theorem_1  # noqa: E402

SEED, PENALTIES, ITERATIONS = 2, (0.1, 1.0), 7
SMALLEST = 1e-8  # what is drawn


def main() -> None:
    """Draw one panel for each lambda."""
    rcParams["svg.hashsalt"] = "campanula"  # the same picture, the same bytes
    figure = Figure(figsize=(10, 4.2))
    axes = figure.subplots(1, len(PENALTIES), sharey=True)
    for axis, penalty in zip(axes, PENALTIES, strict=True):
        run = list(table_x(enumerated(SEED), penalty, ITERATIONS))
        number = range(len(run))
        axis.semilogy(number, [max(now.delta, SMALLEST) for now in run], "ko-", label="delta")
        lemma = lemma_2(run, penalty, 1)
        axis.semilogy(number[1:], [max(b, SMALLEST) for b in lemma], "C0^--", label="Lemma 2")
        theorem = theorem_1(run, penalty, 1)
        known = [(n, b[0]) for n, b in zip(number[1:], theorem, strict=True) if b is not None]
        axis.semilogy(*zip(*known, strict=True), "C1s--", label="Theorem 1")
        axis.set_title(f"lambda = {penalty:g}")
        axis.set_xlabel("iteration")
        axis.legend(frameon=False)
    axes[0].set_ylabel("inf Q - Q_l(w_l)")
    figure.tight_layout()
    figure.savefig(HERE / "relevant-set-bounds.svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
