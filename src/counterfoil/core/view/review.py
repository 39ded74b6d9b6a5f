"""Owns what reviews show: the author's own criteria and the questions of its kind; the answer as a reviewer sees it.

Never: a verdict, or words that are not in the versioned prompts, the plan or the answer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from counterfoil.core.exchange import HostNote, Json, Purpose, ToolResult, View
from counterfoil.core.record.measured import cited_evidence, measured
from counterfoil.core.record.state import PUBLISH_TOOL, Publication, RunState
from counterfoil.core.view.build import build_view
from counterfoil.core.view.messages import fence_of
from counterfoil.core.view.transcript import Transcript

_SECTION = re.compile(r"^## (?P<kind>\w+)\n", re.MULTILINE)
_OWN_CRITERIA = "You wrote down by which criteria you would know that it succeeded:"
_NO_CRITERIA = "You wrote down no criteria of success; hold it against the question as it was asked."


def view_for(state: RunState, purpose: Purpose, prompts: Mapping[str, str], past: Transcript | None = None) -> View:
    """The view of the next request of any purpose. ``past``: every turn so far, where it is at hand."""
    if purpose == "reviewer":
        return _reviewers_view(state, prompts["reviewer"])
    view = build_view(state, purpose, prompts["entry" if purpose == "entry" else "research"], past)
    if purpose != "self_review":
        return view
    return replace(view, messages=(*view.messages, HostNote(self_review_note(state, prompts["self_review"]))))


def self_review_note(state: RunState, prompt: str) -> str:
    """``prompt`` with the criteria of the author's plan and the questions of its kind of work filled in.

    The kind is the plan's, the contract's where there is no plan.
    """
    frame, *sections = _SECTION.split(prompt)
    questions = dict(zip(sections[::2], sections[1::2], strict=True))
    kind = state.plan.kind if state.plan else state.contract.kind
    own = [f"- {text.strip()}" for text in (state.plan.success_criteria if state.plan else ()) if text.strip()]
    criteria = "\n".join([_OWN_CRITERIA, *own] if own else [_NO_CRITERIA])
    filled = {"{criteria}": criteria, "{questions}": questions[kind].strip()}
    return re.sub(r"\{criteria\}|\{questions\}", lambda match: filled[match[0]], frame).strip()


def _reviewers_view(state: RunState, instructions: str) -> View:
    """The accepted answer whole, as untrusted material, with what it cites and what was counted of it."""
    accepted = state.accepted
    if accepted is None:
        raise ValueError("there is no accepted answer to review")
    content = _deliverable(accepted, state)
    shown = ToolResult(accepted.call_id, PUBLISH_TOOL, True, content, True, fence_of(content))
    return View(
        purpose="reviewer",
        instructions=instructions,
        contract=state.contract,
        anchor=state.snapshot.anchor,
        phase=state.phase.value,
        messages=(shown,),
    )


def _deliverable(accepted: Publication, state: RunState) -> Json:
    candidate = accepted.candidate
    cited = [
        {"id": e.id, "source": e.source.document.title, "quote": " ".join(e.passage.text.split())}
        for e in cited_evidence(candidate, state)
    ]
    return {
        "answer": candidate.body,
        "citations": cited,
        "gaps": msgspec.to_builtins(candidate.gaps),
        "counted": [{"asked": c.asked, "measured": c.measured, "met": c.met} for c in measured(candidate, state)],
    }
