"""The ledger contract: what is read to go on with a Run was proven in the same reading."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.contract.ledger.stores import Store, append, five_events, go, verdict_of, whole_run

from counterfoil.core.errors import LedgerBroken, NotFoundError, RefusedError


@pytest.mark.req("LED-01")
def test_what_verifies_is_read_as_it_is(store: Store) -> None:
    append(store, "r1", 0, five_events()[:2])
    append(store, "r1", 2, five_events()[2:])
    assert go(store.ledger.proven("r1")) == go(store.ledger.events("r1"))


def test_an_unknown_run_has_nothing_to_prove(store: Store) -> None:
    with pytest.raises(NotFoundError, match="no Run r9"):
        go(store.ledger.proven("r9"))


def _first_blob(store: Store) -> str:
    return min(store.blobs())


DAMAGE: dict[str, Callable[[Store], None]] = {
    "a changed payload": lambda store: store.write("r1", 3, "payload", b"{}"),
    "a changed time": lambda store: store.write("r1", 2, "at", 7),
    "a lost event": lambda store: store.drop("r1", 2),
    "a lost end": lambda store: store.drop("r1", 5),
    "a lost listing": lambda store: store.drop_listing("r1"),
    "a lost blob": lambda store: store.write_blob(_first_blob(store), None),
    "a changed blob": lambda store: store.write_blob(_first_blob(store), b"something else"),
    "a blob of another text of its length": lambda store: store.write_blob(
        _first_blob(store), bytes(len(store.blobs()[_first_blob(store)]))
    ),
}


@pytest.mark.req("LED-01", "LED-10")
@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_what_does_not_verify_is_not_read_and_the_first_bad_event_is_named(
    store: Store, damage: Callable[[Store], None]
) -> None:
    append(store, "r1", 0, five_events())
    damage(store)
    first_bad = verdict_of(store)
    assert first_bad is not None
    with pytest.raises(LedgerBroken, match=f"event {first_bad} is the first bad one") as refused:
        go(store.ledger.proven("r1"))
    assert refused.value.code == "CHAIN_BROKEN"


def test_a_purged_run_verifies_and_says_that_it_cannot_be_read(store: Store) -> None:
    events, line = whole_run("What?", "eighteen")
    append(store, "r1", 0, events, listing=line)
    go(store.ledger.purge("r1", at=9_000, why="asked"))
    assert verdict_of(store) is None
    with pytest.raises(RefusedError) as refused:
        go(store.ledger.proven("r1"))
    assert refused.value.code == "CONTENT_PURGED"
