"""The table of losses, and losses of one's own."""

import numpy as np
import pytest

from campanula.formats.registry import UnknownName
from campanula.stages.kernels.lists.formulas import DIFFERENCE
from campanula.stages.tuning.losses import FEAR, LOSSES, WITH_TERMS, Losses, loss_named, own_loss
from campanula.stages.tuning.misfit import Misfit


def distance(score, cost):
    return float(np.abs(score + cost).sum()), np.sign(score + cost)


def test_gamma_goes_to_what_reads_it_alone():
    assert loss_named("perceptron-gamma", 0.25).up.factor == -0.25
    assert loss_named("perceptron-gamma") == LOSSES["perceptron-gamma"]
    with pytest.raises(Misfit, match="`loss` ramp3 does not read `gamma`"):
        loss_named("ramp3", 0.25)


def test_smoothness_is_told_from_the_terms():
    smooth = {name for name, loss in LOSSES.items() if loss.smooth}
    soft = {"soft-ramp1", "soft-ramp2", "soft-ramp3", "latent-log", "softmax-margin-kbest"}
    assert smooth == soft | {"bayes-risk", "expected-bleu", "pairwise", "squared-gain"}
    inner = {name for name, loss in LOSSES.items() if loss.convex_part_smooth}
    assert inner == smooth | {"log", "log-kbest", "softmax-margin"}


def test_rampion_is_hope_against_fear():
    assert LOSSES["ramp3"].down == FEAR
    assert LOSSES["hinge"].needs_references
    assert not LOSSES["hinge-kbest"].needs_references


def test_a_function_is_a_loss_of_which_nothing_else_is_known():
    table = Losses("loss", "campanula.test-losses", {})
    table.add("distance", distance)
    loss = table["distance"]
    assert loss.function is distance
    assert (loss.smooth, loss.has_terms, loss.needs_references) == (False, False, False)
    with pytest.raises(ValueError, match="already"):
        LOSSES.add("ramp3", distance)


def test_an_entry_point_may_be_a_plain_function():
    # as the table keeps what it finds under an entry point's name
    entries = {"distance": distance}
    table = Losses("loss", "campanula.test-losses", entries)  # type: ignore[arg-type]
    assert table["distance"].function is distance


def test_one_can_say_that_a_loss_is_smooth():
    loss = own_loss(smooth=True)(distance)
    assert (loss.smooth, loss.convex_part_smooth, loss.solver) == (True, True, "lbfgs")


def test_what_is_close_to_a_wrong_name_is_named():
    with pytest.raises(UnknownName, match="ramp3"):
        LOSSES["rampp3"]


def test_the_usual_solver_is_rampions_where_there_are_terms():
    assert {loss.solver for loss in LOSSES.values() if loss.form == DIFFERENCE} == {"ssd"}
    assert {n for n, loss in LOSSES.items() if not loss.has_C} == {
        "cost",
        "costmargin",
        "relevant-perceptron",
    }


def test_losses_with_terms_are_those_that_have_hopes():
    assert set(LOSSES) - set(WITH_TERMS) == {
        "cost",
        "bayes-risk",
        "expected-bleu",
        "pairwise",
        "squared-gain",
        "costmargin",
        "relevant-perceptron",
    }
