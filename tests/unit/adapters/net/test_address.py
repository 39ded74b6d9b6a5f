"""A provider's address and key are checked, and never repeated when they are wrong."""

from __future__ import annotations

import pytest

from counterfoil.adapters.net.address import require_key, upstream_address
from counterfoil.core.errors import UsageError


@pytest.mark.parametrize(
    ("given", "address"),
    [
        ("https://api.openai.com/v1", "https://api.openai.com/v1"),
        ("https://api.openai.com/v1/", "https://api.openai.com/v1"),
        ("https://api.openai.com", "https://api.openai.com/v1"),
        ("http://localhost:11434", "http://localhost:11434/v1"),
        ("http://[::1]:80/", "http://[::1]:80/v1"),
        ("https://gateway.example/openai/v1", "https://gateway.example/openai/v1"),
    ],
)
def test_an_address_is_the_one_below_which_paths_stand(given: str, address: str) -> None:
    assert upstream_address(given) == address


@pytest.mark.req("SEC-02")
@pytest.mark.parametrize(
    "given",
    [
        "", "secret", "ftp://secret", "https://", "https:///secret", "https://u:secret@x", "https://secret@x",
        "https://x?key=secret", "https://x#secret", "https://x:secret", "https://[secret", "https://x/se cret",
        "https://x/secret\n", "file:///secret",
    ],
)  # fmt: skip
def test_what_is_no_address_is_refused_and_not_repeated(given: str) -> None:
    with pytest.raises(UsageError) as refused:
        upstream_address(given)
    assert "secret" not in refused.value.message + refused.value.hint
    assert refused.value.hint


@pytest.mark.req("SEC-02")
@pytest.mark.parametrize("given", ["", " ", "two words", "line\nline", "ключ", "nul\0"])
def test_what_is_no_key_is_refused_and_not_repeated(given: str) -> None:
    with pytest.raises(UsageError) as refused:
        require_key(given, "the file")
    assert not given.strip() or given not in refused.value.message + refused.value.hint
    assert require_key(" sk-1\n", "the file") == "sk-1"
