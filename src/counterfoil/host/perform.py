"""Owns the doing of commands: one function a command, each ending in recorded events.

Never: choosing what comes next (``decide`` does) or appending to the ledger (the journal does).
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping

import msgspec

from counterfoil.core.answer.contract import Contract
from counterfoil.core.answer.findings import Finding
from counterfoil.core.errors import CounterfoilError, ModelError
from counterfoil.core.evidence.domains import Registrable
from counterfoil.core.exchange import Completion, Json, ModelLimits, ProposedCall, Purpose, TokenUsage, ToolSpec
from counterfoil.core.law import budget as ids
from counterfoil.core.law.projection import lawful, removal_of
from counterfoil.core.law.remedies import remedy_of
from counterfoil.core.record import commands as c
from counterfoil.core.record import events as e
from counterfoil.core.record import reviews as r
from counterfoil.core.record.attempts import failed_attempts
from counterfoil.core.record.decide import active_ms, expired, left_ms, projection, tool_spec
from counterfoil.core.record.rejoining import rejoined
from counterfoil.core.record.state import RunState
from counterfoil.core.view.build import view_delta
from counterfoil.core.view.hints import hint_for
from counterfoil.core.view.reminders import due
from counterfoil.core.view.review import view_for
from counterfoil.core.view.size import tool_bytes, view_bytes
from counterfoil.core.view.transcript import Transcript, continued, shown_bytes
from counterfoil.host.admission import owned_domains
from counterfoil.host.entry import read_contract
from counterfoil.host.journal import Journal
from counterfoil.host.judging import findings_of
from counterfoil.host.parallel import Ends, Helpers
from counterfoil.host.purse import Paid, Purse, Unpaid
from counterfoil.host.repetition import unrepeated
from counterfoil.host.replies import storable, whole
from counterfoil.host.review import review_of, withdraw
from counterfoil.host.settle import settle
from counterfoil.ports.model import Model
from counterfoil.ports.tool import Effect, EffectTool, Failed, Judged, Prepared, Refused, Settled, Split, Tool
from counterfoil.ports.validator import Validator

BACKOFF_MS = 500  # before the second attempt when the provider names no time; doubles with each
Confirm = Callable[[Contract], Awaitable[Contract | None]]


class Performer:
    """Performs commands for one Run."""

    def __init__(
        self,
        journal: Journal,
        models: tuple[Model, ...],
        tools: Mapping[str, Tool],
        validators: tuple[Validator, ...],
        prompts: Mapping[str, str],
        confirm: Confirm | None,
        registrable: Registrable,
        reviewer: Model | None = None,
        helpers: Helpers | None = None,
    ) -> None:
        self._journal = journal
        self._models = models
        self._tools = tools
        self._effects = {name: tool for name, tool in tools.items() if isinstance(tool, EffectTool)}
        self._validators = validators
        self._prompts = prompts
        self._confirm = confirm
        self._registrable = registrable
        self._reviewer = reviewer
        self._helpers = helpers
        self._past = Transcript()
        self._requests: dict[str, dict[str, object]] = {}  # call id → request of a reserved effect

    async def perform(self, command: c.Command) -> None:
        """Do ``command``; whatever happened is recorded when this returns."""
        match command:
            case c.AskModel(purpose, place):
                await self._ask_model(purpose, self._models[place])
            case c.ReadEntryReply(text):
                contract, why = read_contract(text, self._journal.state.contract)
                named = owned_domains(contract, self._registrable) if contract else None
                self._journal.record(e.ContractProposed(named, why))
            case c.ConfirmContract(contract):
                await self._confirm_contract(contract)
            case c.PrepareCall(call_id):
                self._prepare_call(call_id)
            case c.PerformCalls(call_ids):
                await self._perform_calls(call_ids)
            case c.JudgePublication(publication):
                self._judge(publication)
            case c.AskSelfReview() | c.WithdrawPublication() | c.AskReviewer() | c.SettleReview():
                await self._review(command)
            case c.ChangePhase(to, why, policy):
                self._journal.record(e.PhaseChanged(to, why, policy))
            case c.Settle(reason, policy):
                settle(self._journal, reason, policy)

    async def _review(self, command: c.ReviewCommand) -> None:
        match command:
            case c.AskSelfReview(publication, place):
                self._journal.record(r.SelfReviewAsked(publication))
                await self._ask_model("self_review", self._models[place])
            case c.WithdrawPublication():
                withdraw(self._journal, command)
            case c.AskReviewer():
                await self._ask_reviewer(command)
            case c.SettleReview():
                self._journal.record(review_of(self._journal.state))

    async def _ask_reviewer(self, asked: c.AskReviewer) -> None:
        refused = asked.refused or (None if self._reviewer else ids.MODEL_REQUESTS)
        self._journal.record(r.ReviewerAsked(asked.publication, asked.reason, asked.policy, refused))
        if self._reviewer is not None and refused is None:
            await self._ask_model("reviewer", self._reviewer)

    async def _ask_model(self, purpose: Purpose, model: Model) -> None:
        journal = self._journal
        alone = purpose in ("entry", "reviewer")  # without past turns, without tools
        shown = projection(journal.state, journal.now())
        offered: tuple[ToolSpec, ...] = () if alone else shown.offered
        admitted = () if alone else lawful(journal.state.snapshot.tools, journal.state.contract.forbidden)
        if purpose == "research":
            journal.record(*due(journal.state, journal.now()))
        past = Transcript() if alone else continued(self._past, journal.state)
        if purpose != "self_review":  # what it looks at has no result yet, and is told again when it has one
            self._past = past
        view = view_for(journal.state, purpose, self._prompts, past)
        delta, view_hash = view_delta(journal.state, view)
        paid = Purse(journal.state.budget, model, purpose, tool_bytes(admitted)).pay(
            view, past, shown_bytes(view, past)
        )
        if purpose == "reviewer" and isinstance(paid, Paid) and paid.fitted.dropped:
            paid = Unpaid(ids.INPUT_BYTES)  # it sees the answer whole or not at all
        if isinstance(paid, Unpaid):
            journal.record(e.InputRefused(purpose, view_bytes(view), paid.policy, paid.window_tokens))
            return
        fitted = paid.fitted
        request = f"m{len(journal.state.turns) + 1}"
        removed = tuple((name, f"{why.code}: {why.why}") for name, why in shown.removed)
        names = tuple(tool.name for tool in offered)
        journal.record(
            e.ModelCallReserved(
                request,
                purpose,
                names,
                removed,
                delta,
                view_hash,
                fitted.dropped,
                paid.worst,
                model.spec,
                len(past.dropped),
                fitted.summed_up,
            )
        )
        await journal.ready()
        limits = self._limits(purpose, paid.output_tokens_max)
        try:
            async with journal.timeout(limits.attempt_ms_max):
                told = msgspec.structs.replace(fitted.view, admitted=admitted)
                completion = storable(await model.complete(told, offered, limits))
        except CounterfoilError as failure:
            journal.record(_failed(request, failure, journal.state, model))
        except TimeoutError:
            journal.record(_failed(request, _timeout(limits.attempt_ms_max, journal.state), journal.state, model))
        except Exception as defect:  # noqa: BLE001  # a model is foreign code: its defects end the request, not the Run
            why = whole(f"{type(defect).__name__}: {defect}")
            journal.record(e.ModelCallFailed(request, "MODEL_DEFECT", "internal", why, usd=model.usd(TokenUsage())))
        else:
            self._settle_reply(request, completion, model, mute=alone)

    def _limits(self, purpose: Purpose, output_tokens_max: int) -> ModelLimits:
        state = self._journal.state
        left = left_ms(state, self._journal.now(), finalizing=purpose in ("finalize", "reviewer"))
        return ModelLimits(output_tokens_max, min(int(state.budget.require(ids.ATTEMPT_SECONDS) * 1000), left))

    def _settle_reply(self, request: str, completion: Completion, model: Model, *, mute: bool) -> None:
        journal = self._journal
        journal.record(e.ModelCallSettled(request, completion, model.usd(completion.usage)))
        most = int(journal.state.budget.require(ids.CALLS_PER_REPLY))
        for place, draft in enumerate(() if mute else completion.calls[: most + 1]):
            malformed = draft.malformed
            if place == most:
                malformed = f"{ids.CALLS_PER_REPLY} allows {most}; of {len(completion.calls)} the rest was not read"
            call = ProposedCall(f"c{len(journal.state.calls) + 1}", draft.tool, draft.args, malformed)
            journal.record(e.ToolCallProposed(request, call))

    async def _confirm_contract(self, contract: Contract) -> None:
        if self._confirm is None or not self._journal.state.snapshot.entry:
            self._journal.record(e.ContractConfirmed(contract, "unseen"))
            return
        await self._journal.flush()  # a person may take their time; what was paid for is durable before
        asked_at = self._journal.now()
        try:
            seen = await self._confirm(contract)
        except asyncio.CancelledError:
            self._journal.record(e.RunPaused("stopped by the caller", self._journal.now() - asked_at))
            raise
        if seen is None:
            self._journal.record(e.CancelRequested("the caller did not accept the proposed contract"))
        else:
            confirmed = owned_domains(seen, self._registrable)
            self._journal.record(e.ContractConfirmed(confirmed, "caller", self._journal.now() - asked_at))

    def _prepare_call(self, call_id: str) -> None:
        journal = self._journal
        call = journal.state.calls[call_id].call
        refusal = self._authorise(call)
        prepared = refusal or self._unrepeated(call)
        if isinstance(prepared, Effect):
            shortage = journal.state.budget.shortage(prepared.debits)
            if shortage:
                prepared = _own_limit(shortage.code, shortage.sentence(), shortage.policy)
        match prepared:
            case Effect(debits, request):
                self._requests[call_id] = request
                journal.record(e.ToolCallReserved(call_id, debits))
            case Judged(events):
                journal.record(*events)
            case Split():
                self._split(call_id, prepared)
            case Refused():
                self._refuse(call_id, prepared)
            case Settled() | Failed():
                self._close(call_id, prepared)

    def _unrepeated(self, call: ProposedCall) -> Prepared:
        state, now = self._journal.state, self._journal.now()
        return unrepeated(call, state, self._tools[call.tool].prepare(call, state, now), now)

    def _authorise(self, call: ProposedCall) -> Refused | None:
        """Offering is not admission: what was shown a turn ago may be unlawful now."""
        state = self._journal.state
        spec = tool_spec(state, call.tool)
        if spec is None or call.tool not in self._tools:
            names = ", ".join(tool.name for tool in state.snapshot.tools)
            why = call.malformed or f"there is no tool {call.tool!r}"
            return Refused("TOOL_UNKNOWN", why, f"tools are: {names}", category="not_found")
        active = active_ms(state, self._journal.now())
        if spec.debits and expired(state, self._journal.now()):
            return _own_limit("RUN_EXPIRED", "the Run has expired", ids.EXPIRES_SECONDS)
        removal = removal_of(spec, state.phase, state.budget, state.contract.forbidden, active)
        if removal is None:
            return None
        if removal.policy is not None:
            return _own_limit(removal.code, removal.why, removal.policy)
        return Refused(removal.code, removal.why, "use the tools that are offered", category="access_refused")

    def _split(self, call_id: str, split: Split) -> None:
        journal = self._journal
        if self._helpers is None:
            raise TypeError("a split was prepared, and there are no helpers")
        admitted = self._helpers.reserved(journal.state, call_id, split, journal.now())
        if isinstance(admitted, Refused):
            self._refuse(call_id, admitted)
        else:
            journal.record(*admitted)

    def _refuse(self, call_id: str, refused: Refused) -> None:
        hint = refused.hint or hint_for(refused.category)
        event = e.ToolCallRefused(call_id, refused.code, refused.why, refused.policy, hint, refused.category)
        self._journal.record(event)

    async def _perform_calls(self, call_ids: tuple[str, ...]) -> None:
        """Dispatch side by side, settle in the order of proposal so that IDs do not depend on timing."""
        journal = self._journal
        await journal.ready()
        outcomes = await asyncio.gather(*(self._effect(call_id) for call_id in call_ids))
        for call_id, outcome in zip(call_ids, outcomes, strict=True):
            if isinstance(outcome, Failed):
                self._close(call_id, outcome)
                continue
            if isinstance(outcome, Ends):
                if outcome.over:  # else a pause is wanted, and the call waits for its helpers
                    self._close(call_id, Settled(*rejoined(journal.state, call_id, outcome.ends)))
                continue
            call = journal.state.calls[call_id].call
            self._close(call_id, self._effects[call.tool].settle(call, outcome, journal.state))

    async def _effect(self, call_id: str) -> object:
        state = self._journal.state
        if self._helpers and any(helper.call_id == call_id for helper in state.helpers):
            return await self._helpers.ended(state, call_id)
        name = state.calls[call_id].call.tool
        tool = self._effects.get(name)
        if tool is None:
            raise TypeError(f"{name} reserved an effect that it cannot perform")
        left = left_ms(self._journal.state, self._journal.now(), finalizing=False)
        try:
            async with self._journal.timeout(left):
                return await tool.perform(self._requests.pop(call_id))
        except TimeoutError:
            why = f"it was cut off after {left} ms, when the time for research was over ({ids.ACTIVE_SECONDS})"
            return Failed("RESEARCH_TIME_OVER", "timeout", why, "use what has been read, and publish")
        except CounterfoilError as failure:
            return Failed(failure.code, failure.category, whole(failure.message), whole(failure.hint))
        except Exception as defect:  # noqa: BLE001  # a tool is foreign code: its defects end the call, not the Run
            return Failed("TOOL_DEFECT", "internal", whole(f"{type(defect).__name__}: {defect}"))

    def _close(self, call_id: str, done: Settled | Failed) -> None:
        self._journal.record(*done.events)
        content: Json = msgspec.json.decode(msgspec.json.encode(done.content))  # as the ledger will give it back
        if isinstance(done, Settled):
            self._journal.record(e.ToolCallSettled(call_id, content))
        else:
            hint = done.hint or hint_for(done.category)
            self._journal.record(e.ToolCallFailed(call_id, done.code, done.category, done.why, hint, content))

    def _judge(self, publication_id: str) -> None:
        journal = self._journal
        publication = next(p for p in journal.state.publications if p.candidate.id == publication_id)
        found = [f for v in self._validators for f in findings_of(v, publication.candidate, journal.state)]
        findings = tuple(finding for finding in found if not finding.warning)
        names = tuple(validator.name for validator in self._validators)
        call_id = publication.call_id
        if findings:
            journal.record(e.PublicationRejected(publication_id, findings, names))
            self._close(call_id, _rejection(publication_id, findings))
            return
        warnings = tuple(finding for finding in found if finding.warning)
        journal.record(e.PublicationAccepted(publication_id, warnings, names))
        journal.record(e.PublicationDelivered(publication_id, "model"))
        self._close(call_id, Settled({"accepted": True, "publication": publication_id}))
        if publication.candidate.finish:
            journal.record(e.FinishProposed(call_id, "published"), e.FinishAccepted(call_id))


def _failed(request: str, failure: CounterfoilError, state: RunState, model: Model) -> e.ModelCallFailed:
    """The failure as an event, with the wait before another attempt at the same model where one may help."""
    wait_ms, policy, remedy = None, failure.policy, remedy_of(failure.category)
    if isinstance(failure, ModelError) and remedy.kind == "shorten":
        wait_ms = 0
    elif isinstance(failure, ModelError) and remedy.kind == "wait":
        earlier = failed_attempts(state, state.turns[-1].purpose)
        wait_ms = failure.retry_after_ms if failure.retry_after_ms is not None else BACKOFF_MS * 2**earlier
        if wait_ms > state.budget.require(ids.WAIT_SECONDS) * 1000:
            wait_ms, policy = None, ids.WAIT_SECONDS
    hint = failure.hint or remedy.hint
    counted = failure.spent if isinstance(failure, ModelError) else None
    # A count below zero is none: it would give back what was spent.
    spent = None if counted is None or min(counted) < 0 else TokenUsage(*counted)
    # Where nothing says what was spent, nobody knows without a price; what reached nobody cost nothing at any price.
    usd = 0.0 if spent == TokenUsage() else model.usd(spent or TokenUsage())
    code, category, why = failure.code, failure.category, failure.message
    return e.ModelCallFailed(request, code, category, why, hint, wait_ms, policy, usd, spent)


def _own_limit(code: str, why: str, policy: str) -> Refused:
    """A refusal by a limit of the Run, which no other attempt and no patience will change."""
    return Refused(code, why, policy=policy, category="local_budget_exhausted")


def _timeout(after_ms: int, state: RunState) -> ModelError:
    """An attempt that took too long: by its own limit, or because the Run had no more time for it."""
    own = state.budget.require(ids.ATTEMPT_SECONDS) * 1000
    policy, hint = (
        (ids.ATTEMPT_SECONDS, f"raise {ids.ATTEMPT_SECONDS}, or choose a faster model")
        if after_ms >= own
        else (ids.ACTIVE_SECONDS, f"the Run had no more time for it: raise {ids.ACTIVE_SECONDS}")
    )
    why = f"no answer within {after_ms} ms ({policy})"
    return ModelError(why, code="MODEL_ATTEMPT_TIMEOUT", category="timeout", hint=hint, policy=policy)


def _rejection(publication_id: str, findings: tuple[Finding, ...]) -> Failed:
    content: Json = {"accepted": False, "publication": publication_id, "findings": msgspec.to_builtins(findings)}
    hint = "correct what is named, or declare it as a gap; a finish inside a rejected candidate is void"
    return Failed("PUBLICATION_REJECTED", "request_invalid", f"{len(findings)} finding(s)", hint, content)
