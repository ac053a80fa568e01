"""The setup of a search for oracles: a model, references, the features to write, settings.

    setup = OracleSetup(ModelFiles("phrase-table"), ("train.en",))
    for kbest in setup.prepare().find(lines, "train.de"):
        ...

The stage `oracle-search` makes a setup from its flags, and then does the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from campanula.formats.model.files import ModelFiles
from campanula.formats.model.model import load_model
from campanula.formats.records.kbest import KBest
from campanula.formats.text.references import References
from campanula.stages.decoding.block_features import AskedFeatures
from campanula.stages.decoding.block_oracles import OracleSearch, OracleSettings
from campanula.stages.decoding.dense_features import features_on
from campanula.stages.decoding.left_out.leave_one_out import LeftOut
from campanula.stages.decoding.list_inventory import ListInventory
from campanula.stages.decoding.sparse.features_on import with_templates_of

DEFAULT = OracleSettings()


class PreparedOracles(NamedTuple):
    """A search for truth sets, or for bags of blocks, and the signature of its lists."""

    search: OracleSearch
    bags: bool
    signature: dict[str, object]

    def find(self, lines: Iterable[str], source: str, jobs: int = 1) -> Iterator[KBest]:
        """Yield the truth set or the bag of every line; source: name of the text in messages."""
        find = self.search.bags if self.bags else self.search.truth
        return find(lines, source, jobs)


@dataclass(frozen=True)
class OracleSetup:
    """All settings of a search for oracles; defaults are those of the flags of `oracle-search`.

    refs: files; dense_features: names, labels or sets; templates: of sparse features, beside those
    that the model names; listed: single sparse features; bags: find z_0 instead of V_n, with the
    features that a bag has; left_out: use only blocks that other sentences yield (its penalty is
    0); inventory: lists have its ids; default: names of their own.
    """

    files: ModelFiles
    refs: tuple[str, ...]
    settings: OracleSettings = DEFAULT
    dense_features: tuple[str, ...] = ()
    templates: tuple[str, ...] = ()
    listed: tuple[str, ...] = ()
    bags: bool = False
    seed: int = 0
    left_out: LeftOut | None = None
    cache: str | None = None
    inventory: ListInventory | None = None

    def prepare(self) -> PreparedOracles:
        """Make the search; raises DataError or UsageError for settings that do not fit together."""
        templates, files = with_templates_of(self.templates, self.files)
        asked = AskedFeatures(templates, self.listed)
        sparse = asked.of_bags() if self.bags else asked
        if self.inventory is not None and sparse.any():
            self.inventory.expect_index()
        references = References.read(self.refs)
        model = load_model(files, self.cache)
        on = features_on(files, model, self.dense_features)
        search = OracleSearch(
            model,
            references,
            self.settings,
            on,
            seed=self.seed,
            sparse=sparse,
            inventory=self.inventory,
            left_out=self.left_out,
        )
        determining = {"seed": self.seed} if self.bags else vars(self.settings)
        signature = {
            "model": model.digest,
            **search.metric.fields(),
            "references": references.digest(),
            "bag": self.bags,
            **determining,
            **sparse.signature(),
        }
        if self.left_out is not None:
            signature |= self.left_out.signature()
        return PreparedOracles(search, self.bags, signature)
