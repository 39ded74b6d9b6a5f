"""Owns the reading of a provider's reply: calls with arguments that the ledger can keep, or the exact problem.

Never: repairing a call, or deciding whether it is lawful; the Host refuses unknown tools and wrong types.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from counterfoil.adapters.models.forms import out_of_form
from counterfoil.adapters.models.prompt import Prompt, RawCall, Reply
from counterfoil.core.exchange import CallDraft, Completion, ToolSpec
from counterfoil.core.text.json_objects import Found, find_objects

SHAPE = '{"say": null, "calls": [{"tool": "…", "args": {…}}]}'
# What open models were trained to call the parts of a call; the first is ours.
_TOOL_WORDS = ("tool", "name", "function")
_ARGS_WORDS = ("args", "arguments", "parameters", "input")
_OPENING = re.compile(r"(?:```(?:json|tool_call)?|<tool_call>|\[TOOL_CALLS\])[\s\[,]*$", re.IGNORECASE)
_WRAPPING = re.compile(r"```(?:json|tool_call)?|</?tool_call>|\[TOOL_CALLS\]", re.IGNORECASE)
_BROKEN_CALL = re.compile(
    r"(?:```(?:json|tool_call)?|<tool_call>|\A)[\s\[]*\{[^{}]{0,200}?\"(?:tool|name)\"\s*:\s*\"(\w+)\""
)


def read_reply(reply: Reply, prompt: Prompt, tools: tuple[ToolSpec, ...]) -> Completion:
    """``reply`` as a Completion; a call that cannot be read is a draft whose ``malformed`` says why."""
    if reply.calls:
        return Completion(reply.text, tuple(map(_read_call, reply.calls)), reply.usage)
    if not tools:
        return Completion(reply.text, usage=reply.usage)
    text, calls = _object_in(reply.text) if prompt.schema is not None else _calls_in(reply.text, tools)
    return Completion(text, tuple(calls), reply.usage)


def _read_call(call: RawCall) -> CallDraft:
    """A native call. No arguments at all is how some providers write an empty object."""
    return _draft(call.tool, call.args if call.args.strip() else "{}")


def _draft(tool: str, args: Any) -> CallDraft:
    """A draft from arguments that may themselves be the text of JSON."""
    if isinstance(args, str):
        try:
            args = msgspec.json.decode(args)
        except (msgspec.DecodeError, ValueError, RecursionError) as wrong:
            return CallDraft(tool, malformed=f"the arguments are not JSON: {wrong}")
    if not isinstance(args, dict):
        return CallDraft(tool, malformed=f"the arguments are {_kind(args)}, not a JSON object")
    return CallDraft(tool, args)


def _object_in(text: str) -> tuple[str, Sequence[CallDraft]]:
    """A reply that should have been the one object, alone, fenced or amid prose. Prose alone is no call."""
    objects, problem = find_objects(text)
    if not objects and problem is None:
        return text, ()
    whole = next((found for found in objects if "calls" in found.value), None)
    if whole is None:
        single = [found for found in objects if _tool_of(found.value)]
        if problem is not None:  # objects inside one that is broken are not taken for the whole
            return text, (CallDraft("", malformed=f"the reply is not JSON: {problem}; it must be {SHAPE}"),)
        if not single:
            return text, (CallDraft("", malformed=f'the reply has no "calls"; it must be {SHAPE}'),)
        return "", [_form_draft(found.value, place) for place, found in enumerate(single, 1)]
    say, calls = whole.value.get("say"), whole.value["calls"]
    said = say if isinstance(say, str) else ""
    if not isinstance(calls, list):
        return said, (CallDraft("", malformed=f'"calls" is {_kind(calls)}, not a list; the reply must be {SHAPE}'),)
    return said, [_form_draft(call, place) for place, call in enumerate(calls, 1)]


def _form_draft(call: Any, place: int) -> CallDraft:
    """One of ``calls``, its arguments as the tool takes them."""
    tool = _tool_of(call) if isinstance(call, dict) else None
    if tool is None:
        return CallDraft("", malformed=f'call {place} names no tool; it must be {{"tool": "…", "args": {{…}}}}')
    draft = _draft(tool, _args_of(call))
    if draft.malformed:
        return draft
    try:
        return CallDraft(tool, out_of_form(tool, draft.args))
    except RecursionError:
        return CallDraft(tool, malformed="the arguments are nested too deep")


def _calls_in(text: str, tools: Sequence[ToolSpec]) -> tuple[str, Sequence[CallDraft]]:
    """Calls of offered tools that a model wrote out instead of making them: fenced, tagged, or nothing but calls.

    JSON that stands within prose stays prose: a model that quotes a page does not call what the page says.
    """
    names = {tool.name for tool in tools}
    objects, problem = find_objects(text)
    alone = not _unwrapped(_without(text, objects))
    taken = [found for found in objects if alone or _OPENING.search(text[: found.start])]
    taken = [found for found in taken if _tool_of(found.value) in names]
    drafts = [_draft(_tool_of(found.value) or "", _args_of(found.value)) for found in taken]
    rest = _without(text, taken)
    broken = _BROKEN_CALL.search(rest) if problem is not None else None
    if broken and broken[1] in names:
        drafts.append(CallDraft(broken[1], malformed=f"the call is not JSON: {problem}"))
    return _unwrapped(rest) if taken else text, drafts


def _unwrapped(text: str) -> str:
    """What is left when the marks around calls are gone."""
    return _WRAPPING.sub("", text).strip(" \t\r\n[],")


def _without(text: str, objects: Sequence[Found]) -> str:
    return "".join(_between(text, objects))


def _between(text: str, objects: Sequence[Found]) -> Iterator[str]:
    place = 0
    for found in objects:
        yield text[place : found.start]
        place = found.end
    yield text[place:]


def _tool_of(call: dict[str, Any]) -> str | None:
    """The tool that an object calls; ``{"function": {"name": …}}`` is the older way of writing it."""
    inner = call.get("function")
    named = inner if isinstance(inner, dict) else call
    return next((named[word] for word in _TOOL_WORDS if isinstance(named.get(word), str)), None)


def _args_of(call: dict[str, Any]) -> Any:
    inner = call.get("function")
    named = inner if isinstance(inner, dict) else call
    return next((named[word] for word in _ARGS_WORDS if word in named), {})


def _kind(value: object) -> str:
    """What a JSON value is, with its article."""
    kinds: dict[type, str] = {
        list: "a list",
        str: "a text",
        bool: "true or false",
        int: "a number",
        float: "a number",
        dict: "an object",
    }
    return kinds.get(type(value), "null")
