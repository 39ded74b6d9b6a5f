"""Owns what a failed request means: from exceptions, status, headers and codes to one ``ModelError``.

By cause, not by status: a 429 may be a rate limit, an empty account, or a budget of our own.
Never: a vendor's type; each vendor's file has its table.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from counterfoil.adapters.models.redaction import Redactor
from counterfoil.core.errors import Category, ModelError

LOCAL_CODE_HEADER = (
    "x-counterfoil-code"  # what our own proxy marks its refusals with, so that none is taken for upstream
)


class Fault(msgspec.Struct, frozen=True):
    """One cause. ``says`` follows the provider's name; ``hint`` may hold {spec}, {model} and {keys}."""

    category: Category
    code: str
    says: str
    hint: str
    policy: str | None = None


# A class of exceptions, as "library.Name" → what it means; None: its cause or the status says more. Names, not classes:
# a table must neither load a library nor fail on a version of it that lacks a class.
Table = Mapping[str, Fault | None]

LOCAL_BUDGET = Fault(
    "local_budget_exhausted",
    "PROVIDER_CALL_BUDGET_EXCEEDED",
    "was not asked: a budget of our own is spent",
    "raise the budget of the proxy that refused, or use what has been found",
)
RATE_LIMITED = Fault(
    "upstream_rate_limited",
    "RATE_LIMITED",
    "asks for fewer requests",
    "wait, or name a second model with --fallback",
)
QUOTA_SPENT = Fault(
    "auth_refused",
    "PROVIDER_QUOTA_EXHAUSTED",
    "says that the account's credit or quota is used up, which a short wait does not cure",
    "add credit at the provider, or choose another model",
)
OVERLOADED = Fault("upstream_unavailable", "OVERLOADED", "is overloaded", "try again later, or choose another model")
UNAVAILABLE = Fault(
    "upstream_unavailable", "UPSTREAM_UNAVAILABLE", "failed", "try again later, or choose another model"
)
KEY_REFUSED = Fault(
    "auth_refused", "KEY_REFUSED", "refused the key", "{keys}; `counterfoil doctor --model {spec}` tests it"
)
NOT_ALLOWED = Fault(
    "auth_refused",
    "ACCESS_REFUSED",
    "does not allow this key to do that",
    "use a key that may call {model}, or choose another model",
)
NO_SUCH_MODEL = Fault(
    "request_invalid",
    "MODEL_NOT_FOUND",
    "does not know {model}, or not at this address",
    "check the name and the address; `counterfoil doctor --model {spec}` tries it without spending",
)
INVALID = Fault(
    "request_invalid", "REQUEST_INVALID", "refused the request as invalid", "choose another model, or report this"
)
TOO_LARGE = Fault(
    "input_too_large",
    "CONTEXT_TOO_LONG",
    "cannot take so long an input",
    "lower context/input-bytes, or choose a model with a larger window",
)
CONTENT_REFUSED = Fault(
    "content_refused",
    "CONTENT_REFUSED",
    "refused the content",
    "ask otherwise, or choose another model",
)
TRUNCATED = Fault(
    "output_truncated",
    "OUTPUT_TRUNCATED",
    "cut its reply at the output limit",
    "raise run/request-output-tokens, or ask for less at once",
)
UNREADABLE = Fault(
    "stream_interrupted",  # a reply cut before its first words looks no different
    "REPLY_UNREADABLE",
    "answered something that is no reply",
    "try again; if it stays so, check that the address is one of a model API",
)
REDIRECTED = Fault(
    "request_invalid",
    "REDIRECTED",
    "answered with a redirect, which is not followed: it would carry the key along",
    "use the address that it leads to",
)
DEFECT = Fault("internal", "MODEL_DEFECT", "could not be asked", "report this")

STATUSES: Mapping[int, Fault] = {
    400: INVALID,
    401: KEY_REFUSED,
    402: QUOTA_SPENT,
    403: NOT_ALLOWED,
    404: NO_SUCH_MODEL,
    408: UNAVAILABLE,
    409: UNAVAILABLE,
    413: TOO_LARGE,
    422: INVALID,
    425: UNAVAILABLE,
    429: RATE_LIMITED,
    529: OVERLOADED,
}


class Heard(msgspec.Struct, frozen=True):
    """What is known of a failure. ``causes``: its exceptions, the outermost first."""

    causes: tuple[BaseException, ...]
    status: int | None
    headers: Mapping[str, str]
    codes: tuple[str, ...]
    message: str
    retry_after_s: float | None


def heard(error: BaseException) -> Heard:
    """Read ``error`` and its causes, whichever library they come from."""
    causes = tuple(_causes(error))
    bodies = [body for cause in causes for body in (getattr(cause, "body", None), getattr(cause, "details", None))]
    inner = [part for body in bodies for part in _error_parts(body)]
    codes = [str(part[name]) for part in inner for name in ("code", "type", "status") if part.get(name)]
    # Google lists details, each with a reason; Anthropic has one, with an error_code.
    details = [item for part in inner for item in _dicts(_listed_items(part.get("details")))]
    reasons = [str(item[name]) for item in details for name in ("reason", "error_code") if item.get(name)]
    said = [str(part["message"]) for part in inner if part.get("message")] or [b for b in bodies if isinstance(b, str)]
    return Heard(
        causes,
        next((status for cause in causes if (status := _status(cause))), None),
        next((headers for cause in causes if (headers := _headers(cause))), {}),
        tuple(dict.fromkeys((*codes, *reasons))),
        said[0] if said else str(causes[-1]) or type(causes[-1]).__name__,
        next((s for cause in causes if (s := getattr(cause, "retry_after", None)) is not None), None),
    )


def fault_of(said: Heard, transport: Table, libraries: Sequence[Table], words: Mapping[str, Fault]) -> Fault:
    """The one cause of a failure.

    What the provider says in so many ``words`` (its codes, or phrases in lower case) comes first, then what the
    connection says (its innermost exception), then what the libraries made of it (the outermost first), then the
    bare status.
    """
    if LOCAL_CODE_HEADER in said.headers:
        return LOCAL_BUDGET
    message = said.message.lower()
    for word, fault in words.items():
        if word in said.codes or (" " in word and word in message):
            return fault
    for cause in reversed(said.causes):
        if found := _listed(cause, (transport,)):
            return found
    for cause in said.causes:
        if found := _listed(cause, libraries):
            return found
    if said.status is not None:
        return _of_status(said.status)
    known = any(name in table for name in _names(said.causes[0]) for table in (transport, *libraries))
    return UNREADABLE if known else DEFECT


def listed_in(said: Heard, names: Collection[str]) -> bool:
    """Whether one of the exceptions behind a failure is of a class in ``names``, as tables name them."""
    return any(name in names for cause in said.causes for name in _names(cause))


def model_error(
    fault: Fault,
    who: str,
    detail: str,
    names: Mapping[str, str],
    retry_after_s: float | None,
    spent: tuple[int, int] | None = None,
) -> ModelError:
    """The failure as the Host records it; ``detail`` is redacted already."""
    message = f"{who} {fault.says.format(**names)}"
    return ModelError(
        f"{message}: {detail}" if detail else message,
        code=fault.code,
        category=fault.category,
        hint=fault.hint.format(**names),
        policy=fault.policy,
        retry_after_ms=None if retry_after_s is None else round(retry_after_s * 1000),
        spent=spent,
    )


def described(error: BaseException, fault: Fault, said: Heard, redactor: Redactor) -> str:
    """What the provider itself said, as a person may read it."""
    if fault.category == "internal":
        return redactor.detail(f"{type(error).__name__}: {said.message}")
    status = f"HTTP {said.status}: " if said.status else ""
    return redactor.detail(status + said.message)


def _listed(cause: BaseException, tables: Sequence[Table]) -> Fault | None:
    return next((table[name] for name in _names(cause) for table in tables if name in table), None)


def _names(cause: BaseException) -> list[str]:
    """The classes of ``cause``, the most special first, as tables name them."""
    return [f"{kind.__module__.partition('.')[0]}.{kind.__name__}" for kind in type(cause).__mro__]


def _of_status(status: int) -> Fault:
    if status in STATUSES:
        return STATUSES[status]
    if 300 <= status < 400:
        return REDIRECTED
    return INVALID if 400 <= status < 500 else UNAVAILABLE


def _causes(error: BaseException) -> Iterator[BaseException]:
    seen: list[BaseException] = []
    current: BaseException | None = error
    while current is not None and current not in seen:
        seen.append(current)
        yield current
        current = current.__cause__ or current.__context__  # the HTTP library hides causes that say more


def _status(cause: BaseException) -> int | None:
    for name in ("status_code", "code"):  # google calls it code
        status = getattr(cause, name, None)
        if isinstance(status, int) and 300 <= status < 600:
            return status
    return None


def _headers(cause: BaseException) -> dict[str, str]:
    found: Any = getattr(cause, "headers", None) or getattr(getattr(cause, "response", None), "headers", None) or {}
    return {str(name).lower(): str(value) for name, value in dict(found).items()}


def _error_parts(body: Any) -> Iterator[dict[str, Any]]:
    """The objects of an error body that say what is wrong: the inner one first."""
    for outer in _dicts(_listed_items(body)):
        inner = outer.get("error")
        if isinstance(inner, dict):
            yield inner
        elif isinstance(inner, str):
            yield {"message": inner}
        yield outer


def _listed_items(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _dicts(items: list[Any]) -> list[dict[str, Any]]:
    return [item for item in items if isinstance(item, dict)]
