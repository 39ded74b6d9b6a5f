from __future__ import annotations

import pytest

from counterfoil.adapters.suffixes import PublicSuffixes

pytestmark = pytest.mark.req("WEB-04")


@pytest.mark.parametrize(
    ("host", "registered"),
    [
        ("www.a.co.uk", "a.co.uk"),
        ("citynorth.gov.example.com", "example.com"),
        ("passes.citynorth.gov", "citynorth.gov"),
        ("ann.github.io", "ann.github.io"),
        ("github.io", None),
        ("co.uk", None),
        ("shop.city.unknownsuffix", "city.unknownsuffix"),
        ("a.xn--p1ai", "a.xn--p1ai"),
        ("x.y.xn--55qx5d.cn", "y.xn--55qx5d.cn"),
    ],
)
def test_the_packaged_list_tells_what_was_registered(host: str, registered: str | None) -> None:
    assert PublicSuffixes().registrable(host) == registered
