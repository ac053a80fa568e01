from campanula.stages.kernels.lists.losses import FEAR, LOSSES, loss_named


def test_gamma_changes_only_perceptron_gamma():
    assert loss_named("perceptron-gamma", 0.25).up.factor == -0.25
    assert loss_named("ramp3", 0.25) == LOSSES["ramp3"]


def test_smoothness_is_told_from_the_terms():
    smooth = {name for name, loss in LOSSES.items() if loss.smooth}
    soft = {"soft-ramp1", "soft-ramp2", "soft-ramp3", "latent-log"}
    assert smooth == soft | {"bayes-risk", "expected-bleu", "pairwise"}
    inner = {name for name, loss in LOSSES.items() if loss.convex_part_smooth}
    assert inner == smooth | {"log", "log-kbest"}


def test_rampion_is_hope_against_fear():
    assert LOSSES["ramp3"].down == FEAR
    assert LOSSES["hinge"].needs_references
    assert not LOSSES["hinge-kbest"].needs_references
