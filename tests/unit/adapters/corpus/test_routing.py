from __future__ import annotations

import pytest

from counterfoil.adapters.corpus.query import QueryReader
from counterfoil.adapters.corpus.routing import Mention, weigh
from counterfoil.adapters.corpus.title_page import Routing, describe
from counterfoil.adapters.corpus.vocabulary_files import load_vocabulary

READER = QueryReader(load_vocabulary())


def ten_k(company: str, year: int, month: str = "December 31", fiscal: int | None = None) -> Routing:
    cover = (
        f"FORM 10-K\nAnnual report for the fiscal year ended {month}, {year}\n"
        f"Commission file number 1-2345\n{company}\n"
        "(Exact name of registrant as specified in its charter)"
    )
    label = f" In fiscal {fiscal} sales rose. Fiscal {fiscal} had 52 weeks." * 4 if fiscal else ""
    return describe("scan0001.pdf", "scan", [cover, label])


def ten_q(company: str, date: str) -> Routing:
    cover = (
        f"FORM 10-Q\nFor the quarterly period ended {date}\n{company}\n"
        "(Exact name of registrant as specified in its charter)"
    )
    return describe("scan0002.pdf", "scan", [cover])


def best(question: str, *routings: Routing) -> list[int]:
    plan = READER.read(question)
    return [w.doc for w in weigh(question, plan, list(enumerate(routings)))]


def test_the_cover_tells_subject_form_and_period() -> None:
    known = ten_k("ACME WIDGETS, INC.", 2018)
    assert (known.subject, known.form, known.period, known.date) == (
        "ACME WIDGETS, INC.",
        "10-K",
        "FY2018",
        "2018-12-31",
    )
    quarter = ten_q("ACME WIDGETS, INC.", "June 30, 2023")
    assert (quarter.form, quarter.period) == ("10-Q", "Q2 2023")


def test_a_fiscal_year_follows_the_documents_own_words() -> None:
    assert ten_k("SHOP INC", 2023, "January 28", fiscal=2022).period == "FY2022"
    assert ten_k("SHOP INC", 2023, "January 28", fiscal=2023).period == "FY2023"


def test_a_file_name_tells_what_pages_do_not() -> None:
    known = describe("AcmeWidgets_2023Q4_EARNINGS.pdf", "x", ["Strong results"])
    assert (known.subject, known.form, known.period) == ("AcmeWidgets", "earnings release", "Q4 2023")
    event = describe(
        "ACME_2023_8K_dated-2023-05-05.pdf",
        "x",
        ["FORM 8-K\nDate of Report (Date of earliest event reported): May 3, 2023\n"],
    )
    assert (event.form, event.period) == ("8-K", "2023-05-03")


def test_an_ordinary_text_has_no_subject() -> None:
    assert describe("notes.txt", "Notes", ["Reports the results of a walk."]) == Routing()


def test_the_company_asked_for_comes_first() -> None:
    acme, general, motors = ten_k("ACME CO", 2020), ten_k("GENERAL MILLS INC", 2020), ten_k("GENERAL MOTORS CO", 2020)
    assert best("What was General Motors' revenue in FY2020?", acme, general, motors)[0] == 2
    assert best("What was General Mills' revenue in FY2020?", acme, general, motors)[0] == 1


def test_half_of_a_name_is_another_company() -> None:
    express, water = ten_k("AMERICAN EXPRESS COMPANY", 2022), ten_k("AMERICAN WATER WORKS COMPANY, INC.", 2022)
    plan = READER.read("What was the FY2022 net income of American Express?")
    weights = {
        w.doc: w.weight
        for w in weigh("What was the FY2022 net income of American Express?", plan, [(0, express), (1, water)])
    }
    assert weights[0] == 1.0
    assert weights[1] < 0.4


def test_a_former_name_still_finds_the_company() -> None:
    cover = (
        "FORM 10-K fiscal year ended December 31, 2021\nBLOCK, INC.\n(Exact name of registrant) "
        "(formerly known as Square, Inc.)"
    )
    known = describe("x.pdf", "x", [cover])
    assert Mention("What did Square earn?").of(known) >= 0.5


def test_a_name_is_spelled_as_the_first_page_spells_it() -> None:
    assert (
        describe("ULTABEAUTY_2023Q4_EARNINGS.pdf", "x", ["Today Ulta Beauty, Inc. announced results"]).subject
        == "Ulta Beauty"
    )


def test_the_year_asked_for_comes_first_then_the_next_years_comparatives() -> None:
    years = [ten_k("ACME CO", y) for y in (2020, 2021, 2022, 2023)]
    assert best("ACME revenue in FY2021", *years)[:2] == [1, 2]


def test_a_quarter_prefers_its_10_q_and_a_year_its_10_k() -> None:
    annual, q1, q2 = ten_k("ACME CO", 2023), ten_q("ACME CO", "March 31, 2023"), ten_q("ACME CO", "June 30, 2023")
    assert best("ACME revenue in Q2 2023", annual, q1, q2)[0] == 2
    assert best("ACME revenue in FY2023", annual, q1, q2)[0] == 0


def test_an_event_date_finds_its_8_k() -> None:
    annual = ten_k("ACME CO", 2023)
    may = describe("ACME_2023_8K_dated-2023-05-05.pdf", "x", ["FORM 8-K Date of Report: May 3, 2023"])
    june = describe("ACME_2023_8K_dated-2023-06-21.pdf", "x", ["FORM 8-K Date of Report: June 21, 2023"])
    assert best("What did ACME holders vote on May 3, 2023?", annual, may, june)[0] == 1


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("JnJ sales", "Johnson & Johnson"),
        ("J&J sales", "JOHNSON & JOHNSON"),
        ("AMEX fees", "AMERICAN EXPRESS COMPANY"),
        ("AMD revenue", "Advanced Micro Devices, Inc."),
        ("Best Buy's stores", "BESTBUY"),
        ("JPM assets", "JPMorgan Chase & Co."),
        ("what did ulta beauty earn", "ULTA BEAUTY, INC."),
    ],
)
def test_short_forms_of_a_name_count(question: str, name: str) -> None:
    assert Mention(question).of(Routing(names=(name,))) >= 0.5


def test_ordinary_words_are_no_company() -> None:
    assert Mention("Which is the best segment in general?").of(Routing(names=("BEST BUY CO., INC.",))) < 0.5
    assert Mention("What are general expenses?").of(Routing(names=("GENERAL MILLS INC",))) < 0.5
