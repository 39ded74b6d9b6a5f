"""Owns Google's SDK: its client, its errors, and whether a model is there.

Never: a request of its own making; ``direct`` sends them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from counterfoil.adapters.models import faults as f
from counterfoil.adapters.models.connection import INTERRUPTED
from counterfoil.adapters.models.vendor import Dialect


class Google:
    """The Gemini API."""

    name = "google"
    dialect: Dialect = "google"
    package = "google.genai"
    key_variables: tuple[str, ...] = ("GOOGLE_API_KEY", "GEMINI_API_KEY")
    url_variable = "GOOGLE_GEMINI_BASE_URL"
    default_url = "https://generativelanguage.googleapis.com"
    words: Mapping[str, f.Fault] = {
        "API_KEY_INVALID": f.KEY_REFUSED,  # which arrives as a 400
        "UNAUTHENTICATED": f.KEY_REFUSED,
        "PERMISSION_DENIED": f.NOT_ALLOWED,
        "NOT_FOUND": f.NO_SUCH_MODEL,
        "DEADLINE_EXCEEDED": f.UNAVAILABLE,
        "INTERNAL": f.UNAVAILABLE,
    }
    faults: Mapping[str, f.Fault | None] = {
        "google.APIError": None,
        "google.ClientError": None,
        "google.ServerError": None,
        "google.UnknownApiResponseError": f.UNREADABLE,
        "google.ContinuationInterruptedError": INTERRUPTED,
        "google.UnknownFunctionCallArgumentError": f.DEFECT,  # these are of functions that the SDK itself would call
        "google.UnsupportedFunctionError": f.DEFECT,
        "google.FunctionInvocationError": f.DEFECT,
    }

    def client(self, http: Any, key: str, url: str) -> Any:
        """The SDK's client over ``http``, with every retry of its own off.

        It has three. Status codes: off unless ``retry_options`` are given. A lost connection, when it finds aiohttp
        and picks that: off, since it is handed a client. A reply that ends in CONTINUATION, which it would follow
        with further requests: off in every request's config.
        """
        from google.genai import Client
        from google.genai.types import HttpOptions

        options = HttpOptions(base_url=url, httpx_async_client=http, timeout=round(http.timeout.read * 1000))
        client = Client(vertexai=False, api_key=key, http_options=options)
        models = client.aio.models
        several_hops = models.generate_content_stream

        async def one_hop(*, model: str, contents: Any, config: Any) -> Any:
            return await several_hops(
                model=model, contents=contents, config={**config, "automatic_continuation": False}
            )

        models.generate_content_stream = one_hop
        return client

    async def look_up(self, client: Any, model: str) -> bool | None:
        """Ask for what is known of ``model``, which costs nothing; whether the provider knows it."""
        await client.aio.models.get(model=model)
        return True
