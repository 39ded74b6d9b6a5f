from __future__ import annotations

import pytest

from counterfoil.core.answer.placeholders import find_placeholders


@pytest.mark.parametrize(
    "text",
    ["TODO: price", "It is TBD.", "Lorem ipsum dolor", "[insert name]", "It grew XX%.", "$X.XX", "As an AI model, I",
     "{{price}}", "[…]", "Name: ____ here", "Als KI kann ich", "[bitte ergänzen: Preis]", "待补充", "to be confirmed"],
)  # fmt: skip
def test_placeholders_are_found(text: str) -> None:
    assert list(find_placeholders(text))


@pytest.mark.parametrize(
    "text", ["To do this, visit.", "Super Bowl XX", "A [link](x)", "The AI model is sold.", "snake_case", "XXL shirts"]
)
def test_plain_words_are_none(text: str) -> None:
    assert not list(find_placeholders(text))
