"""A language model renders, sends once and reads; what nobody counted is charged on the safe side."""

from __future__ import annotations

import asyncio

import msgspec
import pytest
from tests.stubs.wires import LIMITS, LOOK

from counterfoil.adapters.models.language_model import LanguageModel
from counterfoil.adapters.models.prices import Price
from counterfoil.adapters.models.prompt import Prompt, RawCall, Reply
from counterfoil.core.answer.contract import Contract, TimeAnchor
from counterfoil.core.exchange import CallDraft, ModelLimits, TokenUsage, View

VIEW = View("research", "Be exact.", Contract("How much?"), TimeAnchor("2025-03-31"), "research")


class Played:
    """A wire that answers with ``reply`` and keeps what it was sent."""

    native_tools = True

    def __init__(self, reply: Reply) -> None:
        self.reply = reply
        self.sent: list[tuple[Prompt, ModelLimits]] = []

    async def send(self, prompt: Prompt, limits: ModelLimits) -> Reply:
        self.sent.append((prompt, limits))
        return self.reply


def model_over(wire: Played) -> LanguageModel:
    return LanguageModel("openai:x", wire, Price("gpt-5-mini", "openai"), "language model x")


def test_one_completion_is_one_send_under_its_limits() -> None:
    wire = Played(Reply("text", (RawCall("look", '{"q": "a"}'),), TokenUsage(9, 4)))
    completion = asyncio.run(model_over(wire).complete(VIEW, (LOOK,), LIMITS))
    ((prompt, limits),) = wire.sent
    assert (prompt.tools, limits) == ((LOOK,), LIMITS)
    assert (completion.text, completion.calls, completion.usage) == (
        "text",
        (CallDraft("look", {"q": "a"}),),
        TokenUsage(9, 4),
    )


def test_a_provider_that_counts_nothing_is_charged_by_the_byte() -> None:
    wire = Played(Reply("four"))
    usage = asyncio.run(model_over(wire).complete(VIEW, (LOOK,), LIMITS)).usage
    assert usage.input == len(msgspec.json.encode(wire.sent[0][0]))
    assert usage.output >= len("four")


@pytest.mark.req("MOD-03")
@pytest.mark.parametrize("size", [0, 1, 100_000])
def test_at_worst_every_byte_is_a_token_and_the_tools_come_on_top(size: int) -> None:
    worst = model_over(Played(Reply())).worst("research", size, 500)
    assert worst.input > size + len(msgspec.json.encode(LOOK))
    assert worst.output == 500
