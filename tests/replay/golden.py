"""Golden ledgers: Runs as they were stored once, with the report that they must still fold into.

    python tests/replay/golden.py NAME     plays the Run of that name again and writes its file

A file is written once for a version of the protocol; later code must read it, so it is not written again.
"""

from __future__ import annotations

import asyncio
import base64
import json
import sys
from pathlib import Path
from typing import Any

import msgspec
from tests.unit.host.fakes import Bench, call

from counterfoil.core.record.codec import encode, keyed_namer
from counterfoil.host.host import finished_run

FOLDER = Path(__file__).parent / "golden"
NAMER = keyed_namer(b"golden")

FACT = {"row": "City North", "field": "price", "value": "18", "unit": "USD", "evidence_id": "E2", "quote": "costs $18"}
RUNS = {
    "corrected": [
        call("search_public_sources", query="visitor pass price"),
        call("read_public_source", handle="S1"),
        call("read_public_source", handle="S7"),
        call("record_facts", facts=[FACT]),
        call("publish_answer", body="The visitor pass costs $19 [E2].", finish=True),
        call("publish_answer", body="The visitor pass costs $18 [E2].", finish=True),
    ],
    "silent": [call("search_public_sources", query="visitor pass price"), call("read_public_source", handle="S1")],
}


def write(name: str) -> None:
    """Play the Run ``name`` and store its ledger and report."""
    bench = Bench(RUNS[name])
    asyncio.run(bench.ask())
    records = asyncio.run(bench.ledger.events("run1"))
    finished = asyncio.run(finished_run(bench.ledger, "run1"))
    blobs: dict[str, str] = {}
    lines: list[dict[str, Any]] = []
    for stored, event in records:
        encoded = encode(event, NAMER)
        blobs |= {blob: base64.b64encode(body).decode() for blob, body in encoded.blobs.items()}
        lines.append({"at": stored.at, "type": encoded.type, "payload": encoded.payload.decode()})
    report = json.loads(msgspec.json.encode(msgspec.structs.replace(finished.report, head="")))
    golden = {"events": lines, "blobs": blobs, "report": report}
    (FOLDER / f"{name}.json").write_text(json.dumps(golden, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    write(sys.argv[1])
