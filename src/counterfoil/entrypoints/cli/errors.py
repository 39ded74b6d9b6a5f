"""Owns how an error reaches a person or a script: what happened, why, what to do next, and the exit code.

Never: a traceback unless COUNTERFOIL_TRACEBACK asks for one, or an exit code that section 12 does not list.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from typing import Any

import click

from counterfoil.adapters.render.plain import one_line
from counterfoil.core.errors import CounterfoilError
from counterfoil.entrypoints.cli.exits import CANCELLED, FAILED, USAGE
from counterfoil.entrypoints.cli.streams import StdoutFailed, silence_stdout

TRACEBACK_SWITCH = "COUNTERFOIL_TRACEBACK"


def guarded(call: Callable[[], Any], args: Sequence[str]) -> int:
    """Run ``call``; turn whatever it raises into words and an exit code."""
    try:
        return _guarded(call, args)
    except StdoutFailed as lost:
        silence_stdout()
        hint = "write it to a file with --out, or free some space; `counterfoil show last` prints the last Run again"
        _tell("resource_exhausted", None, f"the output cannot be printed: {lost}", hint, code="STDOUT_FAILED")
        return FAILED


def _guarded(call: Callable[[], Any], args: Sequence[str]) -> int:
    as_json = wants_json(args)
    try:
        code = call()
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except StdoutFailed:
        raise
    except CounterfoilError as error:
        _traceback()
        _tell(error.category, error.policy, error.message, error.hint, code=error.code, as_json=as_json)
        return error.exit_code
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.ClickException as error:
        _tell("request_invalid", None, error.format_message(), _usage_hint(error, args), as_json=as_json)
        return USAGE
    except (KeyboardInterrupt, click.Abort):
        _tell("cancelled", None, "stopped before it was done", "run the same command again", as_json=as_json)
        return CANCELLED
    except BrokenPipeError:
        silence_stdout()
        return 0
    except Exception as defect:  # noqa: BLE001  # the last net: a person sees a sentence, not a stack
        _traceback()
        message = f"something in Counterfoil went wrong: {type(defect).__name__}: {one_line(defect)}"
        _tell("internal", None, message, f"set {TRACEBACK_SWITCH}=1 to see where, and report it", as_json=as_json)
        return FAILED


def wants_json(args: Sequence[str]) -> bool:
    """Whether ``--json`` is among the options of a command line."""
    options = args[: args.index("--")] if "--" in args else args
    return "--json" in options


def error_object(category: str, policy: str | None, message: str, hint: str) -> dict[str, Any]:
    """The error as ``--json`` prints it."""
    return {"error": {"code": category, "policy": policy, "message": message, "hint": hint}}


def _tell(category: str, policy: str | None, message: str, hint: str, *, as_json: bool = False, code: str = "") -> None:
    if as_json:
        click.echo(json.dumps(error_object(category, policy, message, hint), ensure_ascii=False))
        return
    why = " ".join(filter(None, (code or category, f"({policy})" if policy else "")))
    click.echo(f"counterfoil: {one_line(message)}", err=True)
    click.echo(f"  why:  {why}", err=True)
    if hint:
        click.echo(f"  next: {one_line(hint)}", err=True)


def _usage_hint(error: click.ClickException, args: Sequence[str]) -> str:
    context = error.ctx if isinstance(error, click.UsageError) else None
    path = context.command_path if context else "counterfoil"
    if isinstance(error, click.BadOptionUsage) and context is None and args and not args[0].startswith("-"):
        path = f"counterfoil {args[0]}"  # an option that lacks its value comes without its command
    return f"`{path} --help` lists what can be given"


def _traceback() -> None:
    if os.environ.get(TRACEBACK_SWITCH):
        traceback.print_exc()
