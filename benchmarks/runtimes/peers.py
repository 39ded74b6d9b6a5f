"""Owns the other runtimes, each as its documentation sets it up, on the same stub: a loop, LangGraph, Pydantic AI.

Never: a setting that makes one slower than it is by default, or a tool that does more than return its text.
"""

from __future__ import annotations

import itertools
import json
import sqlite3
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import openai
from benchmarks.runtimes.meter import Meter
from benchmarks.runtimes.stub import DESCRIPTION, INSTRUCTIONS, TOOL, parameters, question

Run = Callable[[int], Coroutine[Any, Any, None]]  # a Run of so many turns
KEY = "none-needed"


def client_of(url: str) -> openai.AsyncOpenAI:
    """The provider's client, that tries nothing again."""
    return openai.AsyncOpenAI(base_url=url, api_key=KEY, max_retries=0)


def bare_loop(url: str, folder: Path, meter: Meter) -> Run:
    """The provider's client and a loop: what no runtime can be cheaper than."""
    client = client_of(url)

    async def run(turns: int) -> None:
        messages = _asked(turns)
        while _continued(await client.chat.completions.create(**_request(messages)), messages, meter):
            pass

    return run


def bare_loop_streamed(url: str, folder: Path, meter: Meter) -> Run:
    """The same with replies that are streamed and put together by the client itself."""
    client = client_of(url)

    async def run(turns: int) -> None:
        messages = _asked(turns)
        while True:
            request = {**_request(messages), "stream_options": {"include_usage": True}}
            async with client.chat.completions.stream(**request) as stream:
                answer = await stream.get_final_completion()
            if not _continued(answer, messages, meter):
                return

    return run


def bare_loop_blocking(url: str, folder: Path, meter: Meter) -> Run:
    """The same with the provider's blocking client, which LangGraph's ``invoke`` uses: it costs less."""
    client = openai.OpenAI(base_url=url, api_key=KEY, max_retries=0)

    async def run(turns: int) -> None:
        messages = _asked(turns)
        while _continued(client.chat.completions.create(**_request(messages)), messages, meter):
            pass

    return run


def _asked(turns: int) -> list[Any]:
    return [{"role": "system", "content": INSTRUCTIONS}, {"role": "user", "content": question(turns)}]


def _request(messages: list[Any]) -> Any:
    function = {"name": TOOL, "description": DESCRIPTION, "parameters": parameters()}
    return {"model": "stub", "messages": messages, "tools": [{"type": "function", "function": function}]}


def _continued(answer: Any, messages: list[Any], meter: Meter) -> bool:
    """Whether the model wanted tools: their results now stand in ``messages``."""
    message = answer.choices[0].message
    if not message.tool_calls:
        return False
    messages.append(message.model_dump(exclude_none=True))
    for call in message.tool_calls:
        json.loads(call.function.arguments)
        messages.append({"role": "tool", "tool_call_id": call.id, "content": meter.result()})
    return True


def langgraph(url: str, folder: Path, meter: Meter, *, saved: bool) -> Run:
    """LangChain's ``create_agent`` on LangGraph, with its SQLite saver or without one."""
    from langchain.agents import create_agent
    from langchain_core.tools import StructuredTool
    from langchain_openai import ChatOpenAI
    from langgraph.checkpoint.sqlite import SqliteSaver
    from pydantic import SecretStr

    def search(query: str) -> str:
        return meter.result()

    tool = StructuredTool.from_function(search, name=TOOL, description=DESCRIPTION)
    model = ChatOpenAI(model="stub", base_url=url, api_key=SecretStr(KEY), max_retries=0)
    saver = SqliteSaver(sqlite3.connect(folder / "langgraph.db", check_same_thread=False)) if saved else None
    agent: Any = create_agent(model, [tool], system_prompt=INSTRUCTIONS, checkpointer=saver)
    threads = itertools.count()

    async def run(turns: int) -> None:
        config = {"configurable": {"thread_id": f"t{next(threads)}"}, "recursion_limit": 4 * turns + 10}
        asked = {"messages": [{"role": "user", "content": question(turns)}]}
        agent.invoke(asked, config)  # the cheaper of its two forms

    return run


def _pydantic_agent(url: str, meter: Meter) -> Any:
    from pydantic_ai import Agent, Tool
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    async def search(query: str) -> str:
        return meter.result()

    model = OpenAIChatModel("stub", provider=OpenAIProvider(openai_client=client_of(url)))
    tool = Tool(search, name=TOOL, description=DESCRIPTION)
    return Agent(model, name="bench", instructions=INSTRUCTIONS, tools=[tool])


def pydantic_plain(url: str, folder: Path, meter: Meter) -> Run:
    """Pydantic AI's agent, keeping nothing."""
    return _asking(_pydantic_agent(url, meter))


def pydantic_dbos(url: str, folder: Path, meter: Meter) -> Run:
    """Pydantic AI's agent made durable with DBOS on SQLite: requests and tool calls are its steps."""
    from dbos import DBOS
    from pydantic_ai.durable_exec.dbos import DBOSAgent

    DBOS(
        config={
            "name": "bench",
            "system_database_url": f"sqlite:///{folder / 'dbos.db'}",
            "log_level": "ERROR",
        }
    )
    agent = DBOSAgent(_pydantic_agent(url, meter))
    DBOS.launch()
    return _asking(agent)


def _asking(agent: Any) -> Run:
    from pydantic_ai.usage import UsageLimits

    async def run(turns: int) -> None:
        await agent.run(question(turns), usage_limits=UsageLimits(request_limit=None))

    return run
