"""Owns the rendering of a view as a prompt: what repeats from turn to turn first, what changes last.

Never: leaving out the question or a call's result, or letting text from outside stand as the Host's own.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from counterfoil.adapters.models.fencing import as_text, defused, defused_values, fenced
from counterfoil.adapters.models.forms import in_form
from counterfoil.adapters.models.prompt import CallSaid, ModelSaid, Prompt, PromptMessage, ToolSaid, UserSaid
from counterfoil.adapters.models.schema import contract_schema, described, reply_schema
from counterfoil.core.exchange import AssistantTurn, HostNote, Json, Message, ProposedCall, ToolResult, ToolSpec, View

PROMPTS = Path(__file__).parents[2] / "data" / "prompts"
SILENT = "That reply made no call, so nothing was done."
RESULTS_KEPT = 512  # rendered results, some megabytes: every turn shows those of all turns before it again
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")  # what providers take as the name of a tool


def render(view: View, tools: tuple[ToolSpec, ...], *, native: bool) -> Prompt:
    """``view`` as one prompt; ``native`` says whether the model calls tools itself or is given a schema.

    All but the last message of a research prompt is a prefix of the next one. Without native calls it stays one when a
    tool is offered no more: every admitted tool is described, and the last message names those that may be called.
    """
    if view.purpose == "entry":
        schema = None if native else contract_schema()
        return Prompt(view.instructions.strip(), (UserSaid(_task(view)),), schema=schema)
    system = [view.instructions.strip(), _text("fences")]
    if tools and not native:
        system += [_text("reply_form"), described(view.admitted or tools, view.contract)]
    past, notes = _split(view.messages)
    if view.purpose == "reviewer":  # the answer that it reviews, no turn of its own
        shown = _past(past, native=False)
        return Prompt("\n\n".join(system), (UserSaid(_task(view)), *shown))
    callable_now = () if native else tuple(tool.name for tool in tools)
    messages = (UserSaid(_task(view)), *_past(past, native=native), UserSaid(_now(view, notes, callable_now)))
    if native or not tools:
        return Prompt("\n\n".join(system), messages, tools)
    return Prompt("\n\n".join(system), messages, schema=reply_schema(view, tools))


@functools.cache
def _text(name: str) -> str:
    """A packaged, versioned text."""
    return (PROMPTS / f"{name}.md").read_text("utf-8").strip()


def _task(view: View) -> str:
    """The question as it was asked, and what was agreed about it; the same for a whole Run."""
    known = msgspec.to_builtins(view.contract)
    agreed: Json = {key: value for key, value in known.items() if key != "question"}
    lines = [f"Question: {view.contract.question}", f"Today is {view.anchor.as_of} (time zone: {view.anchor.zone})."]
    lines.append(f"Contract: {defused(as_text(agreed))}")
    return "\n".join(lines)


def _split(messages: Sequence[Message]) -> tuple[Sequence[Message], list[HostNote]]:
    """Past turns, and the notes after the last of them: those are about now."""
    end = len(messages)
    while end and isinstance(messages[end - 1], HostNote):
        end -= 1
    return messages[:end], [note for note in messages[end:] if isinstance(note, HostNote)]


def _past(messages: Sequence[Message], *, native: bool) -> Iterator[PromptMessage]:
    """Past turns in order. Without native calls a turn is the JSON object it was, and results are said by the user."""
    for message in messages:
        match message:
            case AssistantTurn(text, calls):
                yield ModelSaid(defused(text), _said(calls)) if native else ModelSaid(_as_object(text, calls))
                if not calls:
                    yield UserSaid(SILENT)
            case ToolResult():
                text = _result(message)
                name = _name(message.tool)
                yield ToolSaid(message.call_id, name, text, message.ok) if native else UserSaid(text)
            case HostNote(text):
                yield UserSaid(f"Note from the Host: {defused(text)}")


def _said(calls: Sequence[ProposedCall]) -> tuple[CallSaid, ...]:
    return tuple(CallSaid(call.id, _name(call.tool), defused_values(call.args)) for call in calls)


def _name(tool: str) -> str:
    """The tool of a past call; a made-up one that no provider would take back is named in the call's result."""
    return tool if _NAME.fullmatch(tool) else "unknown_tool"


def _as_object(text: str, calls: Sequence[ProposedCall]) -> str:
    said = [{"tool": _name(call.tool), "args": in_form(call.tool, call.args)} for call in calls]
    return defused(msgspec.json.encode({"say": text or None, "calls": said}).decode())


def _result(result: ToolResult) -> str:
    """What a call returned. All of it is fenced: a check's finding, too, quotes what stands in a page."""
    how = "done" if result.ok else "not done"
    shown = _fenced(msgspec.json.encode(result.content), result.fence)
    return f"Result of {result.call_id} ({_name(result.tool)}), {how}:\n{shown}"


@functools.lru_cache(maxsize=RESULTS_KEPT)
def _fenced(content: bytes, fence: str) -> str:
    """Content, given as JSON, between marks."""
    return fenced(as_text(msgspec.json.decode(content)), fence)


def _now(view: View, notes: Sequence[HostNote], callable_now: Sequence[str]) -> str:
    """What changes from turn to turn."""
    lines = []
    if view.table:
        cells = "\n".join(as_text(msgspec.to_builtins(cell)) for cell in view.table)
        lines.append(f"Evidence table:\n{fenced(cells)}")
    left = ", ".join(f"{policy} {units:g}" for policy, units in view.remaining.items())
    lines.append(f"Phase: {view.phase}." + (f" Left: {left}." if left else ""))
    lines += [f"Tools that can be called now: {', '.join(callable_now)}."] if callable_now else []
    lines += [f"Note from the Host: {defused(note.text)}" for note in notes]
    return "\n".join([*lines, "Go on."])
