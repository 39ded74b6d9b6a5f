"""Owns what ``counterfoil doctor`` says of language models: libraries, keys, prices, and whether one is there.

Never: showing a key, or a request that costs something.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec

from counterfoil import wiring
from counterfoil.adapters.models.providers import INSTALL, Opened, Provision, provisions, vendor_of
from counterfoil.core.errors import CounterfoilError
from counterfoil.core.exchange import TokenUsage
from counterfoil.core.text.vocabulary import NO_WORDS
from counterfoil.settings import Settings

MILLION = 1_000_000


class Check(msgspec.Struct, frozen=True):
    """One finding. ``missing`` is something that may be added, ``failed`` something that must be mended."""

    name: str
    state: Literal["ok", "missing", "failed"]
    detail: str
    next: str = ""


def examine_providers(settings: Settings) -> Iterator[Check]:
    """One check for each provider, and one for a key file that others can read."""
    file = Path(settings.keys).expanduser()
    if os.name == "posix" and file.is_file() and file.stat().st_mode & 0o004:
        yield Check("key file", "failed", f"{file} can be read by everybody", f"chmod 600 {file}")
    try:
        found = provisions(wiring.provider_keys(settings))
    except CounterfoilError as wrong:
        yield Check("keys", "failed", wrong.message, wrong.hint)
        return
    yield from map(_provider, found)


def _provider(found: Provision) -> Check:
    name = f"provider {found.provider}"
    if not found.installed:
        return Check(name, "missing", "its library is not installed", INSTALL)
    prices = "prices listed" if found.priced else "no price list"
    if found.key is not None:
        return Check(name, "ok", f"key from {found.key}; {prices}")
    if not found.needs_key:
        return Check(name, "ok", f"no key, which a server of your own may not want; {prices}")
    return Check(name, "missing", f"no key; {prices}", found.ways)


def examine_model(settings: Settings, spec: str) -> Iterator[Check]:
    """Whether ``spec`` can be asked: its provider is reached, takes the key and knows it; and what it costs."""
    vendor = vendor_of(spec)
    name = f"model {spec}"
    try:
        if vendor is None:
            model = wiring.open_model(spec, NO_WORDS, settings=settings)
            yield Check(name, "ok", f"{model.label}; needs no key and no network")
            return
        opened = wiring.open_provider(spec, settings)
        known = asyncio.run(opened.wire.look_up())
    except CounterfoilError as wrong:
        who = f"model of {vendor.name}" if vendor else "model"  # a spec that is refused may hold a password
        yield Check(who, "failed", wrong.message, wrong.hint)
        return
    if known is False:
        yield Check(name, "failed", "reached, and it does not list the model", "check the name")
    else:
        yield Check(name, "ok", "reached, and it knows the model" if known else "reached; it does not list its models")
    yield _price(opened)


def _price(opened: Opened) -> Check:
    name = f"price of {opened.model.spec}"
    asked, answered = (opened.model.usd(TokenUsage(*usage)) for usage in ((MILLION, 0), (0, MILLION)))
    if asked is None or answered is None:
        return Check(name, "missing", "unknown, so that no cap on money (run/cost-usd) can hold")
    return Check(name, "ok", f"${asked:g} for a million input tokens, ${answered:g} for a million output tokens")
