"""A text in parts, decoded file by file: the lists of a file depend on no other file.

Every file gets a new decoder, since names are numbered and options chosen in the order in which
sentences need them.  So the bytes are the same whichever worker decodes a file.
"""

from __future__ import annotations

import json
import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice
from typing import Any

from campanula.formats.collections.opening import ListWriter
from campanula.formats.collections.writer import CollectionWriter
from campanula.formats.errors import DataError
from campanula.formats.files import read_lines
from campanula.formats.inventories.reference import InventoryReference
from campanula.formats.records.kbest import KBest
from campanula.formats.records.lattice import Lattice
from campanula.formats.seal import checksum_of
from campanula.formats.text.parts import TextLines, refuse_other_parts
from campanula.stages import command
from campanula.stages.decoding.decoder import Decoder
from campanula.stages.decoding.decoder_setup import DecoderSetup
from campanula.stages.decoding.left_out.leave_one_out import LeftOut
from campanula.stages.decoding.left_out.training_text import TrainingText
from campanula.stages.engines.shards import Engine, adopted, write_shard
from campanula.stages.engines.task import Task, task

TITLE = "decode"
SetupOf = Callable[[dict[str, Any]], DecoderSetup]
"""Makes a setup from the flags of a task."""

_cached = threading.local()  # setup of the last task, since reading weights may take long


@dataclass(frozen=True, slots=True)
class TextPart:
    """A file of a text; first: number of its first sentence; n: number of sentences.

    target, alignment: the files of the same sentences of a training text; None for other texts.
    """

    file: str
    first: int
    n: int
    target: str | None = None
    alignment: str | None = None

    @property
    def files(self) -> list[str]:
        """Paths of all files of the part."""
        return [path for path in (self.file, self.target, self.alignment) if path is not None]

    def absolute(self) -> TextPart:
        """Return the part with absolute paths, for processes in other working folders."""
        sides = [path and os.path.abspath(path) for path in (self.target, self.alignment)]
        return TextPart(os.path.abspath(self.file), self.first, self.n, *sides)

    def setup(self, setup: DecoderSetup) -> DecoderSetup:
        """Return the decoder's setup with the training text limited to this part."""
        if setup.left_out is None or self.target is None or self.alignment is None:
            return setup
        text = TrainingText(self.file, self.target, self.alignment)
        return replace(setup, left_out=replace(setup.left_out, text=text))


def parts_of(text: TextLines, left_out: LeftOut | None) -> list[TextPart] | None:
    """Return the parts of a text, whose lines are counted; None if it is one file.

    Also None if a side of the training text is one file.  Raises DataError for sides that are cut
    into other parts than the text.
    """
    paths = [] if left_out is None else [left_out.text.target, left_out.text.alignment]
    others = [TextLines(path) for path in paths]
    if not all(side.in_parts for side in (text, *others)):
        return None
    for side in (text, *others):
        deque(side, maxlen=0)  # reading all lines counts them
        refuse_other_parts(side, text)
    ends = [*text.first[1:], text.count]
    rows = zip(text.files, text.first, ends, *(other.files for other in others), strict=True)
    return [TextPart(file, first, end - first, *sides) for file, first, end, *sides in rows]


def decode_lists(
    decoder: Decoder,
    part: TextPart,
    lines: Iterable[str],
    jobs: int = 1,
    lattices: ListWriter[Lattice] | None = None,
) -> Iterator[KBest]:
    """Yield the k-best lists of a part; write its lattices if there is a writer for them.

    decoder: a new one, which has decoded nothing before.
    """
    if lattices is None:
        for kbest in decoder.decode_all(lines, jobs):
            yield replace(kbest, sid=part.first + kbest.sid)
        return
    for kbest, lattice in decoder.decode_with_lattices(lines, jobs):
        lattices.write(replace(lattice, sid=part.first + lattice.sid))
        yield replace(kbest, sid=part.first + kbest.sid)


def decode_parts(
    setup: DecoderSetup,
    parts: Iterable[TextPart],
    lines: Iterable[str],
    jobs: int,
    lattices: ListWriter[Lattice] | None = None,
) -> Iterator[KBest]:
    """Yield the k-best lists of all parts; lines: those of all parts, one part after the other."""
    rest = iter(lines)
    for part in parts:
        decoder = part.setup(setup).decoder()
        yield from decode_lists(decoder, part, islice(rest, part.n), jobs, lattices)


@dataclass(frozen=True, slots=True)
class PartDecoding:
    """Parts to be decoded by workers.

    function: name of the tasks' function; flags: those of `decode`, as a task carries them;
    signature: of the lists; determined_by: what else determines the lists; base: the inventory
    whose ids they have, if any.
    """

    function: str
    flags: Mapping[str, Any]
    signature: str
    determined_by: object = None
    base: InventoryReference | None = None

    def write(
        self, engine: Engine, folder: str, parts: Sequence[TextPart], out: CollectionWriter[KBest]
    ) -> int:
        """Decode every part and write its lists; return how many features were left out.

        folder: where tasks write their results.
        """
        tasks = [self.task(folder, part, {}, ".kbest") for part in parts]
        return sum(value["left_out"] for value in adopted(engine, tasks, TITLE, out))

    def task(self, folder: str, part: TextPart, more: Mapping[str, Any], suffix: str) -> Task:
        """Return the task that decodes a part; more: further arguments for its function."""
        part = part.absolute()
        flags = dict(self.flags)
        if part.target is not None:
            flags |= {"input": part.file, "leave_one_out": [part.target, part.alignment]}
        base = None if self.base is None else self.base.pack()
        arguments = {
            "flags": flags,
            "part": asdict(part),
            "signature": self.signature,
            "base": base,
            **more,
        }
        # a task is named by contents, not by paths, so that a copied text makes the same tasks
        files = [checksum_of(path)[0] for path in part.files]
        identity = [self.signature, self.determined_by, base, more, part.first, files]
        return task(folder, TITLE, self.function, arguments, identity, suffix, near=part.file)


def decode_part(arguments: Mapping[str, Any], output: str, setup_of: SetupOf) -> dict[str, Any]:
    """Decode a part to `output`: the function of a task; returns its counts.

    Raises DataError if model, weights or inventory have changed since the run began.
    """
    setup = cached_setup(arguments, setup_of)
    inventory = setup.inventory
    before = 0 if inventory is None else inventory.n_left_out
    lists = part_lists(arguments, setup)
    reference = None if inventory is None else inventory.reference()
    value = write_shard(output, lists, KBest, arguments["signature"], inventory=reference)
    return value | {"left_out": 0 if inventory is None else inventory.n_left_out - before}


def part_lists(arguments: Mapping[str, Any], setup: DecoderSetup) -> Iterator[KBest]:
    """Yield the lists of a task's part; raises DataError if model or weights have changed."""
    part = TextPart(**arguments["part"])
    prepared = setup.prepare()
    if command.signature(TITLE, **prepared.signature) != arguments["signature"]:
        raise changed(part, "model and weights")
    return decode_lists(prepared.decoder, part, read_lines(part.file))


def cached_setup(arguments: Mapping[str, Any], setup_of: SetupOf) -> DecoderSetup:
    """Return the setup of a task's flags: that of the last task if the flags are the same.

    Raises DataError if the inventory has changed since the run began.
    """
    key = json.dumps([arguments[name] for name in ("flags", "signature", "base")], sort_keys=True)
    if getattr(_cached, "key", None) != key:
        _cached.key = None  # stays so if what follows raises
        _cached.setup = setup_of(arguments["flags"])
        inventory = _cached.setup.inventory
        base = None if inventory is None or inventory.base is None else inventory.base.reference
        if (None if base is None else base.pack()) != arguments["base"]:
            raise changed(TextPart(**arguments["part"]), "inventory")
        _cached.key = key
    setup: DecoderSetup = _cached.setup
    return setup


def changed(part: TextPart, what: str) -> DataError:
    """Return the error of a task whose inputs have changed since the run began."""
    problem = f"expected the {what} that the run began with, found others: start it again"
    return DataError(part.file, None, problem)
