"""The progress bar of a run on a terminal: current command, iterations done, time left.

    mert: replicate 2 of 3, decode:  31%|███▏      | 23/75 [00:41<01:34,  1.8 s/iteration]
    decode:  45%|████▌     | 450/1000 [00:02<00:03, 180 sentences/s]

The lower line is the command's own bar.  A run that stops early takes the iterations that it does
not need off the total.  Where stderr is no terminal, or the run is quiet, there is no bar.
"""

from __future__ import annotations

import threading
from contextlib import ExitStack
from typing import Any

from campanula.stages.command_line import bars

TICK = 0.5  # seconds between drawings of the time while nothing else happens
SHOWN = "{desc}: {percentage:3.0f}%|{bar}| {n_fmt}/{total_fmt} [{elapsed}<{remaining}{postfix}]"


class Progress:
    """`with Progress("mert", quiet) as progress:`; the run then calls the methods below."""

    def __init__(self, title: str, quiet: bool) -> None:
        self._title = title
        self._hidden = quiet
        self._place = ""
        self._bar: Any = None
        self._stack = ExitStack()

    def __enter__(self) -> Progress:
        if self._hidden or not bars.on_terminal():
            return self
        from tqdm import tqdm

        form = {"bar_format": SHOWN, "leave": False, **bars.shape()}
        self._bar = self._stack.enter_context(tqdm(desc=self._title, total=0, **form))
        self._stack.enter_context(bars.within_run())
        ended = threading.Event()
        clock = threading.Thread(target=self._tick, args=(ended,), daemon=True)
        clock.start()
        # the stack is closed from its end: the clock is told to stop, and then waited for
        self._stack.callback(clock.join)
        self._stack.callback(ended.set)
        return self

    def __exit__(self, *failure: object) -> None:
        self._stack.close()
        self._bar = None

    def _tick(self, ended: threading.Event) -> None:
        while not ended.wait(TICK):
            self._bar.refresh()

    def expect(self, steps: int) -> None:
        """Add steps to the total; a negative number takes off steps that will not be done."""
        if self._bar is not None:
            self._bar.total += steps
            self._bar.refresh()

    def advance(self) -> None:
        """Count one more step as done."""
        if self._bar is not None:
            self._bar.update()

    def at(self, place: str) -> None:
        """Show the part of the run, such as `replicate 2 of 3`."""
        self._place = place
        self.doing("")

    def doing(self, command: str) -> None:
        """Show the command that runs."""
        if self._bar is not None:
            now = ", ".join(part for part in (self._place, command) if part)
            self._bar.set_description_str(f"{self._title}: {now}" if now else self._title)
