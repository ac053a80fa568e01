"""Local features of a block: those of a slow twin, within the room that is made for them."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from campanula.formats.feature_names.sparse import TEMPLATES
from campanula.stages.decoding.sparse.name_parsing import open_kinds, parsed_names, text_of
from campanula.stages.kernels.sparse.local import fire_block, n_local
from campanula.stages.kernels.sparse.steps import DerivationSteps, no_fired
from campanula.stages.kernels.sparse.weights import word_mark
from tests.naive import sparse

LOCAL = [name for name, template in TEMPLATES.items() if template.local]


def mark(word: str) -> int:
    return word_mark(np.frombuffer(bytearray(word.encode()), np.uint8), 0, len(word), 0)


def fired(source: list[str], target: list[str], templates: list[str]) -> Counter[int]:
    """Keys of what fires in the one block of a derivation."""
    zero, n = np.zeros(1, np.int64), np.array([len(source)])
    info = np.array([[0, len(target), 0]], np.int32)
    marks, numbers = np.array([*map(mark, target)], np.int64), np.arange(len(target), dtype="i4")
    steps = DerivationSteps(
        zero, zero, zero, n, info, numbers, np.array([*map(mark, source)]), marks
    )
    on = open_kinds(templates)
    features = no_fired(n_local(0, steps, on))
    fire_block(features, 0, steps, on)
    assert features.size[0] <= len(features.key)
    return Counter(features.key[: features.size[0]].tolist())


@pytest.mark.parametrize("template", LOCAL)
def test_features_are_those_of_the_twin(template: str) -> None:
    rng = random.Random(1)
    for _ in range(20):
        source = [rng.choice("ab") for _ in range(rng.randint(1, 4))]
        target = [rng.choice("uvw") for _ in range(rng.randint(0, 4))]
        expected = sparse.features(source, [(0, len(source), target)], [template])
        keys = parsed_names(*text_of(expected)).key.tolist()
        assert fired(source, target, [template]) == dict(zip(keys, expected.values(), strict=True))


def test_no_other_template_is_local() -> None:
    others = [name for name in TEMPLATES if name not in LOCAL and name != "ngram"]  # partly
    assert len(LOCAL) + len(others) + 1 == len(TEMPLATES)
    assert not fired(["a", "b"], ["u", "v"], others)
