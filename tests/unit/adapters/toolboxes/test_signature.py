"""A function read as a tool: what the model is told, and what its author is told when that is not enough."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import pytest

from counterfoil.adapters.toolboxes.signature import signature_of
from counterfoil.core.errors import UsageError


@dataclass
class Place:
    lat: float
    lon: float


def weather(
    where: Annotated[Place, "in degrees"],
    day: datetime.date,
    unit: Literal["C", "F"] = "C",
    tags: list[str] = [],  # noqa: B006  # what an author may write
) -> float:
    """The temperature at noon,
    measured in the shade.

    Nobody but the author reads this.
    """
    return 0.0


def test_types_defaults_and_texts_become_the_schema_that_a_model_sees() -> None:
    read = signature_of(weather)
    assert (read.name, read.description) == ("weather", "The temperature at noon, measured in the shade.")
    assert read.schema["required"] == ["where", "day"]
    assert read.schema["additionalProperties"] is False
    properties = read.schema["properties"]
    assert properties["where"]["description"] == "in degrees"
    assert properties["day"] == {"type": "string", "format": "date"}
    assert properties["unit"] == {"enum": ["C", "F"], "default": "C"}
    assert read.schema["$defs"]["Place"]["required"] == ["lat", "lon"]


def test_another_name_may_be_given() -> None:
    assert signature_of(weather, "noon").name == "noon"


def undocumented(day: str) -> None: ...


def untyped(day) -> None:  # type: ignore[no-untyped-def]
    """Say the day."""


def starred(*days: str) -> None:
    """Say the days."""


def positional(day: str, /) -> None:
    """Say the day."""


def unschematic(call: Callable[[], None]) -> None:
    """Call it."""


def misspelt(day: Dat) -> None:  # type: ignore[name-defined]  # noqa: F821
    """Say the day."""


def shared(days: list[str] = ["monday"]) -> None:  # noqa: B006
    """Say the days."""


@pytest.mark.req("UX-06")
@pytest.mark.parametrize(
    ("function", "told"),
    [
        (undocumented, "no docstring"),
        (untyped, "'day' has no type"),
        (starred, "'days' cannot be given by name"),
        (positional, "'day' cannot be given by name"),
        (unschematic, "unschematic cannot be a tool"),
        (misspelt, "Dat"),
        (shared, "shared cannot be a tool"),
        (lambda: None, "no name for a tool"),
    ],
)
def test_what_is_missing_is_said_to_the_author(function: Callable[..., Any], told: str) -> None:
    with pytest.raises(UsageError, match=told) as refused:
        signature_of(function)
    assert refused.value.code == "TOOL_INVALID"
    assert refused.value.hint
