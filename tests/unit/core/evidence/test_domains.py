from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.builders import make_document

from counterfoil.core.evidence.domains import allowed, ascii_host, host_of, on_domains, owned

pytestmark = pytest.mark.req("WEB-04")


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://CityNorth.gov/passes", "citynorth.gov"),
        ("http://user:pw@a.b.example:8080/x?y#z", "a.b.example"),
        ("https://citynorth.gov@evil.example/passes", "evil.example"),
        ("https://citynorth.gov.", "citynorth.gov"),
        ("https://citynorth.gov..", "citynorth.gov"),
        ("https://evil.example\\@citynorth.gov/", "evil.example"),
        ("https://evil.example%2f.citynorth.gov/", None),
        ("https://evil.example\t.citynorth.gov/", None),
        ("https://münchen.example/", "xn--mnchen-3ya.example"),
        ("https://XN--MNCHEN-3YA.example/", "xn--mnchen-3ya.example"),
        ("https://citynorth。gov/", "citynorth.gov"),
        ("https://[2001:DB8::1]:443/x", "[2001:db8::1]"),
        ("https://[2001:db8::1/x", None),
        ("https:///passes", None),
        ("file:///a/b.pdf", None),
        ("passes.pdf", None),
        (f"https://{'a' * 64}.example/", None),
        (f"https://{'ü' * 64}.example/", None),
    ],
)
def test_hosts(url: str, host: str | None) -> None:
    assert host_of(url) == host


def test_a_domain_allows_itself_and_below() -> None:
    assert on_domains("https://www.citynorth.gov/x", ["citynorth.gov"])
    assert on_domains("https://citynorth.gov:8443", ["https://citynorth.gov/passes"])
    assert on_domains("https://a.b.gov", ["*.b.gov"])
    assert on_domains("https://a.b.gov", [".B.gov."])
    assert not on_domains("https://x.gov", [""])


@pytest.mark.parametrize(
    "url",
    [
        "https://evilcitynorth.gov",
        "https://citynorth.gov.evil.example",
        "https://evil.example/citynorth.gov",
        "https://evil.example?citynorth.gov",
        "https://evil.example#@citynorth.gov",
        "https://citynorth.gov:pw@evil.example",
        "https://citynorth.gov%2eevil.example",
        "https://citynоrth.gov",  # a Cyrillic o
        "https://citynorth.gοv",  # a Greek o
        "https://citynorth-gov.example",
        "https://xn--citynrth-9ng.gov",
    ],
)
def test_what_only_looks_alike_is_outside(url: str) -> None:
    assert not on_domains(url, ["citynorth.gov"])


def test_names_in_other_scripts_are_the_same_in_either_spelling() -> None:
    assert on_domains("https://www.xn--mnchen-3ya.example/", ["münchen.example"])
    assert on_domains("https://www.München.example/", ["xn--mnchen-3ya.example"])


def test_numeric_addresses_are_whole() -> None:
    assert on_domains("https://10.0.0.1/", ["10.0.0.1"])
    assert not on_domains("https://10.0.0.1/", ["0.0.1"])
    assert not on_domains("https://x.0x7f.1/", ["0x7f.1"])


REGISTERED = {"www.a.co.uk": "a.co.uk", "xn--mnchen-3ya.example": "xn--mnchen-3ya.example", "co.uk": None}


def test_a_rule_stands_for_what_was_registered() -> None:
    assert owned("https://www.a.co.uk/passes", REGISTERED.get) == "a.co.uk"
    assert owned("München.example", REGISTERED.get) == "xn--mnchen-3ya.example"
    assert owned("co.uk", REGISTERED.get) == "co.uk", "a suffix stays what it is"
    assert owned("10.0.0.1", lambda host: "0.1") == "10.0.0.1"
    assert owned("not a name", REGISTERED.get) == "not a name"


@given(st.text(max_size=40))
def test_any_text_is_a_host_of_ascii_or_none(text: str) -> None:
    host = ascii_host(text)
    assert host is None or (host.isascii() and ascii_host(host) == host)
    assert not on_domains(f"https://{text}", ["citynorth.gov"]) or "citynorth" in (host_of(f"https://{text}") or "")


def test_files_pass_only_where_nothing_is_demanded_or_the_row_names_them() -> None:
    assert on_domains("file:///f/3m.pdf", [])
    assert not on_domains("file:///f/3m.pdf", ["3m.com"])
    document = make_document("file:///f/3m.pdf", title="3M annual report")
    assert allowed(document, ["3m.com"], ["3m.pdf"])
    assert allowed(document, (), ["annual report"])
    assert not allowed(document, (), ["amd.pdf"])
    assert not allowed(document, (), ["m.pdf"]), "a file name is whole"
