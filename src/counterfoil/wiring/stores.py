"""Owns which store stands behind the ledger.

Never: behaviour of its own beyond choosing which class stands behind which port.
"""

from __future__ import annotations

import os
import signal

from counterfoil.ports.ledger import Ledger
from counterfoil.settings import Settings


def open_ledger(settings: Settings) -> Ledger:
    """The ledger that ``settings.store`` names.

    Raises:
        UsageError: the URL has another scheme.
        RefusedError: the driver for it is not installed.
        LedgerBroken: the store is not a database, cannot be reached or written, or is damaged.
    """
    from counterfoil.adapters.stores.address import names_postgres
    from counterfoil.adapters.stores.crash import CrashingLedger

    ledger: Ledger
    if names_postgres(settings.store):
        from counterfoil.adapters.stores.postgres import open_postgres

        ledger = open_postgres(settings.store)
    else:
        from counterfoil.adapters.stores.sqlite import open_sqlite

        ledger = open_sqlite(settings.store)
    if settings.crash_at is not None:
        return CrashingLedger(ledger, settings.crash_at, lambda: os.kill(os.getpid(), signal.SIGKILL))
    return ledger
