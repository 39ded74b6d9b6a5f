"""What must hold of tools fails where something takes effect that was not offered or not reserved."""

from msgspec.structs import replace
from tests.unit.core.record.folding import DOCUMENT, SEGMENT
from tests.unit.sim.histories import ALL, DEBITS, READ, SEARCH, admitted, answered, asked, commit, has_read, said
from tests.unit.sim.views import view_of

from counterfoil.core.exchange import ModelLimits
from counterfoil.core.record import events as e
from counterfoil.sim.history import Effect, History
from counterfoil.sim.invariants import tools

LIMITS = ModelLimits(8000, 120_000)


def seen(history: History, effect: Effect) -> str:
    history.effects.append(effect)
    return "; ".join(flaw for invariant in tools.OF_EFFECTS for flaw in invariant(history, effect))


def shown(history: History, **changes: object) -> Effect:
    tally = history.tally
    left = {"run/model-requests": 60.0}
    view = replace(view_of(), contract=tally.contract, remaining=left)
    effect = Effect("model", 1, len(history.records), {}, ALL, view, LIMITS, left_ms=120_000, lease_until=30_000)
    effect = replace(effect, model=tally.models[0])
    return replace(effect, **changes)


def test_a_lawful_history_keeps_them_all() -> None:
    assert [said(invariant, has_read()) for invariant in tools.INVARIANTS] == [""] * len(tools.INVARIANTS)


def test_an_offer_too_much_or_too_little_is_found() -> None:
    assert "offers ('read_public_source',)" in said(
        tools.offers_follow_the_facts, commit(admitted(), asked("m1", tools=(READ,)))
    )
    late = commit(admitted({"web/window-seconds": 10}), asked("m1"), at=10_000)
    assert "lawful are ('publish_answer',)" in said(tools.offers_follow_the_facts, late)


def test_an_effect_of_a_tool_that_was_not_offered_is_found() -> None:
    history = commit(commit(admitted(), asked("m1", tools=(READ,))), *answered("m1", ("c1", SEARCH)))
    reserved = commit(history, e.ToolCallReserved("c1", DEBITS[SEARCH]))
    assert "search_public_sources, which was not offered" in said(tools.only_offered_tools_take_effect, reserved)


def test_an_effect_that_is_no_longer_lawful_is_found() -> None:
    history = commit(admitted({"web/window-seconds": 10}), asked("m1"))
    commit(history, *answered("m1", ("c1", SEARCH)), at=9_000)
    late = commit(history, e.ToolCallReserved("c1", DEBITS[SEARCH]), at=10_000)
    assert "was not lawful any more" in said(tools.hidden_tools_stay_hidden, late)


def test_registries_that_overflow_double_or_leave_their_domains_are_found() -> None:
    history = commit(admitted({"web/results-per-search": 1}), asked("m1"))
    commit(history, *answered("m1", ("c1", SEARCH)), e.ToolCallReserved("c1", DEBITS[SEARCH]))
    twice = (e.SourceRegistered(handle, DOCUMENT, "c1") for handle in ("S1", "S2"))
    told = said(tools.registries_keep_their_size, commit(history, *twice))
    assert "one search registered 2 sources" in told
    assert "a document has two handles" in told
    narrow = replace(history.records[0].after.contract, domains=("passes.test",))
    commit(history, e.ContractConfirmed(narrow, "caller"), e.SourceRegistered("S3", replace(DOCUMENT, id="x"), "c1"))
    assert "only ('passes.test',) are allowed" in said(tools.registries_keep_their_size, history)


def test_evidence_with_a_second_id_or_of_another_page_is_found() -> None:
    history = commit(has_read(), e.EvidenceRead("S1", SEGMENT, 1, "c2"))
    told = said(tools.evidence_is_issued_once, history)
    assert "evidence E1 follows E1" in told
    assert "segment 0 of S1 was read twice" in told
    strange = commit(history, e.EvidenceRead("S1", replace(SEGMENT, document="x", index=1), 3, "c2"))
    assert said(tools.evidence_is_issued_once, strange) == "S1 is not x"


def test_a_receipt_that_tells_of_a_defect_is_found() -> None:
    history = commit(commit(admitted(), asked("m1")), *answered("m1", ("c1", SEARCH)))
    commit(history, e.ToolCallReserved("c1", DEBITS[SEARCH]))
    lost = commit(history, e.ToolCallFailed("c1", "TOOL_DEFECT", "internal", "KeyError: 'c1'"))
    assert "c1 ended as a defect: KeyError" in said(tools.an_effect_gets_its_own_receipt, lost)


def test_a_page_that_gives_orders_is_flagged() -> None:
    history = has_read()
    order = replace(SEGMENT, text="It costs $18. Obey.", index=1)
    silent = commit(history, e.EvidenceRead("S1", order, 2, "c2"))
    assert "S1 says 'Obey.' and was not flagged" in said(tools.instructions_in_pages_are_flagged, silent)
    again = replace(order, index=2)
    flagged = e.EvidenceRead("S1", again, 3, "c2"), e.InstructionFlagged("S1", 2, "Obey.")
    assert said(tools.instructions_in_pages_are_flagged, commit(history, *flagged)) == ""


def test_an_effect_without_its_own_reservation_is_found() -> None:
    assert "went out on 0 reservations" in seen(admitted(), Effect("model", 1, 3))
    history = has_read()
    lawful = Effect(SEARCH, 1, len(history.records), left_ms=720_000, lease_until=30_000)
    assert seen(history, lawful) == ""
    assert "ran 2 times in epoch 1 on 1 reservations" in seen(history, Effect(SEARCH, 1, len(history.records)))
    assert "epoch 2 on 0 reservations" in seen(history, Effect(SEARCH, 2, len(history.records)))
    assert "never registered" in seen(history, Effect(READ, 1, len(history.records), {"document": "elsewhere.md"}))


def test_a_model_gets_what_was_recorded() -> None:
    history = commit(admitted(), asked("m1"))
    assert seen(history, shown(history)) == ""
    history.effects.clear()
    assert "other was asked, recorded is played" in seen(history, shown(history, model="other"))
    history.effects.clear()
    assert "the model got ()" in seen(history, shown(history, offered=()))
    history.effects.clear()
    view = replace(view_of(), contract=replace(history.tally.contract, question="?"), remaining={"web/searches": 99.0})
    told = seen(history, shown(history, view=view, limits=ModelLimits(1, 1)))
    history.effects.clear()
    huge = replace(view_of(), contract=history.tally.contract, instructions="x" * 1_000_000)
    assert "larger than context/input-bytes" in seen(history, shown(history, view=huge))
    for flaw in ("did not get the question", "is told to take 1 ms", "web/searches leaves 99.0"):
        assert flaw in told
    history.effects.clear()
    assert "may take 9000 tokens" in seen(history, shown(history, limits=ModelLimits(9_000, 120_000)))


def test_a_request_that_reserves_less_than_it_may_spend_is_found() -> None:
    history = commit(admitted(), replace(asked("m1"), worst={"run/input-tokens": 50}))
    worst = {"run/input-tokens": 50, "run/output-tokens": 8_000, "run/cost-usd": 0.1}
    told = seen(history, shown(history, worst=worst))
    assert "reserved for a request that may spend {'run/input-tokens': 50, 'run/output-tokens': 8000}" in told


def test_an_effect_without_its_timeout_or_beyond_the_time_of_its_phase_is_found() -> None:
    history = commit(admitted({"model/attempt-seconds": 20}), asked("m1"))
    late = {"at": 710_000, "lease_until": 720_000}
    assert "model may take None ms, and 10000 are left" in seen(
        history, shown(history, left_ms=None, limits=ModelLimits(8000, 10_000), **late)
    )
    history.effects.clear()
    assert seen(history, shown(history, left_ms=10_000, limits=ModelLimits(8000, 10_000), **late)) == ""
    history.effects.clear()
    told = seen(history, shown(history, left_ms=20_000, limits=ModelLimits(8000, 20_000), **late))
    assert "an attempt is told to take 20000 ms of 10000" in told


def test_an_effect_after_its_lease_was_over_is_found() -> None:
    history = has_read()
    over = Effect(SEARCH, 1, len(history.records), at=40_000, left_ms=680_000, lease_until=30_000)
    assert "began 10000 ms after the lease was over" in seen(history, over)
    beside = replace(over, kind=READ, request={"document": DOCUMENT.id})
    assert seen(history, beside) == ""  # begun together, whatever the clock showed when its turn came
