"""Training on real lists, with as many binary features as their words make, is the slow reading."""

from itertools import pairwise

import numpy as np
import pytest

import campanula
from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.formats.weights import Weights
from campanula.stages import optimize
from tests.examples import ROOT, write_kbest
from tests.naive import relevant_set as naive
from tests.present import present

EXAMPLES = ROOT / "examples"
SENTENCES, SETS, TRUTHS = 25, 8, 5
UPDATES = {
    "table2": ["--loss", "costmargin", "--eta", "0.01"],
    "eq7": ["--loss", "costmargin", "--update", "eq7", "--eta", "0.01"],
    "perceptron": ["--loss", "relevant-perceptron", "--eta", "0.01"],
}


def features_of(text, dense):
    """A few of the list's own features, and one for each word and each pair of neighbours."""
    words = text.split()
    x = {f"w_{word}": 1.0 for word in words}
    x |= {f"p_{one}_{other}": 1.0 for one, other in pairwise(["<s>", *words])}
    return {**x, **{name: value for name, value in dense.items() if value != 0.0}}


@pytest.fixture(scope="module")
def real(tmp_path_factory):
    """A folder with sets of real outputs and truths, what the twin takes, and the names."""
    folder = tmp_path_factory.mktemp("real")
    refs = campanula.read_references(EXAMPLES / "dev.web", EXAMPLES / "dev.kjv")
    lists = campanula.score(campanula.read_nbest(EXAMPLES / "dev.nbest.gz"), refs)
    members = []
    for kbest in list(lists)[:SENTENCES]:
        dense = list(kbest.features.rows(kbest.names))
        gains = present(kbest.gain).tolist()
        members.append(
            [
                (text, features_of(text, {n: v for n, v in row.items() if n < "M"}), gain)
                for text, row, gain in zip(kbest.text, dense, gains, strict=True)
            ]
        )
    names = Names()
    for z in members:
        for _, x, _ in z:
            for name in x:
                names.id(name)
    sets = [[[z[number % len(z)]] for z in members] for number in range(SETS)]
    truths = [sorted(z, key=lambda m: -m[2])[:TRUTHS] for z in members]
    for name, one in [*((f"set{number}", s) for number, s in enumerate(sets)), ("truth", truths)]:
        write_kbest(folder / name, [record(sid, z, names) for sid, z in enumerate(one)])
    Weights(dict.fromkeys(names, 0.0)).write(str(folder / "w0"))
    sentences = [
        (naive.union([truths[i]]), naive.union(s[i] for s in sets)) for i in range(SENTENCES)
    ]
    return folder, sentences, list(names)


def record(sid, z, names):
    texts = Texts.of([text for text, _, _ in z])
    gain = np.array([gain for _, _, gain in z])
    return KBest(sid, texts, Features.of([x for _, x, _ in z], names), names, gain=gain)


@pytest.mark.parametrize("update", UPDATES)
@pytest.mark.parametrize("shuffle", [True, False])
def test_40_passes_over_real_lists_equal_the_slow_reading(real, tmp_path, update, shuffle):
    folder, sentences, names = real
    argv = [str(folder / f"set{number}") for number in range(SETS)]
    argv += [*UPDATES[update], "--weights", str(folder / "w0"), "--allow-missing"]
    argv += [] if update == "perceptron" else ["--truth", str(folder / "truth")]
    argv += [] if shuffle else ["--no-shuffle"]
    assert optimize.main([*argv, "-o", str(tmp_path / "w1"), "-q"]) == 0
    if update == "perceptron":
        sentences = [([], members) for _, members in sentences]
    w0 = dict.fromkeys(names, 0.0)
    expected = naive.train(sentences, w0, names, update, eta=0.01, shuffle=shuffle)
    found = Weights.read(str(tmp_path / "w1"))
    assert max(abs(found[name] - expected[name]) for name in names) < 1e-9
    assert sum(value != 0.0 for value in expected.values()) > 100
