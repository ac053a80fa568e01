"""The setup of a decoder: a model, weights, the features that are on, settings of the search.

    setup = DecoderSetup(NamedModel.at("model"), Weights.read("w0"), SearchSettings(k=100))
    for kbest in setup.decoder().decode_all(lines):
        ...

The stage `decode` makes a setup from its flags, and then does the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import xxhash

from campanula.formats.arrays.types import Floats
from campanula.formats.feature_names.sparse import TEMPLATES
from campanula.formats.model.folder import NamedModel
from campanula.formats.model.model import Model, load_model
from campanula.formats.records.names import Names
from campanula.formats.weight_stream import WeightStream
from campanula.formats.weights import Weights
from campanula.stages.command import UsageError
from campanula.stages.decoding.decoder import Decoder
from campanula.stages.decoding.dense_features import features_on
from campanula.stages.decoding.indexed_inventory import IndexedInventory
from campanula.stages.decoding.left_out.leave_one_out import LeftOut
from campanula.stages.decoding.search_settings import SearchSettings, settings_of_moses
from campanula.stages.decoding.sparse.features_on import (
    mapped_weights,
    split_weights,
    with_templates_of,
)
from campanula.stages.decoding.sparse.mapped_weights import MappedWeights
from campanula.stages.decoding.sparse.options import SparseWeights

HIERARCHICAL = "hierarchical-orientation"


class Prepared(NamedTuple):
    """A decoder, and the entries of its lists' signature."""

    decoder: Decoder
    signature: dict[str, object]


@dataclass(frozen=True)
class DecoderSetup:
    """All settings of a decoder; defaults are those of the flags of `decode`.

    weights, search: None for those of the model's moses.ini; dense_features: names, labels or sets;
    templates: of sparse features, beside those that the model names; listed: single sparse
    features; allow_missing: a feature without a weight has the weight 0; inventory: lists have its
    ids (default: names of their own), needed for weights of a stream; exact_orientation: lists have
    the definition's hierarchical orientations.
    """

    model: NamedModel
    weights: Weights | WeightStream | None = None
    search: SearchSettings | None = None
    dense_features: tuple[str, ...] = ()
    templates: tuple[str, ...] = ()
    listed: tuple[str, ...] = ()
    left_out: LeftOut | None = None
    allow_missing: bool = False
    cache: str | None = None
    inventory: IndexedInventory | None = None
    exact_orientation: bool = False

    def decoder(self) -> Decoder:
        """Make the decoder; raises DataError or UsageError for settings that do not go together."""
        return self.prepare().decoder

    def prepare(self) -> Prepared:
        """Make the decoder and its signature; the model is compiled when it is used first.

        Raises DataError or UsageError for settings that do not go together.
        """
        weights = self.given_weights()
        templates, files = with_templates_of(self.templates, self.model.files)
        if self.inventory is not None and (templates or self.listed):
            # mapped in a thread while the model is loaded
            self.inventory.expect_index()
        if self.exact_orientation:
            self._expect_hierarchical(templates)
        model = load_model(files, self.cache)
        on = features_on(files, model, self.dense_features)
        if isinstance(weights, WeightStream):
            mapped = MappedWeights.of(weights, self.inventory)
            dense, sparse = mapped_weights(mapped, on, templates, self.listed)
        else:
            weights.refuse_beyond()
            dense, sparse = split_weights(weights, templates, self.listed)
        theta = self._theta(dense, model, on)
        search = self.search or settings_of_moses(self.model.settings)
        signature: dict[str, object] = {
            "model": model.digest,
            "weights": xxhash.xxh3_64_hexdigest(theta.tobytes()),
            **vars(search),
            **sparse_signature(sparse),
        }
        if self.left_out is not None:
            signature |= self.left_out.signature()
        if self.exact_orientation:
            signature["exact_orientation"] = True
        decoder = Decoder(
            model,
            theta,
            search,
            on,
            sparse=sparse,
            left_out=self.left_out,
            inventory=self.inventory,
            exact_orientation=self.exact_orientation,
        )
        return Prepared(decoder, signature)

    def _expect_hierarchical(self, templates: tuple[str, ...]) -> None:
        """Raise UsageError if no feature depends on hierarchical orientations."""
        prefixes = TEMPLATES[HIERARCHICAL].prefixes
        listed = any(name.partition("_")[0] in prefixes for name in self.listed)
        if not (any(self.model.files.hierarchical()) or HIERARCHICAL in templates or listed):
            raise UsageError(
                "--exact-orientation: expected a reordering table of type hierarchical or"
                f" --features {HIERARCHICAL}"
            )

    def given_weights(self) -> Weights | WeightStream:
        """Return the weights, or else those of the model's moses.ini; UsageError without any."""
        weights = self.model.weights if self.weights is None else self.weights
        if weights is None:
            raise UsageError("expected --weights, or --moses-ini of a file with [weight]")
        return weights

    def _theta(self, weights: Weights, model: Model, on: list[str]) -> Floats:
        """Return the weights (n_features,) of all features of the model; 0 for those that are off.

        Raises DataError for a feature that is on without a weight, unless `allow_missing`.
        """
        if self.weights is None:  # a moses.ini may have weights of features that are off
            off = {*model.all_features()} - {*on}
            weights = Weights({n: w for n, w in weights.items() if n not in off}, weights.source)
        lists = "the set of features that are on"
        values = weights.checked_vector(Names(on), lists, self.allow_missing)
        by_name = dict(zip(on, values.tolist(), strict=True))
        return np.array([by_name.get(name, 0.0) for name in model.all_features()])


def sparse_signature(sparse: SparseWeights | None) -> dict[str, str]:
    """Return the entries of sparse features in the signature of lists; empty without any."""
    if sparse is None:
        return {}
    if sparse.mapped is not None:
        digest = sparse.mapped.stream.digest()
    else:
        digest = Weights(dict(sparse.theta)).digest()
    signature = {
        "features": ",".join(sparse.templates),
        "sparse_weights": digest,
    }
    if sparse.listed:
        listed = " ".join(sparse.listed).encode()
        signature["feature_list"] = xxhash.xxh3_64_hexdigest(listed)
    return signature
