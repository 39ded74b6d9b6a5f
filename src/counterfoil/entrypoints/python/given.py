"""Owns the shapes of what a program hands in: a list, a table of limits, an object that can do what is asked of it.

Never: what a value means; those who use it know.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TypeVar

from counterfoil.core.errors import UsageError

AnyPath = str | os.PathLike[str]
_Item = TypeVar("_Item")


def listed(given: Iterable[_Item], what: str, code: str = "SETTING_INVALID") -> tuple[_Item, ...]:
    """``given`` as a tuple. A text alone would be taken apart into letters.

    Raises:
        UsageError: it is no list.
    """
    if isinstance(given, str | bytes | os.PathLike | Mapping) or not isinstance(given, Iterable):
        example = given if isinstance(given, str) else "…"
        raise UsageError(f"{what} is {given!r}, not a list", code=code, hint=f"write {what}=[{example!r}]")
    return tuple(given)


def paths(given: Iterable[AnyPath], what: str) -> tuple[AnyPath, ...]:
    """Paths as a tuple; an empty one is no folder.

    Raises:
        UsageError: it is no list of paths.
    """
    found = listed(given, what, "PATH_INVALID")
    for path in found:
        if not isinstance(path, str | os.PathLike):
            raise UsageError(f"a path in {what} is {path!r}", code="PATH_INVALID", hint=f'write {what}=["docs/"]')
        if not os.fspath(path):
            raise UsageError(f"a path in {what} is empty", code="PATH_EMPTY", hint='"." is the folder you are in')
    return found


def limits(given: Mapping[str, _Item], what: str) -> Mapping[str, _Item]:
    """``given``, a table from policies to values.

    Raises:
        UsageError: it is no table.
    """
    if not isinstance(given, Mapping):
        hint = f'write {what}={{"web/searches": 5}}'
        raise UsageError(f"{what} is {given!r}, not a table of limits", code="SETTING_INVALID", hint=hint)
    return given


def having(given: _Item, what: str, *names: str) -> _Item:
    """``given``, which is None or has what is called ``names``; looked at here, where it is written.

    Raises:
        UsageError: one of them is missing.
    """
    missing = [name for name in names if given is not None and not hasattr(given, name)]
    if missing:
        raise UsageError(
            f"{what} is {given!r}, which has no {missing[0]!r}",
            code="SETTING_INVALID",
            hint="see docs/guide/python.md for what to hand over",
        )
    return given
