"""Owns settings: flags over environment over project file over user file, as one frozen object.

Never: policies' meaning (the catalogue checks them) or a secret; a file of keys is named here and read where they
are used.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import platformdirs

from counterfoil.core.errors import UsageError
from counterfoil.core.law.policy import Number

PROJECT_FILE = "counterfoil.toml"
USER_FILE = "config.toml"
PROJECT_ORIGIN = "project file"
KEYS_FILE = "keys.toml"
_NUMBER_MAX = 1e15  # beyond this a float no longer counts units
KEYS = ("store", "index", "model", "fallbacks", "reviewer", "keys", "vocabularies", "policies")
LISTS = ("fallbacks", "vocabularies")


class Settings(msgspec.Struct, frozen=True):
    """Where things are and what the operator set. ``origins`` says where each value came from."""

    store: str  # a path, or a URL that begins with sqlite:/// or postgresql://
    index: str  # folder of search indexes, a cache
    model: str
    fallbacks: tuple[str, ...]  # models that are asked in this order when ``model`` is given up
    reviewer: str | None  # the model that looks at accepted answers; None: nobody does
    keys: str  # the file of providers' keys; it need not exist
    vocabularies: tuple[str, ...]
    policies: dict[str, Number | None]
    origins: dict[str, str]
    crash_at: int | None = None  # test switch: the process kills itself before this ledger commit


def load_settings(flags: Mapping[str, Any], environ: Mapping[str, str], folder: Path) -> Settings:
    """Join all layers; ``flags`` holds ``store``, ``model``, ``fallbacks``, ``reviewer`` and ``policies``
    ("ID=VALUE" texts).

    Raises:
        UsageError: a file cannot be parsed, a key is unknown, or a value has the wrong form.
    """
    data = Path(platformdirs.user_data_dir("counterfoil"))
    cache = Path(platformdirs.user_cache_dir("counterfoil"))
    config = Path(platformdirs.user_config_dir("counterfoil"))
    values: dict[str, Any] = {
        "store": str(data / "counterfoil.db"),
        "index": str(cache / "index"),
        "model": "offline",
        "fallbacks": (),
        "reviewer": None,
        "keys": str(config / KEYS_FILE),
        "vocabularies": _user_folder(config / "vocabularies"),
    }
    origins = dict.fromkeys(values, "default")
    policies: dict[str, Number | None] = {}
    layers = (
        (f"user file {config / USER_FILE}", _read_file(config / USER_FILE)),
        (f"{PROJECT_ORIGIN} {PROJECT_FILE}", _read_file(folder / PROJECT_FILE)),
        ("environment", _from_environment(environ)),
        ("flag", {key: value for key, value in flags.items() if value not in (None, (), {})}),
    )
    for origin, layer in layers:
        for policy, value in _policies(layer.pop("policies", {}), origin).items():
            policies[policy] = value
            origins[policy] = origin
        for key, value in layer.items():
            values[key] = _checked(key, value, origin)
            origins[key] = origin
    crash = environ.get("COUNTERFOIL_CRASH_AT", "")
    return Settings(**values, policies=policies, origins=origins, crash_at=int(crash) if crash.isdigit() else None)


def parse_policy(text: str, origin: str) -> tuple[str, Number | None]:
    """Read "web/searches=5"; "off" switches an optional policy off.

    Raises:
        UsageError: the text has another form.
    """
    policy, equals, value = text.partition("=")
    if not equals:
        raise UsageError(
            f"{text!r} ({origin}) is no setting", code="SETTING_INVALID", hint="write POLICY=VALUE: web/searches=5"
        )
    return policy.strip(), _number(value.strip(), policy, origin)


def _number(value: Any, policy: str, origin: str) -> Number | None:
    if value == "off":
        return None
    number = None if isinstance(value, bool) else _float(value)
    if number is None or not -_NUMBER_MAX < number < _NUMBER_MAX:
        raise UsageError(
            f"{policy} ({origin}) is {value!r}, not a number", code="SETTING_INVALID", hint="give a number, or off"
        )
    return int(number) if number.is_integer() else number


def _float(value: Any) -> float | None:
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


def _policies(given: Any, origin: str) -> dict[str, Number | None]:
    if isinstance(given, dict):
        return {policy: _number(value, policy, origin) for policy, value in given.items()}
    if not isinstance(given, (list, tuple)) or not all(isinstance(text, str) for text in given):
        raise UsageError(
            f"policies ({origin}) is {given!r}",
            code="SETTING_INVALID",
            hint='give a table: [policies] and a line "web/searches" = 5',
        )
    read: dict[str, Number | None] = {}
    for text in given:
        policy, value = parse_policy(text, origin)
        if policy in read and read[policy] != value:
            raise UsageError(
                f"{policy} ({origin}) is given twice, with two values", code="SETTING_TWICE", hint="give it once"
            )
        read[policy] = value
    return read


def _checked(key: str, value: Any, origin: str) -> Any:
    wanted = tuple if key in LISTS else str
    if wanted is tuple and isinstance(value, list):
        value = tuple(value)
    empty = value == "" or (isinstance(value, tuple) and not all(isinstance(item, str) and item for item in value))
    if not isinstance(value, wanted) or empty:
        raise UsageError(
            f"{key} ({origin}) is {value!r}",
            code="SETTING_INVALID",
            hint=f"give a {'list' if wanted is tuple else 'text'}",
        )
    return value


def _from_environment(environ: Mapping[str, str]) -> dict[str, Any]:
    layer: dict[str, Any] = {}
    for key in ("store", "index", "model", "reviewer", "keys"):
        if text := environ.get(f"COUNTERFOIL_{key.upper()}"):
            layer[key] = text
    if specs := environ.get("COUNTERFOIL_FALLBACKS"):
        layer["fallbacks"] = tuple(spec.strip() for spec in specs.split(","))
    if folders := environ.get("COUNTERFOIL_VOCABULARIES"):
        layer["vocabularies"] = folders.split(":")
    if texts := environ.get("COUNTERFOIL_SET"):
        layer["policies"] = texts.split(",")
    return layer


def _read_file(path: Path) -> dict[str, Any]:
    try:
        layer = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as wrong:
        raise UsageError(f"{path} cannot be read: {wrong}", code="SETTINGS_UNREADABLE", hint="mend the file") from wrong
    unknown = [key for key in layer if key not in KEYS]
    if unknown:
        raise UsageError(
            f"{path} has an unknown key {unknown[0]!r}", code="SETTING_UNKNOWN", hint=f"keys are: {', '.join(KEYS)}"
        )
    return layer


def _user_folder(folder: Path) -> tuple[str, ...]:
    """The folder of the user's own vocabularies, which extend the packaged ones."""
    return (str(folder),) if folder.is_dir() else ()
