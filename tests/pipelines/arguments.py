"""What a task gives to the stage that it runs."""

from __future__ import annotations

from campanula.pipelines.tasks.stage_task import StageRun, StageTask


def argv_of(task: StageTask) -> list[str]:
    """The arguments."""
    assert isinstance(task.call.work, StageRun)
    return task.call.work.argv(task.call.path)
