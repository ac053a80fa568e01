from __future__ import annotations

import numpy as np

from campanula.formats.arrays import types


def test_every_type_has_a_name_of_its_own() -> None:
    named = {name: alias for name, alias in vars(types).items() if hasattr(alias, "__args__")}
    dtypes = [alias.__args__[1].__args__[0] for alias in named.values() if alias is not np.ndarray]
    assert len(set(dtypes)) == len(dtypes) >= 7
