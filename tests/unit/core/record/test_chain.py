"""The hash chain, without any store."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterfoil.core.record.chain import GENESIS, Break, check_chain, link

FIELDS = ("prev_hash", "run_id", "seq", "at", "actor", "type", "payload", "epoch")


class Record(msgspec.Struct, frozen=True):
    prev_hash: str
    run_id: str
    seq: int
    at: int
    actor: str
    type: str
    payload: bytes
    epoch: int
    hash: str = ""


def chain(length: int, run_id: str = "r1") -> list[Record]:
    records: list[Record] = []
    prev = GENESIS
    for seq in range(1, length + 1):
        bare = Record(prev, run_id, seq, 1_000 + seq, "host", "PhaseChanged", b'{"n":%d}' % seq, 1)
        records.append(signed(bare))
        prev = records[-1].hash
    return records


def signed(record: Record) -> Record:
    values: list[Any] = [getattr(record, name) for name in FIELDS]
    return msgspec.structs.replace(record, hash=link(*values))


def test_an_intact_chain_has_no_break() -> None:
    assert check_chain("r1", chain(9)) is None
    assert check_chain("r1", []) is None


def test_the_hash_of_a_known_record_never_changes() -> None:
    made = link(GENESIS, "r1", 1, 1700000000000, "host", "CancelRequested", b'{"type":"CancelRequested","why":"x"}', 1)
    assert made == "b8da49f35c4e246544fb7d75f060f5d34e0d9cdce4588fd7350890008ac4172d"


@pytest.mark.req("LED-12")
def test_the_hash_covers_bytes_not_meaning() -> None:
    same_json = (b'{"a":1,"b":2}', b'{"b":2,"a":1}', b'{"a": 1,"b":2}')
    assert len({link(GENESIS, "r1", 1, 1, "host", "T", payload, 1) for payload in same_json}) == 3


texts = st.text(max_size=3)
numbers = st.integers(0, 99)
fields = st.tuples(texts, texts, numbers, numbers, texts, texts, st.binary(max_size=3), numbers)


@given(fields, fields)
def test_records_share_a_hash_only_when_they_are_equal(one: tuple[Any, ...], other: tuple[Any, ...]) -> None:
    assert (link(*one) == link(*other)) == (one == other)


def test_moving_a_character_over_a_field_border_changes_the_hash() -> None:
    assert link("p", "r1", 11, 1, "a", "b", b"x", 1) != link("p", "r", 111, 1, "a", "b", b"x", 1)
    assert link("p", "r", 1, 11, "ab", "c", b"x", 1) != link("p", "r", 11, 1, "a", "bc", b"x", 1)


@pytest.mark.parametrize("seq", [1, 3, 5])
@pytest.mark.parametrize(
    ("field", "value", "why"),
    [
        ("run_id", "r2", "belongs to Run 'r2'"),
        ("seq", 77, "missing or out of order"),
        ("at", 9, "does not match its hash"),
        ("actor", "model", "does not match its hash"),
        ("type", "Other", "does not match its hash"),
        ("payload", b"{}", "does not match its hash"),
        ("epoch", 2, "does not match its hash"),
        ("hash", "f" * 64, "does not match its hash"),
        ("prev_hash", "f" * 64, "does not name the event before it"),
        ("at", "\udcff", "does not match its hash"),  # what a damaged store may hand out
        ("payload", "text", "does not match its hash"),
    ],
)
def test_a_changed_field_is_named(seq: int, field: str, value: Any, why: str) -> None:
    records = chain(5)
    records[seq - 1] = msgspec.structs.replace(records[seq - 1], **{field: value})
    found = check_chain("r1", records)
    assert found is not None and found.seq == seq and why in found.why


def test_a_rewritten_event_with_a_fresh_hash_breaks_the_next() -> None:
    records = chain(5)
    records[2] = signed(msgspec.structs.replace(records[2], payload=b"{}"))
    found = check_chain("r1", records)
    assert found == Break(4, "it does not name the event before it: one of the two was changed or replaced")


@given(st.integers(2, 8), st.data())
def test_any_reordering_is_named_at_its_first_place(length: int, data: st.DataObject) -> None:
    records = chain(length)
    order = data.draw(st.permutations(range(length)))
    found = check_chain("r1", [records[index] for index in order])
    moved = next((place + 1 for place, index in enumerate(order) if place != index), None)
    assert (found.seq if found else None) == moved


@pytest.mark.parametrize("gone", [1, 2, 4])
def test_a_hole_is_named(gone: int) -> None:
    records = chain(5)
    del records[gone - 1]
    found = check_chain("r1", records)
    assert found is not None and found.seq == gone and f"event {gone} is missing" in found.why


def test_a_chain_of_another_run_is_not_this_one() -> None:
    assert check_chain("r2", chain(3)) == Break(1, "the event belongs to Run 'r1'")
