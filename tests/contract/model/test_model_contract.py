"""What every model keeps, whoever decides behind it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from tests.contract.model.models import CALL, MODELS, Cast

from counterfoil.adapters.corpus.memory import MemoryCorpus
from counterfoil.core.answer.contract import Contract, TimeAnchor
from counterfoil.core.errors import ModelError
from counterfoil.core.exchange import Completion, ModelLimits, Purpose, TokenUsage, View
from counterfoil.host.replies import storable
from counterfoil.ports.model import Model
from counterfoil.tools.search_public_sources import SearchPublicSources

TOOLS = (SearchPublicSources(MemoryCorpus(())).spec,)
QUESTION = Contract("How much does the City North day pass cost?")
VIEW = View("research", "Answer from sources.", QUESTION, TimeAnchor("2025-03-31"), "research")
LIMITS = ModelLimits(output_tokens_max=500, attempt_ms_max=10_000)
PURPOSES: tuple[Purpose, ...] = get_args(Purpose)


@pytest.fixture(name="cast", params=MODELS)
def cast_fixture(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Cast]:
    cast = MODELS[request.param](tmp_path)
    yield cast
    cast.close()


def ask(model: Model) -> Completion:
    return asyncio.run(model.complete(VIEW, TOOLS, LIMITS))


def test_it_has_a_name_and_readers_are_told_what_it_is(cast: Cast) -> None:
    assert cast.model.spec
    assert cast.model.label
    assert "\n" not in cast.model.spec + cast.model.label


def test_it_answers_research_and_finalization_and_no_purpose_that_there_is_not(cast: Cast) -> None:
    assert {"research", "finalize"} <= cast.model.purposes <= set(PURPOSES)


@pytest.mark.req("MOD-03")
def test_what_it_may_spend_is_known_beforehand_and_never_shrinks_with_size(cast: Cast) -> None:
    for purpose in PURPOSES:
        sizes = [cast.model.worst(purpose, size, 500) for size in (0, 1000, 1_000_000)]
        assert [usage.input for usage in sizes] == sorted(usage.input for usage in sizes)
        assert all(usage.input >= 0 and 0 <= usage.output <= 500 for usage in sizes)


@pytest.mark.req("MOD-03")
def test_a_price_is_a_number_or_unknown(cast: Cast) -> None:
    for usage in (TokenUsage(), TokenUsage(1000, 100, 500, 50)):
        price = cast.model.usd(usage)
        assert price is None or price >= 0


def test_it_proposes_calls_of_the_tools_that_it_is_given_and_counts_honestly(cast: Cast) -> None:
    completion = ask(cast.model)
    assert [call.tool for call in completion.calls] == [CALL[0]]
    assert completion.calls[0].malformed is None
    assert "query" in completion.calls[0].args
    assert storable(completion) == completion
    usage = completion.usage
    assert 0 <= usage.cached <= usage.input
    assert 0 <= usage.reasoning <= usage.output <= LIMITS.output_tokens_max


def test_the_same_view_gives_the_same_proposal(cast: Cast) -> None:
    assert ask(cast.model).calls == ask(cast.model).calls


@pytest.mark.req("MOD-02")
@pytest.mark.parametrize("name", [name for name in MODELS if name != "offline"])  # which asks nobody, so cannot fail
def test_it_fails_with_a_cause_and_what_to_do(name: str, tmp_path: Path) -> None:
    cast = MODELS[name](tmp_path)
    failing = cast.failing()
    assert failing is not None
    with pytest.raises(ModelError) as failure:
        ask(failing)
    assert failure.value.category == "upstream_unavailable"
    assert failure.value.code
    assert failure.value.hint
    cast.close()
