import numpy as np

from campanula.stages.kernels.relevant.places import (
    CLASSES,
    COUNTED,
    complete,
    place_of,
    places_of,
)
from tests.stages.kernels.relevant.packed import rows
from tests.stages.tuning.relevant.random_sets import random_sets


def rows_with(*features):
    """A row of binary entries for each feature, which are numbered from 0 on."""
    texts = [(f"{j}", {f"f{feature}": 1.0}, 0.5) for j, feature in enumerate(features)]
    return rows([texts])


def test_what_is_seen_more_often_stands_first_and_else_what_is_placed_first():
    places = places_of([rows_with(*[0] * 1, *[1] * 8, *[2] * 15, *[3] * 16, 4)])
    assert [place_of(places, feature) for feature in (4, 2, 0, 3, 1)] == [3, 1, 4, 0, 2]
    assert [place_of(places, feature) for feature in range(5)] == [4, 2, 1, 0, 3]


def test_places_are_a_permutation():
    all_rows = [rows(lists) for lists in random_sets(1)]
    places = places_of(all_rows)
    for feature in (5, 3):
        place_of(places, feature)
    complete(places)
    assert sorted(places.place.tolist()) == list(range(len(places.place)))


def test_a_few_of_many_rows_are_counted_and_ids_of_all_have_a_place():
    common = rows_with(*[0] * 4)
    places = places_of([common] + [rows_with(*range(9))] * COUNTED)
    assert len(places.place) == 9
    assert -1 - places.place[0] == CLASSES - 1 - int(np.log2(4 + 4)) - 1


def test_rows_without_features_have_no_places():
    assert len(places_of([rows([[("a", {}, 0.5)]])]).place) == 0
