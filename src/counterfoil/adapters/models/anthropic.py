"""Owns Anthropic's SDK: its client, its errors, and whether a model is there.

Never: a request of its own making; ``direct`` sends them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from counterfoil.adapters.models import faults as f
from counterfoil.adapters.models.as_given import send_as_given
from counterfoil.adapters.models.connection import INTERRUPTED
from counterfoil.adapters.models.vendor import Dialect


class Anthropic:
    """Anthropic's Messages API."""

    name = "anthropic"
    dialect: Dialect = "anthropic"
    package = "anthropic"
    key_variables: tuple[str, ...] = ("ANTHROPIC_API_KEY",)
    url_variable = "ANTHROPIC_BASE_URL"
    default_url = "https://api.anthropic.com"
    words: Mapping[str, f.Fault] = {
        "billing_error": f.QUOTA_SPENT,
        "authentication_error": f.KEY_REFUSED,
        "permission_error": f.NOT_ALLOWED,
        "not_found_error": f.NO_SUCH_MODEL,
        "request_too_large": f.TOO_LARGE,
        "enforced_spend_limit_reached": f.QUOTA_SPENT,  # these two arrive as a rate_limit_error
        "contract_spend_limit_reached": f.QUOTA_SPENT,
        "rate_limit_error": f.RATE_LIMITED,
        "overloaded_error": f.OVERLOADED,
        "api_error": f.UNAVAILABLE,
        "timeout_error": f.UNAVAILABLE,
        "credit balance is too low": f.QUOTA_SPENT,  # these three arrive as an invalid_request_error
        "prompt is too long": f.TOO_LARGE,
        "content filtering policy": f.CONTENT_REFUSED,
    }
    faults: Mapping[str, f.Fault | None] = {
        "anthropic.AnthropicError": None,
        "anthropic.APIError": None,
        "anthropic.APIStatusError": None,
        "anthropic.APIConnectionError": INTERRUPTED,  # when the exception below it says nothing
        "anthropic.APITimeoutError": INTERRUPTED,
        "anthropic.APIResponseValidationError": f.UNREADABLE,
        "anthropic.APIWebhookValidationError": f.DEFECT,
        "anthropic.RetryableError": None,
        "anthropic.CredentialsError": f.KEY_REFUSED,
        "anthropic.IdentityTokenFileError": f.KEY_REFUSED,
        "anthropic.BadRequestError": f.INVALID,
        "anthropic.AuthenticationError": f.KEY_REFUSED,
        "anthropic.PaymentRequiredError": f.QUOTA_SPENT,
        "anthropic.PermissionDeniedError": f.NOT_ALLOWED,
        "anthropic.NotFoundError": f.NO_SUCH_MODEL,
        "anthropic.RequestTimeoutError": f.UNAVAILABLE,
        "anthropic.ConflictError": f.UNAVAILABLE,
        "anthropic.PreconditionFailedError": f.INVALID,
        "anthropic.ContentTooLargeError": f.TOO_LARGE,
        "anthropic.UnprocessableEntityError": f.INVALID,
        "anthropic.RateLimitError": f.RATE_LIMITED,
        "anthropic.RampLimitExceededError": f.RATE_LIMITED,
        "anthropic.EnforcedSpendLimitReachedError": f.QUOTA_SPENT,
        "anthropic.ContractSpendLimitReachedError": f.QUOTA_SPENT,
        "anthropic.RequestHeaderFieldsTooLargeError": f.INVALID,
        "anthropic.ClientClosedRequestError": INTERRUPTED,
        "anthropic.InternalServerError": f.UNAVAILABLE,
        "anthropic.HTTPNotImplementedError": f.INVALID,
        "anthropic.ServiceUnavailableError": f.UNAVAILABLE,
        "anthropic.GatewayTimeoutError": f.UNAVAILABLE,
        "anthropic.OverloadedError": f.OVERLOADED,
        "anthropic.WorkloadIdentityError": f.KEY_REFUSED,
        "anthropic.MutuallyExclusiveAuthError": f.DEFECT,  # from here on: parts of the SDK that nothing here uses
        "anthropic.MissingDependencyError": f.DEFECT,
        "anthropic.StreamAlreadyConsumed": f.DEFECT,
        "anthropic.ToolsetUsageError": f.DEFECT,
    }

    def client(self, http: Any, key: str, url: str) -> Any:
        """The SDK's client over ``http``, with every retry of its own off."""
        from anthropic import AsyncAnthropic

        client = AsyncAnthropic(api_key=key, base_url=url, http_client=http, max_retries=0)
        send_as_given(client.beta.messages, ("messages", "tools"))
        return client

    async def look_up(self, client: Any, model: str) -> bool | None:
        """Ask for what is known of ``model``, which costs nothing; whether the provider knows it."""
        await client.models.retrieve(model)
        return True
