"""Owns the connector tool: the model asks for an app; the Run goes on, and its report says what was asked for.

Never: connecting anything. A connector is a tool like any other; its ``connector`` says which app it reaches.
"""

from __future__ import annotations

import msgspec

from counterfoil.core.arguments import ArgumentsInvalid, decode, schema_of
from counterfoil.core.exchange import ProposedCall, ToolSpec
from counterfoil.core.record.notes import ConnectorRequested
from counterfoil.core.record.state import RunState
from counterfoil.ports.tool import Failed, Refused, Settled


class Arguments(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The app, and what it is needed for."""

    app: str
    why: str


class RequestConnector:
    """Names the tools of an app that is connected; records the wish for one that is not."""

    spec = ToolSpec(
        name="request_connector",
        description=(
            "Ask for an app (mail, calendar, a database …) at the moment when the task needs it. If none of your tools "
            "reaches it, the wish is recorded for the caller and you go on with what can be done without it."
        ),
        parameters=schema_of(Arguments),
        effect="pure",
        phases=("research",),
    )

    def prepare(self, call: ProposedCall, state: RunState, now: int) -> Refused | Settled | Failed:
        """Look for a tool of the app among those that the Run was admitted with."""
        try:
            asked = decode(call, Arguments)
        except ArgumentsInvalid as wrong:
            return Refused("ARGUMENTS_INVALID", str(wrong), hint="see the tool's parameters")
        app = asked.app.strip()
        if not app or not asked.why.strip():
            return Refused("ARGUMENTS_INVALID", "app or why is empty", hint="name the app and what it is needed for")
        tools = [tool.name for tool in state.snapshot.tools if tool.connector.casefold() == app.casefold()]
        if tools:
            return Settled({"app": app, "connected": True, "tools": tools})
        why = f"{app} is not connected to this Run"
        hint = "the wish is noted in the report: do what can be done without it, and say what could not"
        asked_for = ConnectorRequested(app, asked.why, call.id)
        return Failed("CONNECTOR_MISSING", "not_connected", why, hint, {"app": app, "connected": False}, (asked_for,))
