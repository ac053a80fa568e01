"""Keep of every k-best list what violates a truth most, for relevant sets (Tillmann and Zhang).

Of N outputs of a sentence, those that Eq. 6 would add to its relevant set: for each truth z_k the

    argmax_z' psi(w, z_k, z'),    psi = (b_k - b') (1 - (s_k - s'))_+^2        (Eq. 4)

over the outputs that equal no truth, in text, features and gain.  Ties go to the lower index.  The
list that is left has each of them once, in its order; where all outputs are truths, the first one.
So a list of one output stays as it is, whether it violates anything or not.
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Iterable, Iterator

import numpy as np

from campanula.formats.arrays.types import Flags, Floats, Ints
from campanula.formats.collections.opening import OpenedLists, open_lists
from campanula.formats.errors import DataError
from campanula.formats.inventories.reference import common
from campanula.formats.records.kbest import KBest
from campanula.formats.records.matching import common_id
from campanula.formats.records.names import Names
from campanula.formats.weights import AnyWeights, Theta, read_any_weights
from campanula.stages import command
from campanula.stages.command_line.inventory_flags import add_inventory_flag, given_inventory
from campanula.stages.inventories.theta import by_id
from campanula.stages.outputs.list_files import writer_for
from campanula.stages.tuning.chunks import gain_of
from campanula.stages.tuning.relevant.relevant_sets import check_metric
from campanula.stages.tuning.relevant.set_of_lists import SetOfLists
from campanula.stages.tuning.scoring import finite_scores

COMMAND = "select-violating"
TOGETHER = 256  # sentences whose hypotheses are compared at a time
Pair = tuple[KBest, KBest]
"""A list, and the truths of its sentence."""


def select_violating(
    pairs: Iterable[Pair],
    weights: AnyWeights,
    sources: tuple[str, str],
    missing: float | None = None,
) -> Iterator[KBest]:
    """Yield every list cut down to the hypotheses that violate most, one or none for each truth.

    sources: names of the lists and of the truths in errors.  missing: the weight of a feature
    without one (default: an error).
    """
    # each shard has a table of names of its own, to which a vector of weights belongs
    for _, shard in itertools.groupby(pairs, lambda pair: [id(side.names) for side in pair]):
        thetas: list[Theta] = []
        while batch := list(itertools.islice(shard, TOGETHER)):
            thetas = thetas or [Theta(weights, side.names, missing) for side in batch[0]]
            lists, truths = [list(side) for side in zip(*batch, strict=True)]
            for (kbest, truth), is_new in zip(batch, _apart(lists, truths, sources), strict=True):
                s = finite_scores(kbest, thetas[0].vector(), sources[0])
                s_truth = finite_scores(truth, thetas[1].vector(), sources[1])
                psi = violation(s, gain_of(kbest, sources[0]), s_truth, gain_of(truth, sources[1]))
                if not np.isfinite(psi).all():
                    problem = f"expected finite violations, found {psi[~np.isfinite(psi)][0]}"
                    place = f"sentence {kbest.sid}"
                    raise DataError(sources[0], place, f"{problem}: the scores are too large")
                yield kbest.take(violating(psi, is_new))


def violation(score: Floats, gain: Floats, truth_score: Floats, truth_gain: Floats) -> Floats:
    """Return Eq. 4's psi (K, n) of n hypotheses, score and gain (n,), against K truths (K,)."""
    # (.)_+ of Eq. 4: a truth that wins by a margin of 1 is not violated
    below = np.maximum(0.0, 1.0 - (truth_score[:, None] - score))
    return np.asarray((truth_gain[:, None] - gain) * below * below)


def violating(psi: Floats, is_new: Flags) -> Ints:
    """Return the places, ascending, of the highest psi (K, n) of each truth.

    Only hypotheses that are new (n,) count: a truth itself, or a second copy, is no alternative.
    """
    if not is_new.any():
        return np.zeros(1, np.int64)  # a list is never empty
    # two truths may be violated most by the same hypothesis
    return np.unique(np.where(is_new, psi, -np.inf).argmax(axis=1))


def _apart(lists: list[KBest], truths: list[KBest], sources: tuple[str, str]) -> Iterator[Flags]:
    """Yield which hypotheses (n,) of each list are new: no truth, and none before in the list."""
    from campanula.stages.kernels.relevant.distinct import mark_new
    from campanula.stages.kernels.relevant.joining import joined_rows

    # ids of two streams are compared by their names, ids of one inventory as they are
    by_names = None if lists[0].names.of_inventory else Names()
    sides = zip((truths, lists), sources[::-1], strict=True)
    sets = [SetOfLists.of(side, source, by_names) for side, source in sides]
    rows = joined_rows([one.rows for one in sets], 0, len(lists))
    n_truths = np.array([len(truth) for truth in truths], np.int32)
    new = np.empty(len(rows.gain), np.bool_)
    with np.errstate(over="ignore"):  # a hash wraps around
        mark_new(rows, n_truths, True, new)
    for i, n in enumerate(n_truths.tolist()):
        yield new[rows.list_pointer[i] + n : rows.list_pointer[i + 1]]


def lockstep(lists: OpenedLists[KBest], truths: OpenedLists[KBest]) -> Iterator[Pair]:
    """Yield lists with the truths of their sentences; raises DataError where sentences differ."""
    for kbest, truth in itertools.zip_longest(lists, truths):
        if kbest is None or truth is None or kbest.sid != truth.sid:
            actual = "the end" if truth is None else f"sentence {truth.sid}"
            expected = "the end" if kbest is None else f"sentence {kbest.sid}"
            problem = f"expected {expected}, as {lists.name} has, found {actual}"
            raise DataError(truths.name, f"record {truths.count - (truth is not None)}", problem)
        common_id(kbest, [truth], truths.name)
        yield kbest, truth


def parser() -> argparse.ArgumentParser:
    """Return the parser of the flags."""
    example = f"{COMMAND} train.kbest --truth oracles --weights w3 -o set.3"
    p = command.parser(COMMAND, __doc__, example)
    command.add_input(p, "scored k-best stream or collection")
    p.add_argument("--truth", required=True, metavar="FILE", help="scored lists of truths")
    p.add_argument("--weights", required=True, metavar="FILE", help="weights w")
    command.add_missing_flag(p)
    add_inventory_flag(p)
    return p


def main(argv: list[str] | None = None) -> int:
    """Run the command."""
    return command.run(body, parser(), argv)


def body(args: argparse.Namespace) -> None:
    """Read lists and truths side by side, select, write."""
    command.one_stdin(args.input, args.truth, args.weights)
    weights = read_any_weights(args.weights)
    inventory = given_inventory(args)
    missing = 0.0 if args.allow_missing else None
    with (
        open_lists(args.input, KBest, inventory=inventory, by_shard=True) as lists,
        open_lists(args.truth, KBest, inventory=inventory, by_shard=True) as truths,
    ):
        common({one.name: one.inventory for one in (lists, truths)}, prefixes=inventory is not None)
        check_metric(lists, truths)
        made_by = {"weights": weights.digest(), "truth": truths.signature}
        signature = command.signature(COMMAND, lists.signature, **made_by)
        with writer_for(lists, args.output, KBest, signature, lists.metric) as out:
            by_ids = by_id(weights, lists.names, args.allow_missing)
            sides = command.progress(lockstep(lists, truths), args, COMMAND)
            for kbest in select_violating(sides, by_ids, (lists.name, truths.name), missing):
                out.write(kbest)
    command.say(args, f"{COMMAND}: {out.count} lists")


if __name__ == "__main__":
    raise SystemExit(main())
