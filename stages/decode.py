"""Translate sentences and write the k best translations of each.

Beam search over blocks (phrase pairs), with the score of a derivation

    score = theta . f,   f = Moses's features: LM0, Distortion0, WordPenalty0, PhrasePenalty0,
                         UnknownWordPenalty0, TranslationModel0_*, LexicalReordering0_*,
                         Tillmann and Zhang's: LMFirst0, LMRest0, OutboundDistortion0,
                         InboundDistortion0 (--dense-features),
                         and the sparse features that --features and --feature-list turn on

Reads source sentences, one a line, words between blanks or tabs; writes a k-best stream.  The list
is the exact k best of the pruned search graph (Huang & Chiang 2005).  A word that the phrase table
lacks is copied.  The model's files are Moses's phrase table, Moses's lexicalised reordering table
(msd-bidirectional-fe), an ARPA language model and a table of estimate-distortion, plain or gzip;
they are compiled once and then mapped from a cache.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack

import numpy as np
import xxhash

from campanula.formats.files import read_lines
from campanula.formats.model.folder import NamedModel
from campanula.formats.model.model import Model, default_cache, load_model
from campanula.formats.records.kbest import KBest
from campanula.formats.records.lattice import Lattice
from campanula.formats.records.names import Names
from campanula.formats.stream import Writer
from campanula.formats.weights import Weights
from campanula.stages import command
from campanula.stages.decoding.decoder import Decoder
from campanula.stages.decoding.model_flags import (
    add_model_flags,
    features_on,
    given_model,
    model_inputs,
)
from campanula.stages.decoding.search_flags import DEFAULT, add_search_flags, search_settings
from campanula.stages.decoding.sparse_flags import (
    add_list_flag,
    add_sparse_flag,
    read_lists,
    split_weights,
    templates_on,
)
from campanula.stages.decoding.sparse_options import SparseWeights
from campanula.stages.decoding.training_flags import (
    add_training_flags,
    left_out,
    training_signature,
)


def decode(decoder: Decoder, lines: Iterable[str], jobs: int = 1) -> Iterator[KBest]:
    """Yield the k-best list of every line, in order."""
    return decoder.decode_all(lines, jobs)


def decode_to(
    decoder: Decoder, lines: Iterable[str], jobs: int, lattices: Writer[Lattice]
) -> Iterator[KBest]:
    """Yield the k-best list of every line, in order, and write the search graph of each."""
    for kbest, lattice in decoder.decode_with_lattices(lines, jobs):
        lattices.write(lattice)
        yield kbest


def parser() -> argparse.ArgumentParser:
    """Return the parser of the flags."""
    p = command.parser(
        "decode",
        __doc__,
        "decode --model model --weights w0 -k 500 dev.de -o dev.kbest\n"
        "  decode --moses-ini moses.ini -k 1 test.de -o test.kbest",
    )
    p.add_argument("input", nargs="?", default="-", help="source sentences (default: stdin)")
    p.add_argument(
        "--weights", metavar="FILE", help="weights theta (default: those of --moses-ini)"
    )
    command.add_missing_flag(p)
    add_model_flags(p)
    add_sparse_flag(p)
    add_list_flag(p)
    add_training_flags(p)
    p.add_argument(
        "-k",
        type=command.positive_int,
        default=DEFAULT.k,
        help="length of the lists (default: 500)",
    )
    p.add_argument(
        "--distinct",
        action="store_true",
        help="k different strings, each with its best derivation (default: k derivations)",
    )
    p.add_argument(
        "--lattice",
        metavar="PATH",
        help="write the pruned search graph of each sentence here, too, for rescore",
    )
    add_search_flags(p)
    p.add_argument(
        "--jobs", type=command.positive_int, help="threads; the output is the same (default: 1)"
    )
    return p


def main(argv: list[str] | None = None) -> int:
    """Run the command."""
    return command.run(body, parser(), argv)


def body(args: argparse.Namespace) -> None:
    """Load the model, decode, write."""
    inputs = [args.input, args.weights, *args.feature_list, *(args.leave_one_out or ())]
    inputs += model_inputs(args)
    if inputs.count("-") > 1:
        raise command.UsageError("only one input can be stdin")
    refuse_one_output(args)
    given = given_model(args)
    templates, files = templates_on(args.features, given.files)
    listed = tuple(read_lists(args.feature_list))
    settings = search_settings(args, given.settings)
    weights, sparse = split_weights(weights_of(args, given), templates, listed)
    training = left_out(args, files)
    model = load_model(files, args.cache or default_cache())
    on = features_on(files, model, args.dense_features)
    theta = theta_of(weights, model, on, args)
    decoder = Decoder(model, theta, settings, on, sparse, training)
    how = command.signature(
        "decode",
        model=model.digest,
        weights=xxhash.xxh3_64_hexdigest(theta.tobytes()),
        **vars(settings),
        **sparse_signature(sparse),
        **training_signature(training),
    )
    jobs = args.jobs or int(given.settings.get("jobs", 1))
    lines = command.progress(read_lines(args.input), args, "decode")
    with ExitStack() as stack:
        if args.lattice is None:
            lists = decode(decoder, lines, jobs)
        else:
            lattices = stack.enter_context(Writer(args.lattice, Lattice, how))
            lists = decode_to(decoder, lines, jobs, lattices)
        out = stack.enter_context(Writer(args.output, KBest, how))
        for kbest in lists:
            out.write(kbest)
    command.say(args, f"decode: {out.count} sentences")


def refuse_one_output(args: argparse.Namespace) -> None:
    """Raise UsageError when both streams would go to the same place."""
    if args.lattice is None:
        return
    paths = (args.output or "-", args.lattice)
    if paths[0] == paths[1] or len({os.path.realpath(path) for path in paths}) == 1:
        raise command.UsageError("the lists and the lattices cannot be the same file")


def weights_of(args: argparse.Namespace, given: NamedModel) -> Weights:
    """Weights of the flag, or of the moses.ini; raises UsageError when there are none."""
    if args.weights is not None:
        return Weights.read(args.weights)
    if given.weights is None:
        raise command.UsageError("expected --weights, or --moses-ini of a file with [weight]")
    return given.weights


def sparse_signature(sparse: SparseWeights | None) -> dict[str, str]:
    """Part of the signature that tells of sparse features, empty without them."""
    if sparse is None:
        return {}
    weights = Weights(dict(sparse.theta)).digest()
    told = {"features": ",".join(sparse.templates), "sparse_weights": weights}
    if sparse.listed:
        told["feature_list"] = xxhash.xxh3_64_hexdigest(" ".join(sparse.listed).encode())
    return told


def theta_of(
    weights: Weights, model: Model, on: list[str], args: argparse.Namespace
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Weights of all features of the model; those that are off weigh 0.

    A moses.ini has weights for them, too, which do not count.
    """
    if args.weights is None:
        off = {*model.all_features()} - {*on}
        weights = Weights({n: w for n, w in weights.items() if n not in off}, weights.source)
    names = Names()
    for name in on:
        names.id(name)
    values = command.vector(weights, names, "the set of features that are on", args)
    by_name = dict(zip(on, values.tolist(), strict=True))
    return np.array([by_name.get(name, 0.0) for name in model.all_features()])


if __name__ == "__main__":
    raise SystemExit(main())
