"""Owns what can go wrong in the order of work: the same thing again, a gap nobody looked for, an end before its time.

Never: counting a refused call as work.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from counterfoil.core.diagnosis.account import Account, Cause
from counterfoil.core.law.streaks import SAME_CALL_FAILED, call_key
from counterfoil.core.record import events as e
from counterfoil.core.record.state import PUBLISH_TOOL, READ_TOOL, SEARCH_TOOL, Call

_AGAIN = 2  # from how many times on the same call is worth telling


def causes(run: Account) -> Iterator[Cause]:
    """Causes in how the work went."""
    yield from _reopened(run)
    yield from _repeated(run)
    yield from _unlooked(run)
    yield from _stopped(run)


def _reopened(run: Account) -> Iterator[Cause]:
    again = [call for call in run.calls(READ_TOOL) if call.status == "settled" and call.content.get("repeated")]
    counts: dict[tuple[str, int], list[Call]] = defaultdict(list)
    for call in again:
        counts[call.content["handle"], call.content["segment"]].append(call)
    for (handle, segment), calls in counts.items():
        title = run.state.sources[handle].document.title
        yield Cause(
            "orchestration",
            "SOURCE_REOPENED",
            f"part {segment} of {handle} ({title}) was opened {len(calls) + 1} times and gave nothing new",
            tuple(seq for call in calls for seq in run.closing(call.call.id)),
            "the evidence of a part stays quotable; the turns were missing elsewhere",
            2 if run.unanswered() else 1,
        )


def _repeated(run: Account) -> Iterator[Cause]:
    """The same failing call, or the same search, over and over."""
    groups: dict[str, list[Call]] = defaultdict(list)
    for call in run.state.calls.values():
        reopened = call.call.tool == READ_TOOL and call.status == "settled"
        if call.status in ("failed", "refused", "settled") and not reopened:
            groups[call_key(call.call)].append(call)
    for calls in groups.values():
        failed = [call for call in calls if call.status in ("failed", "refused")]
        searched = [call for call in calls if call.call.tool == SEARCH_TOOL and call.status == "settled"]
        chosen, code = (failed, "FAILING_CALL_REPEATED") if len(failed) >= _AGAIN else (searched, "SEARCH_REPEATED")
        blind = any(call.content.get("refused") == SAME_CALL_FAILED for call in failed)
        if len(chosen) >= _AGAIN and calls[0].call.tool != PUBLISH_TOOL:
            yield Cause(
                "orchestration",
                code,
                f"{calls[0].call.tool} was called {len(chosen)} times with the same arguments",
                tuple(seq for call in chosen for seq in run.closing(call.call.id)),
                "the result could not change: other words, another source, or a gap",
                3 if blind and run.unanswered() else 2,
            )


def _unlooked(run: Account) -> Iterator[Cause]:
    """Cells declared missing, or left open, of a row that no search was made for."""
    searched = [call for call in run.calls(SEARCH_TOOL) if call.status == "settled"]
    anybody = any(not call.call.args.get("row") for call in searched)
    rows = {str(call.call.args.get("row", "")).casefold() for call in searched}
    for cell in run.unanswered():
        if searched and not anybody and cell.row and cell.row.casefold() not in rows:
            yield Cause(
                "orchestration",
                "ROW_NOT_LOOKED_FOR",
                f"{cell.row} / {cell.field} has no value, and no search was for that row",
                run.ending(),
                "spread the searches over the rows before going deep into one",
                2,
            )


def _stopped(run: Account) -> Iterator[Cause]:
    settled = run.state.settled
    if settled is None or run.complete():
        return
    if settled.stop_reason == "model_stopped":
        silent = [turn.request for turn in run.state.turns if turn.status == "settled" and not turn.calls]
        yield Cause(
            "orchestration",
            "MODEL_STOPPED",
            f"the model made no call in {len(silent)} replies and so ended the Run",
            run.where(e.ModelCallSettled, lambda event: event.request in silent),
            "a model that answers in prose needs native tools or the JSON schema mode",
            3,
        )
    elif settled.stop_reason == "finish_accepted" and run.unanswered() and not _spent(run):
        cells = ", ".join(f"{cell.row} / {cell.field}" for cell in run.unanswered())
        yield Cause(
            "orchestration",
            "STOPPED_EARLY",
            f"the Run finished with budget left and without {cells}",
            run.where(e.FinishAccepted, lambda _: True),
            "ask for what is missing, or read on before finishing",
            1,
        )


def _spent(run: Account) -> bool:
    """Whether a limit ended research."""
    return any(event.policy for _seq, event in run.of(e.PhaseChanged))
