import numpy as np

from campanula.stages.tuning.settings import TuneSettings
from campanula.stages.tuning.signature import signature
from campanula.stages.tuning.tuning_set import TuningSet
from tests.examples import random_lists


def text_of(**settings):
    data = TuningSet.of(random_lists(seed=1)[0])
    hopes = settings.pop("hopes", False)
    plan = TuneSettings(**settings).plan(hopes=hopes)
    return signature(plan, data, np.zeros(3))


def test_signatures_do_not_tell_how_cccp_was_cut():
    one, many = text_of(hopes=True), text_of(cccp_iterations=7)
    others = text_of(C=2.0), text_of(epochs=2)
    assert one == many
    assert len({many, *others}) == 3


def test_a_signature_has_what_loss_and_solver_read():
    text = text_of(loss="perceptron-gamma", gamma=0.3, bounds=[], freeze=["a*"])
    assert "|freeze:['a*']|only:None|bounds:None|epochs:5|eta:0.0001|gamma:0.3|" in text
    text = text_of(loss="pairwise", pairs_kept=7, bounds=[("a", 0.0, 1.5)])
    assert "|bounds:[['a', '0', '1.5']]|iterations:50|tolerance:1e-06|pairs:5000/7/0.05|" in text
