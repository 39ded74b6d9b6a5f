"""Owns which store stands behind the ledger.

Never: behaviour of its own beyond choosing which class stands behind which port.
"""

from __future__ import annotations

import os
import signal

from counterfoil.core.errors import LedgerBroken, StoreRefused
from counterfoil.ports.ledger import Ledger
from counterfoil.settings import Settings


def open_ledger(settings: Settings) -> Ledger:
    """The ledger that ``settings.store`` names.

    Raises:
        UsageError: the URL has another scheme.
        RefusedError: the driver for it is not installed.
        StoreRefused: the store is not a database, cannot be reached or written, or is damaged.
    """
    from counterfoil.adapters.stores.crash import CrashingLedger

    try:
        ledger = _opened(settings.store)
    except LedgerBroken as error:
        raise StoreRefused(error.message, code=error.code, hint=error.hint) from error
    if settings.crash_at is not None:
        return CrashingLedger(ledger, settings.crash_at, lambda: os.kill(os.getpid(), signal.SIGKILL))
    return ledger


def _opened(location: str) -> Ledger:
    from counterfoil.adapters.stores.address import names_postgres

    if names_postgres(location):
        from counterfoil.adapters.stores.postgres import open_postgres

        return open_postgres(location)
    from counterfoil.adapters.stores.sqlite import open_sqlite

    return open_sqlite(location)
