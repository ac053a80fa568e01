"""The kinds of cases, and how many of each hundred are of a kind."""

from __future__ import annotations

from tests.fuzzing import collections, inventories, streams, tables, texts, weights
from tests.fuzzing.case import Case, seeded

KINDS = {
    streams.lists_case: 21,
    collections.collection_case: 6,
    inventories.inventory_case: 4,
    streams.lattice_case: 7,
    streams.hope_case: 3,
    texts.list_case: 25,
    weights.weights_case: 11,
    tables.theta_case: 3,
    tables.model_case: 5,
    tables.arpa_case: 4,
    tables.links_case: 4,
    tables.lm_case: 1,
    tables.references_case: 3,
    tables.column_case: 2,
    tables.names_case: 1,
}


def case_of(seed: int, number: int) -> Case:
    """The case of a number; the same for the same seed."""
    rng = seeded(seed, number)
    make = rng.choices(list(KINDS), list(KINDS.values()))[0]
    return make(rng)
