"""The solvers by name: ours, and the user's own."""

from __future__ import annotations

from typing import Any

from campanula.formats.registry import Registry
from campanula.stages.tuning.solvers.batch_mira import BATCH_MIRA
from campanula.stages.tuning.solvers.gradient_descent import ADAGRAD, SGD
from campanula.stages.tuning.solvers.lbfgs import LBFGS
from campanula.stages.tuning.solvers.line_search import LINE_SEARCH
from campanula.stages.tuning.solvers.mira import MIRA
from campanula.stages.tuning.solvers.online import ONLINE
from campanula.stages.tuning.solvers.rprop import RPROP
from campanula.stages.tuning.solvers.solver import Solver
from campanula.stages.tuning.solvers.ssd import SSD

SOLVERS: Registry[Solver[Any]] = Registry(
    "solver",
    "campanula.solvers",
    {
        "ssd": SSD,
        "sgd": SGD,
        "adagrad": ADAGRAD,
        "rprop": RPROP,
        "lbfgs": LBFGS,
        "mira": MIRA,
        "line-search": LINE_SEARCH,
        "batch-mira": BATCH_MIRA,
        "online": ONLINE,
    },
)
