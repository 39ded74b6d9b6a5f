"""A function as a tool of the model: each call is debited before it is made, and what it returns is kept as a receipt.

The model is a script (own_tool.jsonl), so that this runs without a key.
"""

from pathlib import Path
from typing import Annotated

import counterfoil
from counterfoil import RunEvent, SyncHost, ToolFailed, events

DOCUMENTS = Path(counterfoil.__file__).parent / "data" / "demo" / "documents"
SCRIPT = Path(__file__).with_suffix(".jsonl")
FREE_BIKES = {"Central Station": 14, "Harbour": 0}


def free_bikes(station: Annotated[str, "the station's name, as its sign shows it"]) -> dict[str, object]:
    """Tell how many bikes are free at a station now."""
    if station not in FREE_BIKES:
        hint = f"stations are: {', '.join(FREE_BIKES)}"  # the model reads this, and can do better
        raise ToolFailed(f"no station {station!r}", code="STATION_UNKNOWN", category="not_found", hint=hint)
    return {"station": station, "free": FREE_BIKES[station]}


def receipts(event: RunEvent) -> None:
    """Print what became of each call."""
    match event.data:
        case events.ToolCallReserved(call_id, debits):
            print(f"{call_id} debited {debits}")
        case events.ToolCallSettled(call_id, {"result": result}):
            print(f"{call_id} returned {result}")
        case events.ToolCallFailed(call_id, code, category, why):
            print(f"{call_id} failed, {code} ({category}): {why}")


def main() -> None:
    """Offer the tool, and ask."""
    with SyncHost(corpus=[DOCUMENTS], model=f"script:{SCRIPT}") as host:
        host.tool(effect="repeatable")(free_bikes)  # looking again does no harm; what does is left at "once"
        report = host.ask("What does the visitor pass of City North cost?", on_event=receipts)
    print(report.status, report.usage["run/tool-calls"])


if __name__ == "__main__":
    main()
