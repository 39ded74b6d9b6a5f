"""A Host over memory: a model that plays completions, a clock that a test moves."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from counterfoil.adapters.clock import ManualClock
from counterfoil.adapters.corpus.memory import MemoryCorpus
from counterfoil.adapters.stores.memory import MemoryLedger
from counterfoil.core.answer.contract import Contract, Field, Row
from counterfoil.core.exchange import CallDraft, Completion, Json, ModelLimits, Purpose, TokenUsage, ToolSpec, View
from counterfoil.core.law.policy import Number
from counterfoil.host.admission import Task
from counterfoil.host.host import Finished, Host
from counterfoil.wiring import catalogue, prompts, tools, validators

Reply = Completion | Exception | Callable[[View, tuple[ToolSpec, ...]], Completion]

PAGES = [
    ("north.md", "# City North passes\n\nThe visitor pass costs $18 and includes rides of up to 30 minutes."),
    ("south.md", "# City South passes\n\nA day pass costs $15. Rides under 45 minutes are included."),
]


class PlayedModel:
    """Plays replies in order; when they run out it says nothing more."""

    label = "played by a test"
    purposes = frozenset({"entry", "research", "finalize"})

    def __init__(self, replies: Sequence[Reply], spec: str = "played") -> None:
        self.spec = spec
        self._replies = list(replies)
        self.views: list[View] = []
        self.offered: list[list[str]] = []

    def worst(self, purpose: Purpose, size_bytes: int, output_tokens_max: int) -> TokenUsage:
        return TokenUsage()

    def usd(self, usage: TokenUsage) -> float | None:
        return None

    async def complete(self, view: View, tools: tuple[ToolSpec, ...], limits: ModelLimits) -> Completion:
        self.views.append(view)
        self.offered.append([tool.name for tool in tools])
        reply = self._replies.pop(0) if self._replies else Completion(text="(end of script)")
        if isinstance(reply, Exception):
            raise reply
        return reply if isinstance(reply, Completion) else reply(view, tools)


class PricedModel(PlayedModel):
    """A model that counts tokens (three bytes each) and has a price; replies cost four times as much as input."""

    def __init__(self, replies: Sequence[Reply], dollars_per_million: float = 1.0, spec: str = "played") -> None:
        super().__init__(replies, spec)
        self._price = dollars_per_million / 1e6

    def worst(self, purpose: Purpose, size_bytes: int, output_tokens_max: int) -> TokenUsage:
        return TokenUsage(-(-size_bytes // 3), output_tokens_max)

    def usd(self, usage: TokenUsage) -> float:
        return (usage.input + 4 * usage.output) * self._price


class CountedIds:
    def __init__(self) -> None:
        self._next = 0

    def run_id(self) -> str:
        self._next += 1
        return f"run{self._next}"


def call(tool: str, **args: object) -> Completion:
    return Completion(calls=(CallDraft(tool, dict(args)),))


def calls(*drafts: tuple[str, Json]) -> Completion:
    return Completion(calls=tuple(CallDraft(tool, args) for tool, args in drafts))


def contract(**more: object) -> Contract:
    return Contract(
        question="What does the visitor pass of City North cost?",
        rows=(Row("City North"),),
        fields=(Field("price", type="money"),),
        **more,  # type: ignore[arg-type]  # a test names any field
    )


class NamedHolders:
    """Holders whose life a test decides."""

    def __init__(self) -> None:
        self.name = "first"
        self.living: set[str] = set()

    def own(self) -> str:
        return self.name

    def alive(self, holder: str) -> bool:
        return holder in self.living


class Bench:
    """A Host, its ledger and its clock."""

    def __init__(
        self,
        replies: Sequence[Reply],
        pages: list[tuple[str, str]] | None = None,
        model: type[PlayedModel] = PlayedModel,
        ledger: MemoryLedger | None = None,
        fallbacks: tuple[PlayedModel, ...] = (),
    ) -> None:
        self.model = model(replies)
        self.holders = NamedHolders()
        self.ledger = ledger or MemoryLedger()
        self.clock = ManualClock(1_700_000_000_000)
        corpus = MemoryCorpus(pages or PAGES)
        self.host = Host(
            ledger=self.ledger,
            clock=self.clock,
            ids=CountedIds(),
            models=(self.model, *fallbacks),
            tools=tools(corpus),
            validators=validators(),
            catalogue=catalogue(),
            prompts=prompts(),
            holders=self.holders,
        )

    async def ask(self, asked: Contract | None = None, **operator: Number | None) -> Finished:
        named = {name.replace("__", "/").replace("_", "-"): value for name, value in operator.items()}
        return await self.host.ask(Task(asked or contract(), "2025-03-31", operator=named))
