"""Ledger objects over one store."""

import asyncio
from pathlib import Path

from counterfoil.adapters.stores.memory import MemoryLedger
from counterfoil.sim.ledgers import REOPENED, Ledgers


def test_two_processes_never_share_one_and_an_idle_one_is_used_again() -> None:
    async def use() -> None:
        ledgers = Ledgers(lambda _path: MemoryLedger(), Path("x"), durable=True)
        first, second = ledgers.take(), ledgers.take()
        assert first is not second
        await ledgers.give_back(first, crashed=False)
        assert ledgers.take() is first

    asyncio.run(use())


def test_the_file_is_opened_anew_after_some_crashes_and_a_store_that_is_only_in_memory_never_is() -> None:
    async def crashes(*, durable: bool) -> int:
        opened: list[MemoryLedger] = []

        def open_one(_path: Path) -> MemoryLedger:
            opened.append(MemoryLedger())
            return opened[-1]

        ledgers = Ledgers(open_one, Path("x"), durable=durable)
        for _ in range(2 * REOPENED + 1):
            await ledgers.give_back(ledgers.take(), crashed=True)
        await ledgers.close()
        assert all(ledger._closed for ledger in opened)
        return len(opened)

    assert asyncio.run(crashes(durable=True)) == 3
    assert asyncio.run(crashes(durable=False)) == 1
