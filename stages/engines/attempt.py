"""One attempt at a task in a worker, and its fault as an exception that can be sent.

The kind of a fault decides what follows:

    data      a fault in the user's data: the run ends with its line
    machine   a fault of this worker's disk or memory: another worker tries
    bug       a fault of ours: the run ends with the traceback
"""

from __future__ import annotations

import os
import traceback
from typing import NoReturn

from campanula.formats.errors import DataError
from campanula.formats.program import program_digest
from campanula.stages.engines.result import make
from campanula.stages.engines.task import Task
from campanula.stages.kernels import kernel_cache

DATA, MACHINE, BUG = "data", "machine", "bug"


class Fault(Exception):
    """Why an attempt has failed: the kind, and the parts of a DataError or a traceback."""

    def __init__(self, kind: str, where: str, place: str | None, problem: str) -> None:
        super().__init__(kind, where, place, problem)
        self.kind = kind
        self.where = where
        self.place = place
        self.problem = problem

    def __str__(self) -> str:
        return str(DataError(self.where, self.place, self.problem))

    def reraise(self, title: str) -> NoReturn:
        """Raise the error that the command reports: a DataError, or a bug with its traceback."""
        if self.kind == BUG:
            raise RuntimeError(f"{title} in a worker:\n{self.problem}")
        raise DataError(self.where, self.place, self.problem)


def attempt(task: Task, mark: str, program: str) -> None:
    """Do a task in this process; raises Fault.

    mark: path of a file that the driver has put into the folder of results.  program: digest of the
    driver's program.
    """
    import numpy as np

    # or every worker would say that it compiles kernels
    kernel_cache.quiet = True
    folder = os.path.dirname(task.output)
    if not os.path.exists(mark):
        raise Fault(MACHINE, folder, None, "expected a folder that all workers see, found none")
    if program != program_digest():
        problem = "expected the version of campanula, Python and libraries that the command has"
        raise Fault(MACHINE, os.uname().nodename, None, f"{problem}, found another on this worker")
    try:
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            make(task)
    # SystemExit, too: a library that leaves the process would end the worker with it
    except (Exception, SystemExit) as failure:
        # a Fault alone is sent: other exceptions may not survive pickling, nor exist in the driver
        raise fault_of(failure, task.output) from None


def fault_of(failure: BaseException, output: str) -> Fault:
    """Return the fault of a failure at making `output`; an OSError is the machine's fault."""
    cause = failure.__cause__ if isinstance(failure, DataError) else failure
    folder, name = os.path.split(output)
    if isinstance(cause, MemoryError):
        return Fault(MACHINE, os.uname().nodename, None, "expected more memory, found none left")
    if isinstance(failure, DataError):
        kind = MACHINE if isinstance(cause, OSError) else DATA
        unfinished = os.path.basename(failure.where).lstrip(".").startswith(name)
        where = folder if unfinished else failure.where  # an attempt's own name says nothing
        return Fault(kind, where, failure.place, failure.problem)
    if isinstance(cause, OSError):
        where = os.fsdecode(cause.filename) if cause.filename else folder
        return Fault(MACHINE, where, None, cause.strerror or str(cause))
    return Fault(BUG, folder, None, "".join(traceback.format_exception(failure)))
