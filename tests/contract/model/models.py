"""The models that the model contract is checked against, and how to make them answer and fail.

A new model joins with a class that plays answers for it, and one line in ``MODELS``.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from tests.stubs.dialects import Said
from tests.stubs.provider import Provider
from tests.stubs.wires import answer, error, opened

from counterfoil.adapters.models.script import ScriptModel
from counterfoil.core.text.vocabulary import NO_WORDS
from counterfoil.ports.model import Model
from counterfoil.researcher.offline import OfflineResearcher

CALL = ("search_public_sources", {"query": "day pass price"})


class Cast(Protocol):
    """A model that will make ``CALL``, and that can be made to fail. ``close`` ends what it stands on."""

    model: Model

    def failing(self) -> Model | None: ...
    def close(self) -> None: ...


class Offline:
    def __init__(self, folder: Path) -> None:
        self.model: Model = OfflineResearcher(NO_WORDS)

    def failing(self) -> None:
        """It asks nobody, and so has nothing to fail at."""

    def close(self) -> None:
        pass


class Scripted:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        tool, args = CALL
        self.model: Model = self._script({"calls": [{"tool": tool, "args": args}], "repeat": 3})

    def _script(self, line: object) -> Model:
        path = self.folder / "script.jsonl"
        path.write_text(json.dumps(line))
        return ScriptModel(path)

    def failing(self) -> Model:
        return self._script({"error": {"status": 503}})

    def close(self) -> None:
        pass


class Wired:
    def __init__(self, vendor: str) -> None:
        self.vendor = vendor
        tool, args = CALL
        self.good = Provider(answer(vendor, Said("I search.", ((tool, json.dumps(args)),))))
        self.bad = Provider(error(vendor, 503))
        self.good.__enter__()
        self.bad.__enter__()
        self.model: Model = opened(vendor, self.good.url).model

    def failing(self) -> Model:
        return opened(self.vendor, self.bad.url).model

    def close(self) -> None:
        self.good.__exit__(None, None, None)
        self.bad.__exit__(None, None, None)


MODELS: dict[str, Callable[[Path], Cast]] = {
    "offline": Offline,
    "script": Scripted,
    "openai": lambda folder: Wired("openai"),
    "anthropic": lambda folder: Wired("anthropic"),
    "google": lambda folder: Wired("google"),
    "openai-compatible": lambda folder: Wired("openai-compatible"),
}
