"""Owns the wire to providers: a prompt into pydantic-ai's messages, one streamed request, its reply or its failure.

Never: an agent, a retry, or a default client; only this file names pydantic-ai.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import msgspec

from counterfoil.adapters.models import faults as f
from counterfoil.adapters.models.clients import Clients
from counterfoil.adapters.models.connection import (
    INTERRUPTED,
    NEVER_SENT,
    STALLED,
    TRANSPORT_FAULTS,
    http_client,
    one_request,
)
from counterfoil.adapters.models.keys import Key
from counterfoil.adapters.models.prompt import ModelSaid, Prompt, RawCall, Reply, ToolSaid, UserSaid
from counterfoil.adapters.models.redaction import Redactor
from counterfoil.adapters.models.vendor import Dialect, Vendor
from counterfoil.core.errors import ModelError
from counterfoil.core.exchange import ModelLimits, TokenUsage

NO_KEY = "no-key"  # what a server that wants none is sent: the SDK insists on one
UNUSABLE = f.Fault("upstream_unavailable", "REPLY_UNUSABLE", "ended its reply with a fault of its own", "try again")
# What a reply's end means, as pydantic-ai names the ends of all providers; None: it is whole.
ENDS: Mapping[str, f.Fault | None] = {
    "stop": None,
    "tool_call": None,
    "length": f.TRUNCATED,
    "content_filter": f.CONTENT_REFUSED,
    "error": UNUSABLE,
}
# What a dialect is asked for besides the reply: no copy kept at OpenAI, a cache at Anthropic, which has none unasked.
SETTINGS: Mapping[Dialect, dict[str, Any]] = {
    "responses": {"openai_store": False},
    "chat": {},
    "anthropic": {"cache": True},
    "google": {},
}

# What pydantic-ai's exceptions mean, before the SDK's own is looked at.
LIBRARY_FAULTS: f.Table = {
    "pydantic_ai.ModelAPIError": None,
    "pydantic_ai.ModelHTTPError": None,
    "pydantic_ai._CategorizedHTTPError": None,
    "pydantic_ai._CredentialsError": f.KEY_REFUSED,
    "pydantic_ai.BatchJobError": f.DEFECT,  # nothing here sends batches
    "pydantic_ai.ModelAuthenticationError": None,  # a wrong key, or a right one that may not: the status says which
    "pydantic_ai.ModelRequestRejectedError": f.INVALID,
    "pydantic_ai.ModelConnectionError": None,
    "pydantic_ai.ModelTimeoutError": None,
    "pydantic_ai.ModelRateLimitError": f.RATE_LIMITED,
    "pydantic_ai.ModelQuotaExceededError": f.QUOTA_SPENT,
    "pydantic_ai.ModelServerError": f.UNAVAILABLE,
    "pydantic_ai.ModelUnavailableError": f.UNAVAILABLE,
    "pydantic_ai.ModelOverloadedError": f.OVERLOADED,
    "pydantic_ai.ModelContextWindowExceededError": f.TOO_LARGE,
    "pydantic_ai.ModelNotFoundError": f.NO_SUCH_MODEL,
    "pydantic_ai.ModelRequestTimeout": f.DEFECT,  # a setting that is never given
    "pydantic_ai.UnexpectedModelBehavior": f.UNREADABLE,
    "pydantic_ai.ContentFilterError": f.CONTENT_REFUSED,
    "pydantic_ai.OutputTokenLimitExceeded": f.TRUNCATED,
    "pydantic_ai.IncompleteToolCall": f.TRUNCATED,
}


class Target(msgspec.Struct, frozen=True):
    """One model at one provider. ``spec`` is how a person names it, ``ways`` how its key can be given."""

    spec: str
    model: str
    url: str
    key: Key | None
    ways: str
    stall_seconds: float
    native_tools: bool = True


class DirectWire:
    """Sends prompts to one model of ``vendor``, each exactly once, over a client of ``clients``."""

    def __init__(self, vendor: Vendor, target: Target, clients: Clients) -> None:
        self.native_tools = target.native_tools
        self._vendor = vendor
        self._target = target
        self._redactor = Redactor([target.key.text] if target.key else [])
        self._clients = clients

    async def send(self, prompt: Prompt, limits: ModelLimits) -> Reply:
        """The reply to ``prompt``.

        Raises:
            ModelError: the request failed; its category says how.
        """
        from pydantic_ai.direct import model_request_stream

        stream: Any = None
        try:
            async with (
                self._client() as (_, model),
                model_request_stream(
                    model,
                    _messages(prompt),
                    model_settings={"max_tokens": limits.output_tokens_max, **SETTINGS[self._vendor.dialect]},
                    model_request_parameters=_parameters(prompt),
                    instrument=False,
                ) as stream,
            ):
                async for _ in stream:
                    pass
                response = stream.get()
        except Exception as error:  # noqa: BLE001  # foreign code, whose messages may quote the key
            raise self._failure(error, _heard_chars(stream)) from None
        return self._whole(response)

    async def look_up(self) -> bool | None:
        """Whether the provider knows the model, None when it cannot tell; it costs nothing.

        Raises:
            ModelError: it cannot be reached, does not take the key, or says that it does not know the model.
        """
        try:
            async with self._client() as (client, _):
                return await self._vendor.look_up(client, self._target.model)
        except Exception as error:  # noqa: BLE001  # foreign code, whose messages may quote the key
            raise self._failure(error, 0) from None

    @asynccontextmanager
    async def _client(self) -> AsyncIterator[tuple[Any, Any]]:
        """The SDK's client and pydantic-ai's model, shared by every wire to the same target, for one request."""
        target = (self._vendor.name, self._target)
        async with self._clients.client(target, self._open) as opened:
            with one_request():
                yield opened

    async def _open(self) -> AsyncGenerator[tuple[Any, Any]]:
        """Yields what is opened, and closes it after."""
        target = self._target
        http = http_client(target.stall_seconds)
        try:
            client = self._vendor.client(http, target.key.text if target.key else NO_KEY, target.url)
            yield client, _model(self._vendor.dialect, target.model, client)
        finally:
            await http.aclose()

    def _failure(self, error: BaseException, chars: int) -> ModelError:
        said = f.heard(error)
        libraries = (LIBRARY_FAULTS, self._vendor.faults)
        fault = f.fault_of(said, TRANSPORT_FAULTS, libraries, self._vendor.words)
        detail = f.described(error, fault, said, self._redactor)
        if fault is STALLED:
            detail = f"no byte for {self._target.stall_seconds:g} s"
        if fault is INTERRUPTED:
            detail = f"after {chars} characters: {detail}"
        spent = (0, 0) if f.listed_in(said, NEVER_SENT) else None
        return self._error(fault, detail, said.retry_after_s, spent)

    def _error(
        self, fault: f.Fault, detail: str, retry_after_s: float | None = None, spent: tuple[int, int] | None = None
    ) -> ModelError:
        target = self._target
        who = target.url if self._vendor.dialect == "chat" else self._vendor.name
        names = {"spec": target.spec, "model": target.model, "keys": target.ways}
        return f.model_error(fault, who, detail, names, retry_after_s, spent)

    def _whole(self, response: Any) -> Reply:
        """``response`` as a reply, unless it is not whole: what was cut off, refused or left open is no answer."""
        details = response.provider_details or {}
        reason, end = details.get("finish_reason"), response.finish_reason
        usage = _usage(response.usage)
        if end in ("length", "content_filter"):
            said = str(details.get("refusal") or details.get("block_reason") or reason or "")
            detail = f"after {usage.output} tokens" if end == "length" else self._redactor.detail(said)
            counted = None if usage == TokenUsage() else (usage.input, usage.output)  # no count is not a count of none
            raise self._error(ENDS[end] or UNUSABLE, detail, spent=counted)
        if reason is None:  # the library takes a stream that just ends for a whole one
            raise self._error(INTERRUPTED, "it ended without saying that it was whole")
        if end is None or ENDS[end] is not None:
            raise self._error(UNUSABLE, self._redactor.detail(str(reason)))
        parts = response.parts
        text = "".join(part.content for part in parts if part.part_kind == "text")
        calls = tuple(
            RawCall(self._redactor.hide(part.tool_name), self._redactor.hide(_arguments(part.args)))
            for part in parts
            if part.part_kind == "tool-call"
        )
        return Reply(self._redactor.hide(text), calls, usage)


def _model(dialect: Dialect, name: str, client: Any) -> Any:
    if dialect == "responses":
        from pydantic_ai.models.openai import OpenAIResponsesModel
        from pydantic_ai.providers.openai import OpenAIProvider

        return OpenAIResponsesModel(name, provider=OpenAIProvider(openai_client=client))
    if dialect == "chat":
        from pydantic_ai.models.openai import OpenAIChatModel
        from pydantic_ai.profiles.openai import OpenAIModelProfile
        from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

        profile = OpenAIModelProfile(supports_json_schema_output=True)
        provider = OpenAICompatibleProvider("openai-compatible", openai_client=client, profile=profile)
        return OpenAIChatModel(name, provider=provider)
    if dialect == "anthropic":
        from pydantic_ai.models.anthropic import AnthropicModel
        from pydantic_ai.providers.anthropic import AnthropicProvider

        return AnthropicModel(name, provider=AnthropicProvider(anthropic_client=client))
    from pydantic_ai.models.google import GoogleModel
    from pydantic_ai.providers.google import GoogleProvider

    return GoogleModel(name, provider=GoogleProvider(client=client))


def _messages(prompt: Prompt) -> list[Any]:
    """The prompt in pydantic-ai's terms: what stands between two replies of the model is one request."""
    from pydantic_ai import messages as m

    out: list[Any] = []
    waiting: list[Any] = [m.SystemPromptPart(prompt.system)] if prompt.system else []
    for message in prompt.messages:
        match message:
            case UserSaid(text):
                waiting.append(m.UserPromptPart(text))
            case ToolSaid(call_id, tool, text, ok):
                outcome: Any = "success" if ok else "failed"
                waiting.append(m.ToolReturnPart(tool, text, tool_call_id=call_id, outcome=outcome))
            case ModelSaid(text, calls):
                if waiting:
                    out.append(m.ModelRequest(parts=waiting))
                    waiting = []
                said: list[Any] = [m.TextPart(text)] if text else []
                said += [m.ToolCallPart(call.tool, call.args, tool_call_id=call.id) for call in calls]
                out.append(m.ModelResponse(parts=said))
    return [*out, m.ModelRequest(parts=waiting)] if waiting else out


def _parameters(prompt: Prompt) -> Any:
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.output import OutputObjectDefinition
    from pydantic_ai.tools import ToolDefinition

    tools = [
        ToolDefinition(name=tool.name, description=tool.description, parameters_json_schema=tool.parameters)
        for tool in prompt.tools
    ]
    if prompt.schema is None:
        return ModelRequestParameters(function_tools=tools)
    reply = OutputObjectDefinition(json_schema=prompt.schema, name="reply")
    return ModelRequestParameters(function_tools=tools, output_mode="native", output_object=reply)


def _usage(usage: Any) -> TokenUsage:
    return TokenUsage(usage.input_tokens, usage.output_tokens, usage.cache_read_tokens, usage.output_reasoning_tokens)


def _arguments(args: Any) -> str:
    return args if isinstance(args, str) else msgspec.json.encode(args or {}).decode()


def _heard_chars(stream: Any) -> int:
    parts = stream.get().parts if stream is not None else ()
    return sum(len(part.content) for part in parts if part.part_kind == "text")
