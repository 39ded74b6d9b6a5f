"""Owns the options that commands share, and how they are read into a contract.

Never: an option that does nothing yet, or a default that settings own.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar, get_args

import click

from counterfoil.core.answer.contract import Contract, Field, FieldType, Row, TaskKind
from counterfoil.core.errors import UsageError
from counterfoil.settings import Settings, load_settings

_Command = TypeVar("_Command", bound=Callable[..., Any])
_Named = TypeVar("_Named", Row, Field)
FIELD_TYPES: tuple[str, ...] = get_args(FieldType)
KINDS: tuple[str, ...] = get_args(TaskKind)


def _stack(*options: Callable[[_Command], _Command]) -> Callable[[_Command], _Command]:
    def add(command: _Command) -> _Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add


store_option = click.option(
    "--store", metavar="URL", help="Where Runs are kept: a file, sqlite:/// or postgresql:// URL."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object on stdout.")
set_option = click.option(
    "--set", "policies", multiple=True, metavar="POLICY=VALUE", help="Set a limit: web/searches=5. Repeatable."
)
fallback_option = click.option(
    "--fallback", "fallbacks", multiple=True, metavar="SPEC", help="Who is asked when --model is given up. Repeatable."
)
reviewer_option = click.option("--reviewer", metavar="SPEC", help="A model that reviews the accepted answer.")
run_argument = click.argument("run_id", metavar="RUN")


def task_options(command: _Command) -> _Command:
    """The options of ``ask`` and ``run``."""
    return _stack(
        click.option("--corpus", multiple=True, metavar="PATH", help="A folder or file to search. Repeatable."),
        click.option(
            "--snapshot", "snapshots", multiple=True, metavar="DIR", help="A saved web: DIR/host/path. Repeatable."
        ),
        click.option("--row", "rows", multiple=True, metavar="NAME[=DOMAIN,…]", help="A thing compared. Repeatable."),
        click.option(
            "--field",
            "fields",
            multiple=True,
            metavar="NAME[:TYPE]",
            help=f"Asked of every row; {_types()}. Repeatable.",
        ),
        click.option(
            "--domain", "domains", multiple=True, metavar="DOMAIN", help="Allow only these domains. Repeatable."
        ),
        click.option("--done", multiple=True, metavar="TEXT", help="What makes the answer done. Repeatable."),
        click.option("--kind", type=click.Choice(KINDS), help="The kind of work."),
        click.option("--as-of", metavar="DATE", help="The day that “today” means: 2025-03-31."),
        click.option("--tz", metavar="ZONE", help="Your time zone: Europe/Lisbon."),
        set_option,
        click.option(
            "--model",
            metavar="SPEC",
            help="Who decides: offline (no language model), or openai:MODEL, anthropic:MODEL, google:MODEL, …",
        ),
        fallback_option,
        reviewer_option,
        store_option,
        click.option("--out", metavar="FILE", help="Also write the report: .md, .html or .json."),
        json_option,
        click.option("--quiet", is_flag=True, help="No progress."),
        click.option("--yes", is_flag=True, help="Accept the proposed contract unseen."),
    )(command)


def _types() -> str:
    return f"TYPE is {', '.join(FIELD_TYPES[:-1])} or {FIELD_TYPES[-1]}"


def settings_of(options: Mapping[str, Any]) -> Settings:
    """Settings from the options given, the environment and the files."""
    for name in ("model", "reviewer", "store"):
        require_text(options.get(name) or "", f"--{name}")
    for text in options.get("fallbacks") or ():
        require_text(text, "--fallback")
    for text in options.get("policies") or ():
        require_text(text, "--set")
    flags = {
        "store": options.get("store"),
        "model": options.get("model"),
        "reviewer": options.get("reviewer"),
        "fallbacks": tuple(options.get("fallbacks") or ()),
        "policies": tuple(options.get("policies") or ()),
    }
    return load_settings(flags, os.environ, Path.cwd())


def contract_of(question: str, options: Mapping[str, Any], base: Contract | None = None) -> Contract:
    """The contract that a question and options spell out; options replace what ``base`` says."""
    if not question.strip():
        raise UsageError("the question is empty", code="QUESTION_EMPTY", hint='ask something: counterfoil ask "…"')
    base = base or Contract(question=question)
    for what in ("rows", "fields", "domains", "done"):
        for text in options[what]:
            require_text(text, f"--{what.removesuffix('s')}")
    require_text(question, "the question")
    for what in ("corpus", "snapshots"):
        if not all(options.get(what) or ("given",)):
            option = f"--{what.removesuffix('s')}"
            raise UsageError(
                f"{option} is empty", code="PATH_EMPTY", hint="name a folder or file; `.` is the one you are in"
            )
    return Contract(
        question=question,
        kind=options.get("kind") or base.kind,
        rows=once(tuple(parse_row(text) for text in options["rows"]), "--row") or base.rows,
        fields=once(tuple(parse_field(text) for text in options["fields"]), "--field") or base.fields,
        domains=tuple(options["domains"]) or base.domains,
        forbidden=base.forbidden,
        period=base.period,
        done=tuple(options["done"]) or base.done,
    )


def require_text(text: str, what: str) -> None:
    """Refuse bytes that are no text: they could be neither searched for nor kept."""
    if any("\ud800" <= c <= "\udfff" for c in text):
        raise UsageError(
            f"{what} holds bytes that are no text: {text.encode('utf-8', 'backslashreplace').decode()}",
            code="TEXT_INVALID",
            hint="write it in UTF-8; `locale` tells what your terminal sends",
        )


def once(named: tuple[_Named, ...], option: str) -> tuple[_Named, ...]:
    """``named`` as it is.

    Raises:
        UsageError: a name stands twice; ``option`` says where.
    """
    names = [item.name for item in named]
    twice = next((name for place, name in enumerate(names) if name in names[:place]), None)
    if twice is not None:
        raise UsageError(f"{option} {twice!r} stands twice", code="NAMED_TWICE", hint="keep one of them")
    return named


def parse_row(text: str) -> Row:
    """A row as written on the command line: ``City North=citynorth.gov``."""
    name, _, domains = text.partition("=")
    if not name.strip():
        raise UsageError(f"--row {text!r} has no name", code="ROW_INVALID", hint="write NAME or NAME=DOMAIN,DOMAIN")
    return Row(name.strip(), domains=tuple(d.strip() for d in domains.split(",") if d.strip()))


def parse_field(text: str) -> Field:
    """A field as written on the command line: ``price:money``."""
    name, colon, kind = text.rpartition(":")
    if not colon:
        name, kind = text, "text"
    if not name.strip():
        raise UsageError(f"--field {text!r} has no name", code="FIELD_INVALID", hint="write NAME or NAME:TYPE")
    return Field(name.strip(), type=field_type(kind.strip(), f"--field {text!r}"))


def field_type(kind: str, where: str) -> FieldType:
    """A field type by name."""
    for known in get_args(FieldType):
        if kind == known:
            return known  # type: ignore[no-any-return]  # one of the literals
    raise UsageError(f"{where}: there is no type {kind!r}", code="FIELD_INVALID", hint=_types())
