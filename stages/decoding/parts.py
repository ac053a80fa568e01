"""A text in parts, decoded file by file: what comes of a file depends on nothing before it.

Every file has a decoder that has seen no other: names are numbered, and options chosen, in the
order in which the file asks for them.  So workers, each of which decodes other files, come to the
same bytes.
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
from campanula.formats.seal import digest_of
from campanula.formats.text.parts import Text, refuse_other_parts
from campanula.stages import command
from campanula.stages.decoding.decoder import Decoder
from campanula.stages.decoding.decoder_setup import DecoderSetup
from campanula.stages.decoding.leave_one_out import LeftOut
from campanula.stages.decoding.training_text import TrainingText
from campanula.stages.engines.shards import Engine, adopted, write_shard
from campanula.stages.engines.task import Task, task

TITLE = "decode"
SetupOf = Callable[[dict[str, Any]], DecoderSetup]
"""Makes a setup of flags as they travel."""

_kept = threading.local()  # the setup of the task before: reading weights may take a while


@dataclass(frozen=True, slots=True)
class TextPart:
    """A file of a text: first is the number of its first sentence, n how many it has.

    target and alignment are the same part of a training text's other sides, if there are any.
    """

    file: str
    first: int
    n: int
    target: str | None = None
    alignment: str | None = None

    @property
    def files(self) -> list[str]:
        """Everything that is read."""
        return [path for path in (self.file, self.target, self.alignment) if path is not None]

    def absolute(self) -> TextPart:
        """The same with whole paths, for processes that stand in other folders."""
        sides = [path and os.path.abspath(path) for path in (self.target, self.alignment)]
        return TextPart(os.path.abspath(self.file), self.first, self.n, *sides)

    def setup(self, setup: DecoderSetup) -> DecoderSetup:
        """The decoder's setup for this part alone."""
        if setup.left_out is None or self.target is None or self.alignment is None:
            return setup
        text = TrainingText(self.file, self.target, self.alignment)
        return replace(setup, left_out=replace(setup.left_out, text=text))


def parts_of(text: Text, left_out: LeftOut | None) -> list[TextPart] | None:
    """The parts of a text, all of whose lines are counted; None for a text in one file.

    And for a training text of which a side is in one file.  Raises DataError for sides that are not
    in the same parts.
    """
    sides = [] if left_out is None else [left_out.text.target, left_out.text.alignment]
    others = [Text(path) for path in sides]
    if not all(each.in_parts for each in (text, *others)):
        return None
    for each in (text, *others):
        deque(each, maxlen=0)
        refuse_other_parts(each, text)
    ends = [*text.first[1:], text.count]
    rows = zip(text.files, text.first, ends, *(other.files for other in others), strict=True)
    return [TextPart(file, first, end - first, *rest) for file, first, end, *rest in rows]


def decode_lists(
    decoder: Decoder,
    part: TextPart,
    lines: Iterable[str],
    jobs: int = 1,
    lattices: ListWriter[Lattice] | None = None,
) -> Iterator[KBest]:
    """Yield the k-best lists of a part, and write its search graphs, if they are asked for.

    The decoder has decoded nothing before.
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
    """Yield the k-best lists of all parts, whose lines follow each other."""
    rest = iter(lines)
    for part in parts:
        decoder = part.setup(setup).decoder()
        yield from decode_lists(decoder, part, islice(rest, part.n), jobs, lattices)


@dataclass(frozen=True, slots=True)
class PartDecoding:
    """Parts to be decoded by workers.

    function is that of the tasks, flags are those of decode as they travel, signature that of the
    lists; determined_by is what determines them besides; base is the inventory that they are
    against, if any.
    """

    function: str
    flags: Mapping[str, Any]
    signature: str
    determined_by: object = None
    base: InventoryReference | None = None

    def write(
        self, engine: Engine, folder: str, parts: Sequence[TextPart], out: CollectionWriter[KBest]
    ) -> int:
        """Decode every part; folder is for results of tasks.  How many features were left out."""
        tasks = [self.task(folder, part, {}, ".kbest") for part in parts]
        return sum(value["left_out"] for value in adopted(engine, tasks, TITLE, out))

    def task(self, folder: str, given: TextPart, more: Mapping[str, Any], suffix: str) -> Task:
        """The task that decodes a part, with `more` arguments than its own."""
        part = given.absolute()
        flags, described = dict(self.flags), asdict(part)
        if part.target is not None:
            flags |= {"input": part.file, "leave_one_out": [part.target, part.alignment]}
        base = None if self.base is None else self.base.pack()
        arguments = {"flags": flags, "part": described, "signature": self.signature, "base": base}
        files = [digest_of(path)[0] for path in part.files]
        made_of = [self.signature, self.determined_by, base, more, part.first, files]
        arguments |= more
        return task(folder, TITLE, self.function, arguments, made_of, suffix, near=part.file)


def decode_part(arguments: Mapping[str, Any], output: str, setup_of: SetupOf) -> dict[str, Any]:
    """Decode a part: what a task does.

    Raises DataError where model, weights or inventory are no longer those that the run began with.
    """
    setup = kept_setup(arguments, setup_of)
    inventory = setup.inventory
    before = 0 if inventory is None else inventory.n_left_out
    lists = part_lists(arguments, setup)
    known = None if inventory is None else inventory.known()
    value = write_shard(output, lists, KBest, arguments["signature"], inventory=known)
    return value | {"left_out": 0 if inventory is None else inventory.n_left_out - before}


def part_lists(arguments: Mapping[str, Any], setup: DecoderSetup) -> Iterator[KBest]:
    """Yield the lists of a task's part; raises DataError where model or weights are others."""
    part = TextPart(**arguments["part"])
    prepared = setup.prepare()
    if command.signature(TITLE, **prepared.signature) != arguments["signature"]:
        raise changed(part, "model and weights")
    return decode_lists(prepared.decoder, part, read_lines(part.file))


def kept_setup(arguments: Mapping[str, Any], setup_of: SetupOf) -> DecoderSetup:
    """The setup that a task's flags ask for, which may be that of the task before.

    Raises DataError where the inventory is another than the run began with.
    """
    key = json.dumps([arguments[name] for name in ("flags", "signature", "base")], sort_keys=True)
    if getattr(_kept, "key", None) != key:
        _kept.key = None
        _kept.setup = setup_of(arguments["flags"])
        inventory = _kept.setup.inventory
        base = None if inventory is None or inventory.base is None else inventory.base.reference
        if (None if base is None else base.pack()) != arguments["base"]:
            raise changed(TextPart(**arguments["part"]), "inventory")
        _kept.key = key
    setup: DecoderSetup = _kept.setup
    return setup


def changed(part: TextPart, what: str) -> DataError:
    """The error of a task whose inputs are no longer what they were."""
    problem = f"expected the {what} that the run began with, found others"
    return DataError(part.file, None, problem)
