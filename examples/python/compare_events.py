"""Two comparisons side by side on one Host, each under a budget of its own, with their events as they happen."""

import asyncio
from pathlib import Path

import counterfoil
from counterfoil import Field, Host, Row, Run, Task, events

DOCUMENTS = Path(counterfoil.__file__).parent / "data" / "demo" / "documents"
FIELDS = [Field("three-day pass", type="money"), Field("included ride", type="duration")]
TASKS = [
    Task(
        "Compare the visitor passes of City North and City South.",
        rows=[Row("City North", docs=("visitor-pass.html",)), Row("City South", docs=("passes.md",))],
        fields=FIELDS,
        period="3 days",
        budget={"web/searches": 8},  # a task narrows what the Host allows; it can never widen it
    ),
    Task("What does the visitor pass of City East cost?", rows=["City East"], fields=FIELDS[:1]),
]


async def watch(run: Run) -> None:
    """Print what is worth telling, then the table."""
    async for event in run.events():
        match event.data:
            case events.SourceRegistered(handle, document):
                print(f"{run.id}  {handle} is {document.title}")
            case events.FactRecorded(fact):
                print(f"{run.id}  {fact.row} · {fact.field}: {fact.value}")
    report = await run.result()
    searches = report.usage["web/searches"]
    print(f"{run.id}  {report.status}; {searches['used']} of {searches['limit']} searches")
    for cell in report.evidence_table:
        print(f"{run.id}  {cell['row']} | {cell['field']} | {cell['value']} | {cell['state']}")


async def main() -> None:
    """Start both, and watch both."""
    async with Host(corpus=[DOCUMENTS], model="offline", policies={"web/searches": 10}) as host:
        runs = [await host.start(task) for task in TASKS]
        await asyncio.gather(*(watch(run) for run in runs))


if __name__ == "__main__":
    asyncio.run(main())
