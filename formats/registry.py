"""Tables of what has a name: losses, metrics, list formats, features; ours, and the user's own.

What is ours stands in a dict.  What is the user's is added from Python (`add`), or found by name
among the entry points of installed packages:

    [project.entry-points."campanula.losses"]
    my-loss = "my_package:my_loss"

Entry points are looked for only when a name is not one of ours, since that takes a while; what
looks for them is imported only then, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Generic, TypeVar

T = TypeVar("T")


class UnknownName(KeyError, ValueError):
    """A name that nothing has; its text says which names are close.

    It is the KeyError of a table and the ValueError of a setting.
    """

    def __str__(self) -> str:
        return str(self.args[0])


class BrokenName(UnknownName):
    """A name of an entry point that cannot be loaded; its text says whose, and why."""


class Registry(Mapping[str, T], Generic[T]):
    """Things of one kind by name: `Registry("loss", "campanula.losses", {...})`.

    Iteration, length and `in` speak of our own and of those added in this process; getting an item
    finds the entry points of other packages, too.
    """

    def __init__(self, kind: str, group: str, ours: Mapping[str, T]) -> None:
        self.kind = kind
        self.group = group
        self._items = dict(ours)
        self._ours = frozenset(ours)

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __repr__(self) -> str:
        return f"<{self.kind}: {', '.join(self._items)}>"

    def __contains__(self, name: object) -> bool:
        return name in self._items

    def __getitem__(self, name: str) -> T:
        """The thing of this name; raises UnknownName, which says what is close."""
        if name not in self._items:
            self._items[name] = self._of_entry_point(name)
        return self._items[name]

    def add(self, name: str, item: T) -> None:
        """Add a thing of one's own, or put it in the place of one that was added before.

        Raises ValueError for a name that is one of ours.
        """
        if not isinstance(name, str):
            raise TypeError(f"expected the name of a {self.kind}, found {name!r}")
        if name in self._ours:
            raise ValueError(f"there is a {self.kind} {name} already; take another name")
        self._items[name] = item

    def entry_points(self) -> list[str]:
        """Names that installed packages give."""
        from importlib import metadata

        return sorted(metadata.entry_points(group=self.group).names)

    def _of_entry_point(self, name: str) -> T:
        from importlib import metadata

        for point in metadata.entry_points(group=self.group, name=name):
            try:
                item: T = point.load()
            except (ImportError, AttributeError) as error:
                package = f" of {point.dist.name}" if point.dist else ""
                what = f"the {self.kind} {name}{package} ({point.value})"
                raise BrokenName(f"{what} cannot be loaded: {error}") from error
            return item
        raise UnknownName(unknown(self.kind, name, [*self._items, *self.entry_points()]))


def unknown(kind: str, name: str, names: list[str]) -> str:
    """What to say of a name that nothing has: the closest names, or all of them."""
    import difflib

    close = difflib.get_close_matches(name, names, n=3, cutoff=0.6)
    if close:
        return f"no {kind} is called {name!r}; did you mean {' or '.join(close)}?"
    return f"no {kind} is called {name!r}; there are {', '.join(names)}"
