"""Another program as the decoder of a loop: weights out, a command, its n-best list in.

    export-weights    theta as --weights-format, {weights}; Moses's two parts of it where asked for
    the command       writes its list to {nbest}, or to stdout where it does not name {nbest}
    import-nbest      reads it as --decode-format

The list becomes a result when the command has ended with status 0, the list can be read, and every
sentence is in it.  Its digest covers the command, the files that the command names, weights, source
and k.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from campanula.formats.atomic import atomic_file
from campanula.formats.errors import DataError
from campanula.formats.files import read_lines
from campanula.formats.nbest import FORMATS
from campanula.formats.records.kbest import KBest
from campanula.formats.registry import UnknownName
from campanula.formats.stream import Reader
from campanula.pipelines.tasks.cache import Cache
from campanula.pipelines.tasks.stage_task import (
    Leaf,
    Making,
    PathOf,
    Product,
    StageTask,
    leaves,
    stage,
    task_of,
)
from campanula.stages.command import UsageError
from campanula.stages.command_line.external_command import Command

FLAG = "--decode-command"
AUTO = "auto"
PLACEHOLDERS = ("source", "weights", "weight-overwrite", "sparse-weights", "nbest", "k")


@dataclass(frozen=True, slots=True)
class ExternalDecoder:
    """A command that decodes, with the formats that it reads and writes; timeout: seconds or 0."""

    command: Command
    decode_format: str = AUTO
    weights_format: str = "plain"
    timeout: float = 0.0

    @classmethod
    def of(
        cls, line: str, shell: bool, decode_format: str, weights_format: str, timeout: float
    ) -> ExternalDecoder:
        """Decoder of a command line; raises UsageError for unknown placeholders or formats."""
        command = Command.of(FLAG, line, shell, PLACEHOLDERS, ("source",))
        if command.uses("sparse-weights") and weights_format != "moses":
            raise UsageError("{sparse-weights} needs --weights-format moses")
        if decode_format != AUTO:
            try:
                FORMATS[decode_format]
            except UnknownName as error:
                raise UsageError(f"--decode-format {decode_format}: {error}") from error
        return cls(command, decode_format, weights_format, timeout)

    def kbest(self, cache: Cache, source: Leaf, weights: Product, k: int) -> StageTask:
        """Task that makes the k-best stream of the source under the weights."""
        if os.path.isdir(source.path):
            problem = "expected a file for --decode-command, found a folder (decode takes one)"
            raise DataError(source.path, None, problem)
        exported = dict(self._weights(cache, weights))
        files = leaves(cache, self.command.files())
        # a format of the user's own is code, which decides on the list as the command does
        if self.decode_format != AUTO and (own := FORMATS[self.decode_format].own_file()):
            files[self.decode_format] = Leaf.of(cache, own)
        return task_of(cache, Decoding(self, source, exported, k, files))

    def _weights(self, cache: Cache, weights: Product) -> Iterator[tuple[str, Product]]:
        """Yield the files with the weights that the command asks for, by placeholder."""
        export = partial(stage, cache, "export-weights", weights, "--format")
        if self.command.uses("sparse-weights"):
            made = ("-o", Making(".weights"), "--sparse", Making(".sparse-weights"))
            both = export("moses", *made)
            yield "weights", both
            yield "weight-overwrite", both
            yield "sparse-weights", both.made(".sparse-weights")
            return
        if self.command.uses("weights"):
            yield "weights", export(self.weights_format, suffix=".weights")
        if self.command.uses("weight-overwrite"):
            yield "weight-overwrite", export("moses", suffix=".weights")


@dataclass(frozen=True, slots=True)
class Decoding:
    """A run of the command; weights: files by placeholder; files: inputs that the line names."""

    decoder: ExternalDecoder
    source: Leaf
    weights: Mapping[str, Product]
    k: int
    files: Mapping[str, Leaf]

    command = "decode-command"
    suffixes = (".kbest",)

    @property
    def inputs(self) -> list[Product]:
        """Source and weights."""
        return [self.source, *self.weights.values()]

    def identity(self) -> object:
        """Everything that determines the list: the command, its inputs, the list's format."""
        line, shell = self.decoder.command.line, self.decoder.command.shell
        weights = {name: product.digest for name, product in self.weights.items()}
        files = {name: leaf.digest for name, leaf in self.files.items()}
        return [line, shell, self.decoder.decode_format, self.source.digest, weights, self.k, files]

    def __str__(self) -> str:
        return f"{os.path.basename(self.source.path)} -k {self.k}: {self.decoder.command.line}"

    def run(self, cache: Cache, path_of: PathOf) -> None:
        """Run the command and read its list."""
        output, nbest = path_of(".kbest"), path_of(".nbest")
        values = {name: os.path.abspath(product.path) for name, product in self.weights.items()}
        if "weight-overwrite" in values:
            values["weight-overwrite"] = weight_overwrite(values["weight-overwrite"])
        values |= {"source": os.path.abspath(self.source.path), "k": str(self.k)}
        # the flag's 0 is no limit; as a timeout it would be over at once
        timeout = self.decoder.timeout or None
        with atomic_file(nbest) as unfinished:
            self.decoder.command.make("nbest", unfinished, values, path_of(".stderr"), timeout)
        with atomic_file(output) as unfinished:
            form = ["--format", self.decoder.decode_format]
            cache.run("import-nbest", [nbest, *form, "-o", unfinished, "-q"])
            # before the context ends, which gives the list its name
            check_sentences(unfinished, nbest, self.source.path)
        # only now: what cannot be read stays there for the user to look at
        os.unlink(nbest)


def weight_overwrite(path: str) -> str:
    """Weights for Moses's -weight-overwrite: the lines of [weight] joined to one."""
    return " ".join(line for line in read_lines(path) if "= " in line)


def check_sentences(kbest: str, nbest: str, source: str) -> None:
    """Raise DataError for a source sentence without hypotheses, or a sentence beyond the source."""
    expected = sum(1 for _ in read_lines(source))
    with Reader(kbest, KBest) as lists:
        sids = [record.sid for record in lists]
    missing = set(range(expected)).difference(sids)
    if missing:
        problem = f"expected hypotheses of {expected} sentences as in {source}, found none"
        raise DataError(nbest, f"sentence {min(missing)}", problem)
    if len(sids) > expected:
        problem = f"expected {expected} sentences as in {source}, found more"
        raise DataError(nbest, f"sentence {sids[-1]}", problem)
