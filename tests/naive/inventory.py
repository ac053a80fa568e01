"""An inventory as a dictionary: ids by name in the order met, sentences by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


class Dictionary:
    def __init__(self) -> None:
        self.ids: dict[str, int] = {}
        self.count: dict[str, int] = {}
        self.sentences = 0

    def declare(self, names: Iterable[str]) -> None:
        """Names in the order in which a stream declares them."""
        for name in names:
            self.ids.setdefault(name, len(self.ids))
            self.count.setdefault(name, 0)

    def see(self, rows: Iterable[Mapping[str, float]]) -> None:
        """A sentence with maps of features, one a hypothesis."""
        for name in {name for row in rows for name, value in row.items() if value != 0.0}:
            self.count[name] += 1
        self.sentences += 1
