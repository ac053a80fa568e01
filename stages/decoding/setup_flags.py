"""The setup of a decoder from the flags of `decode`."""

from __future__ import annotations

import argparse

from campanula.formats.weight_stream import WeightStream
from campanula.formats.weights import read_any_weights
from campanula.stages.command import UsageError
from campanula.stages.decoding.decoder_setup import DecoderSetup
from campanula.stages.decoding.inventory_flags import lists_inventory
from campanula.stages.decoding.left_out.flags import left_out_of_flags
from campanula.stages.decoding.model_flags import dense_features_of_flags, given_model
from campanula.stages.decoding.search_flags import search_settings
from campanula.stages.decoding.sparse.flags import read_lists, templates_of_flags


def setup_of_flags(args: argparse.Namespace) -> DecoderSetup:
    """Return the setup of the decoder; raises UsageError for flags that do not fit together."""
    model = given_model(args)
    # the flags in this order: of two faults the same one is always named
    templates = templates_of_flags(args.features)
    listed = tuple(read_lists(args.feature_list))
    search = search_settings(args, model.settings)
    weights = None if args.weights is None else read_any_weights(args.weights)
    if weights is None and model.weights is None:
        raise UsageError("expected --weights, or --moses-ini of a file with [weight]")
    return DecoderSetup(
        model=model,
        weights=weights,
        search=search,
        dense_features=dense_features_of_flags(args.dense_features),
        templates=templates,
        listed=listed,
        left_out=left_out_of_flags(args, model.files),
        allow_missing=args.allow_missing,
        cache=args.cache,
        inventory=lists_inventory(args, isinstance(weights, WeightStream)),
        exact_orientation=args.exact_orientation,
    )
