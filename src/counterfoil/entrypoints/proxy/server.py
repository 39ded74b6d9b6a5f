"""Owns the serving of one metered Run: until somebody wants it to end, it loses its Run, or its ledger breaks.

Never: ending with a request under way that has neither receipt nor a note that its outcome is unknown.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn

from counterfoil.core.errors import RefusedError
from counterfoil.entrypoints.proxy.app import proxy_app
from counterfoil.host.metering import Meter
from counterfoil.host.runner import kept
from counterfoil.ports.upstream import Upstream

_WAITING = 2048  # connections that may wait to be accepted


class Server(uvicorn.Server):
    """A server that leaves signals to whoever runs it."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture none."""
        yield


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens; with ``port`` 0 on any free one.

    Raises:
        RefusedError: the address cannot be had.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=_WAITING)
    except (OSError, OverflowError, UnicodeError) as wrong:
        raise RefusedError(
            f"{host} port {port} cannot be listened on: {wrong}",
            code="PORT_REFUSED",
            hint="name another with --port (0 takes any free one), or another --host",
        ) from wrong


async def serve(
    meter: Meter,
    upstream: Upstream,
    listening: socket.socket,
    *,
    token: str,
    names: frozenset[str],
    stop: asyncio.Event,
) -> None:
    """Serve until ``stop`` is set, let what is under way end, and leave the Run. Cancelling leaves it at once.

    Raises:
        LeaseLost: another process has the Run; nothing more was written or forwarded.
        CounterfoilError: the ledger can take no more.
    """
    app = proxy_app(meter, upstream, token, names)
    # Nothing is logged: paths and errors could hold what passes through.
    server = Server(
        uvicorn.Config(
            app, http="h11", ws="none", loop="asyncio", lifespan="off", log_config=None, log_level="critical",
            access_log=False, proxy_headers=False, server_header=False, date_header=False,
        )
    )  # fmt: skip
    serving = asyncio.ensure_future(server.serve(sockets=[listening]))
    ends = [serving, asyncio.ensure_future(stop.wait()), asyncio.ensure_future(meter.broke.wait())]
    with kept(meter.journal):
        try:
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            server.should_exit = True
            await asyncio.wait([serving])
        except asyncio.CancelledError:  # the lease is lost, or somebody cannot wait
            server.should_exit = server.force_exit = True
            await asyncio.wait([serving])
        finally:
            for end in ends:
                end.cancel()
    tenure = meter.journal.tenure
    if tenure is not None and tenure.lost is not None:
        raise tenure.lost
    await meter.stop()
