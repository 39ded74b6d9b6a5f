"""Owns the scripted model: plays responses from a JSON Lines file, for tests, demonstrations and bug reports.

Never: a choice. Templates are filled from the view that it is given, and from nothing else.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec

from counterfoil.core.errors import Category, ModelError, UsageError
from counterfoil.core.exchange import (
    CallDraft,
    Completion,
    ModelLimits,
    Purpose,
    TokenUsage,
    ToolResult,
    ToolSpec,
    View,
)
from counterfoil.core.record.state import PARALLEL_TOOL

END = "(end of script)"
_TEMPLATE = re.compile(r"\{\{(handle|evidence|result|call):([^{}]*)\}\}")


Count = Annotated[int, msgspec.Meta(ge=0)]
LANES = re.compile(r"entry|research|self_review|reviewer|helper:\d+")
NESTING_MAX = 100  # of a call's arguments; deeper ones reach the model as malformed


class ScriptedCall(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tool call of a response; ``raw`` plays arguments that are no JSON."""

    tool: str
    args: dict[str, Any] = {}
    raw: str | None = None


class ScriptedUsage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Tokens that a response claims."""

    input: Count = 0
    output: Count = 0
    cached: Count = 0
    reasoning: Count = 0


class ScriptedError(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A failure to play: an HTTP status, a stream cut after so many characters, a truncated reply."""

    status: int | None = None
    headers: dict[str, str] = {}
    body: str = ""
    stream_cut_after: int | None = None
    truncated: bool = False


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One response."""

    purpose: str | None = msgspec.field(default=None, name="for")
    calls: tuple[ScriptedCall, ...] = ()
    text: str = ""
    usage: ScriptedUsage = ScriptedUsage()
    error: ScriptedError | None = None
    repeat: Annotated[int, msgspec.Meta(ge=1)] = 1
    delay_ms: Count = 0


class ScriptModel:
    """Plays a script. ``played`` (purpose → responses already settled) is where it goes on after a restart.

    ``helper``: of whom it plays the lines, the Run's own when None.
    """

    label = "scripted, no language model"

    def __init__(self, path: Path, played: Mapping[str, int] | None = None, helper: int | None = None) -> None:
        self.spec = f"script:{path}"
        lines = _read_script(path)
        self._lines = lines if helper is None else {"research": lines.get(f"helper:{helper}", [])}
        self._next = dict(played or {})

    @property
    def purposes(self) -> frozenset[str]:
        """The purposes that the script has lines for; research and finalize always."""
        return frozenset({"research", "finalize", *(purpose for purpose in self._lines)})

    def worst(self, purpose: Purpose, size_bytes: int, output_tokens_max: int) -> TokenUsage:
        """What the next line claims, which is known before it is played."""
        lane = _lane(purpose)
        lines, place = self._lines.get(lane, []), self._next.get(lane, 0)
        usage = _usage(lines[place]) if place < len(lines) else TokenUsage()
        return msgspec.structs.replace(usage, output=min(usage.output, output_tokens_max))

    def usd(self, usage: TokenUsage) -> None:
        """It claims tokens, not what they would have cost."""

    async def complete(self, view: View, tools: tuple[ToolSpec, ...], limits: ModelLimits) -> Completion:
        """The next response for the view's purpose.

        Raises:
            UsageError: a template has no match, or several.
            ModelError: the line plays a failure.
        """
        lane = _lane(view.purpose)
        place = self._next.get(lane, 0)
        self._next[lane] = place + 1
        lines = self._lines.get(lane, [])
        if place >= len(lines):
            return Completion(text=END)
        line = lines[place]
        if line.delay_ms:
            await asyncio.sleep(line.delay_ms / 1000)
        if line.error:
            raise _failure(line.error)
        if line.usage.output > limits.output_tokens_max:
            raise _failure(ScriptedError(truncated=True))
        calls = tuple(
            CallDraft(call.tool, malformed=f"the arguments are not JSON: {call.raw}")
            if call.raw is not None
            else CallDraft(call.tool, malformed=f"the arguments are nested deeper than {NESTING_MAX}")
            if _depth(call.args) > NESTING_MAX
            else CallDraft(call.tool, _filled(call.args, view))
            for call in line.calls
        )
        return Completion(_filled(line.text, view), calls, _usage(line))


def _depth(args: Any) -> int:
    """How deep a value is nested, found without recursion."""
    level, depth = [args], 0
    while level:
        depth += 1
        level = [
            item
            for value in level
            if isinstance(value, (dict, list))
            for item in (value.values() if isinstance(value, dict) else value)
        ]
    return depth


def _lane(purpose: Purpose) -> str:
    """Research and finalize are played from one lane."""
    return "research" if purpose in ("research", "finalize") else purpose


def _usage(line: Line) -> TokenUsage:
    return TokenUsage(line.usage.input, line.usage.output, line.usage.cached, line.usage.reasoning)


def _read_script(path: Path) -> dict[str, list[Line]]:
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as wrong:
        raise UsageError(
            f"the script {path} cannot be read: {wrong}", code="SCRIPT_UNREADABLE", hint="name a file"
        ) from wrong
    lanes: dict[str, list[Line]] = {}
    for number, row in enumerate(text.split("\n"), 1):
        if not row.strip():
            continue
        try:
            line = msgspec.json.decode(row.encode(), type=Line)
        except (msgspec.DecodeError, RecursionError) as wrong:
            raise UsageError(
                f"{path}, line {number}: {wrong}", code="SCRIPT_INVALID", hint="one JSON response a line"
            ) from wrong
        if line.purpose is not None and not LANES.fullmatch(line.purpose):
            raise UsageError(
                f"{path}, line {number}: there is no purpose {line.purpose!r}",
                code="SCRIPT_INVALID",
                hint="`for` is entry, research, self_review, reviewer or helper:N",
            )
        lanes.setdefault(line.purpose or "research", []).extend([line] * line.repeat)
    return lanes


def _failure(error: ScriptedError) -> ModelError:
    if error.truncated:
        return _scripted("the reply was cut at its output limit", "OUTPUT_TRUNCATED", "output_truncated")
    if error.stream_cut_after is not None:
        why = f"the stream broke off after {error.stream_cut_after} characters"
        return _scripted(why, "STREAM_INTERRUPTED", "stream_interrupted")
    status = error.status or 500
    said = f"HTTP {status}: {error.body}".rstrip(": ")
    if status == 429:
        wait = next((value for name, value in error.headers.items() if name.casefold() == "retry-after"), "")
        known = wait.isascii() and wait.isdigit()
        return _scripted(said, "RATE_LIMITED", "upstream_rate_limited", int(wait) * 1000 if known else None)
    if status in (401, 403):
        return _scripted(said, "KEY_REFUSED", "auth_refused")
    if 400 <= status < 500:
        return _scripted(said, "REQUEST_INVALID", "request_invalid")
    return _scripted(said, "UPSTREAM_UNAVAILABLE", "upstream_unavailable")


def _scripted(said: str, code: str, category: Category, retry_after_ms: int | None = None) -> ModelError:
    hint = "the script asks for this failure; take it out to go on"
    return ModelError(said, code=code, category=category, hint=hint, retry_after_ms=retry_after_ms)


def _filled(value: Any, view: View) -> Any:
    """``value`` with every template in its texts replaced."""
    if isinstance(value, str):
        return _TEMPLATE.sub(lambda match: _match(match[1], match[2], match[0], view), value)
    if isinstance(value, list):
        return [_filled(item, view) for item in value]
    return {key: _filled(item, view) for key, item in value.items()} if isinstance(value, dict) else value


def _match(kind: str, wanted: str, template: str, view: View) -> str:
    if kind == "handle":
        found = [handle for handle, words in _handles(view) if any(wanted in word for word in words)]
    elif kind == "evidence":
        found = [evidence for evidence, text in _passages(view) if wanted in text]
    elif kind == "call":
        found = [result.call_id for result in _results(view)]
        found = found[int(wanted) - 1 : int(wanted)] if wanted.isdigit() and int(wanted) else []
    else:
        found = [str(r.content["result_ref"]) for r in _results(view) if "result_ref" in r.content]
        found = found[int(wanted) - 1 : int(wanted)] if wanted.isdigit() and int(wanted) else []
    distinct = list(dict.fromkeys(found))
    if len(distinct) != 1:
        said = "no match" if not distinct else f"{len(distinct)} matches: {', '.join(distinct[:5])}"
        raise UsageError(f"{template} has {said}", code="SCRIPT_ERROR", hint="write a template with exactly one match")
    return distinct[0]


def _results(view: View) -> Iterator[ToolResult]:
    return (message for message in view.messages if isinstance(message, ToolResult))


def _handles(view: View) -> Iterator[tuple[str, list[str]]]:
    for result in _results(view):
        for hit in (*result.content.get("results", ()), *_brought(result)):
            yield hit["handle"], [str(hit.get("url", "")), str(hit.get("title", ""))]


def _passages(view: View) -> Iterator[tuple[str, str]]:
    for result in _results(view):
        for held in (result.content, *_brought(result)):
            for passage in held.get("passages", ()):
                yield passage["id"], passage["text"]


def _brought(result: ToolResult) -> list[dict[str, Any]]:
    """The segments that helpers read."""
    return list(result.content.get("evidence", ())) if result.tool == PARALLEL_TOOL else []
