"""A simulated model knows what its view shows."""

from random import Random

from tests.unit.sim.views import Past, view_of

from counterfoil.core.exchange import CallDraft
from counterfoil.sim.look import Claim, Look, claims_in

HIT = {"handle": "S1", "segment": 0, "snippet": "The day pass of Łódź costs $18."}
PASSAGE = {"id": "E2", "text": "The day pass of Łódź costs $18.\n\nŁódź runs 40 stations."}


def test_it_finds_places_that_it_has_not_read() -> None:
    searched = (CallDraft("search_public_sources", {"query": "pass"}), {"results": [HIT, {**HIT, "segment": 1}]})
    assert Look(view_of(searched), (), Random(1)).hits() == [("S1", 0), ("S1", 1)]
    read: Past = (CallDraft("read_public_source", {"handle": "S1", "segment": 0}), {"passages": []})
    look = Look(view_of(searched, read), (), Random(1))
    assert look.hits() == [("S1", 1)]
    assert look.glimpse() == ("S1", 1, HIT["snippet"])


def test_it_reads_claims_out_of_passages() -> None:
    read = (CallDraft("read_public_source", {"handle": "S1"}), {"passages": [PASSAGE]})
    price, stations = Look(view_of(read), (), Random(1)).claims()
    assert price == Claim("Łódź", "price", "18", "The day pass of Łódź costs $18.", "E2")
    assert (stations.field, stations.value) == ("stations", "40")
    assert claims_in("nothing of the kind", "E1") == []


def test_it_remembers_what_was_published_and_refused() -> None:
    publish = CallDraft("publish_answer", {"body": "x"})
    look = Look(view_of((publish, {"accepted": True}), failed=[(publish, {"accepted": False})]), (), Random(1))
    assert (look.published(), look.rejections()) == (True, 1)
