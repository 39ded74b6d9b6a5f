"""Owns tools made from Python functions: arguments by their types, results as receipts, failures with a category.

Never: trusting what a function returns, or calling one before its debit is durable (the Host sees to that).
"""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import json
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from typing import Any, Literal

import msgspec

from counterfoil.adapters.toolboxes.policies import RESULT_BYTES, TOOL_SECONDS
from counterfoil.adapters.toolboxes.signature import signature_of
from counterfoil.core.arguments import ArgumentsInvalid, decode
from counterfoil.core.errors import CounterfoilError, ToolFailed
from counterfoil.core.exchange import Json, ProposedCall, ToolSpec
from counterfoil.core.law import budget as ids
from counterfoil.core.record.events import InstructionFlagged
from counterfoil.core.record.state import RunState
from counterfoil.core.text.instructions import find_instructions
from counterfoil.ports.clock import Clock
from counterfoil.ports.tool import Effect, Refused, Settled

FunctionEffect = Literal["once", "repeatable"]


class Returned(msgspec.Struct, frozen=True):
    """What a function returned, as JSON holds it."""

    value: Any


class FunctionTool:
    """A function as a tool. One that is not ``async`` runs in a thread of ``executor``.

    ``effect``: after a crash between debit and receipt a call that is ``once`` stays unknown and is never repeated; one
    that is ``repeatable`` is made again, as a new debit. ``actions`` are what a contract may forbid.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        *,
        clock: Clock,
        executor: Executor,
        effect: FunctionEffect = "once",
        name: str | None = None,
        actions: tuple[str, ...] = (),
        untrusted: bool = True,
    ) -> None:
        signature = signature_of(function, name)
        self.spec = ToolSpec(
            name=signature.name,
            description=signature.description,
            parameters=signature.schema,
            effect=effect,
            phases=("research",),
            debits=(ids.TOOL_CALLS,),
            actions=actions,
            untrusted=untrusted,
        )
        self._function = function
        self._arguments = signature.arguments
        self._clock = clock
        self._executor = executor

    def prepare(self, call: ProposedCall, state: RunState, now: int) -> Refused | Effect:
        """Check the arguments against the function's types; the exact problem goes back to the model."""
        try:
            asked = decode(call, self._arguments)
        except ArgumentsInvalid as wrong:
            return Refused("ARGUMENTS_INVALID", str(wrong), hint="see the tool's parameters")
        arguments = {name: getattr(asked, name) for name in asked.__struct_fields__}
        limits = {policy: state.budget.require(policy) for policy in (TOOL_SECONDS, RESULT_BYTES)}
        return Effect({ids.TOOL_CALLS: 1}, {"arguments": arguments, "limits": limits})

    async def perform(self, request: Json) -> Returned:
        """Call the function.

        Raises:
            CounterfoilError: the function's own, or ``ToolFailed``: it raised something else, took longer than
                ``tools/seconds``, or returned what is no JSON or larger than ``tools/result-bytes``.
        """
        limits = request["limits"]
        try:
            async with self._clock.timeout(int(limits[TOOL_SECONDS] * 1000)):
                value = await self._call(request["arguments"])
        except TimeoutError:
            raise ToolFailed(
                f"{self.spec.name} did not return within {limits[TOOL_SECONDS]:g} s ({TOOL_SECONDS})",
                code="TOOL_TIMEOUT",
                category="timeout",
                hint="what it had begun may still take effect",
                policy=TOOL_SECONDS,
            ) from None
        return Returned(self._as_json(value, limits[RESULT_BYTES]))

    def settle(self, call: ProposedCall, result: object, state: RunState) -> Settled:
        """The receipt, with text in it flagged that reads like an instruction."""
        if not isinstance(result, Returned):
            raise TypeError(f"{self.spec.name} returned {type(result).__name__}")
        excerpts = dict.fromkeys(find_instructions("\n".join(_texts(result.value)))) if self.spec.untrusted else ()
        flags = tuple(InstructionFlagged(None, 0, excerpt, call.id) for excerpt in excerpts)
        return Settled({"result": result.value}, flags)

    async def _call(self, arguments: dict[str, Any]) -> Any:
        try:
            if inspect.iscoroutinefunction(self._function):
                return await self._function(**arguments)
            return await self._in_thread(arguments)
        except CounterfoilError:
            raise
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise  # the Run is to stop, or the time is over
            raise ToolFailed(f"{self.spec.name} was cancelled by its own code", code="TOOL_RAISED") from None
        except Exception as wrong:
            why = f"{self.spec.name} failed: {type(wrong).__name__}: {wrong}"
            raise ToolFailed(why, code="TOOL_RAISED") from wrong

    async def _in_thread(self, arguments: dict[str, Any]) -> Any:
        """Call the function in a thread, in this context. A future cannot carry every exception, so it gets none."""
        context = contextvars.copy_context()

        def call() -> tuple[Any, BaseException | None]:
            try:
                return context.run(self._function, **arguments), None
            except BaseException as wrong:  # noqa: BLE001  # raised again below, in the loop
                return None, wrong

        value, wrong = await asyncio.get_running_loop().run_in_executor(self._executor, call)
        if wrong is None:
            return value
        if isinstance(wrong, Exception) and not isinstance(wrong, StopIteration):
            raise wrong
        raise RuntimeError(f"it raised {type(wrong).__name__}: {wrong}") from wrong

    def _as_json(self, value: Any, bytes_max: float) -> Any:
        try:
            plain = msgspec.to_builtins(value, str_keys=True)
            json.dumps(plain, allow_nan=False)  # msgspec would write NaN as null
            size = len(msgspec.json.encode(plain))
        except (TypeError, ValueError, OverflowError, RecursionError) as wrong:  # UnicodeEncodeError is a ValueError
            raise ToolFailed(
                f"{self.spec.name} did its work, and what it returned is not JSON: {wrong}", code="RESULT_NOT_JSON"
            ) from wrong
        if size > bytes_max:
            raise ToolFailed(
                f"{self.spec.name} did its work, and returned {size} bytes; {RESULT_BYTES} allows {bytes_max:g}",
                code="RESULT_TOO_LARGE",
                category="resource_exhausted",
                hint="ask it for less",
                policy=RESULT_BYTES,
            )
        return msgspec.json.decode(msgspec.json.encode(plain))


def _texts(value: Any) -> Iterator[str]:
    """Every text in a JSON value, keys included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
