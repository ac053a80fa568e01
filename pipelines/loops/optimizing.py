"""The tuner of the loops that are one `optimize` an iteration, and the flags that go to it.

A flag of `optimize` that a loop takes goes through as it is; `--solver-iterations` becomes its
`--iterations`, which the loop has itself.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from campanula.stages import command
from campanula.stages.metrics.table import metric_named

if TYPE_CHECKING:
    from campanula.pipelines.cache import Cache
    from campanula.pipelines.loop import Tuner
    from campanula.pipelines.stage_task import Argument, Product, StageTask

FLAGS: dict[str, tuple[str, ...]] = {
    "--loss": ("NAME",),
    "--solver": ("NAME",),
    "--alpha": ("X",),
    "--gamma": ("X",),
    "--C": ("X",),
    "--L1": ("X",),
    "--center": ("FILE",),
    "--cccp-iterations": ("N",),
    "--epochs": ("N",),
    "--eta": ("X",),
    "--batch-size": ("N",),
    "--shuffle": (),
    "--solver-iterations": ("N",),
    "--tolerance": ("X",),
    "--pairs-sampled": ("N",),
    "--pairs-kept": ("N",),
    "--min-difference": ("GAIN",),
    "--restarts": ("N",),
    "--random-directions": ("N",),
    "--aggressiveness": ("X",),
    "--decay": ("X",),
    "--stream": (),
    "--freeze": ("PATTERN",),
    "--only": ("PATTERN",),
    "--bounds": ("PATTERN", "LOW", "HIGH"),
}
"""Flags that go through, with what stands after them; `optimize --help` says what they mean."""

RENAMED = {"--solver-iterations": "--iterations"}
NEED_REFERENCES = ("log", "perceptron", "hinge", "latent-log")


class _Passed(argparse.Action):
    """Keeps a flag and its values in args.optimize_flags, in the order given."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        flag = self.option_strings[0]
        texts = [values] if isinstance(values, str) else list(values or [])
        namespace.optimize_flags = [*namespace.optimize_flags, RENAMED.get(flag, flag), *texts]


def add_flags(p: argparse.ArgumentParser, title: str, names: Sequence[str]) -> None:
    """Add flags that go through to `optimize`."""
    group = p.add_argument_group(f"{title} (see optimize --help)")
    p.set_defaults(optimize_flags=[])
    for name in names:
        what = FLAGS[name]
        nargs = None if len(what) == 1 else len(what)
        metavar = what[0] if len(what) == 1 else what or None
        group.add_argument(
            name, action=_Passed, nargs=nargs, metavar=metavar, dest="optimize_flags", default=[]
        )


def run(
    args: argparse.Namespace, fixed: Sequence[str], center: str | None, draws: bool = True
) -> None:
    """Run a loop whose tuner is this; flags that do not go together are refused before any work."""
    from campanula.pipelines.runs import tune

    bleu = metric_named(args.metric).has_bleu_statistics
    if "batch-mira" in (*fixed, *args.optimize_flags) and not bleu:
        raise command.UsageError(f"batch MIRA goes by BLEU; drop --metric {args.metric}")
    refs = [part for ref in args.ref for part in ("--ref", ref)] if needs_references(args) else []
    tune(args, tuner(fixed, center, draws), [*fixed, *args.optimize_flags, *refs])


def needs_references(args: argparse.Namespace) -> bool:
    """Whether the loss asks which hypotheses reach a reference."""
    return bool(set(NEED_REFERENCES) & set(args.optimize_flags))


def tuner(fixed: Sequence[str], center: str | None, draws: bool = True) -> Tuner:
    """Tuner that runs `optimize` once, with the fixed flags of a loop before those of the user.

    center is `theta0`, where the run started, or what `--center` takes; None where it is no matter.
    draws: whether the solver draws, and takes the seed of the iteration.
    """

    def tune(
        cache: Cache, args: argparse.Namespace, lists: Product, weights: Product, origin: Product
    ) -> StageTask:
        from campanula.pipelines.stage_task import stage

        settings: list[Argument] = [*fixed]
        settings += ["--seed", str(args.seed)] if draws else []
        if center is not None and "--center" not in args.optimize_flags:
            settings += ["--center", origin if center == "theta0" else center]
        settings += ["--allow-missing"] if args.allow_missing else []
        settings += [*_files(cache, args.optimize_flags), *_references(cache, args)]
        given = (lists, "--weights", weights, *settings)
        return stage(cache, "optimize", *given, suffix=".weights", free=("--jobs", str(args.jobs)))

    return tune


def _files(cache: Cache, given: Sequence[str]) -> Iterator[Argument]:
    """Yield the user's flags; the file of --center counts by what is in it."""
    from campanula.pipelines.stage_task import Leaf

    previous = ""
    for text in given:
        yield Leaf.of(cache, text) if previous == "--center" and text != "0" else text
        previous = text


def _references(cache: Cache, args: argparse.Namespace) -> Iterator[Argument]:
    """Yield the references for a loss that asks what reaches them."""
    from campanula.pipelines.stage_task import Leaf

    for ref in args.ref if needs_references(args) else []:
        yield "--ref"
        yield Leaf.of(cache, ref)
