"""Owns where a provider's key comes from: the environment, a key file, the keyring. In that order, and nothing else.

Never: showing a key; a ``Key`` prints its source.
"""

from __future__ import annotations

import importlib.util
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from counterfoil.core.errors import RefusedError, UsageError

SERVICE = "counterfoil"  # under which a keyring keeps a key; the account is the provider's name


class Key(msgspec.Struct, frozen=True):
    """A key, and where it was found as a person may read it."""

    text: str
    source: str

    def __repr__(self) -> str:
        return f"Key(from {self.source})"


class Keys:
    """The keys of one user. ``file``: a TOML file of lines ``provider = "key"``; it need not exist."""

    def __init__(self, environ: Mapping[str, str], file: Path) -> None:
        self._environ = environ
        self._file = file

    def find(self, provider: str, variables: Sequence[str]) -> Key | None:
        """The key of ``provider``, the first of ``variables`` before the file and the file before the keyring.

        Raises:
            UsageError: the key file cannot be read.
            RefusedError: what was found cannot be sent as a key.
        """
        for variable in variables:
            if text := self._environ.get(variable, "").strip():
                return _sendable(Key(text, variable))
        if text := self._from_file().get(provider, "").strip():
            return _sendable(Key(text, str(self._file)))
        if text := _from_keyring(provider).strip():
            return _sendable(Key(text, "the keyring"))
        return None

    def ways(self, provider: str, variables: Sequence[str]) -> str:
        """How to give ``provider`` a key, as a person reads it."""
        keyring = f", or `keyring set {SERVICE} {provider}`" if _keyring_installed() else ""
        return f'set {variables[0]}, or write {provider} = "…" into {self._file}{keyring}'

    def _from_file(self) -> dict[str, str]:
        try:
            entries = tomllib.loads(self._file.read_text("utf-8"))
        except FileNotFoundError:
            return {}
        except tomllib.TOMLDecodeError as wrong:
            place = str(wrong).rpartition(" (")[2].rstrip(")")  # its message may quote the line
            raise _unreadable(self._file, f"it is no TOML ({place})") from None
        except UnicodeDecodeError:
            raise _unreadable(self._file, "it is no UTF-8") from None
        except OSError as wrong:
            raise _unreadable(self._file, str(wrong.strerror)) from None
        odd = [name for name, value in entries.items() if not isinstance(value, str)]
        if odd:
            raise _unreadable(self._file, f"{odd[0]} is no text")
        return entries


def _unreadable(file: Path, why: str) -> UsageError:
    return UsageError(
        f"the key file {file} cannot be read: {why}",
        code="KEYS_UNREADABLE",
        hint='write one line for each provider: openai = "sk-…"',
    )


def _sendable(key: Key) -> Key:
    """A key goes into a header line: anything but printable ASCII would break it, and an error would quote it."""
    if key.text.isascii() and key.text.isprintable() and " " not in key.text:
        return key
    raise RefusedError(
        f"the key from {key.source} holds spaces or characters that no key has",
        code="KEY_INVALID",
        hint="copy it again; perhaps two lines were pasted, or a name stands before it",
    )


def _keyring_installed() -> bool:
    return importlib.util.find_spec("keyring") is not None


def _from_keyring(provider: str) -> str:
    if not _keyring_installed():
        return ""
    import keyring
    from keyring.errors import KeyringError

    try:
        return keyring.get_password(SERVICE, provider) or ""
    except KeyringError:  # locked, or a machine without one: then it holds no key for us
        return ""
