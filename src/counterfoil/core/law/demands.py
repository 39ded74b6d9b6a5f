"""Owns what a task and its model ask of the limits, and the numbers that follow from limits and demands together.

Never: a verdict; ``path_proof`` lists steps and ``contradictions`` what is impossible.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from counterfoil.core.law import budget as ids
from counterfoil.core.law.policy import Number, PolicyValue

BYTES_PER_CHAR = 4  # the most that a code point takes in UTF-8
PINNED_BYTES = 10_000  # instructions, question, contract, table and notes of an ordinary task
CONTRACT_BYTES = 4_000  # of the pinned part: an ordinary question with its contract
FINISH_SECONDS = 0.1  # the least time in which a finish can be sent and judged
FINAL_VIEWS = 2  # one publication and one correction
REPLY_TOKENS_LEAST = 512  # a reply that is capped shorter than this is not worth paying for
REPLY_SHARE = 4  # a model's own window leaves one part in so many for its reply, where that is less than a whole one


class Cramped(msgspec.Struct, frozen=True):
    """A model whose own window does not hold a view with one segment: tokens that it needs, and that there are."""

    model: str
    needs: int
    room: int


class Demands(msgspec.Struct, frozen=True):
    """What a task and its model ask of the limits.

    ``entry``: a request interprets the question first. ``view_tokens``: the input tokens that a view with one segment
    may take. ``reply_tokens``: the output tokens of a short reply. ``view_usd``: what a request with both may cost,
    None when nobody knows the price. ``contract_bytes``: the question and contract, whole in every view.
    ``tool_bytes``: what is said of tools beside a view. ``forbidden``: actions that the task forbids. ``models``: how
    many may be asked, one after the other; what a view takes and costs is what it does at the most expensive one.
    ``reviews``: requests to a reviewer of the accepted answer. ``cramped``: the first whose window is too small.
    """

    entry: bool
    view_tokens: int = 0
    reply_tokens: int = 0
    view_usd: float | None = 0.0
    contract_bytes: int = 0
    tool_bytes: int = 0
    forbidden: tuple[str, ...] = ()
    models: int = 1
    reviews: int = 0
    cramped: Cramped | None = None


def input_room(window_tokens: int, output_tokens: int) -> int:
    """The input tokens that a model's window holds beside a reply of ``output_tokens``, or beside its share for one."""
    return window_tokens - min(output_tokens, window_tokens // REPLY_SHARE)


def view_bytes(values: Mapping[str, PolicyValue], contract_bytes: int = 0) -> int:
    """The bytes of a view with its pinned part, a contract larger than an ordinary one, and one segment; no tools."""
    pinned = PINNED_BYTES + max(0, contract_bytes - CONTRACT_BYTES)
    return int(values[ids.SEGMENT_CHARS].value or 0) * BYTES_PER_CHAR + pinned


class Limits:
    """The numbers of a proof, by policy id, and what follows from them."""

    def __init__(self, values: Mapping[str, PolicyValue], demands: Demands) -> None:
        self._values = values
        self.entry = 1 if demands.entry else 0
        self.forbidden = {action.casefold() for action in demands.forbidden}
        self.view_bytes = view_bytes(values, demands.contract_bytes) + demands.tool_bytes
        self.view_tokens = demands.view_tokens
        self.reply_tokens = demands.reply_tokens
        self.view_usd = demands.view_usd
        self.models = demands.models
        self.reviews = demands.reviews
        self.cramped = demands.cramped

    def __getitem__(self, policy: str) -> Number:
        value = self._values[policy].value
        if value is None:
            raise ValueError(f"{policy} has no value")
        return value

    def on(self, policy: str) -> bool:
        """Whether a limit has a value."""
        return self._values[policy].value is not None

    def explicit(self, *policies: str) -> bool:
        """Whether somebody chose one of these; defaults follow what contains them and never contradict it."""
        return any(self._values[policy].origin == "explicit" for policy in policies)

    @property
    def exploration(self) -> Number:
        """Requests before finalization."""
        return self[ids.MODEL_REQUESTS] - self[ids.FINAL_RESERVE]

    @property
    def least(self) -> int:
        """Exploration requests of the shortest path: interpreting the question, searching, reading."""
        return self.entry + 2

    @property
    def finalization(self) -> Number:
        """Requests for a publication, its corrections, a finish, the attempts that one may cost more, and a review."""
        return 1 + self[ids.CORRECTIONS] + 1 + self.retries + self.reviews

    @property
    def retries(self) -> Number:
        """Attempts that a request may cost beside its first: so many at every model of the chain."""
        return self[ids.MODEL_ATTEMPTS] * self.models - 1

    @property
    def results(self) -> Number:
        """Handles that all searches together may issue."""
        return self[ids.SEARCHES] * self[ids.RESULTS_PER_SEARCH]
