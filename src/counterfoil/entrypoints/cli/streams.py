"""Owns stdin, stdout, stderr and the signals of the console script: closed, full or interrupted, each is foreseen.

Never: losing a Run because somebody stopped listening to its progress.
"""

from __future__ import annotations

import contextlib
import io
import os
import signal
import sys
from types import FrameType
from typing import Any, TextIO


class StdoutFailed(Exception):
    """What was to be printed did not get out; says why."""


class _Heard(io.FileIO):
    """Stdout: a write that fails is told, save that the reader has gone, which is no fault."""

    def write(self, data: Any, /) -> int:
        try:
            return super().write(data) or 0
        except BrokenPipeError:
            raise
        except OSError as wrong:
            raise StdoutFailed(wrong.strerror or str(wrong)) from wrong


class _Unheard(io.FileIO):
    """Stderr: a write that fails is forgotten; there is nowhere to tell it."""

    def write(self, data: Any, /) -> int:
        try:
            return super().write(data) or 0
        except OSError:
            return len(memoryview(data).cast("B"))


def take_streams() -> None:
    """Make the three standard streams usable, whatever state they were handed over in."""
    for number in range(3):
        _hold(number)
    if sys.stdin is None:
        sys.stdin = io.TextIOWrapper(io.BufferedReader(io.FileIO(0, closefd=False)), encoding="utf-8")
    sys.stdout = _text(_Heard(1, "w", closefd=False), sys.stdout)
    sys.stderr = _text(_Unheard(2, "w", closefd=False), sys.stderr)


def _hold(number: int) -> None:
    """Keep the number of a closed stream from going to the next file opened, which would then be printed into."""
    try:
        os.fstat(number)
    except OSError:
        with contextlib.suppress(OSError):
            os.open(os.devnull, os.O_RDONLY)  # the lowest free number; what is written there fails


def _text(raw: io.FileIO, before: TextIO | None) -> TextIO:
    return io.TextIOWrapper(
        io.BufferedWriter(raw),
        encoding=before.encoding if before is not None else "utf-8",
        errors="backslashreplace",  # a name that the encoding cannot hold is still printed
        line_buffering=raw.fileno() == 2 or raw.isatty(),
    )


def silence_stdout() -> None:
    """Keep the interpreter from writing once more at exit what cannot be written."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def take_signals() -> None:
    """Let a request to end be what Ctrl-C is: a Run settles as cancelled."""

    def end(_number: int, _frame: FrameType | None) -> None:
        signal.raise_signal(signal.SIGINT)

    signal.signal(signal.SIGTERM, end)
