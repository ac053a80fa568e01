"""Minimum risk: the expected cost, annealed, over all lists so far (Smith & Eisner 2006).

    for t = 1 .. T:                                         the loop: decode, score, merge
        for gamma = 2^-A, .., 1/2, 1:                       optimize, from theta
            theta = argmin sum_i sum_j p_ij c_ij + C / (2 gamma^2) |theta|^2,   p_i = softmax s_i

With theta = gamma w, a step minimises the expected cost under softmax(gamma s) + (C/2) |w|^2:
gamma scales the scores as Smith and Eisner's does.  The expected cost is not convex; where gamma is
small every hypothesis has a share, and the cost is smooth.  Each step begins where the one before
ended; the last objective is that of `tune loss --loss bayes-risk --center 0`.
"""

from __future__ import annotations

from campanula.pipelines.loops.annealing_flags import AnnealedRecipe
from campanula.pipelines.loops.optimizing import CONVERGENT

RECIPE = AnnealedRecipe(
    fixed=("--loss", "bayes-risk", "--solver", "lbfgs", "--center", "0"),
    passed=(
        *("--alpha", "--C", "--solver-iterations", "--tolerance"),
        *("--freeze", "--only", "--bounds"),
    ),
    draws=False,
    defaults=CONVERGENT,
)
