"""Checks the training text before a run: flags of its decoding, numbers of lines, links.

`decode` would find the same errors, but only after the baseline's MERT, and in the files that the
text is cut into.  Here the errors come first, and name the user's files.
"""

from __future__ import annotations

from campanula import cli
from campanula.formats.model.files import ModelFiles
from campanula.formats.text.parts import TextLines
from campanula.pipelines.settings import TrainingFiles
from campanula.stages.decoding.left_out.flags import left_out_of_flags

SENTENCES = 1 << 14  # that are in memory at a time


def refuse_misfits(
    train: TrainingFiles, given: tuple[str, ...], whole: tuple[str, ...], files: ModelFiles
) -> None:
    """Raise UsageError for flags that do not fit a model, DataError for texts that do not fit.

    given are flags of `decode` for the training text alone; whole is the text of --leave-out-text.
    """
    if train.alignment is None:
        return
    argv = [train.source, "--leave-one-out", train.target, train.alignment, *given]
    argv += ["--leave-out-text", *whole] if whole else []
    left_out = left_out_of_flags(cli.parser_of("decode").parse_args(argv), files)
    assert left_out is not None
    if left_out.whole is not None:
        left_out.whole.refuse_unequal()
    # an alignment that does not fit shows only when it is read, which is now, and not in step 2
    for _ in left_out.text.batches(TextLines(train.source), SENTENCES):
        pass
