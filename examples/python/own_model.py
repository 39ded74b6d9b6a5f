"""A model of your own: it sees the view that any model gets and answers with tool calls. This one knows three steps."""

import asyncio
import re
from pathlib import Path

import counterfoil
from counterfoil import Host
from counterfoil.core.exchange import (
    CallDraft,
    Completion,
    Json,
    ModelLimits,
    Purpose,
    TokenUsage,
    ToolResult,
    ToolSpec,
    View,
)

PAGE = Path(counterfoil.__file__).parent / "data" / "demo" / "documents" / "city-north" / "visitor-pass.html"


class FirstHit:
    """Searches for the question, reads the first page found, and quotes the passage that shares most words with it."""

    spec = "first-hit"  # the name that a Run is admitted with, and resumed by
    label = "quotes the first hit, no language model"
    purposes = frozenset({"research", "finalize"})

    def worst(self, purpose: Purpose, size_bytes: int, output_tokens_max: int) -> TokenUsage:
        """What a request may spend is reserved before it is sent: here, no tokens."""
        return TokenUsage()

    def usd(self, usage: TokenUsage) -> float:
        """What that costs."""
        return 0.0

    async def complete(self, view: View, tools: tuple[ToolSpec, ...], limits: ModelLimits) -> Completion:
        """Choose the next step by what the view shows. Keep nothing between requests: several Runs may share this."""
        question = view.contract.question
        results = [message for message in view.messages if isinstance(message, ToolResult) and message.ok]
        if not results:
            return _call("search_public_sources", query=question)
        if results[-1].tool == "search_public_sources":
            hits = results[-1].content["results"]
            if not hits:
                return _call("finish_research", outcome="no answer", limitations=["nothing was found"])
            return _call("read_public_source", handle=hits[0]["handle"], segment=hits[0]["segment"])
        wanted = _words(question)
        best = max(results[-1].content["passages"], key=lambda passage: len(wanted & _words(passage["text"])))
        return _call("publish_answer", body=f"> {best['text']} [{best['id']}]", finish=True)


def _call(tool: str, **args: object) -> Completion:
    arguments: Json = args
    return Completion(calls=(CallDraft(tool, arguments),))


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w{3,}", text.casefold()))


async def main() -> None:
    """Ask with it."""
    async with Host(corpus=[PAGE], model=FirstHit()) as host:
        run = await host.start("What does the City North three-day pass cost?")
        report = await run.result()
    print(report.status, report.model_label)
    print(report.publication.body if report.publication else report.error)


if __name__ == "__main__":
    asyncio.run(main())
