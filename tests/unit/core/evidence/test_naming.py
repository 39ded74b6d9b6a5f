from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.unit.builders import make_document

from counterfoil.core.evidence.naming import DocumentNames


def document(name: str, title: str, subject: str, form: str, period: str):  # type: ignore[no-untyped-def]
    return replace(
        make_document(f"file:///docs/{name}", title=title, period=period), id=name, subject=subject, form=form
    )


NAMES = DocumentNames(
    [
        document("ACME_2018_10K.pdf", "Acme Company Form 10-K", "Acme", "10-K", "FY2018"),
        document("ACME_2019_10K.pdf", "Acme Company Form 10-K", "Acme", "10-K", "FY2019"),
        document("north_passes.html", "City North visitor passes", "City North", "", ""),
        document("9X_2018_10K.pdf", "9X Corp", "9X", "10-K", "FY2018"),
        document("Süd report.md", "Bericht Süd", "Süd", "", ""),
    ]
)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("ACME_2018_10K.pdf", ("ACME_2018_10K.pdf",)),
        ("acme_2018_10k", ("ACME_2018_10K.pdf",)),
        ("https://www.sec.gov/archives/ACME_2018_10K.pdf#page=3", ("ACME_2018_10K.pdf",)),
        ("file:///docs/S%C3%BCd%20report.md", ("Süd report.md",)),
        ("Acme, Annual Report on Form 10-K for fiscal year 2018", ("ACME_2018_10K.pdf",)),
        ("the 2019 10-K of Acme", ("ACME_2019_10K.pdf",)),
        ("Acme", ("ACME_2018_10K.pdf", "ACME_2019_10K.pdf")),
        ("9X 10-K", ("9X_2018_10K.pdf",)),
        ("City North passes", ("north_passes.html",)),
        ("Other Corp 10-K 2018", ()),
        ("https://other.example/report.pdf", ()),
        ("2018", ()),
        ("FY2018", ()),
        ("in 2018 expenditure rose a lot because of Acme", ()),
        ("", ()),
    ],
)
def test_a_name_means_the_documents_that_bear_it(said: str, meant: tuple[str, ...]) -> None:
    assert NAMES.meant(said) == meant


def test_no_documents_have_no_names() -> None:
    assert DocumentNames([]).meant("report.pdf") == ()
