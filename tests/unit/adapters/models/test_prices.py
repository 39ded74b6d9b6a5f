"""Prices are those of the packaged list; what it does not know is unknown, not free."""

from __future__ import annotations

from decimal import Decimal

import pytest
from genai_prices import Usage, calc_price
from hypothesis import given
from hypothesis import strategies as st

from counterfoil.adapters.models.prices import Price
from counterfoil.core.exchange import TokenUsage

pytestmark = pytest.mark.req("MOD-03")
KNOWN = Price("gpt-5-mini", provider="openai")


def test_a_known_model_costs_what_the_list_says() -> None:
    usage = Usage(input_tokens=1000, cache_read_tokens=400, output_tokens=100)
    listed = calc_price(usage, "gpt-5-mini", provider_id="openai").total_price
    assert KNOWN.usd(TokenUsage(1000, 100, 400)) == float(listed)
    assert listed > Decimal(0)


@pytest.mark.parametrize(
    "price",
    [
        Price("no-such-model", provider="openai"),
        Price("gpt-5-mini", provider="no-such-provider"),
        Price("qwen", url="http://localhost:8080/v1"),
    ],
)
def test_what_the_list_does_not_know_has_no_price(price: Price) -> None:
    assert price.usd(TokenUsage(10, 10)) is None


def test_a_gateway_that_the_list_knows_has_its_prices() -> None:
    assert Price("gpt-5-mini", url="https://api.openai.com/v1").usd(TokenUsage(10, 10)) == KNOWN.usd(TokenUsage(10, 10))


def test_counts_that_contradict_each_other_have_no_price() -> None:
    assert KNOWN.usd(TokenUsage(input=10, cached=20)) is None


def test_a_cache_that_is_written_costs_more_than_plain_input() -> None:
    plain, written = (Price("claude-haiku-4-5", "anthropic", writes_cache=w) for w in (False, True))
    usage = TokenUsage(1000, 10, 400)
    assert (written.usd(usage) or 0) > (plain.usd(usage) or 0) > 0


def test_without_the_list_nothing_has_a_price(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert KNOWN.usd(TokenUsage(10, 10)) is None


@given(st.integers(0, 10**6), st.integers(0, 10**6), st.integers(0, 10**5))
def test_more_tokens_never_cost_less(tokens: int, more: int, output: int) -> None:
    assert (KNOWN.usd(TokenUsage(tokens + more, output)) or 0) >= (KNOWN.usd(TokenUsage(tokens, output)) or 0)
