"""The inputs of a tuning as `optimize` takes them: paths, and what is read from them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from campanula.formats.inventories.inventory import Inventory
from campanula.formats.text.references import References
from campanula.formats.weights import Weights
from campanula.stages.tuning.hopes import Hopes
from campanula.stages.tuning.tuning_set import TuningSet, WatchLists

if TYPE_CHECKING:
    from campanula.stages.tuning.plan import Plan
    from campanula.stages.tuning.settings import TuneSettings
    from campanula.stages.tuning.sharded.sharded_set import ShardedSet


@dataclass(frozen=True, slots=True)
class TuneInputs:
    """Paths of a tuning's inputs, and what limits them; None: not given.

    lists: scored k-best stream or collection; center: theta0 of L2, a path or a number, None for
    the default; refs: references; streamed: lists are read at every pass; inventory: of lists with
    ids; min_count: least number of sentences in which a feature was seen; cache: folder of packed
    shards.
    """

    lists: str
    weights: str
    center: str | float | None = None
    hope: str | None = None
    refs: tuple[str, ...] = ()
    streamed: bool = False
    inventory: str | None = None
    min_count: int | None = None
    cache: str | None = None

    def plan(self, settings: TuneSettings, sharded: bool = False) -> Plan:
        """Return the plan of a tuning on these inputs; raises Misfit if settings do not fit."""
        return settings.plan(
            hopes=self.hope is not None,
            streamed=self.streamed,
            references=bool(self.refs),
            sharded=sharded,
        )

    @property
    def cache_folder(self) -> str:
        """The folder of packed shards: the one given, or the user's."""
        from campanula.formats.model.array_folder import default_cache

        return self.cache or default_cache()

    def read_references(self, plan: Plan) -> References | None:
        """Read the references; None for a loss that needs none."""
        return References.read(self.refs) if plan.loss.needs_references else None

    def read_center(self) -> Weights | float | None:
        """Read theta0 by name; a number, or None for the default, is returned as it is."""
        return Weights.read(self.center) if isinstance(self.center, str) else self.center

    def read_hopes(self, data: TuningSet | ShardedSet) -> Hopes | None:
        """Read the hopes, if there are any; raises DataError unless they are those of the lists."""
        return None if self.hope is None else Hopes.read(self.hope, data)

    def read_inventory(self) -> Inventory | None:
        """Open the inventory, if one is given."""
        return None if self.inventory is None else Inventory.open(self.inventory)

    def read_lists(
        self,
        references: References | None = None,
        watch: WatchLists = lambda lists: lists,
    ) -> TuningSet:
        """Return the lists in memory, or read at every pass; watch: wraps them as they are read."""
        inventory = self.read_inventory()
        return TuningSet.read(self.lists, references, self.streamed, watch, inventory)

    def shards(
        self,
        references: References | None = None,
        jobs: int = 1,
        say: Callable[[str], None] = lambda line: None,
    ) -> ShardedSet:
        """Return the lists in shards; jobs: threads; say: called with a line for each repair."""
        from campanula.stages.tuning.sharded.loading import Loader

        loader = Loader(self.cache_folder, references, self.read_inventory(), jobs, say)
        return loader.load(self.lists)
