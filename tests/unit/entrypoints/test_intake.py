from __future__ import annotations

import os
from pathlib import Path

import pytest

from counterfoil.adapters.corpus.indexing import IndexReport
from counterfoil.core.answer.contract import Contract, Row
from counterfoil.core.errors import RefusedError, UsageError
from counterfoil.core.evidence.passages import Document
from counterfoil.entrypoints.intake import (
    as_of_date,
    notices_of,
    path_of,
    require_named_documents,
    require_web_for_domains,
    stored_path,
    zone_name,
)


@pytest.mark.parametrize("raw", [b"/docs/plain", "/docs/größe".encode(), b"/docs/bad\xff 100%"])
def test_a_path_comes_back_as_it_was(raw: bytes) -> None:
    kept = stored_path(Path(os.fsdecode(raw)))
    assert kept.encode("utf-8")
    assert os.fsencode(path_of(kept)) == raw


@pytest.mark.req("RES-05")
def test_today_comes_from_the_clock_unless_a_date_is_given() -> None:
    assert as_of_date(None, 1_700_000_000_000) == "2023-11-14"
    assert as_of_date("2025-03-31", 0) == "2025-03-31"
    with pytest.raises(UsageError, match="no date"):
        as_of_date("31.3.2025", 0)


@pytest.mark.req("RES-05")
def test_a_zone_comes_only_from_the_caller() -> None:
    assert zone_name(None) == "unknown"
    assert zone_name("Europe/Lisbon") == "Europe/Lisbon"
    for bad in ("Mars/Olympus", "../etc/passwd", ""):
        with pytest.raises(UsageError, match="no time zone"):
            zone_name(bad)


def test_a_row_bound_to_a_document_that_is_not_there_is_refused_with_the_names_of_some_that_are() -> None:
    documents = [Document(f"d{number}.md", "", f"Paper {number}", "text/markdown", 1, "") for number in range(5)]
    require_named_documents(Contract("q", rows=(Row("A", docs=("d4.md",)), Row("B"))), documents)
    with pytest.raises(RefusedError, match=r"'B' is bound to 'other\.md'") as refused:
        require_named_documents(Contract("q", rows=(Row("A", docs=("d4",)), Row("B", docs=("other.md",)))), documents)
    assert refused.value.code == "DOCS_UNKNOWN"
    assert (refused.value.hint or "").endswith("d0.md, d1.md, d2.md")


@pytest.mark.parametrize(
    ("contract", "who"),
    [
        (Contract("q", domains=("north.gov",)), "the task"),
        (Contract("q", rows=(Row("A"), Row("B", ("north.gov",)))), "row 'B'"),
    ],
)
def test_a_rule_about_domains_needs_pages_that_have_some(contract: Contract, who: str) -> None:
    require_web_for_domains(contract, web=True, hint="")
    with pytest.raises(RefusedError, match=f"{who} allows only some domains") as refused:
        require_web_for_domains(contract, web=False, hint="search a saved web")
    assert (refused.value.code, refused.value.hint) == ("DOMAINS_WITHOUT_WEB", "search a saved web")


def test_a_row_bound_to_documents_needs_no_web() -> None:
    require_web_for_domains(Contract("q", rows=(Row("A", ("north.gov",), ("north.md",)),)), web=False, hint="")


def test_very_many_notices_of_one_kind_are_counted_and_the_others_stay() -> None:
    pictures = tuple((f"{number}.png", "FORMAT_UNKNOWN", "no reader takes it") for number in range(250))
    skipped, told = notices_of(IndexReport(1, 1, skipped=pictures, warnings=("two\nlines",), notes=("old",)))
    assert [notice.text for notice in skipped[199:]] == ["199.png: no reader takes it", "and 50 more like these"]
    assert [(notice.code, notice.text) for notice in told] == [
        ("READER_WARNING", "two lines"),
        ("INDEX_WARNING", "old"),
    ]
