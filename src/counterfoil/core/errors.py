"""Owns every error class, its category and the one layer that may retry it.

CounterfoilError
├── UsageError            exit 2: the input cannot be parsed
├── RefusedError          exit 3: well-formed but unlawful
│   └── PolicyRefused     names the policy
├── SourceInvalid         a document, segment or handle that does not exist
├── DocumentUnreadable    a file that a reader must skip, with the reason
├── ModelError            a model request failed; the category says how
├── ToolFailed            a tool call failed; the category says how
├── LedgerConflict        somebody else wrote first
│   └── LeaseLost         somebody else drives the Run now
├── LedgerBroken          the chain does not verify, or stored bytes cannot be decoded
│   └── StoreRefused      exit 3: a store that cannot be opened; nothing was begun
├── NotFoundError         a Run or file that is not there
├── WriteFailed           a file that cannot be written
└── InternalError         a defect of ours
"""

from __future__ import annotations

from typing import ClassVar, Literal

Category = Literal[
    "local_budget_exhausted",
    "upstream_rate_limited",
    "upstream_unavailable",
    "stream_interrupted",
    "output_truncated",
    "auth_refused",
    "request_invalid",
    "content_refused",
    "input_too_large",
    "timeout",
    "cancelled",
    "source_invalid",
    "access_refused",
    "not_found",
    "code_error",
    "resource_exhausted",
    "not_connected",
    "sandbox_absent",
    "ledger_conflict",
    "contract_mismatch",
    "internal",
]
RetryOwner = Literal["model_gateway", "none"]


class CounterfoilError(Exception):
    """Says what happened (the message), why (``code``) and what to do next (``hint``)."""

    category: ClassVar[Category] = "internal"
    retry_owner: ClassVar[RetryOwner] = "none"
    exit_code: ClassVar[int] = 1

    def __init__(self, message: str, *, code: str, hint: str = "", policy: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.hint = hint
        self.policy = policy


class UsageError(CounterfoilError):
    """Input that cannot be parsed: an unknown flag, broken YAML, an unknown policy."""

    category = "request_invalid"
    exit_code = 2


class RefusedError(CounterfoilError):
    """Input that can be parsed and is not lawful: an empty folder, a contradiction."""

    category: ClassVar[Category] = "access_refused"
    exit_code = 3


class PolicyRefused(RefusedError):
    """A policy stands against it; ``policy`` names which."""

    category = "local_budget_exhausted"


class SourceInvalid(CounterfoilError):
    """A document, segment or handle that cannot be opened."""

    category = "source_invalid"


class DocumentUnreadable(CounterfoilError):
    """A file that no reader can use: encrypted, scanned, corrupt, huge, empty."""

    category = "source_invalid"


class ModelError(CounterfoilError):
    """A model request failed. ``category`` is set per instance by the adapter's error table.

    ``spent``: tokens of input and output that it is known to have used, none where it reached nobody; None: nobody
    knows.
    """

    retry_owner = "model_gateway"

    def __init__(
        self,
        message: str,
        *,
        code: str,
        category: Category,
        hint: str = "",
        policy: str | None = None,
        retry_after_ms: int | None = None,
        spent: tuple[int, int] | None = None,
    ) -> None:
        super().__init__(message, code=code, hint=hint, policy=policy)
        self.category = category  # type: ignore[misc]  # per instance: one class serves every cause
        self.retry_after_ms = retry_after_ms
        self.spent = spent


class ToolFailed(CounterfoilError):
    """A tool has no result. A tool's own code may raise it to say why, in words that the model can act on."""

    def __init__(
        self, message: str, *, code: str, category: Category = "code_error", hint: str = "", policy: str | None = None
    ) -> None:
        super().__init__(message, code=code, hint=hint, policy=policy)
        self.category = category  # type: ignore[misc]  # per instance: one class serves every cause


class LedgerConflict(CounterfoilError):
    """Another writer was first."""

    category = "ledger_conflict"
    exit_code = 3


class LeaseLost(LedgerConflict):
    """The Run is driven by another Host now: whatever this one still has to write of it does not count."""


class LedgerBroken(CounterfoilError):
    """A stored chain does not verify or cannot be decoded."""

    category: ClassVar[Category] = "internal"


class StoreRefused(LedgerBroken):
    """A store that cannot be opened: no database, closed to this user, out of reach. Nothing was begun."""

    category = "access_refused"
    exit_code = 3


class NotFoundError(CounterfoilError):
    """A Run, file or document that is not there."""

    category = "not_found"


class WriteFailed(CounterfoilError):
    """A file that cannot be written: a full disk, a folder that was taken away."""

    category = "resource_exhausted"


class InternalError(CounterfoilError):
    """A defect of ours; the ledger up to here stands."""

    category = "internal"
