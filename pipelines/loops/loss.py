"""Any loss with any solver that suits it, over all lists so far.

    for t = 1 .. T:                                         the loop: decode, score, merge
        theta = argmin sum_i loss(s_i, c_i) + (C/2) |theta - theta0|^2     optimize, from theta

theta0, the centre, is what the run started from, in every iteration (G&S 2012, Algorithm 1).
"""

from __future__ import annotations

from campanula.pipelines.loops.optimizing import CONVERGENT, Recipe

RECIPE = Recipe(center="theta0", defaults={**CONVERGENT, "iterations": 20})
