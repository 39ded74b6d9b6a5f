"""Only plain http and https addresses are lawful, and what an address hides is not shown."""

from __future__ import annotations

import pytest

from counterfoil.adapters.models.endpoint import checked_url, same_origin
from counterfoil.core.errors import UsageError


@pytest.mark.parametrize("url", ["http://localhost:8080/v1", "https://api.example.com", "http://[::1]:9/v1"])
def test_plain_addresses_pass_without_their_last_slash(url: str) -> None:
    assert checked_url(url, "x") == checked_url(f"{url}/", "x") == url


@pytest.mark.req("SEC-02")
@pytest.mark.parametrize(
    "url",
    [
        "http://user:s3cret@host/v1",
        "http://s3cret@host/v1",
        "http://:@host/s3cret",
        "https://host/v1?key=s3cret",
        "https://host/v1#s3cret",
        "ftp://host/s3cret",
        "file:///s3cret",
        "host:80/s3cret",
        "http:///s3cret",
        "http://host:99999/s3cret",
        "http://host:0/s3cret",
        "http://[::1/s3cret",
        "http://ho st/s3cret",
        "http://host/\ns3cret",
        "",
    ],
)
def test_any_other_address_is_refused_unseen(url: str) -> None:
    with pytest.raises(UsageError) as refused:
        checked_url(url, "OPENAI_BASE_URL")
    assert "OPENAI_BASE_URL" in refused.value.message
    assert "s3cret" not in refused.value.message + refused.value.hint


@pytest.mark.parametrize(
    ("other", "same"),
    [
        ("https://API.openai.com:443/v2", True),
        ("http://api.openai.com/v1", False),
        ("https://api.openai.com:8443/v1", False),
        ("https://api.openai.com.evil.example/v1", False),
    ],
)
def test_an_origin_is_scheme_host_and_port(other: str, same: bool) -> None:
    assert same_origin("https://api.openai.com/v1", other) is same
