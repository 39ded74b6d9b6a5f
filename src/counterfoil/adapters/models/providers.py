"""Owns which providers there are, and how a model's name becomes a wire to one of them.

Never: loading an SDK; a name can be checked, and a Run refused, without one.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from pathlib import Path

import msgspec

from counterfoil.adapters.models.anthropic import Anthropic
from counterfoil.adapters.models.clients import Clients
from counterfoil.adapters.models.direct import DirectWire, Target
from counterfoil.adapters.models.endpoint import checked_url, same_origin
from counterfoil.adapters.models.gguf import open_gguf
from counterfoil.adapters.models.google import Google
from counterfoil.adapters.models.keys import Keys
from counterfoil.adapters.models.language_model import LanguageModel
from counterfoil.adapters.models.openai import OpenAI, OpenAICompatible
from counterfoil.adapters.models.prices import PACKAGE as PRICE_LIST
from counterfoil.adapters.models.prices import Free, Price
from counterfoil.adapters.models.redaction import Redactor
from counterfoil.adapters.models.vendor import Vendor
from counterfoil.core.errors import RefusedError, UsageError

VENDORS: tuple[Vendor, ...] = (OpenAI(), Anthropic(), Google(), OpenAICompatible())
FORMS = (*(f"{vendor.name}:MODEL" for vendor in VENDORS[:-1]), "openai-compatible:MODEL@URL", "gguf:PATH")
INSTALL = "pip install 'counterfoil[models]'"
LOCAL = "gguf:"
# What is expected, not the worst: a file costs nothing, its window is small, and a prompt that exceeds it is refused
# before it runs.
LOCAL_BYTES_PER_TOKEN = 2
AS_JSON = "json"  # written after the address of a model that cannot call tools: it is given a schema instead


class Opened(msgspec.Struct, frozen=True):
    """A model that a spec names: behind the model port, and its wire."""

    model: LanguageModel
    wire: DirectWire
    price: Price


class Provision(msgspec.Struct, frozen=True):
    """What this machine has of one provider. ``key``: where a key was found."""

    provider: str
    installed: bool
    key: str | None
    priced: bool
    needs_key: bool
    ways: str


def vendor_of(spec: str) -> Vendor | None:
    """The provider that ``spec`` begins with."""
    provider = spec.partition(":")[0]
    return next((vendor for vendor in VENDORS if vendor.name == provider), None)


def provisions(keys: Keys) -> list[Provision]:
    """What this machine has of each provider."""
    out = []
    for vendor in VENDORS:
        key = keys.find(vendor.name, vendor.key_variables)
        ways = keys.ways(vendor.name, vendor.key_variables)
        found = key.source if key else None
        out.append(Provision(vendor.name, _installed(vendor), found, _has(PRICE_LIST), vendor.dialect != "chat", ways))
    return out


def open_language_model(
    spec: str,
    keys: Keys,
    environ: Mapping[str, str],
    stall_seconds: float,
    clients: Clients | None = None,
    *,
    unchosen: str = "",
) -> Opened:
    """The model that ``spec`` names, at the address that ``environ`` may give its provider.

    It asks over a client of ``clients``, or of its own.
    ``unchosen``: where the name stands, when that is a place that came with somebody's folder and not the user's word;
    then no key goes to an address of it that is not the provider's own.

    Raises:
        UsageError: ``spec`` is none, or its address is not lawful.
        RefusedError: the provider's library is not installed, there is no key for it, or it may not go there.
    """
    vendor = vendor_of(spec)
    if vendor is None:
        shown = Redactor().detail(spec)
        raise UsageError(f"there is no model {shown!r}", code="MODEL_UNKNOWN", hint=f"use {', '.join(FORMS)}")
    model, url, native = _parts(spec, vendor, environ)
    if not _installed(vendor):
        raise RefusedError(
            f"{vendor.name} needs a library that is not installed", code="EXTRA_MISSING", hint=f"{INSTALL}"
        )
    key = keys.find(vendor.name, vendor.key_variables)
    ways = keys.ways(vendor.name, vendor.key_variables)
    if key is None and vendor.dialect != "chat":  # a server of one's own may want none
        raise RefusedError(f"there is no key for {vendor.name}", code="KEY_MISSING", hint=ways)
    if key is not None and unchosen and vendor.dialect == "chat" and not same_origin(url, OpenAI.default_url):
        raise RefusedError(
            f"{unchosen} would send the key from {key.source} to {url}, which nobody but that file chose",
            code="KEY_DESTINATION_UNCHOSEN",
            hint="if you want that, give --model yourself or write it into your user file; else unset the key",
        )
    if vendor.dialect == "chat":
        price = Price(model, url=url)
    else:
        price = Price(model, provider=vendor.name, writes_cache=vendor.dialect == "anthropic")
    wire = DirectWire(vendor, Target(spec, model, url, key, ways, stall_seconds, native), clients or Clients())
    where = url if vendor.dialect == "chat" else vendor.name
    return Opened(LanguageModel(spec, wire, price, f"language model {model} ({where})"), wire, price)


def open_local_model(spec: str) -> LanguageModel:
    """The model in the file that ``spec`` names: gguf:PATH. It is loaded by its first request.

    Raises:
        UsageError: there is no such file, or it is not a model.
        RefusedError: the extra is not installed.
    """
    path = Path(spec.removeprefix(LOCAL)).expanduser()
    wire = open_gguf(path)
    label = f"language model {wire.name} (a file on this machine)"
    return LanguageModel(
        spec,
        wire,
        Free(),
        label,
        window_tokens=wire.window_tokens,
        bytes_per_token=LOCAL_BYTES_PER_TOKEN,
    )


def _parts(spec: str, vendor: Vendor, environ: Mapping[str, str]) -> tuple[str, str, bool]:
    """Model, address, and whether it calls tools itself."""
    rest = spec.partition(":")[2]
    if vendor.dialect != "chat":
        if not rest:
            raise _unnamed(f"{vendor.name}:MODEL")
        url = environ.get(vendor.url_variable, "")
        return rest, checked_url(url, vendor.url_variable) if url else vendor.default_url, True
    place = rest.find("@http")  # a model's name may hold @, an address begins with http
    model, url = (rest[:place], rest[place + 1 :]) if place >= 0 else rest.split("@", 1) if "@" in rest else (rest, "")
    if not model or not url:
        raise _unnamed(FORMS[-2])
    url, _, mode = url.partition("#")
    if mode not in ("", AS_JSON):
        raise UsageError(
            f"after the address may stand #{AS_JSON} and nothing else",
            code="MODEL_UNKNOWN",
            hint=f"#{AS_JSON} is for a model that cannot call tools",
        )
    return model, checked_url(url, "an openai-compatible model"), not mode


def _unnamed(form: str) -> UsageError:
    return UsageError("the model has no name", code="MODEL_UNKNOWN", hint=f"write {form}")


def _installed(vendor: Vendor) -> bool:
    return _has("pydantic_ai") and _has(vendor.package)


def _has(package: str) -> bool:
    try:
        return importlib.util.find_spec(package) is not None
    except ModuleNotFoundError:  # the parent of a.b is missing
        return False
