"""Sources that fail, vanish or give too much."""

import asyncio

import pytest
from tests.unit.sim.histories import DEBITS, SEARCH, admitted, answered, asked, commit
from tests.unit.sim.lives import life_of, process_of

from counterfoil.adapters.corpus.memory import MemoryCorpus
from counterfoil.core.errors import DocumentUnreadable, SourceInvalid
from counterfoil.core.record import events as e
from counterfoil.ports.tool import EffectTool
from counterfoil.sim.plan import Page, SearchKind, Trouble
from counterfoil.sim.process import Crash, Life
from counterfoil.sim.world import SeenTool, TroubledCorpus
from counterfoil.tools.search_public_sources import SearchPublicSources

PAGES = (Page("a.test/1", "day pass", failing=True), Page("b.test/2", "day pass", gone_after=1))


def corpus(life: Life) -> TroubledCorpus:
    return TroubledCorpus(MemoryCorpus((page.name, page.text) for page in PAGES), PAGES, process_of(life))


def test_pages_fail_or_are_gone_after_a_while() -> None:
    sources = corpus(life_of())
    assert asyncio.run(sources.read("b.test/2", 0)).text == "day pass"
    with pytest.raises(SourceInvalid):
        asyncio.run(sources.read("b.test/2", 0))
    with pytest.raises(DocumentUnreadable):
        asyncio.run(sources.read("a.test/1", 0))
    assert asyncio.run(sources.document("a.test/1")).id == "a.test/1"


@pytest.mark.parametrize(("search", "found"), [("honest", 1), ("mute", 0), ("generous", 2)])
def test_searches_give_what_was_asked_for_nothing_or_too_much(search: SearchKind, found: int) -> None:
    outcome = asyncio.run(corpus(life_of(search=search)).search("day pass", limit=1, domains=("a.test",)))
    assert len(outcome.hits) == found


def seen_search(*troubles: Trouble) -> tuple[SeenTool, Life]:
    history = commit(admitted(), asked("m1"))
    commit(history, *answered("m1", ("c1", SEARCH)), e.ToolCallReserved("c1", DEBITS[SEARCH]))
    life = life_of(*troubles, history=history)
    process = process_of(life)
    process.own.lease_until = 30_000
    return SeenTool(SearchPublicSources(corpus(life)), process), life


REQUEST = {"query": "day pass", "limit": 1, "documents": (), "domains": ()}


async def perform(tool: SeenTool, life: Life) -> None:
    """As a Host would: within the time that research has left, under a lease."""
    async with tool.process.clock.timeout(720_000 - life.time.shown):
        await tool.perform(REQUEST)


def test_the_world_sees_an_effect_before_it_happens() -> None:
    tool, life = seen_search()
    assert isinstance(tool, EffectTool)
    asyncio.run(perform(tool, life))
    assert [(effect.kind, effect.epoch, effect.records) for effect in life.history.effects] == [(SEARCH, 1, 7)]


def test_a_process_can_die_in_an_effect_and_a_second_effect_is_a_violation() -> None:
    tool, life = seen_search(Trouble(1, "crash"))
    with pytest.raises(Crash):
        asyncio.run(perform(tool, life))
    assert life.violation is None
    tool, life = seen_search()
    asyncio.run(perform(tool, life))
    with pytest.raises(Crash):
        asyncio.run(perform(tool, life))
    assert life.violation is not None
    assert life.violation.invariant == "effects_were_reserved"
