"""What must hold of answers fails on one that stands on nothing."""

from msgspec.structs import replace
from tests.unit.sim.histories import DEBITS, READ, asked, commit, has_read, published, said

from counterfoil.core.answer.candidate import Gap
from counterfoil.core.evidence.facts import Fact
from counterfoil.core.record import events as e
from counterfoil.sim.invariants import answers

ACCEPTED = e.PublicationAccepted("P1", (), ())
DELIVERED = e.PublicationDelivered("P1", "model")
FACT = Fact("F1", "North", "price", "stated", "18", "USD", None, None, "costs $18", ("E1",))
CANDIDATE = "It costs $18 [E1]."


def accepted(body: str, *gaps: Gap) -> str:
    """What the invariants have against accepting ``body``."""
    history = commit(published(has_read(), body, gaps=gaps), ACCEPTED, DELIVERED)
    return "; ".join(said(invariant, history) for invariant in answers.INVARIANTS if said(invariant, history))


def test_a_fact_and_an_answer_on_shown_evidence_are_lawful() -> None:
    history = commit(published(has_read(), CANDIDATE), e.FactRecorded(FACT, "c9"))
    assert said(answers.facts_stand_in_what_was_shown, history) == ""
    commit(history, ACCEPTED, DELIVERED)
    assert [said(invariant, history) for invariant in answers.INVARIANTS] == [""] * len(answers.INVARIANTS)
    assert accepted(CANDIDATE, Gap()) == ""


def test_a_fact_without_its_quote_or_before_it_was_shown_is_found() -> None:
    unseen = commit(has_read(), e.FactRecorded(FACT, "c2"))
    assert "rests on E1, which was never shown" in said(answers.facts_stand_in_what_was_shown, unseen)
    history = commit(has_read(), asked("m9"))
    for fact, flaw in (
        (replace(FACT, quote="costs $19"), "does not stand in E1"),
        (replace(FACT, evidence=("E7",)), "rests on E7"),
        (replace(FACT, evidence=()), "is stated by nothing"),
    ):
        assert flaw in said(answers.facts_stand_in_what_was_shown, commit(history, e.FactRecorded(fact, "c2")))


def test_an_answer_that_cites_or_counts_what_nothing_says_is_found() -> None:
    for body, flaw in (
        ("It costs $18 [E7].", "cites E7, which was never read"),
        ("It costs $18 [F3].", "cites F3, which is no fact"),
        ("It costs $18 [C1].", "cites C1, which is nothing of this Run"),
        ("It costs $99 [E1].", "says $99, which nothing that was read says"),
        (CANDIDATE, "says nothing of North / price"),
    ):
        assert flaw in accepted(body)
    history = has_read()
    commit(history, asked("m3"))
    unseen = published(history, CANDIDATE)
    commit(unseen, e.EvidenceRead("S1", history.known.readings[0].segment, 2, "c9"), ACCEPTED)
    assert "P1" not in said(answers.accepted_citations_were_shown, unseen)
    assert said(answers.accepted_citations_were_shown, commit(has_read(), ACCEPTED)) == (
        "P1 was accepted and never proposed"
    )


def test_an_answer_that_is_not_delivered_or_taken_back_is_found() -> None:
    history = commit(published(has_read(), CANDIDATE), ACCEPTED)
    assert "was accepted and not delivered" in said(answers.accepted_answers_stay, history)
    commit(history, DELIVERED)
    history.state = replace(history.known, publications=())
    assert "is not the answer any more" in said(answers.accepted_answers_stay, history)
    back = commit(history, e.PublicationRejected("P1", (), ()))
    assert "P1 was rejected, and it is accepted" in said(answers.accepted_answers_stay, back)


def test_a_finish_with_nothing_to_end_is_found() -> None:
    empty = commit(has_read(), e.FinishProposed("c9", "done", (" ",)), e.FinishAccepted("c9", no_answer=True))
    assert "a finish was accepted with answer None" in said(answers.a_finish_ends_something, empty)
    honest = commit(has_read(), e.FinishProposed("c9", "no", ("none",)), e.FinishAccepted("c9", no_answer=True))
    assert said(answers.a_finish_ends_something, honest) == ""
    assert (READ in DEBITS, len(honest.fresh)) == (True, 2)
