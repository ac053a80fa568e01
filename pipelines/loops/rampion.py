"""RAMPION: the third ramp loss, minimised by CCCP over k-best lists (G&S 2012, Algorithm 1).

    for t = 1 .. T:                                  the loop: decode, score
        for t' = 1 .. T':                            optimize --cccp-iterations T'
            hope_i = argmax_j  s_ij - c_ij                         (lines 5-7)
            T'' epochs of subgradient steps on                     (lines 8-14)
                sum_i max_j (s_ij + c_ij) - s_i,hope + (C/2) |theta - theta0|^2

theta0, the centre, is what the run started from, in every iteration.  The settings of Algorithm 1
are the paper's unless given: T' 10, T'' 5, eta 1e-4, C 1, alpha 10.
"""

from __future__ import annotations

from campanula.pipelines.loops.optimizing import Recipe

RECIPE = Recipe(
    fixed=("--solver", "ssd"),
    passed=("--cccp-iterations", "--epochs", "--eta", "--C", "--alpha", "--loss", "--gamma"),
    center="theta0",
    draws=False,
)  # the loop's own defaults, in pipelines/flags.py, are the paper's: T 20, k 500
