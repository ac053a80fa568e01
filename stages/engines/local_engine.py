"""Tasks in threads of this process, results in order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from campanula.stages.command import bar
from campanula.stages.engines.result import make
from campanula.stages.engines.task import Task
from campanula.stages.parallel.threads import in_threads


class LocalEngine:
    """`for path in LocalEngine(jobs).run(tasks, "decode"): ...`; `jobs` threads do the tasks."""

    def __init__(self, jobs: int = 1, quiet: bool = True) -> None:
        self._jobs = jobs
        self._quiet = quiet

    def run(self, tasks: Sequence[Task], title: str) -> Iterator[str]:
        """Yield the path of every task's result, in order; raises what a task raises."""
        made = in_threads(_made, tasks, self._jobs)
        yield from bar(made, self._quiet, title, len(tasks), "shards")


def _made(task: Task) -> str:
    make(task)
    return task.output
