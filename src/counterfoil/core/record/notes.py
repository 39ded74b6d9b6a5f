"""Owns what a Run notes beside its evidence: needs, the plan, reminders given, apps asked for.

Never: authority. No status, plan or reminder completes, blocks or authorises anything.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from counterfoil.core.record.content import Content

NeedStatus = Literal["open", "resolved", "unresolved", "not_needed"]
WorkKind = Literal["research", "build", "data", "writing", "outreach", "ops"]
ReminderKind = Literal["progress", "rewriting", "finalization"]


class Need(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A question that the model keeps in mind; ``status`` is its own word for it."""

    id: str
    need: str
    status: NeedStatus


class WorkPlan(msgspec.Struct, frozen=True):
    """What kind of work the model takes this for, and what it will hold itself to."""

    kind: WorkKind
    success_criteria: tuple[str, ...] = ()
    deliverables: tuple[str, ...] = ()


class Reminder(msgspec.Struct, frozen=True):
    """A reminder that was given, when the Run had ``turns`` requests behind it."""

    kind: ReminderKind
    turns: int


class NeedsSet(msgspec.Struct, frozen=True, tag=True):
    """The model's list of needs is now ``items``; it was another one before."""

    items: Content[tuple[Need, ...]]
    call_id: str


class PlanRecorded(msgspec.Struct, frozen=True, tag=True):
    """The model said what it is going to do and how it will know that it is done."""

    plan: Content[WorkPlan]
    call_id: str


class ReminderGiven(msgspec.Struct, frozen=True, tag=True):
    """The view of the next request ends with a reminder. ``why`` is what was counted, ``policy`` its limit."""

    kind: ReminderKind
    why: str
    policy: str


class ConnectorRequested(msgspec.Struct, frozen=True, tag=True):
    """The model asked for an app that this Run has no tool of. The Run goes on without it."""

    app: Content[str]
    why: Content[str]
    call_id: str


NoteEvent = NeedsSet | PlanRecorded | ReminderGiven | ConnectorRequested
MODEL_NOTES = (NeedsSet, PlanRecorded, ConnectorRequested)
