"""Source sentences with their references, and the tasks that decode and score them."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass

from campanula.formats.errors import DataError
from campanula.formats.files import read_lines
from campanula.pipelines.cache import Cache
from campanula.pipelines.decoder import Decoder
from campanula.pipelines.stage_task import Argument, Leaf, Making, Product, StageTask, stage

SUMMARY = ".json"


@dataclass(frozen=True, slots=True)
class DataSet:
    """Sentences to tune on or to test on."""

    name: str
    source: Leaf
    refs: tuple[Leaf, ...]

    @classmethod
    def of(cls, cache: Cache, name: str, source: str, refs: Sequence[str]) -> DataSet:
        """Data set of these files; raises DataError unless all have the same number of lines."""
        expected = sum(1 for _ in read_lines(source))
        for ref in refs:
            found = sum(1 for _ in read_lines(ref))
            if found != expected:
                problem = f"expected {expected} lines as in {source}, found {found}"
                raise DataError(ref, None, problem)
        if not expected:
            raise DataError(source, None, "expected sentences, found none")
        return cls(name, Leaf.of(cache, source), tuple(Leaf.of(cache, ref) for ref in refs))

    def scored(
        self, cache: Cache, decoder: Decoder, weights: Product, k: int, args: argparse.Namespace
    ) -> StageTask:
        """Task that makes the k best hypotheses under the weights, with statistics and gains.

        It also makes their summary, `task.made(SUMMARY)`.
        """
        lists = decoder.kbest(cache, self.source, weights, k)
        refs = (part for ref in self.refs for part in ("--ref", ref))
        free = ("--jobs", str(args.jobs))
        made = ("-o", Making(".kbest"), "--summary", Making(SUMMARY))
        metric = metric_arguments(args)
        return stage(cache, "score-bleu", lists, *refs, *metric, *made, free=free)


def metric_arguments(args: argparse.Namespace) -> tuple[Argument, ...]:
    """The flags of `score-bleu` that a loop was given."""
    given = ["--metric", args.metric, "--tokenize", args.tokenize]
    given += ["--gain", args.gain] if args.gain else []
    given += ["--smooth-value", args.smooth_value] if args.smooth_value else []
    given += ["--lowercase"] if args.lowercase else []
    return tuple(given)
