from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.unit.adapters.corpus.helpers import local, write

from counterfoil.adapters.corpus.local import LocalCorpus
from counterfoil.adapters.corpus.rerank import find_reranker
from counterfoil.core.errors import RefusedError

COVER = (
    "FORM 10-K\nFor the fiscal year ended December 31, {year}\n{company}\n"
    "(Exact name of registrant as specified in its charter)\f"
)
REPORT = (
    "Management's discussion\n\nCapital expenditures supported growth; we expect capital expenditure to stay high. "
    "Capital expenditure is a focus.\f"
    "{company}\nConsolidated Statements of Cash Flow s\n(In millions)\n"
    "Net income 10 9 8\nDepreciation 3 2 1\nPurchases of property, plant and equipment (15) (14) (13)\n"
    "Dividends 4 4 4\nOther 1 1 1\f"
    "{company}\nConsolidated Balance Sheets\n(In millions)\nCash 1 2 3\nInventories 5 5 5\nAccounts payable 5 6 7\n"
    "Total current assets 9 9 9\nTotal assets 20 21 22\f"
    "Risk factors\n\nNothing about money here."
)


def filings(folder: Path) -> None:
    for company in ("ACME CO", "ZENITH INC"):
        for year in (2021, 2022):
            text = COVER.format(company=company, year=year) + REPORT.format(company=company)
            write(folder, **{f"{company.split()[0]}_{year}_10K": text})


@pytest.fixture
def corpus(tmp_path: Path) -> LocalCorpus:
    filings(tmp_path / "c")
    corpus = local(tmp_path / "c", tmp_path / "i.db")
    corpus.index_now()
    return corpus


def places(corpus: LocalCorpus, question: str, documents: tuple[str, ...] = ()) -> list[tuple[str, int]]:
    return [(h.document.id, h.segment) for h in corpus.search_now(question, 5, documents).hits]


def test_the_statement_of_the_right_company_and_year_is_first(corpus: LocalCorpus) -> None:
    question = (
        "What is the FY2022 capital expenditure of Zenith? Give a response by relying on the details shown in the "
        "cash flow statement."
    )
    assert places(corpus, question)[0] == ("ZENITH_2022_10K.txt", 2)


def test_a_formula_finds_the_statements_of_its_terms(corpus: LocalCorpus) -> None:
    found = places(corpus, "What is ACME's FY2021 days payable outstanding?")
    assert ("ACME_2021_10K.txt", 3) in found[:2]


def test_documents_carry_what_the_title_page_says(corpus: LocalCorpus) -> None:
    document = asyncio.run(corpus.document("ACME_2021_10K.txt"))
    assert (document.subject, document.period, document.form) == ("ACME CO", "FY2021", "10-K")


@pytest.mark.parametrize("wanted", ["ACME_2021_10K", "ACME_2021_10K.txt"])
def test_a_document_filter_takes_ids_and_parts_of_names(corpus: LocalCorpus, wanted: str) -> None:
    assert {d for d, _ in places(corpus, "capital expenditure", (wanted,))} == {"ACME_2021_10K.txt"}


def test_a_snippet_shows_the_row_that_answers(corpus: LocalCorpus) -> None:
    hit = corpus.search_now("What is ACME's FY2021 capital expenditure per the cash flow statement?", 1).hits[0]
    assert "Purchases of property, plant and equipment" in hit.snippet


def test_a_changed_index_is_seen_by_an_open_corpus(tmp_path: Path) -> None:
    write(tmp_path / "c", a="alpha")
    reading = local(tmp_path / "c", tmp_path / "i.db")
    reading.index_now()
    assert reading.search_now("beta", 5).hits == ()
    write(tmp_path / "c", b="beta")
    writing = local(tmp_path / "c", tmp_path / "i.db")
    writing.index_now()
    assert reading.search_now("beta", 5).hits[0].document.id == "b.txt"


class Backwards:
    """Finds texts near that hold the word asked for; stands in for a model."""

    model = "test"

    def __init__(self) -> None:
        self.embedded: list[str] = []

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        self.embedded += texts
        return [b"1" if "zebra" in t else b"0" for t in texts]

    def similarity(self, a: bytes, b: bytes) -> float:
        return float(b == b"1")


def test_a_reranker_moves_a_near_page_up_and_each_page_is_embedded_once(tmp_path: Path) -> None:
    texts = {f"d{i:02d}": "alpha " * (12 - i) + "filler words " * 9 for i in range(12)}
    texts["d08"] += "zebra"
    write(tmp_path / "c", **texts)
    plain = local(tmp_path / "c", tmp_path / "i.db")
    plain.index_now()
    before = [h.document.id for h in plain.search_now("alpha", 12).hits]
    reranker = Backwards()
    ranked = local(tmp_path / "c", tmp_path / "i.db", reranker=reranker)
    after = [h.document.id for h in ranked.search_now("alpha", 12).hits]
    assert after.index("d08.txt") < before.index("d08.txt")
    assert sorted(after) == sorted(before)
    count = len(reranker.embedded)
    ranked.search_now("alpha", 12)
    assert len(reranker.embedded) == count + 1  # only the question


def test_the_packaged_reranker_knows_meaning() -> None:
    reranker = find_reranker()
    if reranker is None:
        pytest.skip("extra 'rerank' is not installed")
    question, near, far = reranker.embed(
        ["How much did the car cost?", "The price of the vehicle was high.", "Frogs sing."]
    )
    assert reranker.similarity(question, near) > reranker.similarity(question, far) + 0.2


@pytest.mark.slow
def test_a_query_over_ten_thousand_pages_is_quick(tmp_path: Path) -> None:
    dice = random.Random(7)
    vocabulary = [f"word{i}" for i in range(3000)]
    for number in range(100):
        pages = (" ".join(dice.choices(vocabulary, k=220)) for _ in range(100))
        company = f"COMPANY{number} INC"
        write(tmp_path / "c", **{f"C{number}_2020_10K": COVER.format(company=company, year=2020) + "\f".join(pages)})
    corpus = local(tmp_path / "c", tmp_path / "i.db")
    corpus.index_now()
    took: list[float] = []
    for number in range(40):
        started = time.perf_counter()
        assert corpus.search_now(f"COMPANY{number} revenue and operating margin word{number} word{number * 7}", 10).hits
        took.append(time.perf_counter() - started)
    assert sorted(took)[20] < 0.2


def test_a_period_alone_leans_to_its_documents(tmp_path: Path) -> None:
    for number in range(12):
        cover = COVER.format(company=f"COMPANY{number} INC", year=2010 + number)
        write(tmp_path / "c", **{f"C{number}_{2010 + number}_10K": cover + "Store wages rose with new stores."})
    corpus = local(tmp_path / "c", tmp_path / "i.db")
    corpus.index_now()
    assert places(corpus, "What happened to wages in FY2016?")[0][0] == "C6_2016_10K.txt"


def test_an_index_damaged_while_open_is_told_plainly(corpus: LocalCorpus) -> None:
    with corpus._store.transaction():
        corpus._store.execute("DROP TABLE segments")
    with pytest.raises(RefusedError) as caught:
        corpus.search_now("capital expenditure of ACME", 5)
    assert caught.value.code == "INDEX_DAMAGED"
    assert corpus.index_now().documents == 4
    assert corpus.search_now("capital expenditure of ACME", 5).hits
