"""Ledgers that were written once fold into the same report for ever."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import msgspec
import pytest
from tests.replay.golden import FOLDER, RUNS

from counterfoil.core.record.codec import decode
from counterfoil.core.record.events import RunAdmitted
from counterfoil.core.record.evolve import begin, evolve
from counterfoil.host.report import build_report


@pytest.mark.req("LED-01", "LED-12")
@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_a_golden_ledger_folds_into_its_report(path: Path) -> None:
    golden = json.loads(path.read_text("utf-8"))
    blobs = {name: base64.b64decode(body) for name, body in golden["blobs"].items()}
    events = [decode(line["type"], line["payload"].encode(), blobs.__getitem__) for line in golden["events"]]
    times = [line["at"] for line in golden["events"]]
    first = events[0]
    assert isinstance(first, RunAdmitted)
    state = begin("run1", first, times[0])
    for event, at in zip(events[1:], times[1:], strict=True):
        state = evolve(state, event, at)
    assert json.loads(msgspec.json.encode(build_report(state, ""))) == golden["report"]


def test_every_golden_run_has_its_file() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.json")) == sorted(RUNS)
