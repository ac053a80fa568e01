"""Translate sentences and write the k best translations of each.

Beam search over blocks (phrase pairs), with the score of a derivation

    score = theta . f,   f = Moses's features: LM0, Distortion0, WordPenalty0, PhrasePenalty0,
                         UnknownWordPenalty0, TranslationModel0_*, LexicalReordering0_*,
                         Tillmann and Zhang's: LMFirst0, LMRest0, OutboundDistortion0,
                         InboundDistortion0 (--dense-features),
                         and the sparse features that --features and --feature-list turn on

Reads source sentences, one a line, words between blanks or tabs; writes a k-best stream, or with
--text the best translation of each, when all are there.  The list is the exact k best of the pruned
search graph (Huang & Chiang 2005).  A word that the phrase table lacks is copied.  The files of a
model are Moses's phrase table, Moses's lexicalised reordering tables (msd-bidirectional-fe), an
ARPA language model and a table of estimate-distortion, plain or gzip; they are compiled once and
then mapped from a cache.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import replace
from typing import Any

from campanula.formats.collections.opening import ListWriter
from campanula.formats.collections.writer import CollectionWriter
from campanula.formats.records.kbest import KBest
from campanula.formats.records.lattice import Lattice
from campanula.formats.text.parts import TextLines
from campanula.stages import command
from campanula.stages.decoding.decoder import Decoder
from campanula.stages.decoding.decoder_setup import DecoderSetup, Prepared
from campanula.stages.decoding.extending_parts import ExtendingParts
from campanula.stages.decoding.extending_parts import decode_extending as extending_of_task
from campanula.stages.decoding.extending_parts import number_part as numbers_of_task
from campanula.stages.decoding.indexed_inventory import IndexedInventory
from campanula.stages.decoding.inventory_flags import add_lists_inventory_flags
from campanula.stages.decoding.left_out.flags import add_training_flags, whole_text_flags
from campanula.stages.decoding.list_inventory import ListInventory
from campanula.stages.decoding.model_flags import add_model_flags, model_inputs
from campanula.stages.decoding.parts import PartDecoding, TextPart, decode_parts, parts_of
from campanula.stages.decoding.parts import decode_part as part_of_task
from campanula.stages.decoding.search_flags import add_length_flags, add_search_flags
from campanula.stages.decoding.setup_flags import setup_of_flags
from campanula.stages.decoding.sparse.flags import add_list_flag, add_sparse_flag
from campanula.stages.engines.engine_flags import (
    add_engine_flags,
    engine_of_flags,
    flags_to_send,
    open_engine,
    received_flags,
)
from campanula.stages.engines.engine_settings import EngineSettings
from campanula.stages.outputs import best_texts
from campanula.stages.outputs.list_files import (
    refuse_folder_on_stdout,
    write_shards,
    writer_against,
    writer_for,
)

FUNCTION, EXTENDING, NUMBERING = (
    f"campanula.stages.decode:{name}" for name in ("decode_part", "decode_extending", "number_part")
)
PATHS = (
    "input",
    "weights",
    "feature_list",
    "leave_one_out",
    "leave_out_text",
    "model",
    "moses_ini",
    "phrase_table",
    "reordering_table",
    "lm",
    "class_lm",
    "classes",
    "distortion_table",
    "cache",
    "inventory",
)
"""Flags that name files."""


def decode(
    decoder: Decoder,
    lines: Iterable[str],
    jobs: int = 1,
    lattices: ListWriter[Lattice] | None = None,
) -> Iterator[KBest]:
    """Yield the k-best list of every line, in order; write each search graph to `lattices`."""
    if lattices is None:
        yield from decoder.decode_all(lines, jobs)
        return
    for kbest, lattice in decoder.decode_with_lattices(lines, jobs):
        lattices.write(lattice)
        yield kbest


def parser() -> argparse.ArgumentParser:
    """Return the parser of the flags."""
    p = command.parser(
        "decode",
        __doc__,
        "decode --model model --weights w0 -k 500 dev.de -o dev.kbest\n"
        "  decode --moses-ini moses.ini --text test.de > test.en",
    )
    command.add_input(p, "source sentences, a file or a folder of files")
    p.add_argument(
        "--weights", metavar="FILE", help="weights theta (default: those of --moses-ini)"
    )
    command.add_missing_flag(p)
    add_model_flags(p)
    add_sparse_flag(p)
    add_list_flag(p)
    add_lists_inventory_flags(p)
    add_training_flags(p)
    add_length_flags(p)
    p.add_argument(
        "--text",
        action="store_true",
        help="write the best translation of each sentence, line i for sentence i, and no lists",
    )
    best_texts.add_format_flag(p, default=None)
    p.add_argument(
        "--lattice",
        metavar="PATH",
        help="write the pruned search graph of each sentence here, too, for rescore",
    )
    add_search_flags(p)
    command.add_jobs_flag(p, default=None)
    add_engine_flags(p)
    return p


def main(argv: list[str] | None = None) -> int:
    """Run the command."""
    return command.run(body, parser(), argv)


def body(args: argparse.Namespace) -> None:
    """Check the flags, load the model, decode the text and write."""
    inputs = [args.input, args.weights, *args.feature_list, *(args.leave_one_out or ())]
    inputs += model_inputs(args)
    command.one_stdin(*inputs)
    if args.lattice is not None:
        # arcs are shared by derivations whose exact orientations differ
        if args.exact_orientation:
            raise command.UsageError("--exact-orientation: lattices have the search's orientations")
        command.outputs_apart(args.output, args.lattice)
    engine = engine_of_flags(args)
    command.refuse_faults(_faults_of_text(args, engine))
    text = TextLines(args.input)
    if not args.text:
        refuse_folder_on_stdout(text, args.output)
    if args.lattice is not None:
        refuse_folder_on_stdout(text, args.lattice)
    setup = setup_of_flags(args)
    with setup.inventory or nullcontext():
        decode_text(args, text, engine, setup)


def _faults_of_text(args: argparse.Namespace, engine: EngineSettings | None) -> Iterator[str]:
    """Yield what is wrong with flags that do not go with --text, or that need it."""
    if args.format and not args.text:
        yield "--format goes with --text"
    if args.text and engine is not None:
        yield "--text does not go with --engine dask, which makes lists"
    if args.text and args.inventory is not None and not args.no_extend:
        yield "--text writes no lists against an --inventory: --no-extend leaves it as it is"


def decode_text(
    args: argparse.Namespace, text: TextLines, engine: EngineSettings | None, setup: DecoderSetup
) -> None:
    """Decode a text and write lists, or with --text translations."""
    prepared = setup.prepare()
    inventory = setup.inventory
    signature = command.signature("decode", **prepared.signature)
    jobs = args.jobs or int(setup.model.settings.get("jobs", 1))
    parts = parts_of(text, setup.left_out)
    if engine is not None:
        count = by_workers(args, engine, parts, prepared, inventory)
    else:
        lines = command.progress(text, args, "decode")
        with ExitStack() as stack:
            lattices = None
            if args.lattice is not None:
                lattices = stack.enter_context(writer_for(text, args.lattice, Lattice, signature))
            if parts is None:
                lists = decode(prepared.decoder, lines, jobs, lattices)
            else:
                lists = decode_parts(setup, parts, lines, jobs, lattices)
            if args.text:
                form = best_texts.FORMATS[args.format or best_texts.TEXT]
                count = best_texts.write(args.output, form(lists, text.name, False))
            else:
                with writer_against(text, args.output, signature, inventory) as out:
                    write_shards(lists, out, {part.first for part in parts or ()})
                count = out.count
        if (unknown := prepared.decoder.words.warning()) is not None:
            command.say(args, f"decode: warning: {unknown}")
    more = "" if inventory is None else inventory.summary()
    command.say(args, f"decode: {count} sentences{more}")


def by_workers(
    args: argparse.Namespace,
    engine: EngineSettings,
    parts: Sequence[TextPart] | None,
    prepared: Prepared,
    inventory: IndexedInventory | None,
) -> int:
    """Decode the files of a text on workers; return the number of sentences."""
    if parts is None:
        raise command.UsageError("--engine dask takes folders of texts: their files are the tasks")
    if args.lattice is not None:
        raise command.UsageError("--engine dask writes no --lattice")
    signature = command.signature("decode", **prepared.signature)
    base = None if inventory is None else inventory.base
    flags = flags_to_send(args, PATHS)
    flags |= whole_text_flags(flags)
    # workers add nothing to the inventory, and a new one is not there yet
    flags |= {"no_extend": base is not None, "no_count": False}
    if base is None:
        flags["inventory"] = None
    decoding = PartDecoding(
        *(FUNCTION, flags, signature, prepared.decoder.dense_features),
        None if base is None else base.reference,
    )
    reference = None if inventory is None else inventory.reference
    with (
        CollectionWriter(args.output, KBest, signature, inventory=reference) as out,
        open_engine(engine, args.output) as (dask, folder),
    ):
        if isinstance(inventory, ListInventory) and inventory.extends:
            extending = ExtendingParts(replace(decoding, function=EXTENDING), NUMBERING)
            extending.write(dask, folder, parts, out, inventory)
            inventory.commit()
        else:
            left_out = decoding.write(dask, folder, parts, out)
            if inventory is not None:
                inventory.n_left_out += left_out
    return out.count


def decode_part(arguments: Mapping[str, Any], output: str) -> dict[str, Any]:
    """Decode one file of a text in parts: the function of a task."""
    return part_of_task(arguments, output, setup_of_received)


def decode_extending(arguments: Mapping[str, Any], output: str) -> None:
    """Decode one file against an inventory that gets its new names: the function of a task."""
    extending_of_task(arguments, output, setup_of_received)


def number_part(arguments: Mapping[str, Any], output: str) -> dict[str, Any]:
    """Replace the names of the lists of one file by their ids: the function of a task."""
    return numbers_of_task(arguments, output, setup_of_received)


def setup_of_received(flags: Mapping[str, Any]) -> DecoderSetup:
    """Return the setup of flags that a worker has received."""
    return setup_of_flags(received_flags(flags))


if __name__ == "__main__":
    raise SystemExit(main())
