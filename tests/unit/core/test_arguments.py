"""Tool arguments: schema out, Struct in, the exact problem back."""

import msgspec
import pytest

from counterfoil.core.arguments import ArgumentsInvalid, decode, schema_of
from counterfoil.core.exchange import ProposedCall


class Asked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    query: str
    tags: tuple[str, ...] = ()


def call(malformed: str | None = None, **args: object) -> ProposedCall:
    return ProposedCall("c1", "t", dict(args), malformed)


def test_a_schema_is_plain_json_with_required_fields() -> None:
    schema = schema_of(Asked)
    assert schema["required"] == ["query"]
    assert msgspec.json.decode(msgspec.json.encode(schema)) == schema


def test_good_arguments_become_the_struct() -> None:
    assert decode(call(query="x", tags=["a"]), Asked) == Asked("x", ("a",))


@pytest.mark.req("MOD-06")
@pytest.mark.parametrize(
    ("args", "said"),
    [
        ({}, "query"),
        ({"query": 3}, "$.query"),
        ({"query": "x", "tag": 1}, "tag"),
        ({"query": "x", "tags": "a"}, "$.tags"),
    ],
)
def test_wrong_arguments_say_exactly_where(args: dict[str, object], said: str) -> None:
    with pytest.raises(ArgumentsInvalid, match=said.replace("$", r"\$")):
        decode(call(None, **args), Asked)


def test_arguments_that_were_no_json_keep_their_problem() -> None:
    with pytest.raises(ArgumentsInvalid, match="line 1"):
        decode(call(malformed="no JSON: line 1"), Asked)
