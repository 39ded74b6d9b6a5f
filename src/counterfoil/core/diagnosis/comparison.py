"""Owns the comparison of two Runs: what each was asked with, did, found and answered, side by side.

Never: saying which one is better.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from counterfoil.core.answer.conflicts import cell_states
from counterfoil.core.record.state import PUBLISH_TOOL, RunState


class Line(msgspec.Struct, frozen=True):
    """One thing in both Runs. ``part`` groups lines; None: that Run has no such thing."""

    part: str
    name: str
    first: str | None
    second: str | None

    @property
    def same(self) -> bool:
        """Whether both are alike."""
        return self.first == self.second


def compare_runs(first: RunState, second: RunState) -> tuple[Line, ...]:
    """Every line of both, alike or not, in one order."""
    return (
        *_paired("admission", _admission(first), _admission(second)),
        *_steps(_work(first), _work(second)),
        *_paired("cell", _cells(first), _cells(second)),
        *_paired("outcome", _outcome(first), _outcome(second)),
        *_paired("usage", _usage(first), _usage(second)),
    )


def _paired(part: str, first: dict[str, str], second: dict[str, str]) -> Iterator[Line]:
    for name in dict.fromkeys((*first, *second)):
        yield Line(part, name, first.get(name), second.get(name))


def _steps(first: Sequence[str], second: Sequence[str]) -> Iterator[Line]:
    for place in range(max(len(first), len(second))):
        yield Line(
            "step",
            str(place + 1),
            first[place] if place < len(first) else None,
            second[place] if place < len(second) else None,
        )


def _admission(state: RunState) -> dict[str, str]:
    snapshot = state.snapshot
    values = {"question": state.contract.question, "model": snapshot.model, "as of": snapshot.anchor.as_of}
    values |= {f"prompt {name}": digest[:12] for name, digest in snapshot.prompts.items()}
    values["tools"] = ", ".join(tool.name for tool in snapshot.tools)
    return values | {policy.id: "off" if policy.value is None else f"{policy.value:g}" for policy in snapshot.policies}


def _work(state: RunState) -> list[str]:
    """Each call as one line: what was asked for, and how it ended."""
    steps = []
    for call in state.calls.values():
        asked = "" if call.call.tool == PUBLISH_TOOL else msgspec.json.encode(call.call.args, order="sorted").decode()
        steps.append(f"{call.call.tool} {asked}".strip() + f" → {call.status}")
    return steps


def _cells(state: RunState) -> dict[str, str]:
    gaps = state.accepted.candidate.gaps if state.accepted else ()
    return {
        f"{cell.row} / {cell.field}": " against ".join(
            f"{fact.value} {fact.unit or ''}".strip() for fact in cell.facts if fact.value
        )
        or cell.state
        for cell in cell_states(state.contract, state.facts, gaps)
    }


def _outcome(state: RunState) -> dict[str, str]:
    settled = state.settled
    values: dict[str, str] = {"status": settled.status if settled else "not settled"}
    if settled:
        values["stop reason"] = settled.stop_reason
    rejected = [publication for publication in state.publications if publication.status == "rejected"]
    values["rejected publications"] = str(len(rejected))
    values["answer"] = state.accepted.candidate.body if state.accepted else state.host_report or ""
    return values


def _usage(state: RunState) -> dict[str, str]:
    return {policy: f"{used:g}" for policy, used in state.budget.used.items()}
