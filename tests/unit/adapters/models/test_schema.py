from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from tests.unit.adapters.models.viewing import CELLS, PLAIN, TOOLS, read, searched, turn, view

from counterfoil.adapters.models.forms import FORMS
from counterfoil.adapters.models.schema import ENUM_MAX, contract_schema, described, reply_schema
from counterfoil.core.exchange import Json, TableCell, ToolSpec

FOREIGN = ToolSpec(
    name="lookup",
    description="Look a thing up.",
    parameters={
        "type": "object",
        "properties": {
            "field": {"type": "string", "title": "Field", "description": "any"},
            "deep": {"$ref": "#/$defs/Deep"},
            "free": {"type": "object"},
            "mode": {"type": "string", "enum": ["a", "b"], "default": "a"},
        },
        "required": ["field"],
        "$defs": {"Deep": {"type": "object", "properties": {"n": {"type": "integer"}, "of": {"$ref": "#/$defs/Deep"}}}},
    },
    effect="once",
    phases=("research",),
)


def args_of(schema: Json, tool: str) -> Json:
    """The arguments of ``tool`` in a reply schema."""
    for call in schema["properties"]["calls"]["items"]["anyOf"]:
        if call["properties"]["tool"]["enum"] == [tool]:
            args: Json = call["properties"]["args"]
            return args
    raise KeyError(tool)


def offered(schema: Json) -> list[str]:
    return [call["properties"]["tool"]["enum"][0] for call in schema["properties"]["calls"]["items"]["anyOf"]]


def parts(schema: Any) -> Iterator[Json]:
    if isinstance(schema, dict):
        yield schema
        for value in schema.values():
            yield from parts(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from parts(value)


def test_handles_evidence_rows_and_fields_are_enums_of_what_was_shown() -> None:
    schema = reply_schema(view(*searched(), *searched("c2", "S2"), *read("c3", 5, "a", "b")), TOOLS)
    assert schema["$defs"]["Handle"]["enum"] == ["S1", "S2"]
    assert schema["$defs"]["Evidence"]["enum"] == ["E5", "E6"]
    assert schema["$defs"]["SearchCall"]["enum"] == ["c1", "c2"]
    assert schema["$defs"]["Row"]["enum"] == ["City North", "City South"]
    assert schema["$defs"]["Field"]["enum"] == ["price"]  # the Host fills urls
    assert args_of(schema, "read_public_source")["properties"]["handle"] == {"$ref": "#/$defs/Handle"}


def test_evidence_comes_before_the_prose_that_rests_on_it() -> None:
    schema = reply_schema(view(*searched(), *read()), TOOLS)
    publish = list(args_of(schema, "publish_answer")["properties"])
    assert publish.index("evidence") < publish.index("body")
    stated = schema["$defs"]["FactDraft"]["anyOf"][0]["properties"]
    assert list(stated).index("evidence_id") < list(stated).index("quote") < list(stated).index("value")


def test_a_call_that_nothing_issued_so_far_could_make_lawful_is_not_offered() -> None:
    others = {"set_research_needs", "plan", "request_connector", "run_in_parallel"}
    evidence = [tool for tool in offered(reply_schema(view(), TOOLS)) if tool not in others]
    assert evidence == ["search_public_sources", "publish_answer", "finish_research"]
    assert "evidence" not in args_of(reply_schema(view(), TOOLS), "publish_answer")["properties"]
    searching = reply_schema(view(*searched()), TOOLS)
    assert "read_public_source" in offered(searching)
    kinds = [form["properties"]["kind"]["enum"] for form in searching["$defs"]["FactDraft"]["anyOf"]]
    assert kinds == [["not_found"]]


def test_a_plain_question_needs_no_facts() -> None:
    schema = reply_schema(view(*searched(), *read(), contract=PLAIN), TOOLS)
    assert "record_facts" not in offered(schema)
    assert "facts" not in args_of(schema, "publish_answer")["properties"]
    assert list(args_of(schema, "search_public_sources")["properties"]) == ["query"]
    assert "record_facts" not in described(TOOLS, PLAIN)


def test_evidence_of_the_table_stays_citable_when_its_passage_became_a_digest() -> None:
    digest = turn("c2", "read_public_source", {"handle": "S1"}, {"handle": "S1", "passages": [], "shortened": {}})
    schema = reply_schema(
        view(*searched(), *digest, table=(TableCell("City North", "price", "found", "1", None, ("E3",)),)), TOOLS
    )
    assert schema["$defs"]["Evidence"]["enum"] == ["E3"]


def test_what_a_failed_or_foreign_result_names_is_no_handle() -> None:
    failed = turn("c1", "search_public_sources", {}, {"results": [{"handle": "S7"}]}, ok=False)
    foreign = turn("c2", "lookup", {}, {"results": [{"handle": "S8"}], "passages": [{"id": "E8"}]})
    odd = turn("c3", "search_public_sources", {}, {"results": [{"handle": 'S9" | .*'}, {}]})
    schema = reply_schema(view(*failed, *foreign, *odd), TOOLS)
    assert not {"Handle", "Evidence"} & set(schema["$defs"])


def test_a_run_that_read_very_much_is_given_the_shape_of_an_id() -> None:
    texts = [str(n) for n in range(ENUM_MAX + 1)]
    schema = reply_schema(view(*searched(), *read("c2", 1, *texts)), TOOLS)
    assert schema["$defs"]["Evidence"] == {"type": "string", "pattern": "^E[0-9]+$"}


@pytest.mark.parametrize("tools", [TOOLS, (FOREIGN,)])
def test_every_object_is_closed_and_every_reference_stands(tools: tuple[ToolSpec, ...]) -> None:
    schema = reply_schema(view(*searched(), *read()), tools)
    for part in parts(schema):
        if isinstance(part.get("properties"), dict):
            assert part["required"] == list(part["properties"])
            assert part["additionalProperties"] is False
        if isinstance(part.get("$ref"), str):
            assert part["$ref"].removeprefix("#/$defs/") in schema["$defs"]


def test_a_foreign_tool_keeps_all_its_arguments() -> None:
    schema = reply_schema(view(*searched()), (FOREIGN,))
    args = args_of(schema, "lookup")["properties"]
    assert list(args) == ["field", "deep", "free", "mode"]
    assert args["field"] == {"type": "string"}  # not the contract's field
    assert args["mode"] == {"anyOf": [{"type": "string", "enum": ["a", "b"]}, {"type": "null"}]}
    assert args["free"] == {"anyOf": [{"type": "object"}, {"type": "null"}]}
    assert schema["$defs"]["lookup.Deep"]["properties"]["of"] == {
        "anyOf": [{"$ref": "#/$defs/lookup.Deep"}, {"type": "null"}]
    }


def test_tools_are_described_the_same_whatever_was_issued() -> None:
    text = described((*TOOLS, FOREIGN), CELLS)
    assert '- read_public_source {"handle": Handle, "segment": integer|null, "find": string|null}: Read' in text
    assert '- where FactDraft is {"kind": "stated", "row": Row' in text
    assert '- lookup {"field": string, "deep": Deep|null, "free": object|null, "mode": "a"|"b"|null}: Look' in text


def test_every_argument_of_our_own_tools_is_in_a_form_or_left_out_on_purpose() -> None:
    left_out = {"domains", "limit", "conditions", "result_ref"}  # see forms.py
    seen = {entry.removesuffix("!") for form in FORMS.values() for entry in form}
    schema = reply_schema(view(*searched(), *read()), TOOLS)
    seen |= {name for part in parts(schema) if isinstance(part.get("properties"), dict) for name in part["properties"]}
    for tool in TOOLS:
        for part in parts(tool.parameters):
            if isinstance(part.get("properties"), dict):
                assert set(part["properties"]) <= seen | left_out, tool.name


def test_the_schema_stays_small() -> None:
    assert len(str(reply_schema(view(*searched(), *read()), TOOLS))) < 8000


def test_an_entry_reply_is_a_contract() -> None:
    schema = contract_schema()
    assert schema["required"] == ["kind", "rows", "fields", "period", "done"]
    assert "money" in schema["properties"]["fields"]["items"]["properties"]["type"]["enum"]
