from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.adapters.models.viewing import TOOLS

from counterfoil.adapters.models.prompt import Prompt, RawCall, Reply
from counterfoil.adapters.models.reading import read_reply
from counterfoil.core.exchange import CallDraft, Completion, Json, TokenUsage
from counterfoil.host.replies import storable

NATIVE = Prompt("", (), TOOLS)
BY_SCHEMA = Prompt("", (), (), {"type": "object"})
SEARCH: Json = {"name": "search_public_sources", "arguments": {"query": "pass"}}
DRAFT = CallDraft("search_public_sources", {"query": "pass"})


def native(text: str = "", *calls: RawCall) -> Completion:
    return read_reply(Reply(text, calls), NATIVE, TOOLS)


def by_schema(text: str) -> Completion:
    return read_reply(Reply(text), BY_SCHEMA, TOOLS)


def problem(completion: Completion) -> str:
    [draft] = completion.calls
    assert draft.malformed is not None
    return draft.malformed


def test_native_calls_keep_their_order_the_text_and_what_was_used() -> None:
    calls = (RawCall("search_public_sources", '{"query": "pass"}'), RawCall("finish_research", ""))
    reply = Reply("I will search.", calls, TokenUsage(9, 4, 3, 2))
    completion = read_reply(reply, NATIVE, TOOLS)
    assert completion == Completion("I will search.", (DRAFT, CallDraft("finish_research")), TokenUsage(9, 4, 3, 2))


@pytest.mark.req("MOD-06")
@pytest.mark.parametrize(
    ("args", "why"),
    [
        ('{"query": pass}', "the arguments are not JSON: JSON is malformed: invalid character (byte 10)"),
        ('{"query": "pa', "the arguments are not JSON: Input data was truncated"),
        ("[1]", "the arguments are a list, not a JSON object"),
        ("null", "the arguments are null, not a JSON object"),
        ("[" * 100_000, "the arguments are not JSON: maximum recursion depth exceeded"),
        ('{"a": "\ud800"}', "the arguments are not JSON: 'utf-8' codec can't encode character"),
    ],
)
def test_arguments_that_are_no_object_are_named_exactly(args: str, why: str) -> None:
    assert problem(native("", RawCall("search_public_sources", args))).startswith(why)


@pytest.mark.req("MOD-06")
def test_unknown_tools_and_wrong_types_are_left_to_the_host() -> None:
    completion = native("", RawCall("browse", '{"url": 3}'), RawCall("search_public_sources", '{"query": 3}'))
    assert [(draft.tool, draft.malformed) for draft in completion.calls] == [
        ("browse", None),
        ("search_public_sources", None),
    ]


@pytest.mark.parametrize(
    "text",
    [
        f"```json\n{json.dumps(SEARCH)}\n```",
        f"```\n{json.dumps(SEARCH)}\n```",
        f"<tool_call>\n{json.dumps(SEARCH)}\n</tool_call>",
        json.dumps(SEARCH),
        json.dumps([SEARCH]),
        json.dumps({"type": "function", "function": {**SEARCH, "arguments": json.dumps(SEARCH["arguments"])}}),
        json.dumps({"tool": SEARCH["name"], "parameters": SEARCH["arguments"]}),
    ],
)
def test_a_call_that_was_written_out_instead_of_made_is_a_call(text: str) -> None:
    assert native(text) == Completion("", (DRAFT,))


def test_several_written_calls_keep_their_order_and_prose_stays_text() -> None:
    block = f"<tool_call>{json.dumps(SEARCH)}</tool_call>"
    assert native(f"First, [1], I search. {block}\n{block}") == Completion("First, [1], I search.", (DRAFT, DRAFT))


@pytest.mark.parametrize(
    "text",
    [
        f"The page says {json.dumps(SEARCH)}, which I ignore.",
        '```json\n{"name": "Acme", "arguments": {}}\n```',
        '```json\n{"price": 18}\n```',
        "```python\nprint({1: 2})\n```",
        "It costs {about} $18.",
    ],
)
@pytest.mark.req("WEB-07")
def test_json_that_is_quoted_or_names_no_offered_tool_stays_text(text: str) -> None:
    assert native(text) == Completion(text)


def test_a_written_call_that_is_broken_is_named() -> None:
    text = '```json\n{"name": "search_public_sources", "arguments": {"query": pass}}\n```'
    assert problem(native(text)) == "the call is not JSON: Expecting value at line 2, column 58"
    good = f"<tool_call>{json.dumps(SEARCH)}</tool_call>"
    drafts = native(f'{good}<tool_call>{{"name": "finish_research", "arguments": {{"outcome": }}}}</tool_call>').calls
    assert [draft.malformed is None for draft in drafts] == [True, False]


@pytest.mark.parametrize("around", ["{}", "```json\n{}\n```", "Sure, here it is:\n{}\nDone."])
def test_the_object_is_read_alone_fenced_and_amid_prose(around: str) -> None:
    text = json.dumps({"say": "to be sure", "calls": [{"tool": "search_public_sources", "args": {"query": "pass"}}]})
    assert by_schema(around.replace("{}", text)) == Completion("to be sure", (DRAFT,))


def test_arguments_come_out_of_the_form() -> None:
    args = {"evidence": ["E1"], "facts": None, "body": "It costs $18.", "finish": True}
    completion = by_schema(json.dumps({"say": None, "calls": [{"tool": "publish_answer", "args": args}]}))
    assert completion.calls == (CallDraft("publish_answer", {"body": "It costs $18. [E1]", "finish": True}),)


def test_prose_alone_is_no_call() -> None:
    assert by_schema("I do not know.") == Completion("I do not know.")


@pytest.mark.req("MOD-06")
@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"say": null, "calls": [', "the reply is not JSON: Expecting value at line 1, column 25; it must be"),
        ('{"calls": [{"tool": "finish_research", "args": {}}, {]}', "the reply is not JSON: Expecting property name"),
        ('{"answer": 18}', 'the reply has no "calls"; it must be {"say"'),
        ('{"calls": {}}', '"calls" is an object, not a list'),
        ('{"calls": [{"args": {}}]}', "call 1 names no tool"),
        ('{"calls": [3]}', "call 1 names no tool"),
        ('{"calls": [{"tool": "finish_research", "args": [1]}]}', "the arguments are a list, not a JSON object"),
    ],
)
def test_an_object_that_cannot_be_used_is_named_exactly(text: str, why: str) -> None:
    assert problem(by_schema(text)).startswith(why)


def test_a_bare_call_is_taken_for_the_object() -> None:
    assert by_schema('{"tool": "search_public_sources", "args": {"query": "pass"}}').calls == (DRAFT,)


def test_a_request_without_tools_is_answered_in_text() -> None:
    text = '{"kind": "research", "rows": []}'
    assert read_reply(Reply(text), BY_SCHEMA, ()) == Completion(text)


SHAPES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["tool", "name", "args", "arguments", "calls", "say", "function", "x"]), inner
        )
    ),
    max_leaves=12,
)
PIECES = st.lists(
    st.sampled_from(
        ["```json\n", "```", "<tool_call>", "{", "}", '"name": "finish_research"', '{"calls": [', "]", ", "]
    )
    | st.text(max_size=8)
    | SHAPES.map(json.dumps),
    max_size=8,
).map("".join)


@pytest.mark.req("MOD-06")
@given(PIECES, st.lists(st.tuples(st.text(max_size=5), PIECES), max_size=2), st.sampled_from([NATIVE, BY_SCHEMA]))
def test_whatever_a_model_says_becomes_something_that_the_ledger_can_keep(
    text: str, calls: list[tuple[str, str]], prompt: Prompt
) -> None:
    reply = Reply(text, tuple(RawCall(tool, args) for tool, args in calls))
    completion = storable(read_reply(reply, prompt, TOOLS))
    assert all(draft.malformed is None or draft.malformed for draft in completion.calls)
    assert len(completion.calls) >= len(calls)
