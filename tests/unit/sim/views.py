"""Views with past calls, as a Host would show them."""

from __future__ import annotations

from collections.abc import Sequence

from counterfoil.core.answer.contract import TimeAnchor
from counterfoil.core.exchange import AssistantTurn, CallDraft, Json, Message, ProposedCall, ToolResult, View
from counterfoil.sim.plan import RunPlan, plan_of

Past = tuple[CallDraft, Json]


def run_of(adversary: str = "competent") -> RunPlan:
    """The first planned Run with that adversary, rows and fields."""
    runs = (run for seed in range(1, 200) for run in plan_of(seed).runs)
    return next(run for run in runs if run.adversary == adversary and run.contract.rows and not run.contract.forbidden)


def view_of(*done: Past, failed: Sequence[Past] = (), purpose: str = "research") -> View:
    """A view in which calls were made, with what each returned."""
    messages: list[Message] = []
    for place, (draft, content) in enumerate((*failed, *done), 1):
        call = ProposedCall(f"c{place}", draft.tool, draft.args)
        ok = place > len(failed)
        messages += [AssistantTurn("", (call,)), ToolResult(call.id, draft.tool, ok, content)]
    return View(
        purpose=purpose,  # type: ignore[arg-type]  # tests name purposes freely
        instructions="",
        contract=run_of().contract,
        anchor=TimeAnchor("2025-03-31"),
        phase="research",
        messages=tuple(messages),
    )
