"""Keys come from the environment, a key file or the keyring, in that order, and are never shown."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.errors import KeyringLocked

from counterfoil.adapters.models.keys import Keys
from counterfoil.core.errors import CounterfoilError, RefusedError, UsageError

pytestmark = pytest.mark.req("SEC-02")
VARIABLES = ("GOOGLE_API_KEY", "GEMINI_API_KEY")


class Ring(KeyringBackend):
    """A keyring in memory."""

    priority = 1.0

    def __init__(self, kept: dict[tuple[str, str], str], *, locked: bool = False) -> None:
        self.kept, self.locked = kept, locked

    def get_password(self, service: str, username: str) -> str | None:
        if self.locked:
            raise KeyringLocked
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        raise NotImplementedError


@pytest.fixture(autouse=True)
def _own_keyring() -> Iterator[None]:
    before = keyring.get_keyring()
    keyring.set_keyring(Ring({}))
    yield
    keyring.set_keyring(before)


def keys_of(tmp_path: Path, text: str | None = None, **environ: str) -> Keys:
    if text is not None:
        (tmp_path / "keys.toml").write_text(text)
    return Keys(environ, tmp_path / "keys.toml")


def test_the_environment_comes_before_the_file_before_the_keyring(tmp_path: Path) -> None:
    keyring.set_keyring(Ring({("counterfoil", "google"): "from-ring"}))
    found = [
        keys_of(tmp_path).find("google", VARIABLES),
        keys_of(tmp_path, 'google = "from-file"').find("google", VARIABLES),
        keys_of(tmp_path, GEMINI_API_KEY="second").find("google", VARIABLES),
        keys_of(tmp_path, GEMINI_API_KEY="second", GOOGLE_API_KEY=" first\n").find("google", VARIABLES),
    ]
    assert [key.text for key in found if key] == ["from-ring", "from-file", "second", "first"]
    assert [key.source for key in found if key] == ["the keyring", str(tmp_path / "keys.toml"), *reversed(VARIABLES)]


def test_no_key_is_none_and_a_locked_keyring_holds_none(tmp_path: Path) -> None:
    keyring.set_keyring(Ring({("counterfoil", "google"): "x"}, locked=True))
    assert keys_of(tmp_path, 'openai = "other"', GOOGLE_API_KEY="").find("google", VARIABLES) is None


def test_without_the_library_no_keyring_is_asked_or_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keyring.set_keyring(Ring({("counterfoil", "google"): "x"}))
    assert "keyring set" in keys_of(tmp_path).ways("google", VARIABLES)
    monkeypatch.delitem(sys.modules, "keyring")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert keys_of(tmp_path).find("google", VARIABLES) is None
    assert "keyring" not in keys_of(tmp_path).ways("google", VARIABLES)


@pytest.mark.parametrize("key", ["a b", "sk-ü", "sk-\x00", "one\ntwo", "tab\there"])
def test_what_no_header_can_carry_is_refused_unseen(tmp_path: Path, key: str) -> None:
    with pytest.raises(RefusedError) as refused:
        keys_of(tmp_path, GOOGLE_API_KEY=key).find("google", VARIABLES)
    assert refused.value.code == "KEY_INVALID"
    assert key not in refused.value.message + refused.value.hint


@pytest.mark.parametrize("text", ["google = sk-secret", "google = 7", "sk-secret", "[google]\nkey = 'sk-secret'"])
def test_a_broken_key_file_is_named_and_not_quoted(tmp_path: Path, text: str) -> None:
    with pytest.raises(UsageError) as refused:
        keys_of(tmp_path, text).find("google", VARIABLES)
    assert refused.value.code == "KEYS_UNREADABLE"
    assert str(tmp_path / "keys.toml") in refused.value.message
    assert "sk-secret" not in repr(refused.value)
    assert refused.value.__cause__ is None  # which would hold the text


def test_a_key_file_that_is_a_folder_or_no_text_is_an_error_of_ours(tmp_path: Path) -> None:
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    for file in (tmp_path, tmp_path / "bytes"):
        with pytest.raises(CounterfoilError):
            Keys({}, file).find("google", VARIABLES)


def test_a_key_prints_its_source(tmp_path: Path) -> None:
    key = keys_of(tmp_path, GOOGLE_API_KEY="sk-secret").find("google", VARIABLES)
    assert str(key) == repr(key) == "Key(from GOOGLE_API_KEY)"
