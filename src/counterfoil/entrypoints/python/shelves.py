"""Owns the documents that the Runs of one Host search: each set of paths is indexed once and closed with the Host.

Never: an index that is left half open when whoever waits for it gives up.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from counterfoil import wiring
from counterfoil.core.record.snapshot import Notice
from counterfoil.core.text.vocabulary import Vocabulary
from counterfoil.entrypoints.intake import absolute, notices_of, path_of
from counterfoil.ports.reader import ReadLimits
from counterfoil.settings import Settings

if TYPE_CHECKING:
    from counterfoil.adapters.corpus.indexing import IndexReport
    from counterfoil.adapters.corpus.local import LocalCorpus


class Inputs(msgspec.Struct, frozen=True):
    """Where to look, as a Run keeps it: absolute paths of folders or files, and of saved webs."""

    corpus: tuple[str, ...] = ()
    snapshots: tuple[str, ...] = ()

    @classmethod
    def given(cls, corpus: Iterable[str | os.PathLike[str]], snapshots: Iterable[str | os.PathLike[str]]) -> Inputs:
        """Paths as a caller writes them, relative to the folder it is in."""
        return cls(absolute(corpus), absolute(snapshots))


class Shelf(msgspec.Struct, frozen=True):
    """An open corpus, and what the reader of an answer should know of it."""

    corpus: LocalCorpus
    notices: tuple[Notice, ...]


class _Abandoned(Exception):
    """Nobody waits for the index any more."""


class Shelves:
    """The open corpora of a Host."""

    def __init__(self, settings: Settings, words: Vocabulary) -> None:
        self._words = words
        self._settings, self._limits = settings, _limits(settings)
        self._open: dict[tuple[Inputs, ReadLimits], Shelf] = {}
        self._one_at_a_time = asyncio.Lock()

    async def open(self, settings: Settings, inputs: Inputs) -> Shelf:
        """The corpus of ``inputs``, indexed when it is first asked for.

        Where ``settings`` cut documents otherwise than the Host does (a Run was admitted so), it has its own index.

        Raises:
            RefusedError: a path is missing, or nothing in them can be read.
        """
        limits = self._limits if settings is self._settings else _limits(settings)
        if limits != self._limits:
            cut = "-".join(str(limit) for limit in msgspec.structs.astuple(limits))
            settings = msgspec.structs.replace(settings, index=str(Path(settings.index) / cut))
        async with self._one_at_a_time:
            if (inputs, limits) not in self._open:
                self._open[inputs, limits] = await self._index(settings, inputs)
            return self._open[inputs, limits]

    async def _index(self, settings: Settings, inputs: Inputs) -> Shelf:
        """Index in a thread, which gives up after the document under way when nobody waits any more."""
        abandoned = threading.Event()

        def progress(_at: object) -> None:
            if abandoned.is_set():
                raise _Abandoned

        def work() -> tuple[LocalCorpus, IndexReport]:
            corpus, snapshots = (tuple(map(path_of, paths)) for paths in (inputs.corpus, inputs.snapshots))
            return wiring.open_corpus(settings, corpus, self._words, progress, snapshots=snapshots)

        working = asyncio.ensure_future(asyncio.to_thread(work))
        try:
            corpus, indexed = await asyncio.shield(working)
        except asyncio.CancelledError:
            abandoned.set()
            await asyncio.wait([working])
            if working.exception() is None:
                working.result()[0].close()
            raise
        skipped, told = notices_of(indexed)
        return Shelf(corpus, (*skipped, *told))

    def close(self) -> None:
        """Close every corpus."""
        for shelf in self._open.values():
            shelf.corpus.close()
        self._open.clear()


def _limits(settings: Settings) -> ReadLimits:
    return wiring.read_limits(wiring.policy_values(settings))
