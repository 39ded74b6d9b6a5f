"""Owns keeping the index in step with the files: what is new, changed, gone, skipped.

Never: searching, file formats. Unchanged files are not read again; every result is written as it arrives.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

import msgspec

from counterfoil.adapters.corpus.files import FoundFile, Root, Skip, find_files
from counterfoil.adapters.corpus.prepare import Failed, Prepared, sha256_of
from counterfoil.adapters.corpus.reading import ReadPlan, Task, read_all
from counterfoil.adapters.corpus.store import FileRow, Store
from counterfoil.adapters.corpus.tokens import cjk_spaced
from counterfoil.core.errors import RefusedError
from counterfoil.core.evidence.passages import Document
from counterfoil.ports.reader import Reader

# Reading these may take a minute or much memory: not with every question.
AGAIN_WHEN_TOUCHED = ("CRASHED", "READER_FAILED", "TOO_LARGE_TO_READ")
_TITLE_SEPARATORS = str.maketrans("_-./", "    ")


class IndexProgress(msgspec.Struct, frozen=True):
    """How far indexing is. ``pages`` counts those read so far; their total is not known beforehand."""

    documents_done: int
    documents_total: int
    pages: int
    current: str | None = None


class IndexReport(msgspec.Struct, frozen=True):
    """What indexing found. ``skipped`` holds (file, code, sentence); ``warnings`` are sentences of the readers.

    ``notes`` are sentences about the index itself.
    """

    documents: int
    segments: int
    read: int = 0
    unchanged: int = 0
    removed: int = 0
    skipped: tuple[tuple[str, str, str], ...] = ()
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


OnProgress = Callable[[IndexProgress], None]


class Indexer:
    """One pass over the files of a corpus."""

    def __init__(self, store: Store, roots: Sequence[Root], readers: Sequence[Reader], plan: ReadPlan) -> None:
        self._store = store
        self._roots = roots
        self._plan = plan
        self._readers = {suffix: reader for reader in readers for suffix in reader.suffixes}
        self._notes: list[str] = []

    def run(self, progress: OnProgress | None) -> IndexReport:
        """Bring the index up to date; refuse a corpus in which nothing can be read."""
        if self._store.open():
            self._notes.append("the index file was damaged or of an older version and has been built again")
        found, closed = find_files(self._roots)
        known = self._store.files()
        removed = self._remove_gone(found, known)
        stale, unsupported = self._sort_out(found, known)
        read = self._read(stale, progress)
        return self._report(found, [*closed, *unsupported], read, len(found) - len(unsupported) - len(stale), removed)

    def _remove_gone(self, found: Sequence[FoundFile], known: dict[bytes, FileRow]) -> int:
        present = {os.fsencode(f.path): f.id for f in found}
        gone = [row for path, row in known.items() if present.get(path) != row.id]
        if gone:
            with self._store.transaction():
                for row in gone:
                    self._store.remove_file(row)
                    known.pop(row.path, None)
        return sum(1 for row in gone if row.path not in present)

    def _sort_out(self, found: Sequence[FoundFile], known: dict[bytes, FileRow]) -> tuple[list[Task], list[Skip]]:
        stale: list[Task] = []
        unsupported: list[Skip] = []
        for file in found:
            reader = self._readers.get(os.path.splitext(file.path)[1].lower())
            if reader is None and file.url.startswith("https:"):
                reader = self._readers.get(".html")  # a saved page often has no suffix, or the path's own
            if reader is None:
                unsupported.append(Skip(file.id, "UNSUPPORTED", "no reader knows this kind of file"))
            elif not self._unchanged(file, reader, known.get(os.fsencode(file.path))):
                stale.append((file, reader))
        return stale, unsupported

    def _unchanged(self, file: FoundFile, reader: Reader, row: FileRow | None) -> bool:
        if row is None or row.size != file.size or row.reader != self._reader_key(reader):
            return False
        if row.code == "UNREADABLE":  # the moment's fault
            return False
        if (row.mtime_ns, row.ctime_ns) == (file.mtime_ns, file.ctime_ns):  # a program can set mtime, not ctime
            return True
        if row.code in AGAIN_WHEN_TOUCHED:
            return False
        try:
            same = row.sha256 != "" and sha256_of(file.path) == row.sha256
        except OSError:
            return False
        if same:
            with self._store.transaction():
                self._store.put_file(msgspec.structs.replace(row, mtime_ns=file.mtime_ns, ctime_ns=file.ctime_ns))
        return same

    def _reader_key(self, reader: Reader) -> str:
        limits = self._plan.limits
        return (
            f"{type(reader).__qualname__}:{reader.version}:{limits.file_bytes_max}"
            f":{limits.segment_chars_max}:{limits.passage_chars_max}"
        )

    def _read(self, stale: list[Task], progress: OnProgress | None) -> int:
        done = pages = read = 0
        readers = {file.id: reader for file, reader in stale}

        def tell(current: str | None) -> None:
            if progress is not None:
                progress(IndexProgress(done, len(stale), pages, current))

        def on_pages(count: int) -> None:
            nonlocal pages
            pages += count
            tell(None)

        tell(None)
        for file, outcome in read_all(stale, self._plan, on_pages):
            self._write(file, self._reader_key(readers[file.id]), outcome)
            done += 1
            read += isinstance(outcome, Prepared)
            tell(file.id)
        return read

    def _write(self, file: FoundFile, reader: str, outcome: Prepared | Failed) -> None:
        raw = os.fsencode(file.path)
        with self._store.transaction():
            for earlier in self._store.files_like(raw, file.id):
                self._store.remove_file(earlier)
            row = FileRow(raw, file.id, file.size, file.mtime_ns, file.ctime_ns, outcome.sha256, reader)
            if isinstance(outcome, Failed):
                again = "; it is tried again once it is changed or touched"
                message = outcome.message + (again if outcome.code in AGAIN_WHEN_TOUCHED else "")
                self._store.put_file(msgspec.structs.replace(row, code=outcome.code, message=message))
                return
            doc_key = self._store.next_doc()
            self._store.put_file(msgspec.structs.replace(row, doc=doc_key))
            document = _document(file, outcome)
            self._store.put_document(
                doc_key,
                file.id,
                msgspec.msgpack.encode(document),
                msgspec.msgpack.encode(outcome.routing),
                msgspec.msgpack.encode(outcome.warnings),
            )
            title = cjk_spaced(f"{document.title} {file.id.translate(_TITLE_SEPARATORS)}")
            for segment in outcome.segments:
                self._store.put_segment(doc_key, title, segment)

    def _report(
        self,
        found: Sequence[FoundFile],
        left_out: list[Skip],
        read: int,
        unchanged: int,
        removed: int,
    ) -> IndexReport:
        skipped = list(left_out)
        rows = self._store.query("SELECT id, code, message FROM files WHERE code IS NOT NULL ORDER BY id")
        skipped += [Skip(str(i), str(code), str(message)) for i, code, message in rows]
        warnings: list[str] = []
        for document_id, packed in self._store.query("SELECT id, warnings FROM docs ORDER BY id"):
            assert isinstance(packed, bytes)
            warnings += [f"{document_id}: {w}" for w in msgspec.msgpack.decode(packed, type=tuple[str, ...])]
        documents = int(str(self._store.query("SELECT count(*) FROM docs")[0][0]))
        if documents == 0:
            raise _nothing_readable(self._roots, found, skipped, sorted(self._readers))
        return IndexReport(
            documents=documents,
            segments=int(str(self._store.query("SELECT count(*) FROM segments")[0][0])),
            read=read,
            unchanged=unchanged,
            removed=removed,
            skipped=tuple(sorted(skipped)),
            warnings=tuple(warnings),
            notes=tuple(self._notes),
        )


def _document(file: FoundFile, outcome: Prepared) -> Document:
    return Document(
        id=file.id,
        url=file.url,
        title=outcome.title,
        media_type=outcome.media_type,
        segments=len(outcome.segments),
        content_hash=outcome.sha256,
        language=outcome.language,
        published=outcome.published,
        updated=outcome.updated,
        dates_guessed=outcome.dates_guessed,
        subject=outcome.routing.subject,
        period=outcome.routing.period,
        form=outcome.routing.form,
        instructions=outcome.instructions,
    )


def _nothing_readable(
    roots: Sequence[Root], found: Sequence[FoundFile], skipped: list[Skip], suffixes: list[str]
) -> RefusedError:
    where = ", ".join(str(r.path).encode("utf-8", "backslashreplace").decode() for r in roots) or "(no path)"
    count = len(found) + sum(1 for skip in skipped if skip.name not in {file.id for file in found})
    why = f"none of its {count} files can be read" if count else "it holds no files"
    example = f"; {skipped[0].name}: {skipped[0].message}" if skipped else ""
    return RefusedError(
        f"the corpus {where} is empty: {why}{example}",
        code="CORPUS_EMPTY",
        hint=f"give a folder with at least one readable file ({' '.join(suffixes)})",
    )
