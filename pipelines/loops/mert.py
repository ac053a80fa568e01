"""MERT: line search on the corpus metric over all lists so far (Och 2003; G&S 2012, Eq. 3).

    for t = 1 .. T:                                         the loop: decode, score, merge
        theta = argmax metric( sum_i stats of argmax_j s_ij )     optimize --solver line-search

From theta and --restarts random points, in a region around theta that --trust sizes, so that few
sentences do not lead astray (docs/mert.md).  Lists of 100, merged, and as many iterations as it
takes to converge, as Gimpel & Smith ran it (section 4).
"""

from __future__ import annotations

from campanula.pipelines.loops.optimizing import CONVERGENT, Recipe

RECIPE = Recipe(
    fixed=("--loss", "cost", "--solver", "line-search"),
    passed=("--restarts", "--random-directions", "--trust", "--freeze", "--only", "--bounds"),
    usual={"--trust": "0.005"},
    defaults=CONVERGENT,
)
