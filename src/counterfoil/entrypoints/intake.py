"""Owns what the command line and the Python API alike do with what they are given before a Run is admitted.

Never: a word of one of them; a hint that names an option or an argument is the caller's.
"""

from __future__ import annotations

import datetime
import os
import zoneinfo
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote_to_bytes

from counterfoil.adapters.render.plain import one_line
from counterfoil.core.answer.contract import Contract
from counterfoil.core.errors import RefusedError, UsageError
from counterfoil.core.evidence.domains import among_docs
from counterfoil.core.evidence.passages import Document
from counterfoil.core.record.snapshot import Notice

if TYPE_CHECKING:
    from counterfoil.adapters.corpus.indexing import IndexReport

_NAMED_MAX = 3
_NOTICES_MAX = 200  # of one kind: a folder of ten thousand pictures must not fill a report with their names


def absolute(paths: Iterable[str | os.PathLike[str]]) -> tuple[str, ...]:
    """Paths as a Run keeps them: absolute, read from the folder that the caller is in."""
    return tuple(stored_path(Path(path).expanduser().absolute()) for path in paths)


def stored_path(path: Path) -> str:
    """An absolute path as a Run keeps it; as a file: address when its bytes are no text."""
    try:
        return str(path).encode("utf-8").decode("utf-8")
    except UnicodeEncodeError:
        return path.as_uri()


def path_of(stored: str) -> str:
    """The path that a Run kept."""
    return os.fsdecode(unquote_to_bytes(stored.removeprefix("file://"))) if stored.startswith("file://") else stored


def as_of_date(text: str | None, now_ms: int) -> str:
    """An ISO date as given; the day of ``now_ms`` (milliseconds since the epoch, UTC) when none is.

    Raises:
        UsageError: it is no date.
    """
    if text is None:
        return datetime.datetime.fromtimestamp(now_ms / 1000, datetime.UTC).date().isoformat()
    try:
        return datetime.date.fromisoformat(text).isoformat()
    except ValueError as wrong:
        raise UsageError(f"{text!r} is no date", code="DATE_INVALID", hint="write YYYY-MM-DD: 2025-03-31") from wrong


def zone_name(text: str | None) -> str:
    """A time zone as given, "unknown" when none is: only a caller can name one.

    Raises:
        UsageError: there is no such zone.
    """
    if text is None:
        return "unknown"
    try:
        zoneinfo.ZoneInfo(text)
    except (zoneinfo.ZoneInfoNotFoundError, TypeError, ValueError, OSError) as wrong:
        raise UsageError(
            f"{text!r} is no time zone", code="ZONE_INVALID", hint="write one like Europe/Lisbon"
        ) from wrong
    return text


def require_named_documents(contract: Contract, documents: Sequence[Document]) -> None:
    """Refuse a row bound to a document that is not there, before a search for it finds nothing.

    Raises:
        RefusedError: it names the first.
    """
    for row in contract.rows:
        for name in row.docs:
            if not any(among_docs(document, (name,)) for document in documents):
                raise RefusedError(
                    f"row {row.name!r} is bound to {name!r}, and no document of the corpus is called so",
                    code="DOCS_UNKNOWN",
                    hint="write a file name, a folder or a part of a title, as "
                    + ", ".join(document.id for document in documents[:_NAMED_MAX]),
                )


def require_web_for_domains(contract: Contract, *, web: bool, hint: str) -> None:
    """A file in a folder has no address, so a rule about domains would silently exclude every one.

    ``web``: whether there are saved pages, which have domains.

    Raises:
        RefusedError: there is such a rule, and no saved web.
    """
    bound = [row.name for row in contract.rows if row.domains and not row.docs]
    if (contract.domains or bound) and not web:
        who = "the task" if contract.domains else f"row {bound[0]!r}"
        raise RefusedError(
            f"{who} allows only some domains, and files have none", code="DOMAINS_WITHOUT_WEB", hint=hint
        )


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
