"""Random sets of lists, as records and as the slow twin has them."""

import numpy as np

from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from tests.naive import relevant_set as naive

Hypothesis = tuple[str, dict[str, float], float]
FEATURES = [f"f{i}" for i in range(40)]


def random_hypothesis(rng, binary=True):
    """A hypothesis of some features, and a gain of which there are few."""
    x = dict.fromkeys(sorted(rng.choice(FEATURES[3:], 8, replace=False).tolist()), 1.0)
    if not binary:
        x |= {f: float(np.round(rng.normal(), 2)) for f in FEATURES[:3]}
        x = {f: value for f, value in x.items() if value != 0.0}
    return f"text {rng.integers(4)}", x, float(rng.integers(1, 9)) / 8.0


def random_sets(seed, n_sentences=6, n_sets=4, size=1, binary=True, again=0.3):
    """Sets of lists: sets[l][i] are hypotheses; some of later sets equal earlier ones."""
    rng = np.random.default_rng(seed)
    sets: list[list[list[Hypothesis]]] = []
    for _ in range(n_sets):
        lists = []
        for i in range(n_sentences):
            known = [z for one in sets for z in one[i]]
            hypotheses = []
            for _ in range(size):
                if known and rng.random() < again:
                    hypotheses.append(known[rng.integers(len(known))])
                else:
                    hypotheses.append(random_hypothesis(rng, binary))
            lists.append(hypotheses)
        sets.append(lists)
    return sets


def records_of(lists, names=None):
    """The lists as records, whose table of names is in the order of FEATURES."""
    names = Names(FEATURES) if names is None else names
    return [
        KBest(
            sid,
            Texts.of([text for text, _, _ in hypotheses]),
            Features.of([x for _, x, _ in hypotheses], names),
            names,
            gain=np.array([gain for _, _, gain in hypotheses]),
        )
        for sid, hypotheses in enumerate(lists)
    ]


def sentences_of(sets, truth=None):
    """What the twin trains on: (V_K, V_rel) of each sentence."""
    n = len(sets[0])
    truths = [naive.union([truth[i]]) if truth else [] for i in range(n)]
    return [(truths[i], naive.union(one[i] for one in sets)) for i in range(n)]
