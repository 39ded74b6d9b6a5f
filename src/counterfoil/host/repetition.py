"""Owns the rule against a third attempt: a call that keeps failing is refused, with what else there is to do.

Never: a debit, or a refusal of publishing and finishing, which their own allowances bound.
"""

from __future__ import annotations

from counterfoil.core.exchange import ProposedCall
from counterfoil.core.law import budget as ids
from counterfoil.core.law.streaks import NO_STREAK, SAME_CALL_FAILED, call_key
from counterfoil.core.record.decide import projection
from counterfoil.core.record.state import RunState
from counterfoil.ports.tool import Effect, Failed, Prepared, Refused

ALTERNATIVES_MAX = 5  # handles named in a refusal; of more, their number is told


def unrepeated(call: ProposedCall, state: RunState, prepared: Prepared, now: int) -> Prepared:
    """``prepared``, or a refusal where it is one more attempt of a call that has failed too often in a row.

    ``now`` in milliseconds. What settles without an effect succeeds, and is no repetition.
    """
    if not state.streaks or not isinstance(prepared, Refused | Failed | Effect):
        return prepared
    streak, limit = state.streaks.get(call_key(call), NO_STREAK), state.budget.known(ids.SAME_CALL_FAILURES)
    if limit is None or not streak.stands_against(int(limit), effect=isinstance(prepared, Effect)):
        return prepared
    why = f"this very call has failed {streak.failures} times in a row and is not made again; it cost nothing"
    return Refused(SAME_CALL_FAILED, why, _alternatives(call, state, now), ids.SAME_CALL_FAILURES)


def _alternatives(call: ProposedCall, state: RunState, now: int) -> str:
    """What else there is: other arguments, the other handles of this Run, the other tools."""
    said = ["change the arguments"]
    if "handle" in call.args:
        others = [handle for handle in state.sources if handle != call.args["handle"]]
        more = len(others) - ALTERNATIVES_MAX
        named = ", ".join(others[:ALTERNATIVES_MAX]) + (f" and {more} more" if more > 0 else "")
        said.append(f"read another source ({named})" if others else "search for sources that open")
    tools = [tool.name for tool in projection(state, now).offered if tool.name != call.tool]
    if tools:
        said.append(f"use another tool ({', '.join(tools)})")
    return f"{', or '.join(said)}; else say in the answer what stands in the way"
