"""What an address of a store gives away."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterfoil.adapters.stores.address import masked, names_postgres

SECRET = "Tr0ub4dor"


@pytest.mark.parametrize("scheme", ["postgresql", "postgresql+psycopg", "postgres"])
def test_addresses_of_a_server_are_told_from_files(scheme: str) -> None:
    assert names_postgres(f"{scheme}://host/db")
    for other in ("ledger.db", "sqlite:///postgres.db", "/srv/postgresql/ledger.db", "mysql://host/db"):
        assert not names_postgres(other)


@pytest.mark.parametrize(
    ("location", "shown"),
    [
        ("postgresql://ann:x@host:5432/db?sslmode=require", "postgresql://ann:***@host:5432/db?sslmode=require"),
        ("postgresql://:x@host/db", "postgresql://:***@host/db"),
        ("postgresql://ann@host/db", "postgresql://ann@host/db"),
        ("postgresql://h/db?user=ann&password=x&Ssl_Password=y", "postgresql://h/db?user=ann&password=***&Ssl_Password=***"),
        ("mysql://ann:x@host/db", "mysql://ann:***@host/db"),
        ("a folder/with:colon@sign/ledger.db", "a folder/with:colon@sign/ledger.db"),
    ],
)  # fmt: skip
def test_only_passwords_are_masked(location: str, shown: str) -> None:
    assert masked(location) == shown


@given(around=st.text("/@:?#&=% ab", max_size=6), more=st.text("/@:?#&=% ab", max_size=6), escaped=st.booleans())
def test_no_password_is_shown_however_it_is_written(around: str, more: str, escaped: bool) -> None:
    password = around + SECRET + more
    written = quote(password, safe="") if escaped else password
    assert SECRET not in masked(f"postgresql://ann:{written}@host:1/db?application_name=x")
