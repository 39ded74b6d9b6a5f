from __future__ import annotations

import pytest
from tests.unit.builders import make_state, row_passage

from counterfoil.core.answer.figures import Base, judge_figures

STATE = make_state(
    "q",
    [
        row_passage("Net sales", [("120", "2022"), ("100", "2021")], multiplier="1000000", unit="USD"),
        row_passage("Net loss", [("(30)", "2022"), ("(10)", "2021")], multiplier="1000000", unit="USD"),
        "It was founded in 1998 and listed in 2004. The final took 2:19:24 on 14 June 2021.",
        "Of 40 bikes, 31 were sold and 9 kept.",
        "The City North pass costs $18.",
        "Rides of 30 minutes are included. The overage charge is $4.",
        "Ingrid Solheim won the women's race in 2:27:41. Pekka Laine won the men's race in 2:11:19.",
        "The museum opens at 09:00 and closes at 17:30.",
        "The price is 34.72 cents per kWh. The rent is €850 per month. The pump moves 30 litres per minute.",
        row_passage("Pro plan", [("19", "Price per month (GBP)"), ("500", "Storage (GB)")]),
        "Mean radial growth was 2.4 mm per year (SD 0.6) on granite and 3.7 mm per year on limestone.",
        row_passage("Stores", [("57", "2023"), ("61", "2022")], unit="count"),
        "The study followed 240 specimens over 18 months on walks of 5 and 10 km.",
        row_passage("Tram Museum", [("11:00", "opens"), ("16:00", "closes")]),
    ],
)


def judged(body: str) -> list[tuple[str, str]]:
    figures = judge_figures(body, Base(STATE.contract, STATE.evidence, everything=lambda: ()))
    return [(f.quantity.text, f.state) for f in figures if f.state in ("mismatch", "unsourced")]


@pytest.mark.req("TSK-07")
@pytest.mark.parametrize(
    ("true", "wrong"),
    [
        ("Net sales rose to $120 million in 2022 [E1].", "Net sales fell to $120 million in 2022 [E1]."),
        ("Net sales rose from $100 million in 2021 to $120 million in 2022 [E1].",
         "Net sales fell from $100 million in 2021 to $120 million in 2022 [E1]."),
        ("The net loss widened to $30 million in 2022 [E2].", "The net loss narrowed to $30 million in 2022 [E2]."),
        ("Net sales were $100 million in 2021 [E1].", "Net sales were $100 million in 2022 [E1]."),
        ("It was founded in 1998 and listed in 2004 [E3].", "It was founded in 2004 and listed in 1998 [E3]."),
        ("It was listed in 2004 [E3].", "It was listed in 1998 [E3]."),
        ("The final took 2:19:24 [E3].", "The final took 2:19:42 [E3]."),
        ("Pekka Laine won the men's race in 2:11:19 [E7].", "Pekka Laine won the men's race in 2:27:41 [E7]."),
        ("The museum opens at 9 a.m. and closes at 5:30 p.m. [E8].", "The museum opens at 17:30 [E8]."),
        ("The museum opens at 9:00 [E8].", "The museum opens at 9 p.m. [E8]."),
        ("The Tram Museum opens at 11:00 [E14].", "The Tram Museum closes at 11:00 [E14]."),
        ("It costs 34.72 cents per kWh [E9].", "It costs 34.72 euros per kWh [E9]."),
        ("It costs €0.3472 per kWh [E9].", "It costs 34.72 cents per MWh [E9]."),
        ("The rent is €850 a month [E9].", "The rent is €850 a week [E9]."),
        ("The pump moves 30 litres per minute [E9].", "The pump moves 30 litres per hour [E9]."),
        ("The Pro plan costs £19 a month [E10].", "The Pro plan costs £19 a year [E10]."),
        ("Mean radial growth was 2.4 mm per year on granite and 3.7 mm per year on limestone [E11].",
         "Mean radial growth was 3.7 mm per year on granite and 2.4 mm per year on limestone [E11]."),
        ("It had more than 50 stores in 2023 [E12].", "It had more than 60 stores in 2023 [E12]."),
        ("It had nearly 60 stores in 2023 [E12].", "It had fewer than 50 stores in 2023 [E12]."),
        ("It had almost 60 stores in 2023 [E12].", "It had more than 30 stores in 2023 [E12]."),
        ("The study followed 240 specimens for 18 months [E13].",
         "The study followed 18 specimens for 240 months [E13]."),
        ("One of the walks was 5 km [E13].", "The walks were 240 km [E13]."),
        ("The final was on 14 June 2021 [E3].", "The final was on 15 June 2021 [E3]."),
        ("31 were sold and 9 kept [E4].", "9 were sold and 31 kept [E4]."),
        ("| | pass | overage |\n|---|---|---|\n| City North | $18 [E5] | The overage charge is $4 [E6] |",
         "| | pass | overage |\n|---|---|---|\n| City North | $4 [E5] | The overage charge is $18 [E6] |"),
        ("| | 2022 |\n|---|---|\n| Net sales [E1] | $120 million |",
         "| | 2021 |\n|---|---|\n| Net sales [E1] | $120 million |"),
    ],
)  # fmt: skip
def test_one_changed_thing_is_noticed(true: str, wrong: str) -> None:
    assert judged(true) == []
    assert judged(wrong) != []


def test_a_sentence_that_stands_in_its_passage_word_for_word_is_a_quotation() -> None:
    body = "It was founded in 1998 and listed in 2004 [E3]."
    figures = judge_figures(body, Base(STATE.contract, STATE.evidence))
    assert {f.citation for f in figures} == {"E3"}


def test_a_better_citation_is_named_only_when_it_would_bind() -> None:
    base = Base(
        STATE.contract, STATE.evidence, everything=lambda: [e for i in ("E1", "E2") if (e := STATE.evidence(i))]
    )
    (figure, _) = judge_figures("Net sales were $120 million in 2022 [E4].", base)
    assert figure.state == "mismatch" and "cite [E1]" in figure.nearest
