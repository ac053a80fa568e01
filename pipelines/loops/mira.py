"""MIRA: batch k-best MIRA over all lists so far (Cherry & Foster 2012).

    for t = 1 .. T:                                         the loop: decode, score, merge
        60 epochs of large-margin steps of at most C = 0.01 against a BLEU background;
        theta = the epochs' average that is best on the lists        optimize --solver batch-mira

Lists of 100, C and epochs are those of Moses's kbmira, which is theirs.
"""

from __future__ import annotations

from campanula.pipelines.loops.optimizing import CONVERGENT, Recipe

RECIPE = Recipe(
    fixed=("--solver", "batch-mira"),
    passed=("--aggressiveness", "--decay", "--epochs", "--freeze", "--only"),
    defaults=CONVERGENT,
)
