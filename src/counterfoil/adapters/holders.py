"""Owns the names of local processes: machine start, process id and process start tell a dead one from a live one.

Never: signalling anybody; signal 0 only asks whether a process is there.
"""

from __future__ import annotations

import os
from pathlib import Path

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
_START_FIELD = 19  # of /proc/PID/stat after the command's name: when the process started


class LocalHolders:
    """Holders on this machine, written ``machine/boot/pid-space/pid/start``."""

    def __init__(self, processes: Path = Path("/proc"), boot_id: Path = BOOT_ID, machine: str | None = None) -> None:
        self._processes = processes
        self._machine = machine or os.uname().nodename
        self._boot = _text(boot_id) or "unknown"

    def own(self) -> str:
        """The name of this process."""
        return "/".join((self._machine, self._boot, self._space(), str(os.getpid()), self._start(os.getpid())))

    def alive(self, holder: str) -> bool:
        """Whether the process of that name may still run.

        One of this machine is asked for; after a restart of the machine none of before runs. Of another machine, or
        another space of process ids (a container), nothing is known here: it may run, for as long as its lease lasts.
        """
        parts = holder.rsplit("/", 4)
        if len(parts) != 5:
            return False  # no name that this class gave
        machine, boot, space, pid, start = parts
        if machine != self._machine or (boot == self._boot and space != self._space()):
            return True
        if boot != self._boot or not pid.isdigit():
            return False
        try:
            os.kill(int(pid), 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            pass  # it runs, under another user
        return self._start(int(pid)) == start

    def _space(self) -> str:
        """The space that process ids count in."""
        try:
            return os.readlink(self._processes / "self" / "ns" / "pid").rpartition("[")[2].rstrip("]") or "0"
        except OSError:
            return "0"

    def _start(self, pid: int) -> str:
        """When a process started, so that a reused number is not taken for it; "0" where the system does not say."""
        fields = _text(self._processes / str(pid) / "stat").rpartition(")")[2].split()
        return fields[_START_FIELD] if len(fields) > _START_FIELD else "0"


def _text(path: Path) -> str:
    try:
        return path.read_text("ascii", "replace").strip()
    except OSError:
        return ""
