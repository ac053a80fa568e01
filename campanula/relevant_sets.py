"""Training on relevant sets (Tillmann and Zhang) from Python, as `optimize SET...` does it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from campanula.formats.records.names import Names
from campanula.formats.weights import Weights
from campanula.functions import as_weights, refuse_unknown
from campanula.lists import KBestLists
from campanula.stages.metrics.table import metric_of

if TYPE_CHECKING:
    from campanula.stages.tuning.plan import Plan
    from campanula.stages.tuning.relevant.packed_sets import SetCounts
    from campanula.stages.tuning.relevant.set_of_lists import SetOfLists

OWN = ("truth", "allow_missing")  # arguments that a typo may be meant for


@dataclass(frozen=True, slots=True)
class TunedOnSets:
    """Result of training on relevant sets.

    before, objective: the objective at the initial and at the new weights; updates: how often a
    sentence changed the weights; counts: the size of the sets.
    """

    weights: Weights
    before: float
    objective: float
    updates: int
    counts: SetCounts


def tune_on_sets(
    sets: Sequence[KBestLists],
    weights: Mapping[str, float] | None = None,
    *,
    truth: KBestLists | None = None,
    loss: str = "costmargin",
    allow_missing: bool = False,
    **settings: Any,
) -> TunedOnSets:
    """Train weights on relevant sets; a sentence's set is the union of its lists in all `sets`.

    sets: scored lists of the same sentences, one element per decoding iteration; weights: where to
    start (default: all 0); truth: scored lists of truths (default: the highest gain in each set);
    loss: costmargin or relevant-perceptron; settings: fields of TuneSettings, such as update,
    lambda_, eta and epochs.  Raises ValueError for settings that do not go together, DataError for
    sets of other sentences or metrics, and for weights of other features.
    """
    from campanula.stages.tuning.relevant.relevant_sets import RelevantSets
    from campanula.stages.tuning.relevant.training import train, wants_apart
    from campanula.stages.tuning.restraints import Restraints
    from campanula.stages.tuning.settings import TuneSettings

    refuse_unknown(settings, TuneSettings, OWN)
    plan = TuneSettings(loss=loss, **settings).plan()
    _check(plan, sets, truth)
    # one table for all: a sentence's set joins its lists of all iterations
    table = Names()
    sets_of_lists = [_with_table(lists, table) for lists in sets]
    truths = None if truth is None else _with_table(truth, table)
    initial = as_weights(dict.fromkeys(table, 0.0) if weights is None else weights)
    theta = initial.checked_vector(table, sets[0].source, allow_missing)
    limits = Restraints.of(table, plan.settings.freeze, plan.settings.only)
    memory = plan.solver_settings.memory
    data = RelevantSets.of(sets_of_lists, truths, apart=wants_apart(plan), memory=memory)
    trained = train(data, theta, limits, plan)
    # weights of features that no list has stay as they were given
    tuned = Weights({**initial, **Weights.of(table, trained.w)})
    return TunedOnSets(tuned, trained.before, trained.objective, trained.updates, data.counts)


def _check(plan: Plan, sets: Sequence[KBestLists], truth: KBestLists | None) -> None:
    """Raise Misfit for a loss that is not of relevant sets, needless truths, or no sets."""
    from campanula.stages.tuning.misfit import Misfit

    if not plan.loss.of_sets:
        raise Misfit(f"`loss` {plan.loss_name} is not of relevant sets; `tune` takes it")
    if truth is not None and "update" not in plan.loss.reads:
        raise Misfit(f"`loss` {plan.loss_name} has its truths in the sets; drop `truth`")
    if not sets:
        raise Misfit("expected sets of lists, found none")


def _with_table(lists: KBestLists, table: Names) -> SetOfLists:
    """Make a set of lists with the ids of a common table, to which new names are added."""
    from campanula.stages.tuning.relevant.set_of_lists import SetOfLists

    metric = metric_of(lists.metric)
    # None, too, for a metric of another program that is not installed here
    header = None if metric is None else metric.header()
    return SetOfLists.of(lists, lists.source, table, header)
