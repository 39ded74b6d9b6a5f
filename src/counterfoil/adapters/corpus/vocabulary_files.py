"""Owns loading domain vocabularies from TOML files: the packaged ones and the user's, merged into one.

Never: knowledge itself. A broken file is a usage error that names the file and the key.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Sequence
from importlib import resources
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from counterfoil.core.errors import UsageError
from counterfoil.core.text.vocabulary import Formula, Statement, Term, Vocabulary

_Named = TypeVar("_Named", Term, Formula, Statement)
_HINT = "compare it with the packaged vocabulary finance.toml"


def load_vocabulary(user_files: Sequence[Path] = (), *, packaged: Sequence[str] = ("finance",)) -> Vocabulary:
    """Merge the packaged vocabularies and ``user_files``; a later term of the same name extends the earlier."""
    parts = [_packaged(name) for name in packaged]
    parts += [_decode(_text_of(path), str(path)) for path in user_files]
    return merge(parts)


def merge(parts: Iterable[Vocabulary]) -> Vocabulary:
    """Return one vocabulary; names that repeat are joined, the later file's words first."""
    known = list(parts)
    return Vocabulary(
        name="+".join(dict.fromkeys(p.name for p in known)),
        terms=_joined([t for p in known for t in p.terms], _join_terms),
        formulas=_joined([f for p in known for f in p.formulas], _join_formulas),
        statements=_joined([s for p in known for s in p.statements], _join_statements),
        instructions=tuple(dict.fromkeys(i for p in known for i in p.instructions)),
        synonyms=tuple(dict.fromkeys(g for p in known for g in p.synonyms)),
        bases=tuple(dict.fromkeys(b for p in known for b in p.bases)),
    )


def _packaged(name: str) -> Vocabulary:
    file = resources.files("counterfoil") / "data" / "vocabularies" / f"{name}.toml"
    if not file.is_file():
        raise UsageError(f"no packaged vocabulary is called {name!r}", code="VOCABULARY_MISSING", hint="use finance")
    return _decode(file.read_text(encoding="utf-8"), f"{name}.toml")


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise UsageError(
            f"vocabulary {path} cannot be read: {reason}", code="VOCABULARY_UNREADABLE", hint="check the path"
        ) from error


def _decode(text: str, source: str) -> Vocabulary:
    try:
        data: dict[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"vocabulary {source} is not TOML: {error}", code="VOCABULARY_INVALID", hint=_HINT) from error
    try:
        return msgspec.convert(data, Vocabulary)
    except msgspec.ValidationError as error:
        raise UsageError(
            f"vocabulary {source}: {_where(str(error), data)}", code="VOCABULARY_INVALID", hint=_HINT
        ) from error


def _where(message: str, data: dict[str, Any]) -> str:
    """Turn ``- at `$.terms[3].kind``` into words that name the entry."""
    what, mark, place = message.partition(" - at `$")
    if not mark:
        return message
    key = place.rstrip("`").lstrip(".")
    table, _, rest = key.partition("[")
    number, _, _ = rest.partition("]")
    entries = data.get(table)
    if number.isdigit() and isinstance(entries, list) and isinstance(entries[int(number)], dict):
        return f"{what} at {key} (name = {entries[int(number)].get('name', '?')!r})"
    return f"{what} at {key or 'the top level'}"


def _joined(items: list[_Named], join: Callable[[_Named, _Named], _Named]) -> tuple[_Named, ...]:
    out: dict[str, _Named] = {}
    for item in items:
        out[item.name] = join(out[item.name], item) if item.name in out else item
    return tuple(out.values())


def _both(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(second + first))


def _join_terms(a: Term, b: Term) -> Term:
    return msgspec.structs.replace(
        b,
        phrases=_both(a.phrases, b.phrases),
        labels=_both(a.labels, b.labels),
        not_labels=_both(a.not_labels, b.not_labels),
        statements=_both(a.statements, b.statements),
        outflow=a.outflow or b.outflow,
    )


def _join_formulas(a: Formula, b: Formula) -> Formula:
    return msgspec.structs.replace(b, phrases=_both(a.phrases, b.phrases), source=b.source or a.source)


def _join_statements(a: Statement, b: Statement) -> Statement:
    return msgspec.structs.replace(
        b,
        phrases=_both(a.phrases, b.phrases),
        titles=_both(a.titles, b.titles),
        instant=a.instant or b.instant,
        parts=a.parts or b.parts,
    )
