"""What a power cut may leave of a run: its file operations, recorded, and cut off anywhere.

Python's audit events tell what is opened, renamed and removed, and `os.fsync` what is flushed.  Of
what was done before the cut, kept is

    the content of a file     as it was flushed last; of what came later nothing, a half, or all
    the names in a folder     as they were when the folder was flushed; of later operations all,
                              none, the first ones (a journal), or any (Pillai et al. 2014)

    python -m tests.reliability.power_cut        every state of two runs, each started again
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from tests.reliability.runs import FOREIGN, Runs, Variant

State = dict[str, bytes | None]  # content by path; None: a folder
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT


@dataclass
class File:
    """A file whatever its name, and its contents as they were flushed: (operation, bytes)."""

    flushed: list[tuple[int, bytes]] = field(default_factory=list)
    last: bytes = b""


@dataclass(frozen=True)
class Change:
    """An operation on the names in a folder: what they are names of then; None: of nothing."""

    number: int
    folder: str
    names: dict[str, File | str | None]


class Recorder:
    """The operations below a folder: `with Recorder(folder) as recorder: run()`."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.operations = 0
        self.changes: list[Change] = []
        self.flushed: dict[str, list[int]] = {}  # folders, and by which operations
        self.now: dict[str, File | str] = {}
        self._busy = True
        self._fsync = os.fsync

    def __enter__(self) -> Recorder:
        sys.addaudithook(self._heard)  # which cannot be taken back, and is deaf afterwards
        os.fsync = self._flush  # type: ignore[assignment]
        self._busy = False
        return self

    def __exit__(self, *failure: object) -> None:
        self._busy = True
        os.fsync = self._fsync
        for path, file in self.now.items():
            if isinstance(file, File) and os.path.exists(path):
                file.last = Path(path).read_bytes()

    def _heard(self, event: str, arguments: tuple[object, ...]) -> None:
        if self._busy or not arguments or not isinstance(arguments[0], (str, bytes)):
            return
        path = os.path.abspath(os.fsdecode(arguments[0]))
        if not path.startswith(self.folder):
            return
        self._busy = True
        try:
            if event == "open" and int(str(arguments[2])) & WRITES and path not in self.now:
                self._change({path: File()})
            elif event == "os.mkdir":
                self._change({path: path})
            elif event in ("os.remove", "os.rmdir") and path in self.now:
                self._change({path: None})
            elif event == "os.rename" and os.path.exists(path) and not os.path.islink(path):
                self._rename(path, os.path.abspath(os.fsdecode(str(arguments[1]))))
        finally:
            self._busy = False

    def _rename(self, path: str, to: str) -> None:
        file = self.now.get(path) or File()
        for below in [name for name in self.now if name.startswith(f"{path}/")]:
            self.now[to + below.removeprefix(path)] = self.now.pop(below)
        if isinstance(file, File):
            file.last = Path(path).read_bytes()
        self._change({path: None, to: file})

    def _change(self, paths: dict[str, File | str | None]) -> None:
        self.operations += 1
        folders = {os.path.dirname(path) for path in paths}
        assert len(folders) == 1, paths
        names = {os.path.basename(path): file for path, file in paths.items()}
        self.changes.append(Change(self.operations, folders.pop(), names))
        for path, file in paths.items():
            self.now.pop(path, None)
            if file is not None:
                self.now[path] = file

    def _flush(self, descriptor: int) -> None:
        self._fsync(descriptor)
        path = os.readlink(f"/proc/self/fd/{descriptor}")
        if self._busy or not path.startswith(os.path.dirname(self.folder)):
            return
        self._busy = True
        self.operations += 1
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            self.flushed.setdefault(path, []).append(self.operations)
        else:
            file = self.now.setdefault(path, File())
            assert isinstance(file, File)
            file.last = Path(path).read_bytes()
            file.flushed.append((self.operations, file.last))
        self._busy = False


class Cuts:
    """The states that a cut may leave of what was recorded."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self.operations = recorder.operations

    def states(self, cut: int, rng: random.Random, drawn: int = 2) -> Iterator[State]:
        """Yield states after the first `cut` operations, the plain ones and some drawn ones."""
        late = [change for change in self._done(cut) if not self._is_flushed(change, cut)]
        for keep in (0.0, 0.5, 1.0):
            share = partial(float, keep)  # the same for every file
            yield self._state(cut, set(), share)
            yield self._state(cut, {change.number for change in late}, share)
        for _ in range(drawn):
            first = late[: rng.randint(0, len(late))]
            some = [change for change in late if rng.random() < 0.5]
            for kept in (first, some):
                numbers = {change.number for change in kept}
                yield self._state(cut, numbers, lambda: rng.choice((0.0, 0.5, 1.0)))

    def versions(self) -> dict[str, list[bytes]]:
        """Whole contents that ever had a name."""
        found: dict[str, list[bytes]] = {}
        for change in self._recorder.changes:
            for name, file in change.names.items():
                if isinstance(file, File):
                    found.setdefault(name, []).append(file.last)
        return found

    def _done(self, cut: int) -> list[Change]:
        return [change for change in self._recorder.changes if change.number <= cut]

    def _is_flushed(self, change: Change, cut: int) -> bool:
        times = self._recorder.flushed.get(change.folder, ())
        return any(change.number < time <= cut for time in times)

    def _state(self, cut: int, late: set[int], keep: Callable[[], float]) -> State:
        tree: dict[str, dict[str, File | str]] = {}
        for change in self._done(cut):
            if self._is_flushed(change, cut) or change.number in late:
                names = tree.setdefault(change.folder, {})
                for name, file in change.names.items():
                    names.pop(name, None)
                    if file is not None:
                        names[name] = file
        return dict(self._below(tree, os.path.dirname(self._recorder.folder), cut, keep))

    def _below(
        self,
        tree: dict[str, dict[str, File | str]],
        folder: str,
        cut: int,
        keep: Callable[[], float],
        made: str | None = None,
    ) -> Iterator[tuple[str, bytes | None]]:
        """Yield what is in a folder; its names were changed in the folder that was `made`."""
        for name, file in tree.get(made or folder, {}).items():
            path = os.path.join(folder, name)
            if isinstance(file, File):
                yield path, content(file, cut, keep())
            else:
                yield path, None
                yield from self._below(tree, path, cut, keep, file)


def content(file: File, cut: int, keep: float) -> bytes:
    """Bytes of a file after a cut, of which a part of what was not flushed is kept."""
    sure = next((data for number, data in reversed(file.flushed) if number <= cut), None)
    later = next((data for number, data in file.flushed if number > cut), file.last)
    if sure is not None and (keep == 0.0 or not later.startswith(sure)):
        return sure
    start = len(sure or b"")
    return later[: start + int(keep * (len(later) - start))]


def lay_out(state: State) -> None:
    """Make the files of a state."""
    for path, data in state.items():
        if data is None:
            os.makedirs(path, exist_ok=True)
        else:
            Path(path).write_bytes(data)


class PowerCuts:
    """A run that is recorded, and started again from what cuts leave of it."""

    def __init__(self, folder: Path, loop: str) -> None:
        self.runs, self.variant = Runs(folder), Variant(loop, 1)
        assert self.runs.run(self.variant, "work") == 0  # which loads the kernels
        self.whole = self.runs.contents("work")
        self.runs.remove("work")
        with Recorder(os.fspath(folder / "work")) as recorder:
            assert self.runs.run(self.variant, "work") == 0
        self.cuts = Cuts(recorder)
        self.runs.remove("work")

    def states(self, seed: int) -> list[tuple[int, State]]:
        """Every state that differs, with its cut."""
        rng = random.Random(seed)
        found: dict[int, tuple[int, State]] = {}
        for cut in range(self.cuts.operations + 1):
            for state in self.cuts.states(cut, rng):
                found.setdefault(hash(frozenset(state.items())), (cut, state))
        return list(found.values())

    def damaged(self, state: State) -> list[str]:
        """Names in a state whose content was never theirs, but for what is not relied upon."""
        versions = self.cuts.versions()
        return [
            path
            for path, data in state.items()
            if data is not None
            and "/." not in path
            and not os.path.basename(path).startswith(("prices-", "lock"))
            and not path.endswith(".stderr")
            and data not in versions[os.path.basename(path)]
        ]

    def again(self, state: State) -> bool:
        """Whether a run that is started from a state ends in the same bytes."""
        self.runs.remove("work")
        lay_out(state)
        return self.runs.run(self.variant, "work") == 0 and self.runs.contents("work") == self.whole


def main() -> int:
    """Try every state, and print how many there were."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    p.add_argument("--seed", type=int, default=1, help="of the states that are drawn")
    p.add_argument("--most", type=int, default=sys.maxsize, help="states of a run")
    args = p.parse_args()
    for loop in ("rampion", FOREIGN):
        folder = Path(tempfile.mkdtemp(prefix="campanula-"))
        try:
            tried = PowerCuts(folder, loop)
            states = tried.states(args.seed)
            chosen = random.Random(args.seed).sample(states, min(len(states), args.most))
            for cut, state in chosen:
                assert not tried.damaged(state), (cut, tried.damaged(state))
                assert tried.again(state), f"after {cut} operations: {sorted(state)}"
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        print(f"{loop}: {tried.cuts.operations} operations, {len(states)} states, ", end="")
        print(f"{len(chosen)} started again: the same bytes")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
