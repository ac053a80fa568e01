"""PRO: a classifier of sampled pairs over all lists so far (Hopkins & May 2011).

    for t = 1 .. T:                                         the loop: decode, score, merge
        pairs of every list, 5000 drawn, the 50 of the largest difference of gains kept
        theta = argmin sum_pairs log(1 + exp(s_worse - s_better)) + (C/2) |theta|^2     optimize

k = 1500 and T = 30 are Hopkins & May's.  C = 0.5 toward 0 is the prior of MegaM, their classifier,
which sees every pair twice, once with each sign (docs/losses.md).
The new weights are the classifier's, not interpolated with those before: the default of Moses,
whose PRO Gimpel & Smith ran.  The merged lists alone remember.
"""

from __future__ import annotations

from campanula.pipelines.loops.optimizing import CONVERGENT, Recipe

PAIRS = ("--pairs-sampled", "--pairs-kept", "--min-difference")
DESCENT = ("--C", "--center", "--solver-iterations", "--tolerance")
RECIPE = Recipe(
    # only sampled pairs stay in memory: 1,500 hypotheses of 30 iterations would not
    fixed=("--loss", "pairwise", "--solver", "lbfgs", "--stream"),
    passed=(*PAIRS, *DESCENT, "--freeze", "--only", "--bounds"),
    center="0",
    defaults={**CONVERGENT, "iterations": 30, "k": 1500, "patience": 0},
)
