"""The model that is tuned: the baseline's files, and learned tables that replace or join them.

    baseline    the model of the decoder's flags
    tuned       a folder whose model.json names the condensed phrase table, the orientations' table
                if there is one, and the baseline's other files, where they are

New columns are named as Moses names scores: TranslationModel0_4 behind four, LexicalReordering1
behind one reordering table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from campanula.formats.atomic import output_folder
from campanula.formats.errors import DataError
from campanula.formats.feature_names.dense import names_of
from campanula.formats.model.files import WORD, ModelFiles, ReorderingTable
from campanula.formats.model.folder_writer import write_model_folder
from campanula.pipelines.decoder import has_sparse_features
from campanula.pipelines.initial import moses_defaults, n_scores, parsed_model_flags
from campanula.stages.command import UsageError
from campanula.stages.condensing.columns import LearnedColumns
from campanula.stages.decoding.model_flags import dense_features_of_flags, given_model

# monotone, swap, discontinuous, each of the phrase before and of the phrase after
N_ORIENTATIONS = 6


@dataclass(frozen=True, slots=True)
class LearnedTables:
    """Paths of the tables that training made; orientations: None without such a table.

    orientation: type of the orientations in that table.
    """

    phrase_table: str
    orientations: str | None = None
    orientation: str = WORD


@dataclass(frozen=True, slots=True)
class BaseModel:
    """The baseline's files, its dense features that are on, and the decoder's other flags.

    given: all flags of the decoder, with those that name the model.
    """

    given: tuple[str, ...]
    files: ModelFiles
    features: tuple[str, ...]
    others: tuple[str, ...]

    @classmethod
    def of_flags(cls, flags: Sequence[str]) -> BaseModel:
        """Model of the decoder's flags.

        Raises UsageError for sparse features or none at all, DataError for renamed features.
        """
        if has_sparse_features(flags):
            raise UsageError("the baseline has dense features alone; --features are those to train")
        args, others = parsed_model_flags(flags)
        files = given_model(args).files
        for label, name in files.labels:
            if label != name:
                problem = f"expected {label}, as decode itself names it: columns go by our names"
                raise DataError(files.source, f"feature {name!r}", problem)
        features = tuple(moses_defaults(files, dense_features_of_flags(args.dense_features)))
        if not features:
            raise UsageError("MERT tunes dense features: expected some that are on")
        # --cache is parsed as a flag of the model, but says nothing about it: it goes on as it is
        cache = [] if args.cache is None else ["--cache", args.cache]
        return cls(tuple(flags), files, features, (*others, *cache))

    def learned_names(self, columns: LearnedColumns) -> list[str]:
        """Names of the features of learned columns."""
        n = n_scores(self.files.phrase_table)
        # after the table's own columns, which keep their numbers, and so their weights
        names = [f"TranslationModel0_{n + k}" for k in range(len(columns.local))]
        if columns.oriented is not None:
            number = len(self.files.reordering_tables)
            names += names_of(f"LexicalReordering{number}", N_ORIENTATIONS)
        return names

    def tuned(self, folder: str, tables: LearnedTables, names: Sequence[str]) -> tuple[str, ...]:
        """Write a model folder with learned tables and features; the decoder's flags for it."""
        features = (*self.features, *names)
        files = replace(self.files, phrase_table=tables.phrase_table, features=features, labels=())
        if tables.orientations is not None:
            table = ReorderingTable(tables.orientations, tables.orientation)
            files = replace(files, reordering_tables=(*files.reordering_tables, table))
        output_folder(folder)
        write_model_folder(folder, files)
        return ("--model", folder, *self.others)
