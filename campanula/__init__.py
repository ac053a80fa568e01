"""Tunes linear translation models and k-best rerankers.

    import campanula

    references = campanula.read_references("dev.en")
    lists = campanula.score(campanula.read_nbest("dev.nbest.gz"), references)
    tuned = campanula.tune(lists, campanula.read_weights("weights"), loss="ramp3")
    outputs = campanula.rerank(lists, tuned.weights)

The public names are those of `__all__`; each is loaded at its first use.  Losses, metrics, list
formats and features of your own go into LOSSES, METRICS, LIST_FORMATS and FEATURES, by `add` or by
an entry point.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from campanula.formats import __version__

if TYPE_CHECKING:
    from campanula.formats.errors import DataError
    from campanula.formats.nbest import FORMATS as LIST_FORMATS
    from campanula.formats.records.kbest import KBest
    from campanula.formats.text.references import References
    from campanula.formats.weights import Weights
    from campanula.functions import (
        compare,
        decode,
        diagnose,
        evaluate,
        ranked,
        read_references,
        read_weights,
        rerank,
        score,
        tune,
    )
    from campanula.lists import KBestLists
    from campanula.nbest_files import read_nbest
    from campanula.relevant_sets import tune_on_sets
    from campanula.stages.hypothesis_features.table import FEATURES
    from campanula.stages.metrics.table import METRICS, metric_named
    from campanula.stages.tuning.losses import LOSSES, own_loss
    from campanula.stages.tuning.solvers.table import SOLVERS

FUNCTIONS = "campanula.functions"
HOMES = {
    "read_nbest": "campanula.nbest_files",
    "read_references": FUNCTIONS,
    "read_weights": FUNCTIONS,
    "score": FUNCTIONS,
    "tune": FUNCTIONS,
    "tune_on_sets": "campanula.relevant_sets",
    "rerank": FUNCTIONS,
    "ranked": FUNCTIONS,
    "evaluate": FUNCTIONS,
    "compare": FUNCTIONS,
    "decode": FUNCTIONS,
    "diagnose": FUNCTIONS,
    "KBestLists": "campanula.lists",
    "KBest": "campanula.formats.records.kbest",
    "References": "campanula.formats.text.references",
    "Weights": "campanula.formats.weights",
    "DataError": "campanula.formats.errors",
    "LOSSES": "campanula.stages.tuning.losses",
    "own_loss": "campanula.stages.tuning.losses",
    "SOLVERS": "campanula.stages.tuning.solvers.table",
    "METRICS": "campanula.stages.metrics.table",
    "metric_named": "campanula.stages.metrics.table",
    "LIST_FORMATS": "campanula.formats.nbest",
    "FEATURES": "campanula.stages.hypothesis_features.table",
}
"""Module of every public name."""

ALIASES = {"LIST_FORMATS": "FORMATS"}  # names that differ from those in their modules

__all__ = [
    "FEATURES",
    "LIST_FORMATS",
    "LOSSES",
    "METRICS",
    "SOLVERS",
    "DataError",
    "KBest",
    "KBestLists",
    "References",
    "Weights",
    "__version__",
    "compare",
    "decode",
    "diagnose",
    "evaluate",
    "metric_named",
    "own_loss",
    "ranked",
    "read_nbest",
    "read_references",
    "read_weights",
    "rerank",
    "score",
    "tune",
    "tune_on_sets",
]


def __getattr__(name: str) -> Any:
    """Load a public name at its first use, since every command imports this package, too."""
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(HOMES[name]), ALIASES.get(name, name))
    # kept, so that Python finds the name by itself from now on
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *HOMES})
