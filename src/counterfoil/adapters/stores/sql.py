"""Owns the ledger in a SQL database: one thread that commits whatever waits, one thread that reads.

Never: a database's own SQL (see ``dialect``), or blocking the event loop.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError

from counterfoil.adapters.stores.dialect import Dialect
from counterfoil.adapters.stores.inline import InlineExecutor
from counterfoil.adapters.stores.purging import purge, sweep
from counterfoil.adapters.stores.reading import (
    decoded_events,
    lease_of,
    listings,
    proven_events,
    stored_events,
    verdict,
)
from counterfoil.adapters.stores.records import conflict
from counterfoil.adapters.stores.writing import Append, Batch, Job, Outcome, Renewal
from counterfoil.core.errors import InternalError, LedgerBroken
from counterfoil.core.record.codec import keyed_namer
from counterfoil.core.record.events import Event
from counterfoil.ports.ledger import Lease, Purged, RunListing, StoredEvent, Verification

BATCH_MAX = 256  # appends that share a transaction: enough for every Run of a busy host, small enough to stay quick

T = TypeVar("T")
Found = tuple[Job, Outcome | BaseException]  # what became of a job, or why nothing did


def _thread(name: str, inline: bool) -> Executor:
    return InlineExecutor() if inline else ThreadPoolExecutor(1, thread_name_prefix=name)


class SqlLedger:
    """A ledger in the database behind ``store``, whose schema is current. ``blob_key`` names its blobs.

    ``inline``: work in the caller's thread, for simulations.
    """

    def __init__(self, store: Dialect, blob_key: bytes, *, inline: bool = False) -> None:
        self._store = store
        self._name = keyed_namer(blob_key)
        self._batch = Batch(store)
        self._waiting: deque[Job] = deque()
        self._kept: Connection | None = None
        self._write_thread = _thread("ledger-write", inline)
        self._read_thread = _thread("ledger-read", inline)
        self._closed = False

    async def append(
        self,
        run_id: str,
        expected_seq: int,
        events: Sequence[Event],
        *,
        at: int,
        epoch: int,
        listing: RunListing,
        lease: Lease | None = None,
    ) -> tuple[StoredEvent, ...]:
        """Append all events or none. Cancelling the await does not take back an append that has begun."""
        done = asyncio.get_running_loop().create_future()
        self._enqueue(Append(run_id, expected_seq, events, at, epoch, listing, lease, done))
        appended: tuple[StoredEvent, ...] = await done
        return appended

    async def renew(self, run_id: str, *, epoch: int, until: int) -> None:
        """Give the lease another end, in the same transaction as whatever else waits."""
        done = asyncio.get_running_loop().create_future()
        self._enqueue(Renewal(run_id, epoch, until, done))
        await done

    async def lease(self, run_id: str) -> Lease | None:
        """The lease that the Run was last driven under."""
        return await self._read(lambda connection: lease_of(connection, run_id))

    async def stored(self, run_id: str) -> tuple[StoredEvent, ...]:
        """Events as stored, oldest first."""
        return await self._read(lambda connection: stored_events(connection, run_id))

    async def events(self, run_id: str) -> tuple[tuple[StoredEvent, Event], ...]:
        """Events with their decoded form."""
        return await self._read(lambda connection: decoded_events(connection, run_id, self._name))

    async def proven(self, run_id: str) -> tuple[tuple[StoredEvent, Event], ...]:
        """Events with their decoded form, once they are proven."""
        return await self._read(lambda connection: proven_events(connection, run_id, self._name, self._is_damage))

    async def runs(self) -> tuple[RunListing, ...]:
        """All Runs, newest first."""
        return await self._read(listings)

    async def verify(self, run_id: str) -> Verification:
        """Recompute the chain over the stored bytes and the blobs they name."""
        return await self._read(lambda connection: verdict(connection, run_id, self._name, self._is_damage))

    async def purge(self, run_id: str, *, at: int, why: str) -> Purged:
        """Delete the content of a settled Run, then let the database forget what it deleted."""
        return await self._alter(
            lambda connection: purge(connection, self._store, run_id, at=at, why=why, name_blob=self._name)
        )

    async def sweep(self) -> int:
        """Delete blobs that no event refers to."""
        return await self._alter(lambda connection: sweep(connection, self._store))

    async def close(self) -> None:
        """Finish what waits, then release the threads and the database."""
        if self._closed:
            return
        self._closed = True
        loop = asyncio.get_running_loop()
        for thread, last in ((self._write_thread, self._release), (self._read_thread, _nothing)):
            await loop.run_in_executor(thread, last)
            thread.shutdown()
        self._store.writer.dispose()

    def _enqueue(self, job: Job) -> None:
        self._require_open()
        self._waiting.append(job)
        self._write_thread.submit(self._commit_waiting)

    # --- writing: on the writer thread only

    def _commit_waiting(self) -> None:
        jobs, found = self._ready()
        if jobs:
            found += self._committed(jobs)
        by_loop: dict[asyncio.AbstractEventLoop, list[Found]] = {}
        for job, outcome in found:
            by_loop.setdefault(job.done.get_loop(), []).append((job, outcome))
        for loop, some in by_loop.items():
            with contextlib.suppress(RuntimeError):  # it was closed: nobody waits there any more
                loop.call_soon_threadsafe(_tell, some)  # waking a loop up costs more than what it is told

    def _ready(self) -> tuple[list[Job], list[Found]]:
        """What to commit next, and what cannot even be prepared. Whoever stopped waiting before is left out."""
        jobs: list[Job] = []
        failed: list[Found] = []
        while self._waiting and len(jobs) < BATCH_MAX:
            job = self._waiting.popleft()
            if job.done.cancelled():
                continue
            try:
                job.prepare(self._name)
            except Exception as error:  # noqa: BLE001  # whoever waits must hear of it, whatever it is
                failed.append((job, error))
            else:
                jobs.append(job)
        return jobs, failed

    def _committed(self, jobs: list[Job]) -> list[Found]:
        try:
            return list(zip(jobs, self._written(jobs), strict=True))
        except BaseException as error:  # noqa: BLE001  # as above
            if len(jobs) > 1 and isinstance(error, (IntegrityError, DataError, ValueError, OverflowError)):
                return [found for job in jobs for found in self._committed([job])]  # one cannot be; the others can
            return [(job, self._reason(job, error)) for job in jobs]

    def _written(self, jobs: list[Job]) -> list[Outcome]:
        """Write in one transaction. After a lost connection another attempt looks first at what is stored."""
        unsure = False  # whether an attempt may have been committed without an answer
        for wait_s in (*self._store.retries_s, None):
            committing = False
            try:
                with self._transaction() as connection:
                    outcomes = self._batch.write(connection, jobs, again=unsure)
                    self._store.guard(writing=True)
                    committing = True
            except DBAPIError as error:
                lost = self._store.lost(error)
                unsure = unsure or (lost and committing)
                if wait_s is None or not (lost or (unsure and isinstance(error, IntegrityError))):
                    if unsure:
                        raise self._unsure(error) from error
                    raise
                time.sleep(wait_s)
            else:
                return outcomes
        raise AssertionError("the last attempt returns or raises")

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[Connection]:
        """A transaction on the connection that this thread keeps: on another one after something went wrong."""
        connection, self._kept = self._kept or self._store.writer.connect(), None
        try:
            with connection.begin():
                yield connection
        except BaseException:
            connection.close()
            raise
        self._kept = connection

    def _release(self) -> None:
        if self._kept is not None:
            self._kept.close()

    async def _alter(self, work: Callable[[Connection], T]) -> T:
        self._require_open()
        return await asyncio.get_running_loop().run_in_executor(self._write_thread, self._in_write, work)

    def _in_write(self, work: Callable[[Connection], T]) -> T:
        """Work in a transaction of its own. Nothing is tried again: doing it twice is for the caller to choose."""
        committing = False
        with self._translated():
            try:
                with self._transaction() as connection:
                    outcome = work(connection)
                    self._store.guard(writing=True)
                    committing = True
            except DBAPIError as error:
                if committing and self._store.lost(error):
                    raise self._unsure(error) from error
                raise
            self._store.forget_deleted()
            return outcome

    def _reason(self, job: Job, error: BaseException) -> BaseException:
        if isinstance(error, IntegrityError):
            return conflict(job.run_id, "it got an event of the same number first")
        if isinstance(error, (DataError, ValueError, OverflowError)):  # text or a number that no database takes
            return InternalError(
                f"Run {job.run_id} cannot be stored: {error}.",
                code="EVENT_NOT_STORABLE",
                hint="Nothing of this step was stored; everything before it stands.",
            )
        if isinstance(error, DBAPIError):
            return self._store.explain(error)
        return error

    def _unsure(self, error: DBAPIError) -> LedgerBroken:
        why = self._store.explain(error)
        return LedgerBroken(
            f"{why.message} It was lost during a commit, so this step may be stored or not.",
            code="STORE_OUTCOME_UNKNOWN",
            hint="Everything recorded before stands. Try again when it can be reached: what is stored counts.",
        )

    # --- reading: on the reader thread only

    async def _read(self, work: Callable[[Connection], T]) -> T:
        self._require_open()
        return await asyncio.get_running_loop().run_in_executor(self._read_thread, self._in_transaction, work)

    def _in_transaction(self, work: Callable[[Connection], T]) -> T:
        self._store.guard(writing=False)
        with self._translated():
            try:
                return self._one_reading(work)
            except DBAPIError as error:
                if not self._store.lost(error):
                    raise
                return self._one_reading(work)  # over a new connection

    def _one_reading(self, work: Callable[[Connection], T]) -> T:
        with self._store.reader.connect() as connection:  # closing rolls back: there is nothing to commit
            return work(connection)

    @contextlib.contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except DBAPIError as error:
            raise self._store.explain(error) from error
        except (TypeError, ValueError) as error:
            raise LedgerBroken(
                f"The store holds a value that is not of its column's type: {error}.",
                code="STORE_CORRUPT",
                hint="It was changed from outside. `counterfoil verify` on the Run names the first bad event.",
            ) from error

    def _is_damage(self, error: Exception) -> bool:
        if isinstance(error, DBAPIError):
            return self._store.explain(error).code == "STORE_CORRUPT"
        return isinstance(error, (TypeError, ValueError))

    def _require_open(self) -> None:
        if self._closed:
            raise LedgerBroken("The ledger was closed.", code="STORE_CLOSED", hint="Open the store again.")


def _tell(found: Sequence[Found]) -> None:
    """Tell those who still wait; called in their loop."""
    for job, outcome in found:
        if job.done.done():  # cancelled meanwhile
            continue
        if isinstance(outcome, BaseException):
            job.done.set_exception(outcome)
        else:
            job.done.set_result(outcome)


def _nothing() -> None:
    """What a thread does last: by then it has done everything that waited."""
