"""Owns documents: readers, vocabularies, the corpus and its index.

Never: behaviour of its own beyond choosing which class stands behind which port.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from counterfoil.core.errors import RefusedError, UsageError
from counterfoil.core.law import budget as ids
from counterfoil.core.record.state import RunState
from counterfoil.core.text.vocabulary import Vocabulary
from counterfoil.ports.reader import Reader
from counterfoil.settings import Settings
from counterfoil.wiring.limits import policy_values, read_limits

if TYPE_CHECKING:
    from counterfoil.adapters.corpus.indexing import IndexReport, OnProgress
    from counterfoil.adapters.corpus.local import LocalCorpus, Reranker


def vocabulary(settings: Settings) -> Vocabulary:
    """The packaged vocabularies, extended by the user's files or folders of files."""
    from counterfoil.adapters.corpus.vocabulary_files import load_vocabulary

    return load_vocabulary(_vocabulary_files(settings))


def vocabulary_digests(settings: Settings) -> list[str]:
    """What the user's vocabularies hold, by file in the order in which they extend the packaged ones."""
    return [hashlib.sha256(path.read_bytes()).hexdigest() for path in _vocabulary_files(settings)]


def _vocabulary_files(settings: Settings) -> list[Path]:
    files: list[Path] = []
    for name in settings.vocabularies:
        path = Path(name).expanduser()
        if not path.exists():
            raise UsageError(
                f"the vocabulary {name} does not exist", code="VOCABULARY_MISSING", hint="name a .toml file or a folder"
            )
        files += sorted(path.glob("*.toml")) if path.is_dir() else [path]
    return files


def readers() -> tuple[Reader, ...]:
    """One reader per family of formats."""
    from counterfoil.adapters.readers.docx import DocxReader
    from counterfoil.adapters.readers.html import HtmlReader
    from counterfoil.adapters.readers.json_ import JsonReader
    from counterfoil.adapters.readers.markdown import MarkdownReader
    from counterfoil.adapters.readers.pdf import PdfReader
    from counterfoil.adapters.readers.sheet import SheetReader
    from counterfoil.adapters.readers.text import TextReader

    return (PdfReader(), HtmlReader(), MarkdownReader(), TextReader(), DocxReader(), SheetReader(), JsonReader())


def open_corpus(
    settings: Settings,
    paths: tuple[str, ...],
    words: Vocabulary,
    progress: OnProgress | None = None,
    *,
    snapshots: tuple[str, ...] = (),
    rerank: bool = True,
) -> tuple[LocalCorpus, IndexReport]:
    """Index ``paths`` and the saved webs in ``snapshots``, and open them for searching.

    ``rerank=False`` leaves the reranker out: many searches in a row want the first ten pages, not the best first.

    Raises:
        RefusedError: no path was given, one is missing, or nothing in them can be read.
    """
    from counterfoil.adapters.corpus.local import LocalCorpus

    if not paths and not snapshots:
        raise RefusedError(
            "there is nothing to search", code="CORPUS_MISSING", hint="name a folder or file: --corpus PATH"
        )
    values = policy_values(settings)
    roots = tuple(Path(path).expanduser() for path in paths)
    webs = tuple(Path(path).expanduser() for path in snapshots)
    named = [*(str(root.absolute()) for root in roots), *(f"web:{web.absolute()}" for web in webs)]
    name = hashlib.sha256("\0".join(sorted(named)).encode("utf-8", "surrogateescape"))
    corpus = LocalCorpus(
        roots,
        index_path=Path(settings.index).expanduser() / f"{name.hexdigest()[:24]}.db",
        readers=readers(),
        limits=read_limits(values),
        vocabulary=words,
        snapshots=webs,
        reranker=reranker() if rerank else None,
    )
    try:
        return corpus, corpus.index_now(progress)
    except BaseException:
        corpus.close()
        raise


def reranker() -> Reranker | None:
    """The reranker of extra ``rerank`` when it is installed."""
    from counterfoil.adapters.corpus.rerank import find_reranker

    return find_reranker()


def as_admitted(settings: Settings, state: RunState) -> Settings:
    """Settings under which documents are read as they were when the Run was admitted: its handles name segments."""
    limits = {policy: state.budget.limit(policy) for policy in (ids.FILE_BYTES, ids.SEGMENT_CHARS, ids.PASSAGE_CHARS)}
    return msgspec.structs.replace(settings, policies={**settings.policies, **limits})
