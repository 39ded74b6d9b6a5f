"""Owns indexing as a command does it: with progress, outside any event loop, what was skipped told and kept.

Never: an index that leaves a file out silently.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterfoil import wiring
from counterfoil.core.record.snapshot import Notice
from counterfoil.core.text.vocabulary import Vocabulary
from counterfoil.entrypoints.cli.progress import Progress
from counterfoil.entrypoints.intake import notices_of
from counterfoil.settings import Settings

if TYPE_CHECKING:
    from counterfoil.adapters.corpus.local import LocalCorpus


def index_corpus(
    settings: Settings,
    paths: tuple[str, ...],
    snapshots: tuple[str, ...],
    words: Vocabulary,
    progress: Progress,
    *,
    rerank: bool = True,
) -> tuple[LocalCorpus, tuple[Notice, ...]]:
    """Index outside any event loop, where an interrupt ends it at once."""
    corpus, indexed = wiring.open_corpus(
        settings,
        paths,
        words,
        lambda at: progress.index(at.documents_done, at.documents_total, at.pages, at.current),
        snapshots=snapshots,
        rerank=rerank,
    )
    progress.pause()
    skipped, told = notices_of(indexed)
    for line in (*(f"skipped {notice.text}" for notice in skipped), *(notice.text for notice in told)):
        progress.note(line)
    return corpus, (*skipped, *told)
