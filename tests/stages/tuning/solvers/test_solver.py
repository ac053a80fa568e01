from itertools import product

from campanula.stages.tuning.losses import LOSSES, own_loss
from campanula.stages.tuning.solvers.table import SOLVERS
from tests.present import present


def test_a_solver_reads_the_fields_of_its_settings_but_seed_and_jobs():
    assert SOLVERS["ssd"].reads == ("epochs", "eta")
    assert SOLVERS["line-search"].reads == ("restarts", "random_directions", "trust")
    assert SOLVERS["mira"].defaults == {"epochs": 100, "shuffle": False, "seed": 1}


def test_pairs_that_do_not_fit_are_named():
    problem = {
        (loss, solver): SOLVERS[solver].mismatch(LOSSES[loss], LOSSES[loss].has_terms)
        for loss, solver in product(LOSSES, SOLVERS)
    }
    assert problem["ramp3", "ssd"] is None
    assert problem["expected-bleu", "rprop"] is None
    assert problem["cost", "line-search"] is None
    assert "line-search" in present(problem["ramp3", "line-search"])
    assert "smooth" in present(problem["ramp3", "lbfgs"])
    assert "concave" in present(problem["bayes-risk", "ssd"])
    assert "hard" in present(problem["soft-ramp3", "mira"])
    others = [name for name in SOLVERS if not SOLVERS[name].corpus and not SOLVERS[name].sets]
    assert all("line-search" in present(problem["cost", solver]) for solver in others)
    assert problem["costmargin", "online"] is None
    others = [name for name in SOLVERS if name != "online"]
    assert all("online" in present(problem["costmargin", name]) for name in others)
    assert "online" in present(problem["ramp3", "online"])


def test_a_loss_of_ones_own_goes_where_values_and_gradients_are_enough():
    def fitting(smooth):
        loss = own_loss(smooth=smooth)(lambda score, cost: (0.0, score))
        return {name for name in SOLVERS if SOLVERS[name].mismatch(loss, False) is None}

    assert fitting(smooth=False) == {"sgd", "adagrad", "rprop"}
    assert fitting(smooth=True) == {"sgd", "adagrad", "rprop", "lbfgs"}
