"""A local corpus in a temporary folder, and readers that misbehave on purpose."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

from counterfoil.adapters.corpus.local import LocalCorpus, Reranker
from counterfoil.adapters.corpus.vocabulary_files import load_vocabulary
from counterfoil.adapters.readers.text import TextReader
from counterfoil.ports.reader import ParsedDocument, Reader, ReadLimits

LIMITS = ReadLimits(file_bytes_max=1_000_000, segment_chars_max=2000, passage_chars_max=400)


class HostileReader:
    """Dies, hangs or raises, as the file's text says."""

    suffixes: ClassVar[tuple[str, ...]] = (".pdf",)  # read in a worker process, like all native formats
    version = 1

    def read(self, path: str, limits: ReadLimits, progress: Callable[[int, int], None] | None = None) -> ParsedDocument:
        text = Path(path).read_text()
        if "die" in text:
            os._exit(7)
        if "hang" in text:
            time.sleep(600)
        if "raise" in text:
            raise ZeroDivisionError("a defect")
        if "swell" in text:
            bytearray(3 << 30)
        if "chatter" in text:
            print("a library that prints")
        return TextReader().read(path, limits, progress)


class SlowTextReader(HostileReader):
    """The same for text files, which a small corpus reads in-process."""

    suffixes: ClassVar[tuple[str, ...]] = (".txt",)


def local(
    folder: Path | list[Path],
    index: Path,
    *,
    readers: tuple[Reader, ...] = (TextReader(),),
    limits: ReadLimits = LIMITS,
    reranker: Reranker | None = None,
) -> LocalCorpus:
    return LocalCorpus(
        folder if isinstance(folder, list) else [folder],
        index_path=index,
        readers=readers,
        limits=limits,
        vocabulary=load_vocabulary(),
        reranker=reranker,
    )


def write(folder: Path, **texts: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
