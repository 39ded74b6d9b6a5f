from __future__ import annotations

import pytest
from tests.unit.builders import make_document

from counterfoil.core.evidence.domains import allowed, host_of, on_domains


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://CityNorth.gov/passes", "citynorth.gov"),
        ("http://user:pw@a.b.example:8080/x?y#z", "a.b.example"),
        ("https://citynorth.gov.", "citynorth.gov"),
        ("https://evil.example\\@citynorth.gov/", "evil.example"),
        ("file:///a/b.pdf", None),
        ("passes.pdf", None),
    ],
)
def test_hosts(url: str, host: str | None) -> None:
    assert host_of(url) == host


def test_a_domain_allows_itself_and_below() -> None:
    assert on_domains("https://www.citynorth.gov/x", ["citynorth.gov"])
    assert on_domains("https://citynorth.gov", ["https://citynorth.gov/passes"])
    assert on_domains("https://a.b.gov", ["*.b.gov"])
    assert not on_domains("https://evilcitynorth.gov", ["citynorth.gov"])
    assert not on_domains("https://citynorth.gov.evil.example", ["citynorth.gov"])
    assert not on_domains("https://evil.example/citynorth.gov", ["citynorth.gov"])
    assert not on_domains("https://x.gov", [""])


def test_files_pass_only_where_nothing_is_demanded_or_the_row_names_them() -> None:
    assert on_domains("file:///f/3m.pdf", [])
    assert not on_domains("file:///f/3m.pdf", ["3m.com"])
    document = make_document("file:///f/3m.pdf", title="3M annual report")
    assert allowed(document, ["3m.com"], ["3m.pdf"])
    assert allowed(document, (), ["annual report"])
    assert not allowed(document, (), ["amd.pdf"])
    assert not allowed(document, (), ["m.pdf"]), "a file name is whole"
