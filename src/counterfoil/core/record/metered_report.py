"""Owns the report of a metered Run: what was forwarded, refused, and of what nobody knows what it spent.

Never: a word of a request or an answer; the ledger holds none.
"""

from __future__ import annotations

from counterfoil.core.record.fold_proxied import proxied_of
from counterfoil.core.record.state import RunState


def metered_report(state: RunState) -> str:
    """Markdown. Whoever shows it says that the Host assembled it."""
    proxied = proxied_of(state)
    lines = [
        "## What was metered",
        "",
        f"- requests of another program that were forwarded: {proxied.forwarded}",
        f"- requests that the budget did not allow, and that were not forwarded: {proxied.refused}",
    ]
    if proxied.under_way:
        lines.append(f"- under way, with their worst case debited: {len(proxied.under_way)}")
    if proxied.unknown:
        lines.append(f"- {unknown_usage(state)}")
    return "\n".join(lines) + "\n"


def unknown_usage(state: RunState) -> str:
    """The requests whose usage nobody knows, and what stays debited for them; empty when there are none."""
    proxied = proxied_of(state)
    if not proxied.unknown:
        return ""
    held = ", ".join(f"{policy} {units:g}" for policy, units in proxied.standing.items()) or "nothing beside themselves"
    return f"of {proxied.unknown} nobody knows what they spent, so their worst case stays debited: {held}"
