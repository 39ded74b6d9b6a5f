"""Every class of exception and every end of a reply that a library knows has a meaning in the tables."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Mapping
from types import ModuleType
from typing import get_args

import anthropic
import httpx2
import openai
import pytest
from anthropic import _exceptions as anthropic_exceptions
from google.genai import errors as google_errors
from pydantic_ai import exceptions as library
from pydantic_ai.messages import FinishReason
from pydantic_ai.models import anthropic as _a  # noqa: F401  # they define more classes

from counterfoil.adapters.models.anthropic import Anthropic
from counterfoil.adapters.models.connection import TRANSPORT_FAULTS
from counterfoil.adapters.models.direct import ENDS, LIBRARY_FAULTS
from counterfoil.adapters.models.faults import Fault
from counterfoil.adapters.models.google import Google
from counterfoil.adapters.models.openai import OpenAI

pytestmark = pytest.mark.req("MOD-02")


def tree(root: type[BaseException]) -> Iterator[type[BaseException]]:
    """``root`` and all classes below it."""
    yield root
    for child in root.__subclasses__():
        yield from tree(child)


def defined(module: ModuleType) -> Iterator[type[BaseException]]:
    """The exceptions of a module."""
    for _, kind in inspect.getmembers(module, inspect.isclass):
        if issubclass(kind, BaseException) and not issubclass(kind, Warning):
            yield kind


def named(kind: type[BaseException]) -> str:
    """A class as tables name it."""
    return f"{kind.__module__.partition('.')[0]}.{kind.__name__}"


def meaningless(table: Mapping[str, Fault | None], kinds: Iterable[type[BaseException]]) -> list[str]:
    """Classes that are neither listed nor below one whose meaning they share."""
    out = []
    for kind in kinds:
        heirs = [name for name in map(named, kind.__mro__) if name in table]
        if not heirs or (table[heirs[0]] is None and heirs[0] != named(kind)):
            out.append(named(kind))
    return sorted(set(out))


@pytest.mark.parametrize(
    ("table", "kinds"),
    [
        (OpenAI.faults, [*tree(openai.OpenAIError), *defined(openai._exceptions)]),
        (Anthropic.faults, [*tree(anthropic.AnthropicError), *defined(anthropic_exceptions)]),
        (Google.faults, [*defined(google_errors)]),
        (LIBRARY_FAULTS, [*tree(library.ModelAPIError), *tree(library.UnexpectedModelBehavior)]),
        (TRANSPORT_FAULTS, [*tree(httpx2.HTTPError)]),
    ],
    ids=["openai", "anthropic", "google", "pydantic_ai", "httpx2"],
)
def test_every_exception_of_a_library_is_mapped(
    table: Mapping[str, Fault | None], kinds: list[type[BaseException]]
) -> None:
    assert len(kinds) > 4
    assert meaningless(table, kinds) == []


def test_a_kind_of_exception_that_a_library_adds_is_noticed() -> None:
    added = type("Added", (openai.APIStatusError,), {"__module__": "openai.new"})  # as a new version might
    assert meaningless(OpenAI.faults, [added]) == ["openai.Added"]


@pytest.mark.parametrize(
    ("table", "limit"),
    [(OpenAI.faults, openai.RateLimitError), (Anthropic.faults, anthropic.RateLimitError)],
    ids=["openai", "anthropic"],
)
def test_every_rate_limit_is_listed_itself_since_some_are_limits_that_no_wait_cures(
    table: Mapping[str, Fault | None], limit: type[BaseException]
) -> None:
    assert [named(kind) for kind in tree(limit) if named(kind) not in table] == []


def test_every_end_of_a_reply_is_mapped() -> None:
    assert set(ENDS) == set(get_args(FinishReason))
    assert [end for end, fault in ENDS.items() if fault is None] == ["stop", "tool_call"]
