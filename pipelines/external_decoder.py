"""Another program as the decoder of a loop: weights out, a command, its n-best list in.

    export-weights    theta as --weights-format, {weights}; Moses's two parts of it where asked for
    the command       writes its list to {nbest}, or to stdout where it does not name {nbest}
    import-nbest      reads it as --decode-format

The list counts when the command has ended with status 0, when it can be read, and when it has every
sentence; before that nothing in the cache is taken for it.  What determines it is the command, the
files that the command names, weights, source and k.
"""

from __future__ import annotations

import argparse
import itertools
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from campanula.formats.errors import DataError
from campanula.formats.files import read_lines
from campanula.formats.nbest import FORMATS
from campanula.formats.records.kbest import KBest
from campanula.formats.registry import UnknownName
from campanula.formats.stream import Reader
from campanula.pipelines.cache import Cache
from campanula.pipelines.external_command import Command
from campanula.pipelines.stage_task import Argument, Leaf, Making, Product, StageTask, stage
from campanula.stages.command import UsageError

COMMAND = "decode-command"
AUTO = "auto"
KNOWN = ("source", "weights", "weight-overwrite", "sparse-weights", "nbest", "k")


@dataclass(frozen=True, slots=True)
class ExternalDecoder:
    """A command that decodes, with the formats it reads and writes; timeout in seconds or 0."""

    command: Command
    decode_format: str
    weights_format: str
    timeout: float

    @classmethod
    def of(cls, args: argparse.Namespace) -> ExternalDecoder:
        """The decoder of the flags; raises UsageError for a command that cannot be one."""
        command = Command.of(args.decode_command, args.shell, KNOWN, ("source",))
        if command.uses("sparse-weights") and args.weights_format != "moses":
            raise UsageError("{sparse-weights} needs --weights-format moses")
        if args.decode_format != AUTO:
            try:
                FORMATS[args.decode_format]
            except UnknownName as error:
                raise UsageError(f"--decode-format {args.decode_format}: {error}") from error
        return cls(command, args.decode_format, args.weights_format, args.decode_timeout)

    def kbest(self, cache: Cache, source: Leaf, weights: Product, k: int) -> StageTask:
        """Task that makes the k-best stream of the source under the weights."""
        cache.commands[COMMAND] = partial(self._run, cache)
        said = {"line": self.command.line, "shell": str(self.command.shell)}
        said["format"] = self.decode_format
        given: dict[str, Argument] = {**said, "source": source, "k": str(k)}
        given |= dict(self._weights(cache, weights))
        given |= {f"file {path}": leaf for path, leaf in self._files(cache)}
        arguments = itertools.chain.from_iterable(given.items())
        return stage(cache, COMMAND, *arguments, suffix=".kbest")

    def _weights(self, cache: Cache, weights: Product) -> Iterator[tuple[str, Argument]]:
        """Yield the files with the weights that the command asks for."""
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

    def _files(self, cache: Cache) -> Iterator[tuple[str, Leaf]]:
        """Yield the program, the files that the command names, and that of a format of one's own.

        They count by their bytes.
        """
        for number, word in enumerate(self.command.names()):
            path = word if os.path.isfile(word) else shutil.which(word) if number == 0 else None
            if path is not None:
                yield word, Leaf.of(cache, path)
        if self.decode_format != AUTO and (own := FORMATS[self.decode_format].own_file()):
            yield self.decode_format, Leaf.of(cache, own)

    def _run(self, cache: Cache, argv: list[str]) -> int:
        """Run the command and read its list; argv is what `kbest` gave, `-o`, the output, `-q`."""
        given = dict(zip(argv[:-1:2], argv[1:-1:2], strict=True))
        output = given["-o"]
        stem = output.removesuffix(".kbest")
        folder, base = os.path.split(os.path.abspath(output))
        unfinished = os.path.join(folder, f".{base}.{os.getpid()}.tmp")
        values = {name: os.path.abspath(given[name]) for name in KNOWN if name in given}
        values |= {"k": given["k"], "nbest": unfinished}
        if "weight-overwrite" in given:
            values["weight-overwrite"] = weight_overwrite(given["weight-overwrite"])
        stdout = None if self.command.uses("nbest") else unfinished
        self.command.run(values, stdout, f"{stem}.stderr", self.timeout or None)
        if not os.path.exists(unfinished):
            raise DataError("decode command", self.command.line, "ended and has written no {nbest}")
        nbest = f"{stem}.nbest"
        os.replace(unfinished, nbest)
        form = ["--format", self.decode_format]
        cache.run("import-nbest", [nbest, *form, "-o", unfinished, "-q"])
        check_sentences(unfinished, nbest, given["source"])
        os.replace(unfinished, output)
        os.unlink(nbest)
        return 0


def weight_overwrite(path: str) -> str:
    """Weights as Moses's -weight-overwrite takes them: the lines of [weight] in one."""
    return " ".join(line for line in read_lines(path) if "= " in line)


def check_sentences(kbest: str, nbest: str, source: str) -> None:
    """Raise DataError for a sentence without hypotheses, or one that the source has not."""
    expected = sum(1 for _ in read_lines(source))
    with Reader(kbest, KBest) as lists:
        found = [record.sid for record in lists]
    missing = set(range(expected)).difference(found)
    if missing:
        problem = f"expected hypotheses of {expected} sentences as in {source}, found none"
        raise DataError(nbest, f"sentence {min(missing)}", problem)
    if len(found) > expected:
        problem = f"expected {expected} sentences as in {source}, found more"
        raise DataError(nbest, f"sentence {found[-1]}", problem)
