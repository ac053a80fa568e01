import json

import numpy as np

from campanula.formats.files import Output
from campanula.stages.tuning.relevant.packed_sets import SetCounts
from campanula.stages.tuning.relevant.relevant_sets import RelevantSets
from campanula.stages.tuning.relevant.reporting import sets_signature, write_summary
from campanula.stages.tuning.relevant.set_of_lists import SetOfLists
from campanula.stages.tuning.relevant.training import Trained
from campanula.stages.tuning.settings import TuneSettings
from tests.stages.tuning.relevant.random_sets import random_sets, records_of


def data_of(seed):
    return RelevantSets.of([SetOfLists.of(records_of(s), "s") for s in random_sets(seed)])


def test_the_signature_has_what_determines_the_weights_and_no_memory():
    plan = TuneSettings(loss="costmargin", update="eq7", lambda_=0.5, memory=7).plan()
    found = sets_signature(plan, data_of(1), "random", np.zeros(3), min_count=None)
    for part in ("update:eq7", "lambda:0.5", "order:random", "seed:1", "eta:0.0001", "epochs:40"):
        assert f"|{part}|" in found
    assert "memory" not in found
    other = TuneSettings(loss="costmargin", printed_sign=True).plan()
    assert "update:table2/printed-sign" in sets_signature(other, data_of(1), "corpus", np.zeros(3))
    perceptron = TuneSettings(loss="relevant-perceptron").plan()
    assert "update" not in sets_signature(perceptron, data_of(1), "random", np.zeros(3))


def test_a_summary_is_counts_and_no_seconds(tmp_path):
    data = data_of(2)
    with Output(str(tmp_path / "s")) as out:
        write_summary(out, data, Trained(np.zeros(1), 1.0, 0.5, 17))
    found = json.loads((tmp_path / "s").read_text())
    assert found == {
        **{name: getattr(data.counts, name) for name in SetCounts.__dataclass_fields__},
        "updates": 17,
        "objective": 0.5,
    }
