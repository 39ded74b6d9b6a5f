"""The real wires of every provider, pointed at a stub."""

from __future__ import annotations

import asyncio
from pathlib import Path

from counterfoil.adapters.models.keys import Keys
from counterfoil.adapters.models.prompt import CallSaid, ModelSaid, Prompt, Reply, ToolSaid, UserSaid
from counterfoil.adapters.models.providers import Opened, open_language_model
from counterfoil.core.errors import ModelError
from counterfoil.core.exchange import ModelLimits, ToolSpec
from tests.stubs.dialects import DIALECTS, ERRORS, Said
from tests.stubs.provider import Answer, Provider, streamed, told

VENDORS = tuple(DIALECTS)
KEY = "sk-stub-0123456789abcdef"  # under every provider's variable
LIMITS = ModelLimits(500, 10_000)
LOOK = ToolSpec(
    "look",
    "Looks something up.",
    {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]},
    "repeatable",
    ("research",),
)
PROMPT = Prompt(
    "Answer from what you find.",
    (
        UserSaid("How much is it?"),
        ModelSaid("I look.", (CallSaid("c1", "look", {"q": "price"}),)),
        ToolSaid("c1", "look", "It costs $18.", True),
        UserSaid("Go on."),
    ),
    (LOOK,),
)


def spec_of(vendor: str, url: str, model: str = "stub") -> str:
    """How a person names the model."""
    return f"{vendor}:{model}@{url}" if vendor == "openai-compatible" else f"{vendor}:{model}"


def environ_of(url: str, key: str = KEY) -> dict[str, str]:
    """An environment in which every provider stands at ``url``."""
    return {
        "OPENAI_API_KEY": key,
        "ANTHROPIC_API_KEY": key,
        "GOOGLE_API_KEY": key,
        "OPENAI_BASE_URL": url,
        "ANTHROPIC_BASE_URL": url,
        "GOOGLE_GEMINI_BASE_URL": url,
    }


def opened(vendor: str, url: str, *, stall_seconds: float = 5.0, key: str = KEY, model: str = "stub") -> Opened:
    """The model of ``vendor`` at ``url``."""
    environ = environ_of(url, key)
    keys = Keys(environ, Path("/nowhere/keys.toml"))
    return open_language_model(spec_of(vendor, url, model), keys, environ, stall_seconds)


def send(vendor: str, url: str, prompt: Prompt = PROMPT, *, stall_seconds: float = 5.0, key: str = KEY) -> Reply:
    """What comes back from one send."""
    return asyncio.run(opened(vendor, url, stall_seconds=stall_seconds, key=key).wire.send(prompt, LIMITS))


def failure(vendor: str, url: str, *, stall_seconds: float = 5.0) -> ModelError:
    """How one send failed."""
    try:
        reply = send(vendor, url, stall_seconds=stall_seconds)
    except ModelError as error:
        return error
    raise AssertionError(f"it answered {reply}")


def refusal_of(vendor: str, *answers: Answer) -> tuple[ModelError, int]:
    """How one send failed at a provider that gives ``answers``, and how many requests it was."""
    with Provider(*answers) as stub:
        return failure(vendor, stub.url), len(stub.requests)


def answer(vendor: str, said: Said) -> Answer:
    """``said`` as ``vendor`` streams it."""
    return streamed(DIALECTS[vendor](said))


def error(vendor: str, status: int, code: str = "some_error", message: str = "no", **headers: str) -> Answer:
    """An error as ``vendor`` words it."""
    return told(status, ERRORS[vendor](status, code, message), **headers)
