"""Owns ``counterfoil proxy``: an endpoint for other people's agents that ends where their budget does.

Never: showing, storing or logging a provider's key, or a word of what passes through.
"""

from __future__ import annotations

import asyncio
import os
import secrets
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import click
import msgspec

from counterfoil import wiring
from counterfoil.adapters.clock import SystemClock
from counterfoil.adapters.net.address import require_key, upstream_address
from counterfoil.adapters.render.plain import one_line
from counterfoil.core.errors import RefusedError, UsageError
from counterfoil.core.record.events import Event
from counterfoil.entrypoints.cli.interrupts import pausing
from counterfoil.entrypoints.cli.lookup import find_run
from counterfoil.entrypoints.cli.options import json_option, settings_of, store_option
from counterfoil.entrypoints.cli.papers import exit_code
from counterfoil.entrypoints.cli.printing import print_json
from counterfoil.entrypoints.cli.progress_words import words
from counterfoil.entrypoints.intake import as_of_date
from counterfoil.host.host import finished_run
from counterfoil.host.metered_runs import UPSTREAM, require_consumed
from counterfoil.host.metering import Meter
from counterfoil.host.report import RunReport
from counterfoil.ports.ledger import StoredEvent
from counterfoil.settings import Settings

HOST, PORT = "127.0.0.1", 8642
TOKEN_VARIABLE, KEY_VARIABLE = "COUNTERFOIL_PROXY_TOKEN", "OPENAI_API_KEY"
TOKEN_CHARS_MIN = 16


@click.command()
@click.option(
    "--run-budget", "policies", multiple=True, metavar="POLICY=VALUE", help="run/model-requests=50. Repeatable."
)
@click.option("--upstream", metavar="URL", help="The provider: https://api.openai.com/v1.")
@click.option("--resume", "run_id", metavar="RUN", help="Go on with the budget of RUN: an id, its beginning, or last.")
@click.option(
    "--host", default=HOST, show_default=True, help="Where to listen; other machines reach what is no loopback."
)
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, help="0 takes any free port.")
@click.option(
    "--allow-host", "names", multiple=True, metavar="NAME", help="A name clients call this machine by. Repeatable."
)
@click.option("--key-file", metavar="FILE", help=f"Holds the provider's key; else {KEY_VARIABLE} does.")
@store_option
@json_option
@click.option("--quiet", is_flag=True, help="No line for each request.")
def proxy(run_id: str | None, **options: Any) -> int:
    """Meter the requests of other programs against a budget: an OpenAI-compatible endpoint in front of URL.

    Each request is debited on the ledger before it is forwarded, and settled by what the provider says it spent.
    What the budget does not allow is refused here and never reaches the provider. Texts are not kept.
    """
    settings = settings_of(options)
    named = (
        frozenset(policy for policy, origin in settings.origins.items() if origin == "flag") & settings.policies.keys()
    )
    require_consumed(named & wiring.catalogue().keys())
    if run_id is None and not options["upstream"]:
        raise UsageError(
            "there is no provider", code="UPSTREAM_MISSING", hint="name it: --upstream https://api.openai.com/v1"
        )
    report = asyncio.run(_proxy(settings, named, run_id, options))
    if options["as_json"]:
        print_json(msgspec.to_builtins(report), indent=None)
    else:
        click.echo("\n".join(_closing(report)))
    return exit_code(report.status, report.error)


async def _proxy(
    settings: Settings, named: frozenset[str], run_id: str | None, options: Mapping[str, Any]
) -> RunReport:
    """Open everything that can be refused before there is a Run, serve it, and close it again."""
    server = _server()
    key, token = find_key(options["key_file"], os.environ), find_token(os.environ)
    address = upstream_address(options["upstream"]) if options["upstream"] else ""
    ledger = wiring.open_ledger(settings)
    try:
        found = await find_run(ledger, run_id) if run_id is not None else None
        if found is not None and not address:
            address = _admitted_upstream((await finished_run(ledger, found.run_id)).state.snapshot.inputs)
        metering = wiring.open_metering(ledger, address)
        upstream = wiring.open_upstream(address, key)
        listening = server.listen(options["host"], options["port"])
        try:
            tell = None if options["quiet"] else _tell
            if found is not None:
                meter = await metering.resume(found.run_id, settings.policies, named, tell)
            else:
                day = as_of_date(None, SystemClock().now_ms())
                meter = await metering.begin(address, settings.policies, day, tell)
            with pausing(lambda text: click.echo(text, err=True)) as stop:
                port = listening.getsockname()[1]
                _opening(meter, address, base_url(options["host"], port), token, as_json=options["as_json"])
                await server.serve(
                    meter,
                    upstream,
                    listening,
                    token=token,
                    names=frozenset((options["host"], *options["names"])),
                    stop=stop,
                )
        finally:
            listening.close()
            await upstream.close()
        return (await finished_run(ledger, meter.state.run_id)).report
    finally:
        await ledger.close()


def _server() -> ModuleType:
    """The web server, which is an extra.

    Raises:
        RefusedError: it is not installed.
    """
    try:
        from counterfoil.entrypoints.proxy import server
    except ModuleNotFoundError as missing:
        raise RefusedError(
            f"the proxy needs {missing.name}, which is not installed",
            code="EXTRA_MISSING",
            hint="Install the extra: pip install 'counterfoil[proxy]'",
        ) from missing
    return server


def find_key(key_file: str | None, environ: Mapping[str, str]) -> str | None:
    """The provider's key: the file's, else the environment's; None where there is none, as a local server wants.

    Raises:
        UsageError: the file cannot be read, or what it holds is no key. The key is not repeated.
    """
    if key_file is None:
        return require_key(environ[KEY_VARIABLE], KEY_VARIABLE) if environ.get(KEY_VARIABLE) else None
    try:
        text = Path(key_file).expanduser().read_text("ascii")
    except (OSError, UnicodeDecodeError) as wrong:
        why = wrong.strerror if isinstance(wrong, OSError) else "it is no plain text"
        raise UsageError(
            f"the key file cannot be read: {why}", code="KEY_UNREADABLE", hint="name another one"
        ) from wrong
    return require_key(text, "--key-file")


def find_token(environ: Mapping[str, str]) -> str:
    """What clients must carry: the environment's, else a new one.

    Raises:
        UsageError: the environment's is too easy to guess, or no header can carry it.
    """
    given = environ.get(TOKEN_VARIABLE)
    if given is None:
        return secrets.token_urlsafe(32)
    if len(given) < TOKEN_CHARS_MIN or not given.isascii() or not given.isprintable() or " " in given:
        raise UsageError(
            f"{TOKEN_VARIABLE} holds no token",
            code="TOKEN_INVALID",
            hint=f"give {TOKEN_CHARS_MIN} letters and digits or more, or leave it out: a new one is printed",
        )
    return given


def base_url(host: str, port: int) -> str:
    """The base URL that clients are given; a listener on every address is reached by the loopback one."""
    shown = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://[{shown}]:{port}/v1" if ":" in shown else f"http://{shown}:{port}/v1"


def _admitted_upstream(inputs: Mapping[str, tuple[str, ...]]) -> str:
    named = inputs.get(UPSTREAM, ())
    return upstream_address(named[0]) if named else ""


def _opening(meter: Meter, upstream: str, url: str, token: str, *, as_json: bool) -> None:
    state = meter.state
    if as_json:
        budget = {policy: value.value for policy, value in state.budget.limits.items()}
        opened = {"run_id": state.run_id, "base_url": url, "token": token, "upstream": upstream, "budget": budget}
        print_json(opened, indent=None)
        return
    usage = {policy: (state.budget.used.get(policy, 0), value.value) for policy, value in state.budget.limits.items()}
    lines = [
        f"Run {state.run_id} meters requests to {one_line(upstream)}",
        f"  base URL  {url}",
        f"  token     {token}",
        *_budget(
            (policy, used, limit) for policy, (used, limit) in usage.items() if state.budget.limits[policy].metered
        ),
        "  give clients both, the token as their API key; Ctrl-C pauses the Run once what is under way has ended",
    ]
    click.echo("\n".join(lines))


def _closing(report: RunReport) -> Iterable[str]:
    yield f"Run {report.run_id}: {report.status.replace('_', ' ')}" + (f" ({report.policy})" if report.policy else "")
    yield from _budget((policy, entry["used"], entry["limit"]) for policy, entry in report.usage.items())
    yield from (f"  {warning['excerpt']}" for warning in report.warnings if warning["code"] == "USAGE_UNKNOWN")
    if report.status == "paused":
        yield f"  go on with: counterfoil proxy --resume {report.run_id}"


def _budget(entries: Iterable[tuple[str, Any, Any]]) -> Iterable[str]:
    """Only what is limited, or was used."""
    for policy, used, limit in entries:
        if limit is not None:
            yield f"  {policy}: {used:g} of {limit:g}"
        elif used:
            yield f"  {policy}: {used:g}, without a limit"


def _tell(_stored: StoredEvent, event: Event) -> None:
    line = words(event)
    if line is not None:
        click.echo(line, err=True)
