"""Owns reading many files at once: worker processes, deadlines, crashes that cost one file only.

Never: the index file. Results are yielded as they arrive; at most one per worker waits in memory.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec

from counterfoil.adapters.corpus.files import FoundFile
from counterfoil.adapters.corpus.prepare import Failed, Outcome, Prepared, Progress, prepare
from counterfoil.adapters.corpus.worker import Frame, Job, read_frame, write_frame
from counterfoil.ports.reader import Reader, ReadLimits

_INLINE_FILES_MAX = 24
_INLINE_BYTES_MAX = 1_500_000
_INLINE_FILE_BYTES_MAX = 200_000
_START_SECONDS_MAX = 120.0  # a child loads libraries first, on a busy machine slowly
_NATIVE_SUFFIXES = (".pdf",)  # read by native code that a hostile file may crash: never in this process
_FRAMES = msgspec.msgpack.Decoder(Frame)

OnPages = Callable[[int], None]
Task = tuple[FoundFile, Reader]


class ReadPlan(msgspec.Struct, frozen=True):
    """How to read: limits for readers, processes at most, seconds a file may stay silent."""

    limits: ReadLimits
    workers: int = 2
    silent_seconds_max: float = 60.0


def read_all(tasks: Sequence[Task], plan: ReadPlan, on_pages: OnPages) -> Iterator[tuple[FoundFile, Outcome]]:
    """Read every task and yield its outcome; order is that of completion. ``on_pages`` counts new pages."""
    if _small(tasks):
        for file, reader in tasks:
            yield file, prepare(reader, file.path, file.id, plan.limits, _page_counter(on_pages))
        return
    yield from _read_in_workers(tasks, plan, on_pages)


def _small(tasks: Sequence[Task]) -> bool:
    if len(tasks) > _INLINE_FILES_MAX or sum(f.size for f, _ in tasks) > _INLINE_BYTES_MAX:
        return False
    if any(f.size > _INLINE_FILE_BYTES_MAX for f, _ in tasks):  # it may take long, and only a process can be stopped
        return False
    return not any(f.path.lower().endswith(_NATIVE_SUFFIXES) for f, _ in tasks)


def _page_counter(on_pages: OnPages) -> Callable[[int, int], None]:
    last = 0

    def progress(done: int, total: int) -> None:
        nonlocal last
        on_pages(max(0, done - last))
        last = max(last, done)

    return progress


def _read_in_workers(tasks: Sequence[Task], plan: ReadPlan, on_pages: OnPages) -> Iterator[tuple[FoundFile, Outcome]]:
    waiting: queue.SimpleQueue[Task] = queue.SimpleQueue()
    for task in sorted(tasks, key=lambda t: -t[0].size):  # the longest first: both workers end together
        waiting.put(task)
    count = max(1, min(plan.workers, len(tasks)))
    done: queue.Queue[tuple[FoundFile, Outcome] | int | None] = queue.Queue(maxsize=count)
    stopped = threading.Event()
    threads = [
        threading.Thread(target=_Worker(plan, waiting, done, stopped).run, daemon=True, name=f"corpus-reader-{i}")
        for i in range(count)
    ]
    for thread in threads:
        thread.start()
    alive = count
    try:
        while alive:
            item = done.get()
            if item is None:
                alive -= 1
            elif isinstance(item, int):
                on_pages(item)
            else:
                yield item
    finally:
        stopped.set()
        _drain(done, threads)


def _drain(done: queue.Queue[tuple[FoundFile, Outcome] | int | None], threads: Iterable[threading.Thread]) -> None:
    for thread in threads:
        while thread.is_alive():
            try:
                done.get(timeout=0.05)
            except queue.Empty:
                thread.join(timeout=0.05)


class _Worker:
    """One thread that feeds one child process, and starts another when that dies."""

    def __init__(
        self,
        plan: ReadPlan,
        waiting: queue.SimpleQueue[Task],
        done: queue.Queue[tuple[FoundFile, Outcome] | int | None],
        stopped: threading.Event,
    ) -> None:
        self._plan = plan
        self._waiting = waiting
        self._done = done
        self._stopped = stopped
        self._child: subprocess.Popen[bytes] | None = None
        self._silent = False

    def run(self) -> None:
        try:
            while not self._stopped.is_set():
                try:
                    file, reader = self._waiting.get_nowait()
                except queue.Empty:
                    break
                self._done.put((file, self._read(file, reader)))
        finally:
            self._end_child()
            self._done.put(None)

    def _read(self, file: FoundFile, reader: Reader) -> Outcome:
        child = self._child if self._child is not None else self._start_child()
        self._child = child
        assert child.stdin is not None and child.stdout is not None
        job = Job(pickle.dumps(reader), os.fsencode(file.path), file.id, self._plan.limits)
        progress = _page_counter(self._done.put)
        try:
            write_frame(child.stdin, msgspec.msgpack.encode(job))
            patience = max(_START_SECONDS_MAX, self._plan.silent_seconds_max)
            while True:
                frame = self._next_frame(child, patience)
                patience = self._plan.silent_seconds_max
                if isinstance(frame, Progress):
                    progress(frame.done, frame.total)
                elif frame is not None:
                    return frame
                else:
                    break
        except OSError:
            pass  # the child died while it was written to: told below, with its exit code
        return self._crashed(child)

    def _next_frame(self, child: subprocess.Popen[bytes], patience: float) -> Progress | Prepared | Failed | None:
        self._silent = False

        def give_up() -> None:
            self._silent = True
            child.kill()

        timer = threading.Timer(patience, give_up)
        timer.daemon = True
        timer.start()
        try:
            assert child.stdout is not None
            body = read_frame(child.stdout)
        finally:
            timer.cancel()
        return _FRAMES.decode(body) if body is not None else None

    def _crashed(self, child: subprocess.Popen[bytes]) -> Failed:
        self._end_child()
        if self._silent:
            seconds = self._plan.silent_seconds_max
            return Failed("", "CRASHED", f"reading it made no progress for {seconds:g} seconds and was stopped")
        return Failed("", "CRASHED", f"the reading process died on it (exit code {child.returncode})")

    def _start_child(self) -> subprocess.Popen[bytes]:
        environment = dict(os.environ, PYTHONPATH=os.pathsep.join(p for p in sys.path if p))
        return subprocess.Popen(
            [sys.executable, "-m", "counterfoil.adapters.corpus.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
        )

    def _end_child(self) -> None:
        child, self._child = self._child, None
        if child is None:
            return
        if child.stdin is not None:
            with contextlib.suppress(OSError):  # already gone
                child.stdin.close()
        try:
            child.wait(timeout=2)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
        if child.stdout is not None:
            child.stdout.close()
