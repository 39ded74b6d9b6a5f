"""Owns the search tool and the web policies: queries in, Run-scoped handles out.

Never: opening a document, or showing a result whose registration failed as readable.
"""

from __future__ import annotations

import msgspec

from counterfoil.core.arguments import ArgumentsInvalid, decode, schema_of
from counterfoil.core.evidence.domains import among_docs, on_domains
from counterfoil.core.exchange import Json, ProposedCall, ToolSpec
from counterfoil.core.law import budget as ids
from counterfoil.core.law.policy import Derivation, Policy
from counterfoil.core.record.events import Event, SourceRegistered, SourceRegistrationFailed
from counterfoil.core.record.state import SEARCH_TOOL, RunState
from counterfoil.ports.corpus import Corpus, Hit, SearchOutcome
from counterfoil.ports.tool import Effect, Failed, Refused, Settled

POLICIES = (
    Policy(
        id=ids.SEARCHES,
        owner="web",
        unit="calls",
        default=12,
        hard_maximum=100,
        refusal_code="SEARCHES_EXHAUSTED",
        counts="searches sent",
        stops="new searches; reading goes on",
        settable_by="caller",
        metered=True,
    ),
    Policy(
        id=ids.RESULTS_PER_SEARCH,
        owner="web",
        unit="results",
        default=10,
        hard_maximum=50,
        scope="call",
        refusal_code="RESULTS_LIMITED",
        counts="results that one search may return",
        stops="further results of that search",
        settable_by="caller",
    ),
    Policy(
        id=ids.REGISTRY_CAPACITY,
        owner="web",
        unit="handles",
        default=None,
        hard_maximum=5000,
        refusal_code="REGISTRY_FULL",
        counts="source handles of a Run",
        stops="registration of further results",
        derived=Derivation("product", (ids.SEARCHES, ids.RESULTS_PER_SEARCH)),
    ),
    Policy(
        id=ids.WINDOW_SECONDS,
        owner="web",
        unit="seconds",
        default=None,
        hard_maximum=86400,
        refusal_code="WEB_WINDOW_OVER",
        counts="active time in which evidence may be gathered",
        stops="searching and reading",
        derived=Derivation("at_most", (ids.ACTIVE_SECONDS,)),
    ),
    Policy(
        id=ids.HANDLE_LIFETIME,
        owner="web",
        unit="seconds",
        default=None,
        hard_maximum=86400,
        refusal_code="HANDLE_EXPIRED",
        counts="active time for which a source handle opens",
        stops="reading through that handle",
        derived=Derivation("at_most", (ids.WINDOW_SECONDS,)),
    ),
)


class Arguments(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a model may ask of a search."""

    query: str
    domains: tuple[str, ...] = ()
    row: str | None = None
    field: str | None = None
    limit: int | None = None


class SearchPublicSources:
    """Searches the corpus; a document that is found gets one handle per Run."""

    spec = ToolSpec(
        name=SEARCH_TOOL,
        description=(
            "Search the sources of this Run. Any word may match; results are ranked pages with a handle to read them. "
            "Name the contract's row and field that the search is for, so that what was tried is known."
        ),
        parameters=schema_of(Arguments),
        effect="repeatable",
        phases=("research",),
        debits=(ids.SEARCHES,),
        gathers_evidence=True,
        actions=("search",),
    )

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus

    def prepare(self, call: ProposedCall, state: RunState, now: int) -> Refused | Effect:
        """Check the arguments; bind rows to their documents and domains."""
        try:
            asked = decode(call, Arguments)
        except ArgumentsInvalid as wrong:
            return Refused("ARGUMENTS_INVALID", str(wrong), hint="see the tool's parameters")
        if not asked.query.strip():
            return Refused("ARGUMENTS_INVALID", "query is empty", hint="name what you look for")
        if asked.row and state.contract.rows and state.contract.row(asked.row) is None:
            names = ", ".join(known.name for known in state.contract.rows)
            return Refused("ROW_UNKNOWN", f"the contract has no row {asked.row!r}", hint=f"rows are: {names}")
        most = int(state.budget.require(ids.RESULTS_PER_SEARCH))
        if asked.limit is not None and not 1 <= asked.limit <= most:
            return Refused(
                "RESULTS_LIMITED",
                f"limit {asked.limit} is not between 1 and {most}",
                policy=ids.RESULTS_PER_SEARCH,
                hint=f"ask for at most {most}",
            )
        documents, allowed = _bounds(asked, state)
        outside = [domain for domain in asked.domains if allowed and not on_domains(f"https://{domain}", allowed)]
        if outside:
            hint = f"allowed are: {', '.join(allowed)}"
            return Refused("OFF_DOMAIN", f"the task does not allow {', '.join(outside)}", hint=hint)
        domains = asked.domains or allowed
        request: Json = {
            "query": asked.query,
            "limit": asked.limit or most,
            "documents": documents,
            "domains": domains,
        }
        return Effect({ids.SEARCHES: 1, ids.TOOL_CALLS: 1}, request)

    async def perform(self, request: Json) -> SearchOutcome:
        """Ask the corpus."""
        return await self._corpus.search(
            request["query"],
            limit=request["limit"],
            documents=tuple(request["documents"]),
            domains=tuple(request["domains"]),
        )

    def settle(self, call: ProposedCall, result: object, state: RunState) -> Settled | Failed:
        """Register new documents and list what is readable."""
        if not isinstance(result, SearchOutcome):
            raise TypeError(f"a search returned {type(result).__name__}")
        outcome = result
        handles = dict(state.handles)
        events: list[Event] = []
        shown: list[Json] = []
        failed = 0
        for place, hit in enumerate(outcome.hits):
            why = _unlawful(hit, place, handles, decode(call, Arguments), state)
            if why:
                failed += 1
                events.append(SourceRegistrationFailed(hit.document.url, why, call.id))
                continue
            if hit.document.id not in handles:
                handles[hit.document.id] = f"S{len(handles) + 1}"
                events.append(SourceRegistered(handles[hit.document.id], hit.document, call.id))
            shown.append(_listed(hit, handles[hit.document.id]))
        content: Json = {
            "query": call.args["query"],
            "search_call": call.id,
            "results": shown,
            "considered": outcome.considered,
            "coverage": {"found": len(outcome.hits), "registered": len(shown), "failed": failed},
        }
        return Settled(content, tuple(events))


def _bounds(asked: Arguments, state: RunState) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The documents and the domains that a search may find; being named suffices, as it does for facts."""
    row = state.contract.row(asked.row) if asked.row else None
    if row and row.docs:
        return row.docs, ()
    return (), row.domains if row and row.domains else state.contract.domains


def _unlawful(hit: Hit, place: int, handles: dict[str, str], asked: Arguments, state: RunState) -> str | None:
    """Why a result gets no handle: whoever searches may give more than it was asked for, or from elsewhere."""
    most = asked.limit or int(state.budget.require(ids.RESULTS_PER_SEARCH))
    capacity = int(state.budget.require(ids.REGISTRY_CAPACITY))
    documents, allowed = _bounds(asked, state)
    if place >= most:
        return f"the search may return {most} results"
    if not among_docs(hit.document, documents) or not on_domains(hit.document.url, asked.domains or allowed):
        return "the task does not allow it"
    if hit.document.id not in handles and len(handles) >= capacity:
        return f"{ids.REGISTRY_CAPACITY} allows {capacity} handles"
    return None


def _listed(hit: Hit, handle: str) -> Json:
    document = hit.document
    return {
        "handle": handle,
        "segment": hit.segment,
        "page": hit.page,
        "title": document.title,
        "url": document.url,
        "heading": hit.heading,
        "snippet": hit.snippet,
        "subject": document.subject,
        "period": document.period,
        "form": document.form,
    }
