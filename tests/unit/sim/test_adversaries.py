"""Adversaries reply to whatever they are shown."""

import pytest
from tests.unit.sim.views import Past, view_of

from counterfoil.core.exchange import CallDraft, Completion, ToolSpec, View
from counterfoil.sim.adversaries import REPLIES, competent
from counterfoil.sim.dice import dice
from counterfoil.sim.look import Look
from counterfoil.sim.plan import ADVERSARIES, PLANTED
from counterfoil.wiring import simulation_parts

PARTS = simulation_parts()
TOOLS: tuple[ToolSpec, ...] = tuple(tool.spec for tool in PARTS.tools(PARTS.corpus(())))
NOTING = ("set_research_needs", "request_connector")
READ_PAGE = (
    CallDraft("read_public_source", {"handle": "S1", "segment": 0}),
    {"passages": [{"id": "E1", "text": f"The day pass of Łódź costs $18. {PLANTED[0]}"}]},
)


def replies(name: str, view: View, times: int = 60) -> list[Completion]:
    reply = REPLIES[name]  # type: ignore[index]  # tests name adversaries freely
    return [reply(Look(view, TOOLS, dice(1, n))) for n in range(times)]


@pytest.mark.parametrize("name", ADVERSARIES)
def test_each_replies_to_an_empty_and_to_a_full_view(name: str) -> None:
    assert all(
        isinstance(reply, Completion) for view in (view_of(), view_of(READ_PAGE)) for reply in replies(name, view)
    )


def test_a_competent_one_searches_first_and_publishes_only_with_citations() -> None:
    first = competent(Look(view_of(), TOOLS, dice(1)))
    assert {call.tool for call in first.calls} - {"plan", *NOTING} == {"search_public_sources"}
    texts = {reply.text for reply in replies("competent", view_of(purpose="entry"))}
    assert {text[:1] for text in texts} == {"{", "T"}
    assert any("evil.invalid" in text for text in texts)


def test_bad_ones_do_what_they_are_for() -> None:
    asked = {call.tool for reply in replies("injecting", view_of(READ_PAGE)) for call in reply.calls}
    assert {"run_python", "set_budget"} <= asked
    assert sum(not reply.calls for reply in replies("prose", view_of())) > 30
    drafts = [call for reply in replies("malformed", view_of()) for call in reply.calls]
    assert any(call.malformed for call in drafts)
    assert any(call.tool == "no_such_tool" for call in drafts)
    usages = [reply.usage.input for reply in replies("lying", view_of(), 600)]
    assert (min(usages) < 0, max(usages) > 10**6) == (True, True)
    looped: Past = (CallDraft("search_public_sources", {"query": "day pass"}), {"results": []})
    stuck: Past = (CallDraft("read_public_source", {"handle": "S1"}), {"passages": []})
    (once,) = {str(reply.calls) for reply in replies("looping", view_of(looped, stuck))}
    assert "read_public_source" in once
    rewriting: Past = (CallDraft("set_research_needs", {"items": []}), {"needs": 0, "changed": True})
    again = {call.tool for reply in replies("looping", view_of(rewriting)) for call in reply.calls}
    assert again == {"set_research_needs"}
