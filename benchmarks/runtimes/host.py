"""Owns the real Host as the benchmark runs it: SQLite ledger, one tool, and two models that ask the same stub.

Never: a Host that does less than the product's; only the tool and the model stand in for the outside.
"""

from __future__ import annotations

import asyncio
import datetime
import json
import random
from pathlib import Path
from typing import Any

import openai
from benchmarks.runtimes.meter import Meter
from benchmarks.runtimes.stub import DESCRIPTION, FINISH_TOOL, INSTRUCTIONS, TOOL, WANTED, parameters, question
from openai.types.chat import ChatCompletion

from counterfoil import wiring
from counterfoil.adapters.clock import SystemClock
from counterfoil.adapters.holders import LocalHolders
from counterfoil.adapters.ids import SystemIds
from counterfoil.adapters.stores.sqlite import open_sqlite
from counterfoil.core.answer.contract import Contract
from counterfoil.core.exchange import (
    AssistantTurn,
    CallDraft,
    Completion,
    Json,
    Message,
    ModelLimits,
    ProposedCall,
    Purpose,
    TokenUsage,
    ToolResult,
    ToolSpec,
    View,
)
from counterfoil.core.law import budget as ids
from counterfoil.core.record.state import RunState
from counterfoil.host.admission import Task
from counterfoil.host.host import Finished, Host
from counterfoil.ports.ledger import Ledger
from counterfoil.ports.model import Model
from counterfoil.ports.tool import Effect, Settled
from counterfoil.tools.finish_research import FinishResearch

# Wide enough for the longest Run that is measured.
WIDE = {
    ids.MODEL_REQUESTS: 1000,
    ids.TOOL_CALLS: 1000,
    ids.INPUT_TOKENS: 100_000_000,
    ids.INPUT_BYTES: 20_000_000,
    ids.ACTIVE_SECONDS: 7200,
}


class Lookup:
    """The tool that all runtimes have, with a reserved outside effect and a receipt."""

    spec = ToolSpec(
        name=TOOL,
        description=DESCRIPTION,
        parameters=parameters(),
        effect="repeatable",
        phases=("research",),
        gathers_evidence=True,
    )

    def __init__(self, meter: Meter) -> None:
        self._meter = meter

    def prepare(self, call: ProposedCall, state: RunState, now: int) -> Effect:
        """Every call is lawful and debits nothing that would end a long Run."""
        return Effect({}, call.args)

    async def perform(self, request: Json) -> str:
        """The outside effect."""
        return self._meter.result()

    def settle(self, call: ProposedCall, result: object, state: RunState) -> Settled:
        """The receipt."""
        return Settled({"text": result})


class StubModel:
    """The stub as a function in this process.

    ``think_s``: about how long it takes; ``calls``: how many each reply makes; ``hold``: what the last one waits for.
    """

    spec = "stub"
    label = "stub, no language model"
    purposes: frozenset[str] = frozenset({"research", "finalize"})

    def __init__(self, *, think_s: float = 0, calls: int = 1, hold: asyncio.Event | None = None) -> None:
        self._think_s, self._calls, self._hold = think_s, calls, hold
        self._random = random.Random(7)
        self.held = asyncio.Semaphore(0)  # counts the Runs that wait

    def worst(self, purpose: Purpose, size_bytes: int, output_tokens_max: int) -> TokenUsage:
        """What it will say it used."""
        return TokenUsage(900, 40)

    def usd(self, usage: TokenUsage) -> None:
        """It costs nothing that anybody knows."""

    async def complete(self, view: View, tools: tuple[ToolSpec, ...], limits: ModelLimits) -> Completion:
        """A call for every turn that is wanted, then the end."""
        if self._think_s:
            await asyncio.sleep(self._think_s * self._random.uniform(0.5, 1.5))
        done, wanted = len(view.messages) // (1 + self._calls), WANTED.search(view.contract.question.encode())
        if wanted is not None and done < int(wanted[1]):
            calls = (CallDraft(TOOL, {"query": f"visitor pass {done}.{n}"}) for n in range(self._calls))
            return Completion(calls=tuple(calls), usage=TokenUsage(900, 40))
        if self._hold is not None:
            self.held.release()
            await self._hold.wait()
        ending = CallDraft(FINISH_TOOL, {"outcome": "completed", "limitations": ["a stub answered"]})
        return Completion(calls=(ending,), usage=TokenUsage(900, 40))


class OpenAiModel(StubModel):
    """The stub over HTTP, through the provider's client: what a provider adapter has to do and no more."""

    def __init__(self, client: openai.AsyncOpenAI) -> None:
        super().__init__()
        self._client = client
        self._past: tuple[Message, ...] = ()
        self._sent: list[Json] = []  # ``_past`` as it is sent, kept as the bare loop keeps its list

    async def complete(self, view: View, tools: tuple[ToolSpec, ...], limits: ModelLimits) -> Completion:
        """One chat request."""
        messages: Any = [*_pinned(view), *self._translated(view.messages)]  # dictionaries, as its documentation has it
        functions: Any = [_function(tool) for tool in tools]
        answer: ChatCompletion = await self._client.chat.completions.create(
            model="stub-finish",
            messages=messages,
            tools=functions,
        )
        message, usage = answer.choices[0].message, answer.usage
        calls = (
            CallDraft(call.function.name, json.loads(call.function.arguments))
            for call in message.tool_calls or ()
            if call.type == "function"
        )
        spent = TokenUsage(usage.prompt_tokens, usage.completion_tokens) if usage else TokenUsage()
        return Completion(message.content or "", tuple(calls), spent)

    def _translated(self, messages: tuple[Message, ...]) -> list[Json]:
        """Messages as they are sent: only those that were not in the view before are translated."""
        known = len(self._past)
        if messages[:known] != self._past:
            known, self._sent = 0, []
        self._sent += map(_message, messages[known:])
        self._past = messages
        return self._sent


def _function(tool: ToolSpec) -> Json:
    function = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
    return {"type": "function", "function": function}


def _pinned(view: View) -> list[Json]:
    asked = f"{view.contract.question}\n{json.dumps(view.remaining)}"
    return [{"role": "system", "content": view.instructions}, {"role": "user", "content": asked}]


def _message(message: Message) -> Json:
    if isinstance(message, ToolResult):
        return {"role": "tool", "tool_call_id": message.call_id, "content": json.dumps(message.content)}
    if not isinstance(message, AssistantTurn):
        return {"role": "user", "content": message.text}
    calls = [
        {"id": call.id, "type": "function", "function": {"name": call.tool, "arguments": json.dumps(call.args)}}
        for call in message.calls
    ]
    said = {"content": message.text} if message.text else {}  # the client's work grows with every key
    return {"role": "assistant", **said, "tool_calls": calls}


def ledger_at(folder: Path) -> Ledger:
    """The product's SQLite ledger in a folder."""
    return open_sqlite(folder / "ledger.db")


def host_on(ledger: Ledger, model: Model, meter: Meter) -> Host:
    """The Host over a ledger, as wiring makes it but for the tool."""
    clock = SystemClock()
    return Host(
        ledger=ledger,
        clock=clock,
        ids=SystemIds(clock),
        models=(model,),
        tools=(Lookup(meter), FinishResearch()),
        validators=wiring.validators(),
        catalogue=wiring.catalogue(),
        prompts={"entry": INSTRUCTIONS, "research": INSTRUCTIONS},
        holders=LocalHolders(),
    )


async def ask(host: Host, turns: int) -> Finished:
    """One Run, to its end."""
    today = datetime.datetime.fromtimestamp(SystemClock().now_ms() / 1000, datetime.UTC).date().isoformat()
    task = Task(Contract(question(turns)), as_of=today, operator=dict(WIDE))
    return await host.ask(task)
