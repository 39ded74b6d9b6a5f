"""The ledger contract: whatever is changed behind a store's back, ``verify`` names the first bad event."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.contract.ledger.stores import NUMBER_COLUMNS, TEXT_COLUMNS, Store, append, five_events, go, verdict_of

from counterfoil.core.errors import LedgerBroken
from counterfoil.core.record.chain import check_chain


@pytest.fixture
def written(store: Store) -> Store:
    append(store, "r1", 0, five_events())
    append(store, "r2", 0, five_events("different "))
    return store


def flipped(value: bytes | int, where: int, mask: int) -> bytes | int:
    if isinstance(value, int):
        return value ^ mask
    at = where % len(value)
    return value[:at] + bytes([value[at] ^ mask]) + value[at + 1 :]


@pytest.mark.req("LED-01")
@pytest.mark.req("LED-12")
@settings(max_examples=120, deadline=None, database=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    seq=st.integers(1, 5),
    column=st.sampled_from(TEXT_COLUMNS + NUMBER_COLUMNS),
    where=st.integers(0, 1_000),
    mask=st.integers(1, 255),
)
def test_one_changed_byte_names_its_event(written: Store, seq: int, column: str, where: int, mask: int) -> None:
    before = written.read("r1", seq, column)
    written.write("r1", seq, column, flipped(before, where, mask))
    try:
        assert verdict_of(written) == seq
        assert verdict_of(written, "r2") is None
    finally:
        written.write("r1", seq, column, before)
    assert verdict_of(written) is None


@pytest.mark.req("LED-10")
@settings(max_examples=60, deadline=None, database=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(which=st.integers(0, 1), where=st.integers(0, 20_000), mask=st.integers(1, 255))
def test_one_changed_byte_of_a_blob_names_the_first_event_that_needs_it(
    written: Store, which: int, where: int, mask: int
) -> None:
    seq = 2 + which
    payload = written.read("r1", seq, "payload")
    name, before = next((name, body) for name, body in written.blobs().items() if name.encode() in bytes(payload))
    written.write_blob(name, bytes(flipped(before, where, mask)))
    try:
        verdict = go(written.ledger.verify("r1"))
        if verdict.first_bad is None:  # bits that pad a compressed stream carry nothing: the text is what it was
            assert go(written.ledger.events("r1"))[seq - 1][1] == five_events()[seq - 1]
        else:
            assert verdict.first_bad == seq and "changed" in verdict.why
            with pytest.raises(LedgerBroken):
                go(written.ledger.events("r1"))
        assert verdict_of(written, "r2") is None
    finally:
        written.write_blob(name, before)


def test_a_missing_blob_is_named_and_the_chain_stays_provable(written: Store) -> None:
    payload = bytes(written.read("r1", 3, "payload"))
    name = next(name for name in written.blobs() if name.encode() in payload)
    written.write_blob(name, None)
    verdict = go(written.ledger.verify("r1"))
    assert verdict.first_bad == 3 and "missing" in verdict.why
    assert check_chain("r1", go(written.ledger.stored("r1"))) is None
    with pytest.raises(LedgerBroken) as refused:
        go(written.ledger.events("r1"))
    assert refused.value.code == "BLOB_MISSING" and "Event 3" in refused.value.message


@pytest.mark.req("LED-01")
@pytest.mark.parametrize("seq", [1, 2, 3, 4, 5])
def test_a_dropped_event_is_named(written: Store, seq: int) -> None:
    written.drop("r1", seq)
    assert verdict_of(written) == seq


def test_a_run_whose_events_are_all_gone_is_not_an_unknown_run(written: Store) -> None:
    for seq in range(1, 6):
        written.drop("r1", seq)
    assert verdict_of(written) == 1


def test_without_its_listing_a_run_cannot_prove_its_end(written: Store) -> None:
    written.drop_listing("r1")
    assert verdict_of(written) == 6


@pytest.mark.parametrize(("one", "other"), [(1, 2), (2, 4), (4, 5)])
def test_swapped_events_are_named(written: Store, one: int, other: int) -> None:
    held = {
        seq: {name: written.read("r1", seq, name) for name in TEXT_COLUMNS + NUMBER_COLUMNS} for seq in (one, other)
    }
    for seq, source in ((one, other), (other, one)):
        for column, value in held[source].items():
            written.write("r1", seq, column, value)
    assert verdict_of(written) == one


def test_an_event_of_another_run_does_not_fit(written: Store) -> None:
    for column in TEXT_COLUMNS + NUMBER_COLUMNS:
        written.write("r1", 1, column, written.read("r2", 1, column))
    assert verdict_of(written) == 1


def test_unreadable_events_are_refused_with_their_number(written: Store) -> None:
    written.write("r1", 4, "payload", b"{")
    with pytest.raises(LedgerBroken) as refused:
        go(written.ledger.events("r1"))
    assert refused.value.code == "EVENT_UNREADABLE" and "Event 4 of Run r1" in refused.value.message
