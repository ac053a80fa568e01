"""The losses, declared: each is a function of one list's scores s and costs c = alpha (1 - gain).

Most are a difference of two terms, one pulled up and one pushed down:

    loss = -up + down,     term = max or lse over some hypotheses of (s + factor * c)

so a row of the table below defines a loss.  The part -up is concave; CCCP imputes it (the hope) and
descends on the convex rest.  Sources: Gimpel & Smith 2012 (G&S), Eq. 3-13 and sections 3.3, 3.4;
Gimpel & Smith 2010 (softmax-margin); Wuebker et al. 2015 (W15), Eq. 8-13; Hopkins and May 2011
(PRO); Tillmann and Zhang's online relevant sets (T&Z), whose losses are of sets of lists.

A loss of the user's own is a function of the same two vectors (n,) that returns the value and the
coefficients (n,), its (sub)gradient in the scores:

    @own_loss(smooth=True)
    def gain_differences(score, cost):
        rest = score + cost
        rest -= rest.mean()
        return 0.5 * rest @ rest, rest

    LOSSES.add("gain-differences", gain_differences)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from campanula.formats.arrays.types import Floats
from campanula.formats.registry import Registry, UnknownName
from campanula.stages.kernels.lists.formulas import (
    ALL,
    CORPUS,
    COSTMARGIN,
    DIFFERENCE,
    EXPECTED_GAIN,
    LSE,
    MAX,
    MIN_COST,
    OWN,
    PAIRS,
    REACHING,
    RISK,
    SET_PERCEPTRON,
    SQUARED_GAIN,
    Formula,
    Term,
)
from campanula.stages.tuning.misfit import Misfit, UnknownChoice

ListLoss = Callable[[Floats, Floats], tuple[float, Floats]]
"""A loss of one list: scores (n,), costs (n,) -> value, coefficients (n,)."""

HOPE = Term(MAX, -1.0, ALL)
FEAR = Term(MAX, +1.0, ALL)
BEST = Term(MAX, 0.0, ALL)
LEAST_COST = Term(MAX, 0.0, MIN_COST)
REFERENCE = Term(MAX, 0.0, REACHING)
SOFT_HOPE, SOFT_FEAR, SOFT_BEST, SOFT_REFERENCE = (
    term._replace(operator=LSE) for term in (HOPE, FEAR, BEST, REFERENCE)
)

ALPHA = 10.0  # G&S section 4
TAU = 1e-4  # W15 6.2: results hardly change as long as tau is small
# C of PRO.  MegaM, which Hopkins and May train with, adds |w|^2 / 2 to the losses of every pair in
# both orders.  Here a pair counts once, so the weight of L2 is half of MegaM's.
MEGAM_C = 0.5
MARGIN_SETTINGS = ("update", "printed_sign")
PAIR_SETTINGS = ("pairs_sampled", "pairs_kept", "min_difference")


@dataclass(frozen=True, slots=True)
class Loss:
    """A row of the table: the formula or the user's function, and the defaults of the loss.

    solver: the default solver; reads: the settings that only this loss reads; C or tau: the default
    strength of L2, (C/2) |theta - theta0|^2 or tau |theta|^2; eta: the default step size, None for
    the solver's; own_smooth: whether the user's function is declared smooth.
    """

    formula: Formula
    solver: str
    reads: tuple[str, ...] = ()
    C: float = 1.0
    tau: float | None = None
    eta: float | None = None
    function: ListLoss | None = None
    own_smooth: bool = False

    @property
    def form(self) -> int:
        """DIFFERENCE, RISK, EXPECTED_GAIN, and so on (kernels/lists/formulas.py)."""
        return self.formula.form

    @property
    def up(self) -> Term:
        """The term of a difference that is pulled up."""
        return self.formula.up

    @property
    def down(self) -> Term:
        """The term of a difference that is pushed down."""
        return self.formula.down

    @property
    def has_terms(self) -> bool:
        """Whether the loss is a difference of terms."""
        return self.form == DIFFERENCE

    @property
    def of_sets(self) -> bool:
        """Whether it is a loss of relevant sets, each the union of several lists of a sentence."""
        return self.form in (COSTMARGIN, SET_PERCEPTRON)

    @property
    def reads_cost(self) -> bool:
        """Whether the loss depends on alpha, the weight of costs beside scores."""
        if self.has_terms:
            return self.up.factor != 0.0 or self.down.factor != 0.0
        return self.form in (RISK, OWN)

    @property
    def has_C(self) -> bool:
        """Whether L2 of strength C can be added to the loss."""
        return self.form != CORPUS and not self.of_sets

    @property
    def is_absolute(self) -> bool:
        """Whether the loss depends on scores themselves, not only on differences within a list."""
        return self.form == SQUARED_GAIN

    @property
    def is_sum(self) -> bool:
        """Whether the loss is a sum over lists, so that a step may be on some of them."""
        return self.form not in (CORPUS, EXPECTED_GAIN)

    @property
    def needs_references(self) -> bool:
        """Whether the loss needs to know which hypotheses reach a reference.

        It skips lists in which none does.
        """
        return self.has_terms and self.up.candidates == REACHING

    @property
    def convex_part_smooth(self) -> bool:
        """Whether the loss has a continuous gradient once its concave part is imputed."""
        if self.form == OWN:
            return self.own_smooth
        if self.of_sets:
            return False
        return self.down.operator == LSE if self.has_terms else self.form != CORPUS

    @property
    def smooth(self) -> bool:
        """Whether the loss itself has a continuous gradient."""
        return self.convex_part_smooth and (
            not self.has_terms or self.up.operator == LSE or self.up.linear
        )


def _difference(up: Term, down: Term, reads: tuple[str, ...] = ()) -> Loss:
    return Loss(Formula(DIFFERENCE, up, down), "ssd", reads)


def own_loss(*, smooth: bool = False) -> Callable[[ListLoss], Loss]:
    """Declare a function as a loss; smooth: it has a continuous gradient, which lbfgs needs."""

    def declare(function: ListLoss) -> Loss:
        return _of_function(function, smooth)

    return declare


def _of_function(function: ListLoss, smooth: bool) -> Loss:
    solver = "lbfgs" if smooth else "rprop"
    return Loss(Formula(OWN), solver, function=function, own_smooth=smooth)


class Losses(Registry[Loss]):
    """The table of losses; a plain function in it becomes a loss that is not declared smooth."""

    def __getitem__(self, name: str) -> Loss:
        return self.declared(super().__getitem__(name))

    def add(self, name: str, item: Loss | ListLoss) -> None:
        """Add a loss, or a function as a loss; raises ValueError for a name that is taken."""
        super().add(name, self.declared(item))

    @staticmethod
    def declared(item: Loss | ListLoss) -> Loss:
        """Return the loss as it is, or the function as a loss."""
        return item if isinstance(item, Loss) else _of_function(item, smooth=False)


LOSSES = Losses(
    "loss",
    "campanula.losses",
    {
        # G&S Eq. 3: the corpus metric of the best outputs; for line search
        "cost": Loss(Formula(CORPUS), "line-search", C=0.0),
        # Ex. 2 where one derivation reaches y*; of several, the best-scoring one counts
        "log": _difference(REFERENCE, SOFT_BEST),
        "bayes-risk": Loss(Formula(RISK), "lbfgs"),  # Eq. 5: sum_j p_j c_j, p = softmax s
        "ramp1": _difference(BEST, FEAR),  # Eq. 6
        "ramp2": _difference(HOPE, BEST),  # Eq. 7
        "ramp3": _difference(HOPE, FEAR),  # Eq. 8, RAMPION
        "perceptron": _difference(REFERENCE, BEST),  # Eq. 9, 12
        "perceptron-kbest": _difference(LEAST_COST, BEST),  # Eq. 10
        # Eq. 11; gamma replaces the hope's factor
        "perceptron-gamma": _difference(HOPE, BEST, reads=("gamma",)),
        "hinge": _difference(REFERENCE, FEAR),  # Eq. 13, poster
        "hinge-kbest": _difference(LEAST_COST, FEAR),  # section 3.3
        "soft-ramp1": _difference(SOFT_BEST, SOFT_FEAR),  # section 3.4: the Jensen risk bound
        "soft-ramp2": _difference(SOFT_HOPE, SOFT_BEST),  # section 3.4
        "soft-ramp3": _difference(SOFT_HOPE, SOFT_FEAR),  # section 3.4
        "log-kbest": _difference(HOPE, SOFT_BEST),  # section 3.4, poster
        # section 3.4; Ex. 2 with the derivations of y* summed over
        "latent-log": _difference(SOFT_REFERENCE, SOFT_BEST),
        # Gimpel & Smith 2010: log loss, whose sum counts a hypothesis more the worse it is
        "softmax-margin": _difference(REFERENCE, SOFT_FEAR),
        "softmax-margin-kbest": _difference(LEAST_COST, SOFT_FEAR),  # in place of a reference
        # W15 Eq. 8-13: -log mean_i sum_j p_ij gain_ij, + tau |theta|^2
        "expected-bleu": Loss(Formula(EXPECTED_GAIN), "rprop", reads=("tau",), tau=TAU),
        # PRO: sum over sampled pairs of log(1 + e^-(s_better - s_worse))
        "pairwise": Loss(Formula(PAIRS), "lbfgs", reads=PAIR_SETTINGS, C=MEGAM_C),
        # T&Z section III: sum_j (s_j - b_j)^2, which they found to yield poor results
        "squared-gain": Loss(Formula(SQUARED_GAIN), "lbfgs"),
        # T&Z Table II, or Eq. 3, 4 and 7: truths against the members of a relevant set
        "costmargin": Loss(Formula(COSTMARGIN), "online", reads=MARGIN_SETTINGS, C=0.0),
        # T&Z Table III: highest gain against highest score in the relevant set
        "relevant-perceptron": Loss(Formula(SET_PERCEPTRON), "online", C=0.0, eta=1e-5),
    },
)

WITH_TERMS = Losses(
    "loss with a concave part",
    "campanula.losses",
    {name: loss for name, loss in LOSSES.items() if loss.has_terms},
)


def refuse_unread_alpha(name: str, loss: Loss, alpha: float | None) -> None:
    """Raise Misfit if alpha is given and the loss does not depend on it."""
    if alpha is not None and not loss.reads_cost:
        raise Misfit(f"`loss` {name} does not read `alpha`; drop it")


def loss_named(name: str, gamma: float | None = None) -> Loss:
    """Return the loss of this name; gamma: factor of the cost in perceptron-gamma's hope (Eq. 11).

    Raises Misfit for a name that no loss has, and for gamma beside a loss that does not read it.
    """
    try:
        loss = LOSSES[name]
    except UnknownName as error:
        raise UnknownChoice(str(error)) from None
    if gamma is None:
        return loss
    if "gamma" not in loss.reads:
        raise Misfit(f"`loss` {name} does not read `gamma`; drop it")
    up = loss.up._replace(factor=-gamma)
    return replace(loss, formula=loss.formula._replace(up=up))
