"""Forty iterations on real lists are the slow reading of Wuebker et al. 2015, in every form."""

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest

import campanula
from campanula.formats.arrays.pointers import pointer_of
from campanula.formats.inventories.inventory import Inventory
from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.formats.weight_stream import read_weight_stream
from campanula.formats.weights import Weights
from campanula.stages import import_weights, index_features, optimize
from tests.examples import ROOT, write_kbest
from tests.naive import expected_bleu as naive
from tests.present import present

EXAMPLES = ROOT / "examples"
SENTENCES, HYPOTHESES, ITERATIONS, TAU = 7, 12, 40, 1e-3
DENSE = ("LM0", "WordPenalty0", "TranslationModel0_0")
RPROP = "--solver rprop --iterations 40 --first-step 0.01 --largest-step 1e9 --smallest-step 0"
Twin = Callable[..., naive.Theta]
SOLVERS: dict[str, tuple[str, Twin, tuple[float, ...], dict[str, bool]]] = {
    "sgd": ("--solver sgd --epochs 40 --eta 0.4", naive.sgd, (0.4,), {}),
    "adagrad": ("--solver adagrad --epochs 40 --eta 0.05", naive.adagrad, (0.05,), {}),
    "fobos": ("--solver sgd --epochs 40 --eta 0.4 --fobos", naive.fobos, (0.4,), {}),
    "fobos-adagrad": (
        "--solver adagrad --epochs 40 --eta 0.05 --fobos", naive.fobos, (0.05,), {"adaptive": True},
    ),
    "rprop": (RPROP, naive.rprop, (0.01,), {"reset": True}),
    "rprop-literal": (f"{RPROP} --rprop literal", naive.rprop, (0.01,), {}),
}  # fmt: skip


def features_of(text, dense):
    """A few of the list's own features, and one for each word and each pair of neighbours."""
    words = text.split()
    x = {name: dense[name] for name in DENSE}
    for word in words:
        x[f"w_{word}"] = x.get(f"w_{word}", 0.0) + 1.0
    return {**x, **{f"p_{one}_{other}": 1.0 for one, other in pairwise(words)}}


def as_decoded(rows, names):
    """Their features as a decoder has them: sparse ones are so though all hypotheses have them."""
    dense = np.array([[row[name] for row in rows] for name in DENSE])
    sparse = [[(names.id(n), v) for n, v in row.items() if n not in DENSE] for row in rows]
    entries = [entry for row in sparse for entry in sorted(row)]
    features = Features.of_dense(np.array([names.id(n) for n in DENSE], np.int32), dense)
    ids, values = np.array(entries).T
    return features.with_sparse(pointer_of(list(map(len, sparse))), ids.astype(np.int32), values)


@pytest.fixture(scope="module")
def real(tmp_path_factory):
    """Folder of the lists in every form with weights for each, the lists as maps, and theta."""
    folder = tmp_path_factory.mktemp("real")
    refs = campanula.read_references(EXAMPLES / "dev.web", EXAMPLES / "dev.kjv")
    scored = campanula.score(campanula.read_nbest(EXAMPLES / "dev.nbest.gz"), refs)
    names, records, plain = Names(), [], []
    for kbest in list(scored)[:SENTENCES]:
        own = list(kbest.features.rows(kbest.names))[:HYPOTHESES]
        rows = [features_of(text, row) for text, row in zip(kbest.text, own, strict=False)]
        gain = present(kbest.gain)[: len(rows)]
        text = Texts.of(list(kbest.text)[: len(rows)])
        records.append(KBest(kbest.sid, text, as_decoded(rows, names), names, gain=gain))
        plain.append(list(zip(rows, gain.tolist(), strict=True)))
    theta = dict.fromkeys(names, 0.0)
    theta |= {"LM0": 0.05, "WordPenalty0": -0.1, "TranslationModel0_0": 0.08}
    lists, weights = write_kbest(folder / "named", records), str(folder / "w.named")
    Weights(theta).write(weights)
    inventory = str(folder / "inv")
    for form, given in (
        ("one", ["--inventory", inventory]),
        ("shards", ["--extend", inventory, "--shards", "3"]),
    ):
        assert index_features.main([lists, *given, "-q", "-o", str(folder / form)]) == 0
    stream = ["--inventory", inventory, "-q", "-o", str(folder / "w.stream")]
    assert import_weights.main([weights, *stream]) == 0
    return folder, plain, theta


def solve(folder, form, flags, out):
    """Run a solver on lists of a form; the weights by name."""
    fixed = [flag for name in DENSE for flag in ("--freeze", name)]
    given = ["--loss", "expected-bleu", "--tau", str(TAU), *fixed, *flags.split(), "-q"]
    lists = folder / form.split()[0]
    if form in ("named", "named --stream"):
        given += ["--weights", str(folder / "w.named"), *form.split()[1:]]
    else:
        given += ["--weights", str(folder / "w.stream"), "--inventory", str(folder / "inv")]
        given += ["--cache", str(folder / "cache"), *form.split()[1:]]
    assert optimize.main([str(lists), *given, "-o", str(out)]) == 0
    if form.startswith("named"):
        return dict(Weights.read(str(out)))
    names = Inventory.open(str(folder / "inv"))
    return dict(zip(names, read_weight_stream(str(out)).theta.tolist(), strict=True))


@pytest.mark.parametrize("solver", SOLVERS)
def test_forty_iterations_are_those_of_the_slow_reading(real, tmp_path, solver):
    folder, plain, theta = real
    flags, twin, numbers, ways = SOLVERS[solver]
    expected = twin(theta, plain, TAU, *numbers, ITERATIONS, fixed=DENSE, **ways)
    objective = naive.objective(expected, plain, TAU, DENSE)
    assert objective > naive.objective(theta, plain, TAU, DENSE) + 0.01
    for form in ("named", "named --stream", "one", "shards", "shards --jobs 2"):
        out = tmp_path / form.replace(" ", "")
        found = solve(folder, form, flags, out)
        assert found == pytest.approx(expected, abs=1e-9), form
        assert naive.objective(found, plain, TAU, DENSE) == pytest.approx(objective, abs=1e-9)
    assert (tmp_path / "shards").read_bytes() == (tmp_path / "shards--jobs2").read_bytes()
