"""Numbers of a command for the outputs of systems: it is run once for every file of them.

{hypotheses}   the outputs, one a line
{references}   as many lines: the references, with tabs between several
{source}       as many lines: the source
{gains}        a line for each, which the command writes; without it they are read from stdout
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from campanula.formats import signals
from campanula.formats.arrays.types import Floats
from campanula.formats.atomic import remove_folder
from campanula.formats.errors import DataError
from campanula.formats.files import Output
from campanula.formats.text.references import References
from campanula.stages.command_line.external_command import Command
from campanula.stages.comparing.numbers import read_columns

FLAG = "--score-command"
PLACEHOLDERS = ("hypotheses", "references", "source", "gains")


@dataclass(frozen=True, slots=True)
class ScoreCommand:
    """A command that gives numbers for outputs; timeout: seconds that it may take, 0 for any."""

    command: Command
    timeout: float = 0.0

    @classmethod
    def of(cls, line: str, shell: bool, timeout: float) -> ScoreCommand:
        """Return the scorer of a command line; raises UsageError for one that cannot be run."""
        return cls(Command.of(FLAG, line, shell, PLACEHOLDERS, ("hypotheses",)), timeout)

    def numbers(
        self, outputs: Sequence[str], references: References, source: Sequence[str]
    ) -> Floats:
        """Return the numbers (n,) of a file's outputs.

        The folder with the command's input is removed when its numbers are good, or after a signal.
        After an error it stays, so that the user can look at it.
        """
        folder = tempfile.mkdtemp(prefix="score-command-")
        with signals.cleanup(lambda: remove_folder(folder)):
            numbers = self._numbers(folder, outputs, references, source)
        remove_folder(folder)
        return numbers

    def _numbers(
        self, folder: str, outputs: Sequence[str], references: References, source: Sequence[str]
    ) -> Floats:
        """Run the command, with its files in `folder`, and return its numbers (n,)."""
        texts = {
            "hypotheses": outputs,
            "references": [_joined(references, sid) for sid in range(len(references))],
            "source": source,
        }
        values = _written(folder, {name: texts[name] for name in texts if self.command.uses(name)})
        gains = os.path.join(folder, "gains")
        stderr = os.path.join(folder, "stderr")
        self.command.make("gains", gains, values, stderr, self.timeout or None)
        (numbers,) = read_columns([gains], len(outputs), "the outputs")
        return numbers


def _joined(references: References, sid: int) -> str:
    texts = references.texts(sid)
    if len(texts) == 1:
        return texts[0]
    # a tab within a text would look like one reference more
    return "\t".join(text.replace("\t", " ") for text in texts)


def _written(folder: str, texts: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Write texts to files in a folder; return the paths by name.

    Raises DataError for a text of several lines.
    """
    paths = {name: os.path.join(folder, name) for name in texts}
    for name, lines in texts.items():
        with Output(paths[name]) as out:
            for number, line in enumerate(lines, 1):
                if "\n" in line:
                    problem = "expected one line of text, found a line end in it"
                    raise DataError(f"{FLAG}: {name}", f"text {number}", problem)
                out.write_line(line)
    return paths
