"""The online relevant set: train from w_0 on all outputs so far, decode, add (Tillmann and Zhang).

Costmargin (Table II), with truth V_5 and SET_1 = {z_0}, a bag of blocks:

    for l = 2 .. L:
        w_l = w_0; 40 passes over the sentences in random order      optimize --loss costmargin
            s = argmax of the gain B in V_5
            t = argmax_m (B_s - B_m)(1 - (s_s - s_m)) in the relevant set
            w_l <- w_l + eta (x_s - x_t)(B_s - B_t)
        SET_l = the best output of every sentence under w_l           decode, score-bleu
    the relevant set of a sentence is what SET_1 .. SET_l-1 have of it

Perceptron (Table III): no truth; SET_1, SET_2 are outputs under 0.1 in every dense weight, and
under that plus a number of [-0.01, 0.01] each; l = 3 .. L; w_l <- w_l + eta (x_s - x_t), s the
highest gain and t the highest score of the relevant set.

What comes out are the weights that are best on dev, or w_L.
"""

from __future__ import annotations

from campanula.pipelines.relevant_set.flags import RelevantSetRecipe

RECIPE = RelevantSetRecipe()

EXAMPLE = """\
example:
  tune relevant-set --source dev.de --ref dev.en --test 2016 test.de test.en --work-dir run \\
      --train train.de train.en train.align --leave-one-out \\
      --model model --dense-features tillmann-zhang --features tillmann-zhang"""
