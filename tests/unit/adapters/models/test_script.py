"""The scripted model plays lines, fills templates, and says exactly what is wrong."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from counterfoil.adapters.models.script import END, ScriptModel
from counterfoil.core.answer.contract import Contract, TimeAnchor
from counterfoil.core.errors import ModelError, UsageError
from counterfoil.core.exchange import CallDraft, Completion, Message, ModelLimits, Purpose, ToolResult, View

SEARCHED = ToolResult(
    "c1",
    "search_public_sources",
    True,
    {
        "results": [
            {"handle": "S1", "url": "https://citynorth.gov/passes", "title": "Passes"},
            {"handle": "S1", "url": "https://citynorth.gov/passes", "title": "Passes"},
            {"handle": "S2", "url": "https://citysouth.example/terms", "title": "Terms"},
        ]
    },
)
READ = ToolResult("c2", "read_public_source", True, {"passages": [{"id": "E1", "text": "A price of $18."}]})


def script(tmp_path: Path, *lines: str) -> ScriptModel:
    path = tmp_path / "run.jsonl"
    path.write_text("\n".join(lines))
    return ScriptModel(path)


def play(model: ScriptModel, *messages: Message, purpose: Purpose = "research") -> Completion:
    view = View(purpose, "", Contract("q"), TimeAnchor("2025-03-31"), "research", messages=messages)
    return asyncio.run(model.complete(view, (), ModelLimits(100, 1000)))


def test_lines_are_played_in_order_and_then_the_script_says_that_it_ended(tmp_path: Path) -> None:
    model = script(tmp_path, '{"text": "one", "usage": {"input": 9, "output": 4}}', "", '{"text": "two", "repeat": 2}')
    assert [play(model).text for _ in range(4)] == ["one", "two", "two", END]


def test_each_purpose_has_its_own_lane(tmp_path: Path) -> None:
    model = script(tmp_path, '{"for": "entry", "text": "{}"}', '{"text": "research"}')
    assert play(model).text == "research"
    assert play(model, purpose="entry").text == "{}"
    assert play(model, purpose="finalize").text == END
    assert model.purposes == {"entry", "research", "finalize"}


def test_a_purpose_without_a_line_is_not_offered(tmp_path: Path) -> None:
    assert "entry" not in script(tmp_path, '{"text": "x"}').purposes


def test_templates_are_filled_from_what_was_shown(tmp_path: Path) -> None:
    model = script(
        tmp_path,
        '{"calls": [{"tool": "read_public_source", "args": {"handle": "{{handle:citynorth.gov/passes}}"}}]}',
        '{"calls": [{"tool": "publish_answer", "args": {"body": "[{{evidence:of $18}}]", "n": ["{{call:2}}"]}}]}',
    )
    assert play(model, SEARCHED).calls == (CallDraft("read_public_source", {"handle": "S1"}),)
    assert play(model, SEARCHED, READ).calls[0].args == {"body": "[E1]", "n": ["c2"]}


@pytest.mark.parametrize(
    "template", ["{{handle:nowhere}}", "{{handle:city}}", "{{evidence:€}}", "{{call:9}}", "{{result:1}}"]
)
def test_a_template_without_exactly_one_match_is_named(tmp_path: Path, template: str) -> None:
    with pytest.raises(UsageError) as wrong:
        play(script(tmp_path, f'{{"text": "{template}"}}'), SEARCHED, READ)
    assert template in wrong.value.message
    assert wrong.value.code == "SCRIPT_ERROR"


@pytest.mark.parametrize(
    ("error", "category"),
    [
        ('{"status": 429, "headers": {"retry-after": "1"}}', "upstream_rate_limited"),
        ('{"status": 401}', "auth_refused"),
        ('{"status": 400}', "request_invalid"),
        ('{"status": 503}', "upstream_unavailable"),
        ('{"stream_cut_after": 40}', "stream_interrupted"),
        ('{"truncated": true}', "output_truncated"),
    ],
)
def test_failures_are_played_by_their_cause(tmp_path: Path, error: str, category: str) -> None:
    with pytest.raises(ModelError) as failure:
        play(script(tmp_path, f'{{"error": {error}}}'))
    assert failure.value.category == category


def test_a_rate_limit_keeps_its_wait(tmp_path: Path) -> None:
    with pytest.raises(ModelError) as failure:
        play(script(tmp_path, '{"error": {"status": 429, "headers": {"retry-after": "2"}}}'))
    assert failure.value.retry_after_ms == 2000


def test_raw_arguments_arrive_as_malformed(tmp_path: Path) -> None:
    (call,) = play(script(tmp_path, '{"calls": [{"tool": "search_public_sources", "raw": "{query:"}]}')).calls
    assert call.malformed is not None


@pytest.mark.parametrize("line", ["{", '{"colour": 1}', '{"calls": [{"args": {}}]}', "[]"])
def test_a_broken_line_is_named_by_its_number(tmp_path: Path, line: str) -> None:
    with pytest.raises(UsageError, match="line 2"):
        script(tmp_path, '{"text": "fine"}', line)


def test_a_script_that_is_not_there_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        ScriptModel(tmp_path / "nothing.jsonl")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('{"for": "finalise", "text": "x"}', "no purpose 'finalise'"),
        ('{"text": "x", "repeat": 0}', ">= 1"),
        ('{"text": "x", "usage": {"output": -5}}', ">= 0"),
    ],
)
def test_a_line_that_could_not_be_played_is_refused_with_its_number(tmp_path: Path, line: str, told: str) -> None:
    with pytest.raises(UsageError, match="line 2") as refused:
        script(tmp_path, '{"text": "fine"}', line)
    assert told in refused.value.message


def test_a_text_may_hold_separators_that_are_no_line_ends(tmp_path: Path) -> None:
    text = "one\u2028two\x85three"
    assert play(script(tmp_path, f'{{"text": "{text}"}}')).text == text


@pytest.mark.parametrize(("header", "value", "wait"), [("Retry-After", "2", 2000), ("retry-after", "²", None)])
def test_headers_have_any_case_and_odd_numbers_are_none(
    tmp_path: Path, header: str, value: str, wait: int | None
) -> None:
    model = script(tmp_path, f'{{"error": {{"status": 429, "headers": {{"{header}": "{value}"}}}}}}')
    with pytest.raises(ModelError) as failure:
        play(model)
    assert failure.value.retry_after_ms == wait


def test_a_reply_longer_than_allowed_is_cut_and_deep_arguments_are_malformed(tmp_path: Path) -> None:
    with pytest.raises(ModelError) as cut:
        play(script(tmp_path, '{"text": "x", "usage": {"output": 101}}'))
    assert cut.value.category == "output_truncated"
    deep = "[" * 300 + "]" * 300
    (call,) = play(script(tmp_path, f'{{"calls": [{{"tool": "t", "args": {{"a": {deep}}}}}]}}')).calls
    assert call.malformed is not None


def test_what_the_next_line_claims_is_reserved_for_it(tmp_path: Path) -> None:
    model = script(tmp_path, '{"text": "x", "usage": {"input": 7, "output": 900}}')
    worst = model.worst("research", 1000, 500)
    assert (worst.input, worst.output) == (7, 500)
