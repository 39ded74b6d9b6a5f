"""Owns the names of local processes: machine start, process id and process start tell a dead one from a live one.

Never: signalling anybody; signal 0 only asks whether a process is there.
"""

from __future__ import annotations

import os
from pathlib import Path

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
_START_FIELD = 19  # of /proc/PID/stat after the command's name: when the process started


class LocalHolders:
    """Holders on this machine, written ``boot/pid/start``."""

    def __init__(self, processes: Path = Path("/proc"), boot_id: Path = BOOT_ID) -> None:
        self._processes = processes
        self._boot = _text(boot_id) or "unknown"

    def own(self) -> str:
        """The name of this process."""
        return f"{self._boot}/{os.getpid()}/{self._start(os.getpid())}"

    def alive(self, holder: str) -> bool:
        """Whether the process of that name runs now. After a restart of the machine none of before does."""
        boot, _, process = holder.partition("/")
        pid, _, start = process.partition("/")
        if boot != self._boot or not pid.isdigit():
            return False
        try:
            os.kill(int(pid), 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            pass  # it runs, under another user
        return self._start(int(pid)) == start

    def _start(self, pid: int) -> str:
        """When a process started, so that a reused number is not taken for it; "0" where the system does not say."""
        fields = _text(self._processes / str(pid) / "stat").rpartition(")")[2].split()
        return fields[_START_FIELD] if len(fields) > _START_FIELD else "0"


def _text(path: Path) -> str:
    try:
        return path.read_text("ascii", "replace").strip()
    except OSError:
        return ""
