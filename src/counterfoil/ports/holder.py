"""The port to who drives a Run: the name of this process, and whether another one still lives."""

from __future__ import annotations

from typing import Protocol


class Holders(Protocol):
    """Names processes so that a dead one can be told from a live one."""

    def own(self) -> str:
        """The name of this process."""
        ...

    def alive(self, holder: str) -> bool:
        """Whether ``holder`` may still be driving; a process of another machine is taken to be alive."""
        ...
