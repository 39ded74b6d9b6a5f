"""Owns indexing as a command does it: with progress, outside any event loop, what was skipped told and kept.

Never: an index that leaves a file out silently.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from counterfoil import wiring
from counterfoil.adapters.render.plain import one_line
from counterfoil.core.record.snapshot import Notice
from counterfoil.core.text.vocabulary import Vocabulary
from counterfoil.entrypoints.cli.progress import Progress
from counterfoil.settings import Settings

if TYPE_CHECKING:
    from counterfoil.adapters.corpus.indexing import IndexReport
    from counterfoil.adapters.corpus.local import LocalCorpus

_NOTICES_MAX = 200  # of one kind: a folder of ten thousand pictures must not fill a report with their names


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


def notices_of(indexed: IndexReport) -> tuple[tuple[Notice, ...], tuple[Notice, ...]]:
    """What the reader of an answer should know of the index: what was skipped, and what else there is to say."""
    skipped = _notices((code, f"{name}: {sentence}") for name, code, sentence in indexed.skipped)
    warned = _notices(("READER_WARNING", warning) for warning in indexed.warnings)
    about_index = _notices(("INDEX_WARNING", note) for note in indexed.notes)
    return skipped, (*warned, *about_index)


def _notices(told: Iterable[tuple[str, str]]) -> tuple[Notice, ...]:
    """Notices of one kind; of very many the first ones and how many more there are."""
    notices = [Notice(code, one_line(text)) for code, text in told]
    more = len(notices) - _NOTICES_MAX
    if more > 0:
        notices[_NOTICES_MAX:] = [Notice(notices[_NOTICES_MAX].code, f"and {more} more like these")]
    return tuple(notices)
