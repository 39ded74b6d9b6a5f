"""A Run that is paused and goes on in another Host, hours later: what has a receipt is not done or paid again."""

import asyncio
from pathlib import Path

import counterfoil
from counterfoil import Host

DOCUMENTS = Path(counterfoil.__file__).parent / "data" / "demo" / "documents"


async def main() -> None:
    """Pause after the first receipt of a search, and go on."""
    async with Host(corpus=[DOCUMENTS], model="offline") as host:
        run = await host.start("What does the three-day visitor pass of City North cost?")
        async for event in run.events():
            if event.type == "ToolCallSettled":
                await run.pause()
        paused = await run.result()
        print(paused.status, paused.usage["run/model-requests"]["by_purpose"])
    async with Host() as host:  # the Run itself knows its documents, its model and its limits
        again = await host.resume(run.id)
        report = await again.result()
    print(report.status, report.usage["run/model-requests"]["by_purpose"])
    print(report.publication.body if report.publication else report.error)


if __name__ == "__main__":
    asyncio.run(main())
