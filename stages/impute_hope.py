"""Mark the hope hypothesis of every k-best list.

The hope of sentence i is the hypothesis that model and metric both like,

    hope_i = argmax_j  s_ij - c_ij,    c_ij = alpha (1 - gain_ij)

(Gimpel & Smith 2012, Algorithm 1, lines 5-7); other losses have other concave parts, and --loss
says which.  Reads a scored k-best stream, writes a hope stream.  Ties go to the lower index.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from contextlib import ExitStack

import numpy as np

from campanula.formats.collections.opening import open_lists
from campanula.formats.records.hope import Hope
from campanula.formats.records.kbest import KBest
from campanula.formats.records.matching import matched
from campanula.formats.text.references import References
from campanula.formats.weights import Theta, read_any_weights
from campanula.stages import command
from campanula.stages.command_line.inventory_flags import add_inventory_flag, given_inventory
from campanula.stages.inventories.theta import by_id
from campanula.stages.kernels.lists.formulas import Targets, Term
from campanula.stages.outputs.list_files import writer_for
from campanula.stages.tuning import flags
from campanula.stages.tuning.chunks import gain_of
from campanula.stages.tuning.losses import ALPHA, WITH_TERMS, loss_named, refuse_unread_alpha
from campanula.stages.tuning.packing import one_list
from campanula.stages.tuning.reaching import reaching
from campanula.stages.tuning.scoring import refuse_infinite

COMMAND = "impute-hope"


def impute_hope(
    lists: Iterable[KBest],
    theta: Theta,
    term: Term,
    alpha: float,
    references: References | None = None,
    source: str = "k-best stream",
) -> Iterator[Hope]:
    """Yield the hope of every k-best list, in their order.

    term: the loss's maximum that is imputed.  references: None for a loss that reads none.
    `source` names the lists in errors.
    """
    from campanula.stages.kernels.lists.scores import score_lists
    from campanula.stages.kernels.lists.total_losses import impute

    if references is not None:
        lists, references = matched(lists, references)
    for kbest in lists:
        gain = gain_of(kbest, source)
        # one list at a time, so memory does not grow with the stream
        targets = Targets.of(gain, reaching(kbest, references), alpha, n_lists=1)
        alone = one_list(kbest.features)
        vector = theta.vector()
        score = score_lists(alone, vector)
        refuse_infinite(score, alone.list_pointer, np.array([kbest.sid]), source, "the weights")
        share = impute(alone, vector, targets, term)
        index = np.flatnonzero(share)  # several hypotheses for a soft maximum
        yield Hope(kbest.sid, len(kbest), index, share[index], kbest.id)


def parser() -> argparse.ArgumentParser:
    """Return the parser of the flags."""
    p = command.parser(COMMAND, __doc__, f"{COMMAND} dev.kbest --weights w0 -o dev.hope")
    command.add_input(p, "scored k-best stream or collection")
    p.add_argument("--weights", required=True, metavar="FILE", help="weights theta")
    p.add_argument(
        "--loss",
        type=command.Choice(WITH_TERMS),
        metavar=command.braces(WITH_TERMS),
        default="ramp3",
        help="loss (default: ramp3)",
    )
    flags.add_cost_flags(p)
    flags.add_reference_flag(p)
    command.add_missing_flag(p)
    add_inventory_flag(p)
    return p


def main(argv: list[str] | None = None) -> int:
    """Run the command."""
    return command.run(body, parser(), argv)


def body(args: argparse.Namespace) -> None:
    """Read the lists, impute the hopes, write them."""
    command.one_stdin(args.input, args.weights, *(args.ref or []))
    with flags.misfits_name_flags():
        loss = loss_named(args.loss, args.gamma)
        refuse_unread_alpha(args.loss, loss, args.alpha)
    if not loss.has_terms:
        raise command.UsageError(f"--loss {args.loss} has no concave part to impute")
    if loss.needs_references and not args.ref:
        raise command.UsageError(f"--loss {args.loss} needs --ref: which hypotheses reach it")
    weights = read_any_weights(args.weights)
    inventory = given_inventory(args)
    references = References.read(args.ref) if loss.needs_references else None
    alpha = ALPHA if args.alpha is None else args.alpha
    settings = {
        "loss": args.loss,
        "alpha": alpha,
        "gamma": 1.0 if args.gamma is None else args.gamma,
        "weights": weights.digest(),
    }
    with ExitStack() as stack:
        lists = stack.enter_context(open_lists(args.input, KBest, inventory=inventory))
        signature = command.signature(COMMAND, lists.signature, **settings)
        out = stack.enter_context(writer_for(lists, args.output, Hope, signature))
        weights = by_id(weights, lists.names, args.allow_missing)
        # without --allow-missing a feature without a weight is refused when it is met, not read as
        # 0
        theta = Theta(weights, lists.names, missing=0.0 if args.allow_missing else None)
        records = command.progress(lists, args, COMMAND)
        for hope in impute_hope(records, theta, loss.up, alpha, references, lists.name):
            out.write(hope)
        if not args.allow_missing:
            weights.refuse_unknown(lists.names, lists.name)
    command.say(args, f"{COMMAND}: {out.count} hopes")


if __name__ == "__main__":
    raise SystemExit(main())
