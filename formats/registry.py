"""Tables of losses, metrics, list formats and features by name: ours, and the user's own.

Our own are given as a dict.  The user's are added from Python (`add`), or found by name among the
entry points of installed packages:

    [project.entry-points."campanula.losses"]
    my-loss = "my_package:my_loss"

Entry points are searched, and importlib.metadata is imported, only for a name that is not in the
table, since both take a while.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class UnknownName(KeyError, ValueError):
    """A name that is in no table; the message suggests close names.

    A KeyError since a Mapping raises one, and a ValueError since it is a bad setting.
    """

    def __str__(self) -> str:
        return str(self.args[0])


class BrokenName(UnknownName):
    """An entry point that cannot be loaded; the message names its package and the reason."""


class Registry(Mapping[str, T], Generic[T]):
    """Items of one kind by name: `Registry("loss", "campanula.losses", {...})`.

    Iteration, length and `in` cover our own items and those added in this process; `registry[name]`
    also finds entry points of other packages.

    make: makes an item from its name and what the user gives for it, such as a function; without it
    the user gives the item itself.
    """

    def __init__(
        self,
        kind: str,
        group: str,
        ours: Mapping[str, T],
        make: Callable[[str, Any], T] | None = None,
    ) -> None:
        self.kind = kind
        self.group = group
        self._items = dict(ours)
        self._ours = frozenset(ours)
        self._make = make

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __repr__(self) -> str:
        return f"<{self.kind}: {', '.join(self._items)}>"

    def __contains__(self, name: object) -> bool:
        return name in self._items

    def __getitem__(self, name: str) -> T:
        """Return the item of this name; raises UnknownName, which suggests close names."""
        if name not in self._items:
            self._items[name] = self._of_entry_point(name)
        return self._items[name]

    def add(self, name: str, item: Any) -> None:
        """Add an item, or replace one that was added before.

        Raises ValueError for the name of one of our own items, TypeError for what no item can be
        made of.
        """
        if not isinstance(name, str):
            raise TypeError(f"expected the name of a {self.kind}, found {name!r}")
        if name in self._ours:
            raise ValueError(f"there is a {self.kind} {name} already; take another name")
        self._items[name] = self._item_of(name, item)

    def _item_of(self, name: str, item: Any) -> T:
        if self._make is not None:
            return self._make(name, item)
        own: T = item
        return own

    def entry_points(self) -> list[str]:
        """Return the names of the entry points of installed packages, sorted."""
        from importlib import metadata

        return sorted(metadata.entry_points(group=self.group).names)

    def _of_entry_point(self, name: str) -> T:
        from importlib import metadata

        for point in metadata.entry_points(group=self.group, name=name):
            try:
                item = point.load()
            except (ImportError, AttributeError) as error:
                package = f" of {point.dist.name}" if point.dist else ""
                what = f"the {self.kind} {name}{package} ({point.value})"
                raise BrokenName(f"{what} cannot be loaded: {error}") from error
            # if several packages have an entry point of this name, the first one found counts
            return self._item_of(name, item)
        raise UnknownName(unknown(self.kind, name, [*self._items, *self.entry_points()]))


def read_and_write(
    kind: str, name: str, item: Any
) -> tuple[Callable[..., Any], Callable[..., Any] | None]:
    """Return the functions of a user's format: the item itself, or its `read` and `write`.

    kind, name: those of the format, for messages.  Raises TypeError for anything else.
    """
    reading = getattr(item, "read", item)
    if not callable(reading):
        raise TypeError(f"{kind} {name}: expected a function, or an object with `read`")
    return reading, getattr(item, "write", None)


def unknown(kind: str, name: str, names: list[str]) -> str:
    """Return the message about an unknown name, with the closest names, or all if none is close."""
    # imported here, since only a message needs it
    import difflib

    close = difflib.get_close_matches(name, names, n=3, cutoff=0.6)
    if close:
        return f"no {kind} is called {name!r}; did you mean {' or '.join(close)}?"
    return f"no {kind} is called {name!r}; there are {', '.join(names)}"
