"""Owns the Host as Python code uses it: settings, documents and one store, and the Runs that it drives side by side.

Never: a Run that goes on unseen once the Host is closed.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Any, TypedDict, TypeVar, overload

from msgspec.structs import replace

from counterfoil import wiring
from counterfoil.adapters.clock import SystemClock
from counterfoil.adapters.models.clients import Clients
from counterfoil.adapters.toolboxes.functions import FunctionEffect, FunctionTool
from counterfoil.core.errors import RefusedError, UsageError
from counterfoil.core.law.policy import Number
from counterfoil.core.record.attempts import chain_of
from counterfoil.core.record.state import RunState
from counterfoil.entrypoints.intake import as_of_date, require_named_documents, zone_name
from counterfoil.entrypoints.python.given import AnyPath, having, limits, listed, paths
from counterfoil.entrypoints.python.run import Drive, Run
from counterfoil.entrypoints.python.shelves import Inputs, Shelf, Shelves
from counterfoil.entrypoints.python.task import Task, budget_of, contract_of
from counterfoil.host.additions import Additions, require_distinct
from counterfoil.host.admission import Task as Order
from counterfoil.host.host import Finished, finished_run
from counterfoil.host.host import Host as Driver
from counterfoil.ports.ledger import Ledger
from counterfoil.ports.model import Model
from counterfoil.ports.validator import Validator
from counterfoil.settings import Settings, load_settings

TOOL_THREADS = 32  # calls of functions that are not async, at once, of all Runs of a Host
_Function = TypeVar("_Function", bound=Callable[..., Any])


class HostOptions(TypedDict, total=False):
    """The options of ``Host``, for those who pass them on."""

    corpus: Iterable[AnyPath]
    snapshots: Iterable[AnyPath]
    model: str | Model | None
    fallbacks: Iterable[str]
    reviewer: str | None
    store: AnyPath | Ledger | None
    policies: Mapping[str, Number | None]
    validators: Iterable[Validator]


class Host:
    """Answers tasks from documents. Use it as ``async with Host(corpus=["docs/"]) as host``.

    ``corpus`` names folders or files, ``snapshots`` saved webs; ``model`` is a spec ("offline", "script:FILE") or an
    object of ``counterfoil.ports.model.Model``, ``fallbacks`` specs that are asked when it is given up, ``reviewer``
    the spec of one that looks at accepted answers; ``store`` a file, a URL or a ``counterfoil.ports.ledger.Ledger``,
    which stays open when the Host closes; ``policies`` (policy id → value, None: off) are the operator's limits;
    ``validators`` (``counterfoil.ports.validator.Validator``) are publication checks beside those that are there.
    What is left out comes from the environment and the settings files, as on the command line.

    Raises:
        UsageError: a setting cannot be read, or there is no such policy.
        PolicyRefused: a limit is not lawful.
    """

    def __init__(
        self,
        *,
        corpus: Iterable[AnyPath] = (),
        snapshots: Iterable[AnyPath] = (),
        model: str | Model | None = None,
        fallbacks: Iterable[str] = (),
        reviewer: str | None = None,
        store: AnyPath | Ledger | None = None,
        policies: Mapping[str, Number | None] | None = None,
        validators: Iterable[Validator] = (),
    ) -> None:
        given_store = store if isinstance(store, str | os.PathLike) else None
        flags = {
            "model": model if isinstance(model, str) else None,
            "store": os.fspath(given_store) if given_store is not None else None,
            "reviewer": reviewer,
            "fallbacks": listed(fallbacks, "fallbacks"),
            "policies": {
                p: "off" if value is None else value for p, value in limits(policies or {}, "policies").items()
            },
        }
        self._settings = load_settings(flags, os.environ, Path.cwd())
        wiring.policy_values(self._settings)  # refuse an unlawful limit here, where it is written
        self._inputs = Inputs.given(paths(corpus, "corpus"), paths(snapshots, "snapshots"))
        self._model = None if isinstance(model, str) else having(model, "model", "spec", "complete")
        self._given_ledger = (
            None if isinstance(store, str | os.PathLike) else having(store, "store", "append", "events")
        )
        self._validators = tuple(having(one, "one of validators", "name", "check") for one in validators)
        self._tools: tuple[FunctionTool, ...] = ()
        self._threads = ThreadPoolExecutor(TOOL_THREADS, "counterfoil-tool")
        self._clients = Clients()  # of all its Runs, so that they share connections
        self._runs: set[Run] = set()
        self._ledger: Ledger | None = None
        self._shelves: Shelves | None = None
        self._closed = False

    async def __aenter__(self) -> Host:
        """Open the store and index the documents.

        Raises:
            RefusedError: a path is missing, or nothing in them can be read.
            LedgerBroken: the store cannot be used.
        """
        if self._closed or self._ledger is not None:
            raise UsageError("a Host opens once", code="HOST_OPENED", hint="make another one")
        words = wiring.vocabulary(self._settings)
        self._ledger = self._given_ledger or wiring.open_ledger(self._settings)
        self._words, self._shelves = words, Shelves(self._settings, words)
        try:
            if self._inputs != Inputs():
                await self._shelves.open(self._settings, self._inputs)
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Pause what still runs (after the step under way; at once when an exception leaves the block), and close."""
        await self.close(at_once=kind is not None)

    async def close(self, *, at_once: bool = False) -> None:
        """Pause the Runs that are not settled, and close documents and store. Closing twice is closing once."""
        self._closed = True
        try:
            if self._runs:
                await asyncio.gather(*(run.halt() if at_once else run.rest() for run in tuple(self._runs)))
        finally:
            self._threads.shutdown(wait=False, cancel_futures=True)
            if self._shelves is not None:
                self._shelves.close()
            if self._ledger is not None and self._given_ledger is None:
                await self._ledger.close()
            self._shelves = self._ledger = None
            await self._clients.close()

    @overload
    def tool(self, function: _Function, /) -> _Function: ...

    @overload
    def tool(
        self,
        function: None = None,
        /,
        *,
        effect: FunctionEffect = "once",
        name: str | None = None,
        actions: Iterable[str] = (),
        untrusted: bool = True,
    ) -> Callable[[_Function], _Function]: ...

    def tool(
        self,
        function: _Function | None = None,
        /,
        *,
        effect: FunctionEffect = "once",
        name: str | None = None,
        actions: Iterable[str] = (),
        untrusted: bool = True,
    ) -> _Function | Callable[[_Function], _Function]:
        """Offer a function to the model: ``@host.tool`` or ``@host.tool(effect="repeatable")``.

        Its types are the arguments, its docstring's first paragraph what the model is told. A call is debited to
        run/tool-calls, and what it returns is kept as a receipt; it is no evidence, so no answer can cite it.

        ``effect`` says what becomes of a call that a crash left without a receipt: "once" stays unknown and is never
        repeated, "repeatable" is made again as a new debit. A task that forbids one of ``actions`` does not see the
        tool. ``untrusted=False`` says that nobody else's text is in what it returns. Runs started before lack it.

        Raises:
            UsageError: the function cannot be a tool; says what is missing.
            RefusedError: its name is taken.
        """

        def add(added: _Function) -> _Function:
            tool = FunctionTool(
                added,
                clock=SystemClock(),
                executor=self._threads,
                effect=effect,
                name=name,
                actions=tuple(actions),
                untrusted=untrusted,
            )
            known = (*wiring.tool_specs(), *(one.spec for one in (*self._tools, tool)))
            require_distinct("tool", [spec.name for spec in known])
            self._tools = (*self._tools, tool)
            return added

        return add if function is None else add(function)

    async def start(self, task: Task | str) -> Run:
        """Admit ``task`` and begin to work on it. Any number of Runs may be under way at once.

        Raises:
            UsageError: the task cannot be understood.
            RefusedError, PolicyRefused: it is not lawful, or there is nothing to search; nothing was recorded.
        """
        ledger, shelves = self._require_open()
        if self._inputs == Inputs():
            raise RefusedError(
                "there is nothing to search", code="CORPUS_MISSING", hint='name documents: Host(corpus=["docs/"])'
            )
        asked = task if isinstance(task, Task) else Task(task)
        contract = contract_of(asked, web=bool(self._inputs.snapshots))
        shelf = await shelves.open(self._settings, self._inputs)
        require_named_documents(contract, await shelf.corpus.documents())
        order = Order(
            contract=contract,
            as_of=as_of_date(None if asked.as_of is None else str(asked.as_of), SystemClock().now_ms()),
            zone=zone_name(asked.zone),
            budget=budget_of(asked),
            operator=self._settings.policies,
            inputs={"corpus": self._inputs.corpus, "snapshot": self._inputs.snapshots},
            notices=shelf.notices,
        )
        driver = self._driver(ledger, self._settings, shelf, self._model)
        return await self._begin(ledger, lambda observer, pause: driver.ask(order, observer, pause=pause))

    async def resume(self, run_id: str) -> Run:
        """Go on with a Run, from its receipts: with the model and documents that it was admitted with.

        A Run that this Host drives already is that very ``Run``; of a settled one ``result`` is there at once.

        Raises:
            NotFoundError: there is no such Run.
            RefusedError: another process drives it, or it was admitted otherwise than this Host works: with a tool, a
                check or a model object that is not here.
            LedgerBroken: its chain does not verify.
        """
        ledger, shelves = self._require_open()
        known = next((run for run in self._runs if run.id == run_id), None)
        if known is not None:
            return known
        finished = await finished_run(ledger, run_id)
        state = finished.state
        if state.settled:
            return await self._begin(ledger, lambda _observer, _pause: _at_once(finished))
        settings, model = self._as_admitted(state)
        inputs = Inputs(state.snapshot.inputs.get("corpus", ()), state.snapshot.inputs.get("snapshot", ()))
        shelf = await shelves.open(wiring.as_admitted(settings, state), inputs)
        driver = self._driver(ledger, settings, shelf, model, state)
        return await self._begin(
            ledger,
            lambda observer, pause: driver.resume(run_id, observer, pause=pause, configured=self._settings.policies),
        )

    def _as_admitted(self, state: RunState) -> tuple[Settings, Model | None]:
        """The settings and the model object for a Run that was admitted with a model of its own."""
        spec, reviewer = state.snapshot.model, state.snapshot.reviews.reviewer
        kept = replace(self._settings, reviewer=reviewer.spec if reviewer else None)
        if self._model is not None and self._model.spec == spec:
            return kept, self._model
        settings = replace(kept, model=spec, fallbacks=tuple(chain_of(state.snapshot)[1:]))
        try:
            wiring.open_models(settings, self._words)
        except UsageError as unknown:
            if unknown.code != "MODEL_UNKNOWN":
                raise
            raise RefusedError(
                f"Run {state.run_id} was admitted with the model {spec!r}, which is not here",
                code="MODEL_MISSING",
                hint="hand its object to the Host again: Host(model=…)",
            ) from unknown
        return settings, None

    def _driver(
        self, ledger: Ledger, settings: Settings, shelf: Shelf, model: Model | None, state: RunState | None = None
    ) -> Driver:
        """A driver for one Run: a model that plays a script keeps its place in it."""
        added = Additions(model, self._tools, self._validators)
        played = wiring.played(state) if state is not None else None
        return wiring.open_host(settings, ledger, shelf.corpus, self._words, played, added, self._clients)

    async def _begin(self, ledger: Ledger, drive: Drive) -> Run:
        run = Run(ledger, drive, self._runs.discard)
        self._runs.add(run)
        return await run.begun()

    def _require_open(self) -> tuple[Ledger, Shelves]:
        if self._ledger is None or self._shelves is None:
            raise UsageError(
                "the Host is not open", code="HOST_NOT_OPEN", hint="use it inside: async with Host(…) as host"
            )
        return self._ledger, self._shelves


async def _at_once(finished: Finished) -> Finished:
    return finished
