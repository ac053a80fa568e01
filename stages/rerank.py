"""Find the best hypothesis of every k-best list under the weights.

    best_i = argmax_j  theta . f_ij

Reads a k-best stream and writes the text of the best, line i for sentence i; nothing is written
before all is read.  With --kbest it writes the lists themselves, with their new scores and in their
order.  Ties go to the lower index.  For a scored stream the metric of the best is said on stderr.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

import numpy as np

from campanula.formats.arrays.types import Ints
from campanula.formats.errors import DataError
from campanula.formats.files import Output
from campanula.formats.records.kbest import KBest
from campanula.formats.stream import Reader, Writer
from campanula.formats.weights import Theta, Weights
from campanula.stages import command
from campanula.stages.metrics.metric import Metric
from campanula.stages.metrics.scored_lists import text_lines
from campanula.stages.tuning.scoring import score

COMMAND = "rerank"


def rerank(lists: Iterable[KBest], theta: Theta) -> Iterator[KBest]:
    """Yield every list with its scores under theta, the highest first."""
    for kbest in lists:
        scores = score(kbest, theta.vector())
        if not np.isfinite(scores).all():
            place = int(np.flatnonzero(~np.isfinite(scores))[0])
            problem = f"expected a finite model score, found {scores[place]}"
            raise DataError("k-best stream", f"sentence {kbest.sid}: hypothesis {place}", problem)
        order = np.argsort(-scores, kind="stable")
        yield replace(kbest, score=scores).take(order)


class Corpus:
    """The metric's statistics of the best hypotheses, summed, as long as all have them."""

    def __init__(self, metric: Metric | None) -> None:
        self._metric = metric
        self._sums: Ints | int = 0
        self.count = 0

    def add(self, lists: Iterable[KBest]) -> Iterator[KBest]:
        """Pass lists on, and count their first hypotheses."""
        for kbest in lists:
            self.count += 1
            if kbest.stats is None:
                self._metric = None
            elif self._metric is not None:
                self._sums = self._sums + kbest.stats[0]
            yield kbest

    def __str__(self) -> str:
        if self._metric is None or not self.count:
            return f"{self.count} sentences"
        return f"{self.count} sentences, {self._metric.corpus(np.asarray(self._sums))[1]}"


def parser() -> argparse.ArgumentParser:
    """Return the parser of the flags."""
    p = command.parser(COMMAND, __doc__, "rerank test.kbest --weights w1 -o test.out")
    p.add_argument("input", nargs="?", default="-", help="k-best stream (default: stdin)")
    p.add_argument("--weights", required=True, metavar="FILE", help="weights theta")
    p.add_argument("--kbest", action="store_true", help="write the reranked k-best stream")
    command.add_missing_flag(p)
    return p


def main(argv: list[str] | None = None) -> int:
    """Run the command."""
    return command.run(body, parser(), argv)


def body(args: argparse.Namespace) -> None:
    """Read, rerank, write text or lists."""
    weights = Weights.read(args.weights)
    with Reader(args.input, KBest) as lists:
        theta = Theta(weights, lists.names, missing=0.0 if args.allow_missing else None)
        corpus = Corpus(Metric.of_header(lists.metric))
        best = corpus.add(rerank(command.progress(lists, args, COMMAND), theta))
        if not args.allow_missing:
            best = known_weights(best, weights, lists)
        if args.kbest:
            how = command.signature(COMMAND, weights=weights.digest())
            write_lists(args.output, best, f"{how} < {lists.signature}", lists.metric)
        else:
            write_lines(args.output, list(text_lines(best, lists.name, args.allow_missing)))
    command.say(args, f"{COMMAND}: {corpus}")


def known_weights(best: Iterable[KBest], weights: Weights, lists: Reader[KBest]) -> Iterator[KBest]:
    """Pass lists on; raises DataError at their end for a weight of a feature that none has."""
    yield from best
    weights.refuse_unknown(lists.names, lists.name)


def write_lists(
    path: str | None,
    lists: Iterable[KBest],
    signature: str,
    metric: Mapping[str, object] | None,
) -> None:
    """Write a k-best stream."""
    with Writer(path, KBest, signature, metric) as out:
        for kbest in lists:
            out.write(kbest)


def write_lines(path: str | None, text: Iterable[str]) -> None:
    """Write lines of text."""
    with Output(path) as out:
        for line in text:
            out.write_line(line)


if __name__ == "__main__":
    raise SystemExit(main())
