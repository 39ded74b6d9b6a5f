"""Owns OpenAI's SDK: its client, its errors, and whether a model is there; also for whatever speaks its protocol.

Never: a request of its own making; ``direct`` sends them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from counterfoil.adapters.models import faults as f
from counterfoil.adapters.models.as_given import send_as_given
from counterfoil.adapters.models.connection import INTERRUPTED
from counterfoil.adapters.models.vendor import Dialect

NO_TOOLS = f.Fault(
    "request_invalid",
    "TOOLS_UNSUPPORTED",
    "says that {model} cannot call tools",
    "write #json after the address, and it is asked for JSON instead",
)


class OpenAI:
    """OpenAI itself, through its Responses API: its newer models call tools there only."""

    name = "openai"
    dialect: Dialect = "responses"
    package = "openai"
    key_variables: tuple[str, ...] = ("OPENAI_API_KEY",)
    url_variable = "OPENAI_BASE_URL"
    default_url = "https://api.openai.com/v1"
    words: Mapping[str, f.Fault] = {
        "insufficient_quota": f.QUOTA_SPENT,
        "billing_hard_limit_reached": f.QUOTA_SPENT,
        "invalid_api_key": f.KEY_REFUSED,
        "model_not_found": f.NO_SUCH_MODEL,
        "context_length_exceeded": f.TOO_LARGE,
        "exceed_context_size_error": f.TOO_LARGE,  # llama.cpp
        "content_filter": f.CONTENT_REFUSED,
        "content_policy_violation": f.CONTENT_REFUSED,
        "invalid_prompt": f.CONTENT_REFUSED,  # what OpenAI answers to a prompt that its policy flags
        "does not support tools": NO_TOOLS,  # Ollama
        "maximum context length": f.TOO_LARGE,  # vLLM
        "exceeds the available context size": f.TOO_LARGE,
    }
    faults: Mapping[str, f.Fault | None] = {
        "openai.OpenAIError": None,
        "openai.APIError": None,
        "openai.APIStatusError": None,
        "openai.APIConnectionError": INTERRUPTED,  # when the exception below it says nothing
        "openai.APITimeoutError": INTERRUPTED,
        "openai.APIResponseValidationError": f.UNREADABLE,
        "openai.BadRequestError": f.INVALID,
        "openai.AuthenticationError": f.KEY_REFUSED,
        "openai.OAuthError": f.KEY_REFUSED,
        "openai.SubjectTokenProviderError": f.KEY_REFUSED,
        "openai.PermissionDeniedError": f.NOT_ALLOWED,
        "openai.NotFoundError": f.NO_SUCH_MODEL,
        "openai.ConflictError": f.UNAVAILABLE,
        "openai.UnprocessableEntityError": f.INVALID,
        "openai.RateLimitError": f.RATE_LIMITED,
        "openai.InternalServerError": f.UNAVAILABLE,
        "openai.LengthFinishReasonError": f.TRUNCATED,
        "openai.ContentFilterFinishReasonError": f.CONTENT_REFUSED,
        "openai.InvalidWebhookSignatureError": f.DEFECT,  # from here on: parts of the SDK that nothing here uses
        "openai.WebSocketConnectionClosedError": f.DEFECT,
        "openai.WebSocketQueueFullError": f.DEFECT,
        "openai.StreamAlreadyConsumed": f.DEFECT,
        "openai.MutuallyExclusiveAuthError": f.DEFECT,
        "openai.APIRemovedInV1": f.DEFECT,
        "openai._AmbiguousModuleClientUsageError": f.DEFECT,
    }

    def client(self, http: Any, key: str, url: str) -> Any:
        """The SDK's client over ``http``, with every retry of its own off."""
        from openai import AsyncOpenAI

        client = AsyncOpenAI(api_key=key, base_url=url, http_client=http, max_retries=0)
        send_as_given(client.chat.completions, ("messages", "tools"))
        send_as_given(client.responses, ("input", "tools"))
        return client

    async def look_up(self, client: Any, model: str) -> bool | None:
        """Ask for what is known of ``model``, which costs nothing; whether the provider knows it."""
        await client.models.retrieve(model)
        return True


class OpenAICompatible(OpenAI):
    """Whatever speaks OpenAI's chat completions: Ollama, vLLM, llama.cpp, LM Studio, a gateway, our own proxy."""

    name = "openai-compatible"
    dialect: Dialect = "chat"
    url_variable = ""
    default_url = ""

    async def look_up(self, client: Any, model: str) -> bool | None:
        """Whether the server lists ``model``, since many describe none singly; None when it lists nothing at all.

        Raises:
            APIResponseValidationError: it answers something else, as a web site does.
        """
        from openai import APIResponseValidationError, NotFoundError

        try:
            answer = await client.models.with_raw_response.list()
        except NotFoundError:
            return None
        try:  # the SDK takes any text or object for a list, and breaks on it
            listed = answer.parse()
            return any(found.id == model for found in listed.data)
        except (AttributeError, TypeError, ValueError) as wrong:
            kind = answer.headers.get("content-type", "nothing said")
            raise APIResponseValidationError(
                answer.http_response, None, message=f"no list of models ({kind})"
            ) from wrong
