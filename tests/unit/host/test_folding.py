"""A Run read back from its ledger."""

from __future__ import annotations

import asyncio
import contextlib
import gc

import pytest
from tests.unit.host.fakes import Bench, call

from counterfoil.core.errors import NotFoundError
from counterfoil.host.folding import fold


@pytest.mark.parametrize("run_id", ["run1", "nothing"])
@pytest.mark.parametrize("collects", [True, False])
def test_folding_leaves_the_cycle_collector_as_it_was(run_id: str, collects: bool) -> None:
    bench, before = Bench([]), gc.isenabled()
    asyncio.run(bench.ask())
    (gc.enable if collects else gc.disable)()
    try:
        with contextlib.suppress(NotFoundError):
            asyncio.run(fold(bench.ledger, run_id))
        assert gc.isenabled() == collects
    finally:
        (gc.enable if before else gc.disable)()


def test_folding_an_unknown_run_says_that_there_is_none() -> None:
    with pytest.raises(NotFoundError):
        asyncio.run(fold(Bench([]).ledger, "nothing"))


@pytest.mark.req("TSK-02")
def test_a_run_can_be_folded_at_any_moment() -> None:
    bench = Bench([call("search_public_sources", query="pass")])
    asyncio.run(bench.ask())
    state, last = asyncio.run(fold(bench.ledger, "run1"))
    assert last.type == "RunSettled"
    assert state.settled is not None
    assert len(state.sources) == 2
