from __future__ import annotations

import pytest

from counterfoil.researcher.metrics import Lexicon
from counterfoil.researcher.rivals import subjects_compared

from .pages import VOCABULARY, filing, text
from .test_plain import Pair, host

LEXICON = Lexicon(VOCABULARY)


def report(name: str, figure: str) -> Pair:
    said = text(f"Revenue of {name} in fiscal 2023 was {figure}.")
    return filing(name, "FY2023", name.split()[0].lower()), (("Results", (said,)),)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which company had the higher revenue in fiscal 2023, Acme or Bolt?", ("Acme", "Bolt")),
        ("Compare revenue of Acme and Bolt in fiscal 2023", ("Acme", "Bolt")),
        ("What was the revenue of Marsh and McLennan in 2023?", ()),  # one name
        ("What was Acme's revenue in 2023?", ()),
    ],
)
def test_subjects_set_beside_each_other_are_told_apart(question: str, names: tuple[str, ...]) -> None:
    assert subjects_compared(question, LEXICON) == names


def test_each_subject_has_a_row_of_its_own_and_the_higher_one_is_told() -> None:
    question = "Which company had the higher revenue in fiscal 2023, Acme or Bolt?"
    run = host(question, report("Acme Corp", "$12.5 million"), report("Bolt Inc", "$99.5 million"))
    run.entry()
    published = run.run()
    assert published is not None
    assert published["body"].startswith("**Bolt** has the higher revenue: $99.5 million, against $12.5 million (Acme)")
    assert {(f["row"], f["value"], f["unit"]) for f in run.facts} == {
        ("Acme", "12.5", "USD millions"),
        ("Bolt", "99.5", "USD millions"),
    }


def test_one_subjects_passage_is_not_filed_under_the_other() -> None:
    run = host(
        "Which company had the higher revenue in fiscal 2023, Acme or Bolt?", report("Bolt Inc", "$99.5 million")
    )
    run.entry()
    published = run.run()
    assert published is not None
    assert [(g["row"], g["state"]) for g in published["gaps"]] == [("Acme", "not_found")]
    assert "has the higher" not in published["body"]
    assert {f["row"] for f in run.facts if f.get("kind", "stated") == "stated"} == {"Bolt"}
