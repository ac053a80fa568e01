"""Maximum expected BLEU: features by the million on the training text (Wuebker et al. 2015).

    1     baseline: MERT on dev, lambda                             --replicates runs of tune mert
    2     n-best lists of the training text under lambda,           decode --leave-one-out
          a sentence without what it alone yields                          --features --inventory
    3     beta, the gain of He and Deng, of every hypothesis        score-bleu --gain he-deng
    4, 5  theta_0 = 0; theta_t by the gradient of                   optimize --loss expected-bleu
          log(1/N sum_n sum_E p(E | F_n) beta(E)) - tau |theta|^2          --save-each
    6     theta_t as a few columns of the model, MERT on dev        condense-features, tune mert
    7     the best of tau, eta and t on --selection
    8     test sets, and how likely differences are by chance       compare

(Figure 1.)  Lambda stays as it is in 4 and 5.  What there is already is not done again: one more
t costs its MERT, another solver nothing before step 4.
"""

from __future__ import annotations

from campanula.pipelines.expected_bleu.flags import ExpectedBleuRecipe

RECIPE = ExpectedBleuRecipe()

EXAMPLE = """\
example:
  tune expected-bleu --source dev.de --ref dev.en --test 2016 test.de test.en --work-dir run \\
      --train train.de train.en train.align --model model --features wuebker-a"""
