"""The list of invariants, and what is checked between processes."""

import asyncio

import pytest
from msgspec.structs import replace
from tests.unit.core.record.folding import CONTRACT, begun
from tests.unit.sim.histories import admitted, asked, commit

from counterfoil.adapters.stores.memory import MemoryLedger
from counterfoil.core.record import events as e
from counterfoil.core.record.chain import link
from counterfoil.host.journal import listing_of
from counterfoil.host.report import build_report
from counterfoil.ports.ledger import Lease, StoredEvent, Verification
from counterfoil.sim.history import Effect, History
from counterfoil.sim.invariants import check
from counterfoil.sim.invariants.check import Kept, Violation

EVENTS = (e.RunAdmitted(begun().snapshot), e.LeaseTaken("p1", 1), e.ContractConfirmed(CONTRACT, "unseen"))


def stored() -> tuple[History, Kept]:
    """A history and what its ledger gives back."""

    async def write() -> tuple[History, Kept]:
        ledger, history = MemoryLedger(), History()
        rows = await ledger.append("r1", 0, EVENTS, at=0, epoch=1, listing=listing_of(begun()))
        history.commit(rows, EVENTS)
        pairs = await ledger.events("r1")
        rows, proof = tuple(row for row, _ in pairs), await ledger.verify("r1")
        kept = Kept(rows, tuple(event for _, event in pairs), await ledger.lease("r1"), proof)
        return history, kept

    return asyncio.run(write())


def violated(history: History, kept: Kept) -> str:
    with pytest.raises(Violation) as violation:
        check.between_processes(history, kept)
    return violation.value.invariant


def test_a_ledger_that_gives_everything_back_is_lawful() -> None:
    check.between_processes(*stored())


@pytest.mark.req("LED-05")
def test_a_lost_changed_or_added_event_is_found() -> None:
    history, kept = stored()
    for rows, events in (
        (kept.stored[:2], kept.events[:2]),
        ((), ()),
        ((*kept.stored[:2], replace(kept.stored[2], at=7)), kept.events),
        (kept.stored, (*kept.events[:2], e.ContractConfirmed(CONTRACT, "caller"))),
    ):
        assert violated(history, replace(kept, stored=rows, events=events)) == "receipts_stay_as_they_were"


def test_a_lease_that_is_not_the_acknowledged_one_is_found() -> None:
    history, kept = stored()
    assert violated(history, replace(kept, lease=Lease("p9", 9, 0))) == "receipts_stay_as_they_were"


def test_a_purge_that_changes_an_event_or_says_nothing_is_found() -> None:
    history, kept = stored()
    last = kept.stored[-1]
    made = link(last.hash, "r1", 4, 0, "caller", "BlobPurged", b"{}", 1)
    rows = (*kept.stored, StoredEvent("r1", 4, 0, "caller", "BlobPurged", b"{}", last.hash, made, 1))
    proof = Verification("r1", 4, made, purged=1)
    check.purged_is_whole(history, rows, proof)
    for stored_rows, told in (
        (kept.stored, proof),
        ((*rows[:2], replace(rows[2], at=7), rows[3]), proof),
        (rows, replace(proof, first_bad=2)),
        (rows, replace(proof, purged=0)),
    ):
        with pytest.raises(Violation, match="purged_is_whole"):
            check.purged_is_whole(history, stored_rows, told)


def test_a_chain_that_does_not_verify_is_found() -> None:
    history, kept = stored()
    assert kept.proof is not None
    bad = replace(kept.proof, first_bad=2, why="…")
    assert violated(history, replace(kept, proof=bad)) == "the_chain_verifies"
    assert violated(history, replace(kept, proof=replace(kept.proof, head="0"))) == "the_chain_verifies"


def test_a_link_that_does_not_follow_from_its_event_is_found() -> None:
    history, kept = stored()
    forged = replace(kept.stored[2], hash="0" * 64)
    told = check.the_chain_verifies(history, replace(kept, stored=(*kept.stored[:2], forged), proof=None))
    assert next(told) == "event 3 breaks the chain"


def test_a_state_that_its_bytes_do_not_give_is_found() -> None:
    history, kept = stored()
    right = history.known
    history.state = replace(right, facts=("invented",))
    assert violated(history, kept) == "bytes_fold_to_the_state"
    with pytest.raises(Violation, match="facts is"):
        check.the_state_is_kept(history, right)
    assert check.difference(right, right) == "nothing"


def test_a_report_that_tells_something_else_is_found() -> None:
    history, _ = stored()
    with pytest.raises(Violation, match="the_report_is_true"):
        check.the_report_is_true(history, build_report(history.known, "0"))
    commit(history, e.RunPaused("…"))
    check.the_report_is_true(history, build_report(history.known, history.records[-1].stored.hash))
    commit(history, e.RunSettled("failed", "expired", None, True, False, "not_run"))
    with pytest.raises(Violation, match="the_report_is_true: it says paused"):
        check.the_report_is_true(history, build_report(replace(history.known, settled=None), "0"))


def test_a_record_that_makes_no_sense_is_a_violation_too() -> None:
    history = admitted()
    history.prompts = {}
    with pytest.raises(Violation, match="views_follow_from_the_ledger: the record makes no sense"):
        check.after_a_commit(commit(history, asked("m1")))


def test_the_first_broken_invariant_is_named() -> None:
    history = admitted()
    history.prompts = {"research": ""}
    commit(history, asked("m1", tools=()))
    with pytest.raises(Violation) as violation:
        check.after_a_commit(history)
    assert violation.value.invariant in {invariant.__name__ for invariant in check.AFTER_A_COMMIT}
    history, effect = admitted(), Effect("search_public_sources", 1, 3)
    history.effects.append(effect)
    with pytest.raises(Violation, match="effects_were_reserved"):
        check.at_an_effect(history, effect)
