"""Find the best hypothesis of every k-best list under the weights.

    best_i = argmax_j  theta . f_ij

Reads a k-best stream and writes the text of the best, line i for sentence i; nothing is written
before all is read.  --format keyed writes `id text`, --format jsonl an object a list, which holds
texts of several lines.  With --kbest it writes the lists themselves, with their new scores and in
their order.  Ties go to the lower index.  For a scored stream the metric of the best is said on
stderr.  --text-field and --remove-subwords say which text is written.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from campanula.formats.collections.opening import open_lists
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.weights import AnyWeights, Theta, read_any_weights
from campanula.stages import command
from campanula.stages.command_line.inventory_flags import add_inventory_flag, given_inventory
from campanula.stages.command_line.text_flags import AS_IT_IS, TextForm, add_text_flags
from campanula.stages.inventories.theta import by_id
from campanula.stages.metrics.corpus_value import CorpusValue
from campanula.stages.metrics.scored_lists import sound
from campanula.stages.metrics.table import metric_of
from campanula.stages.outputs import best_texts
from campanula.stages.outputs.list_files import writer_for
from campanula.stages.tuning.scoring import finite_scores

COMMAND = "rerank"


def rerank(
    lists: Iterable[KBest],
    weights: AnyWeights,
    *,
    allow_missing: bool = False,
    source: str = "k-best lists",
) -> Iterator[KBest]:
    """Yield every list with its scores under the weights, the highest first.

    Raises DataError, with `source` as the place, for a feature without a weight, and for a weight
    of a feature that no list has.  With allow_missing a feature without a weight counts 0, and
    other weights are ignored.  Lists of one table of names, such as those of a shard, follow each
    other.
    """
    names = Names()
    missing = 0.0 if allow_missing else None
    theta = None
    unmet = weights  # those of features that no list so far has had
    for kbest in lists:
        if theta is None or kbest.names is not names:
            unmet = unmet.without(names)
            names = kbest.names
            theta = Theta(weights, names, missing)
        yield reranked(kbest, theta, source)
    if not allow_missing:
        unmet.refuse_unknown(names, source)


def reranked(kbest: KBest, theta: Theta, source: str) -> KBest:
    """Return a list with its scores under theta, the highest first.

    Raises DataError, with `source` as the place, for a score that is not finite.
    """
    scores = finite_scores(kbest, theta.vector(), source)
    order = np.argsort(-scores, kind="stable")
    return replace(kbest, score=scores).take(order)


def counted(lists: Iterable[KBest], corpus: CorpusValue) -> Iterator[KBest]:
    """Yield the lists, and add the first hypothesis of each to the corpus."""
    for kbest in lists:
        corpus.add(kbest, 0)
        yield kbest


def parser() -> argparse.ArgumentParser:
    """Return the parser of the flags."""
    p = command.parser(COMMAND, __doc__, "rerank test.kbest --weights w1 -o test.out")
    command.add_input(p, "k-best stream or collection")
    p.add_argument("--weights", required=True, metavar="FILE", help="weights theta")
    p.add_argument("--kbest", action="store_true", help="write the reranked k-best stream")
    best_texts.add_format_flag(p)
    add_text_flags(p)
    command.add_missing_flag(p)
    add_inventory_flag(p)
    return p


def main(argv: list[str] | None = None) -> int:
    """Run the command."""
    return command.run(body, parser(), argv)


def body(args: argparse.Namespace) -> None:
    """Read the lists, rerank them, write texts or lists."""
    command.one_stdin(args.input, args.weights)
    form = TextForm.of_flags(args)
    if args.kbest and form != AS_IT_IS:
        raise command.UsageError("--text-field and --remove-subwords do not go with --kbest")
    if args.kbest and args.format != best_texts.TEXT:
        raise command.UsageError("--format is of texts, and does not go with --kbest")
    weights = read_any_weights(args.weights)
    inventory = given_inventory(args)
    with open_lists(args.input, KBest, inventory=inventory, by_shard=True) as lists:
        digest = weights.digest()
        missing = args.allow_missing
        weights = by_id(weights, lists.names, missing)
        metric = metric_of(lists.metric, lists.name)
        corpus = CorpusValue(metric)
        watched = sound(command.progress(lists, args, COMMAND), metric, lists.name)
        reranked_lists = rerank(watched, weights, allow_missing=missing, source=lists.name)
        best = counted(reranked_lists, corpus)
        if args.kbest:
            signature = command.signature(COMMAND, lists.signature, weights=digest)
            with writer_for(lists, args.output, KBest, signature, lists.metric) as out:
                for kbest in best:
                    out.write(kbest)
        else:
            texts = form.all_of(best, lists.name)
            lines = best_texts.FORMATS[args.format]
            best_texts.write(args.output, lines(texts, lists.name, missing))
    report = corpus.report()
    value = "" if report is None else f", {report.line}"
    command.say(args, f"{COMMAND}: {corpus.n_lists} sentences{value}")


if __name__ == "__main__":
    raise SystemExit(main())
