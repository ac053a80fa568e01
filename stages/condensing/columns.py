"""The learned columns of tables: one for each template, or one for several templates together.

    wuebker-a    block                              a column of the phrase table
    wuebker-b    word-pair                          a column
    wuebker-c    source-triplet, target-triplet     two columns
    wuebker-d    hierarchical-orientation           a reordering table, which has six

(Wuebker et al. 2015, section 5.3, after Auli et al. 2014.)  Any template whose features are local
to a block can be a column, and one whose features are of a block and its orientation a table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from campanula.formats.arrays.types import Flags
from campanula.formats.feature_names.sparse import PREFIXES, TEMPLATES
from campanula.formats.feature_names.template_sets import templates_of
from campanula.formats.model.files import HIERARCHICAL, WORD
from campanula.stages.command import UsageError

LOCAL = tuple(name for name, template in TEMPLATES.items() if template.local)
"""Templates whose features are local to a block."""

ORIENTED = {"block-orientation": WORD, "hierarchical-orientation": HIERARCHICAL}
"""Templates of a block and its orientation, and the type of the tables that these become."""


@dataclass(frozen=True, slots=True)
class LearnedColumn:
    """A column: the sum of the weights of all features of some templates."""

    templates: tuple[str, ...]

    def __str__(self) -> str:
        return "+".join(self.templates)

    @property
    def orientation(self) -> str:
        """Type of the reordering table that a column of orientations becomes."""
        return ORIENTED[self.templates[0]]

    def sides(self) -> tuple[int, int]:
        """Return the places in PREFIXES of both sides of an orientation: backward, forward."""
        backward, forward = TEMPLATES[self.templates[0]].prefixes
        return PREFIXES.index(backward), PREFIXES.index(forward)

    def kinds(self) -> Flags:
        """Return which kinds of features (n_kinds,) belong to the column."""
        own = {prefix for name in self.templates for prefix in TEMPLATES[name].prefixes}
        return np.array([prefix in own for prefix in PREFIXES])


@dataclass(frozen=True, slots=True)
class LearnedColumns:
    """Columns of the phrase table, in order, and the one of the reordering table, or None."""

    local: tuple[LearnedColumn, ...]
    oriented: LearnedColumn | None = None

    @property
    def every(self) -> tuple[LearnedColumn, ...]:
        """All columns, that of the reordering table last."""
        return self.local if self.oriented is None else (*self.local, self.oriented)

    @property
    def templates(self) -> tuple[str, ...]:
        """All templates, in the order of TEMPLATES."""
        asked = {name for column in self.every for name in column.templates}
        return tuple(name for name in TEMPLATES if name in asked)


def columns_of(templates: Sequence[str], together: Sequence[str]) -> LearnedColumns:
    """Return the columns of templates; each list `a,b` in `together` is one column.

    Columns are in the order in which their first templates are asked for.  Raises UsageError for
    templates that cannot be columns, and for lists that do not fit the templates.
    """
    asked = tuple(dict.fromkeys(templates))
    oriented = [name for name in asked if name in ORIENTED]
    # a reordering table is of words or hierarchical, and there is one
    if len(oriented) > 1:
        raise UsageError(f"--features: expected one of {' and '.join(oriented)}, found both")
    for name in asked:
        if name not in LOCAL and name not in ORIENTED:
            choices = ", ".join([*LOCAL, *ORIENTED])
            problem = "expected features local to a block or of its orientation"
            raise UsageError(f"--features: {problem}: {choices}; found {name!r}")
    groups = [_group(given, asked) for given in together]
    grouped = [name for group in groups for name in group]
    again = next((name for name in grouped if grouped.count(name) > 1), None)
    # its weights would be added twice to the score of a block
    if again is not None:
        raise UsageError(f"--together: expected each template in one list, found {again!r} in two")
    column_of = {name: group for group in groups for name in group}
    # a group stands where its first template was asked for; its other templates add nothing
    local = dict.fromkeys(column_of.get(name, (name,)) for name in asked if name in LOCAL)
    return LearnedColumns(
        tuple(LearnedColumn(names) for names in local),
        LearnedColumn(tuple(oriented)) if oriented else None,
    )


def _group(given: str, asked: Sequence[str]) -> tuple[str, ...]:
    """Return the templates of a list such as `a,b`, `wuebker-a,wuebker-b` or `block,word-pair`."""
    names: list[str] = []
    for word in (word.strip() for word in given.split(",")):
        # a set's letter alone is its name in the paper
        templates = templates_of(word) or templates_of(f"wuebker-{word}")
        for name in templates or (word,):
            if name not in asked or name not in LOCAL:
                choices = ", ".join(one for one in asked if one in LOCAL)
                problem = f"expected templates local to a block that --features has ({choices})"
                raise UsageError(f"--together {given}: {problem}, found {name!r}")
        names += templates
    return tuple(dict.fromkeys(names))
