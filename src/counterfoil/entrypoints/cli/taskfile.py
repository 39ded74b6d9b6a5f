"""Owns the task file: YAML to a contract, its budget and its inputs, and a contract back to YAML.

Never: a key that is read past, or a limit that widens; the Host refuses what the operator does not allow.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import msgspec
import yaml

from counterfoil.core.answer.contract import Contract, Field, Row, TaskKind
from counterfoil.core.errors import UsageError
from counterfoil.core.law.policy import Number
from counterfoil.entrypoints.cli.options import FIELD_TYPES, KINDS, field_type
from counterfoil.entrypoints.cli.yaml_nodes import Nodes

CONTRACT_KEYS = ("question", "kind", "rows", "fields", "domains", "period", "forbidden", "done")
TASK_KEYS = (*CONTRACT_KEYS, "corpus", "as_of", "tz", "budget")
_ROW_KEYS = ("domains", "docs")
_FIELD_KEYS = ("type", "unit", "scale", "period")


class TaskFile(msgspec.Struct, frozen=True):
    """A task as its file gives it. ``corpus`` paths are absolute or relative to the file's folder."""

    contract: Contract
    budget: dict[str, Number] = {}
    corpus: tuple[str, ...] = ()
    as_of: str | None = None
    tz: str | None = None


def load_task(path: str) -> TaskFile:
    """Read a task file.

    Raises:
        UsageError: it is not there, not UTF-8, not YAML, or says something that a task cannot; with line and column.
    """
    try:
        text = Path(path).read_text("utf-8-sig")
    except UnicodeDecodeError as wrong:
        raise UsageError(f"{path} is not UTF-8 text", code="TASK_UNREADABLE", hint="save it as UTF-8") from wrong
    except OSError as wrong:
        raise UsageError(
            f"{path} cannot be read: {wrong.strerror}", code="TASK_UNREADABLE", hint="check the path"
        ) from wrong
    task = parse_task(text, Path(path).name)
    folder = Path(path).parent
    return msgspec.structs.replace(task, corpus=tuple(str(folder / corpus) for corpus in task.corpus))


def parse_task(text: str, name: str, keys: tuple[str, ...] = TASK_KEYS) -> TaskFile:
    """Read a task from text; ``name`` stands in error messages."""
    nodes = Nodes(text, name)
    if nodes.root is None:
        raise UsageError(f"{name} is empty", code="TASK_INVALID", hint="write at least `question: …`")
    table = nodes.table(nodes.root, "the task", keys)
    if "question" not in table:
        nodes.fail(nodes.root, "the task asks nothing", "add `question: …`")
    texts = {key: nodes.text(table[key], key) for key in ("question", "period", "as_of", "tz") if key in table}
    lists = {key: nodes.texts(table[key], key) for key in ("domains", "forbidden", "done", "corpus") if key in table}
    contract = Contract(
        question=texts["question"],
        kind=_kind(nodes, table["kind"]) if "kind" in table else "research",
        rows=_rows(nodes, table["rows"]) if "rows" in table else (),
        fields=_fields(nodes, table["fields"]) if "fields" in table else (),
        domains=lists.get("domains", ()),
        forbidden=lists.get("forbidden", ()),
        period=texts.get("period"),
        done=lists.get("done", ()),
    )
    budget = nodes.table(table["budget"], "budget") if "budget" in table else {}
    return TaskFile(
        contract,
        {policy: nodes.number(value, policy) for policy, value in budget.items()},
        lists.get("corpus", ()),
        texts.get("as_of"),
        texts.get("tz"),
    )


def _kind(nodes: Nodes, node: yaml.Node) -> TaskKind:
    kind = nodes.text(node, "kind")
    if kind not in KINDS:
        nodes.fail(node, f"there is no kind {kind!r}", f"kinds are: {', '.join(KINDS)}")
    return cast(TaskKind, kind)


def _rows(nodes: Nodes, node: yaml.Node) -> tuple[Row, ...]:
    if not isinstance(node, yaml.MappingNode):
        names = nodes.texts(node, "rows")
        _refuse_twice(nodes, node, names, "rows")
        return tuple(Row(name) for name in names)
    return tuple(_row(nodes, name, value) for name, value in nodes.table(node, "rows").items())


def _row(nodes: Nodes, name: str, node: yaml.Node) -> Row:
    if _is_null(node):
        return Row(name)
    table = nodes.table(node, f"row {name!r}", _ROW_KEYS)
    lists = {key: nodes.texts(value, f"{key} of {name!r}") for key, value in table.items()}
    return Row(name, lists.get("domains", ()), lists.get("docs", ()))


def _fields(nodes: Nodes, node: yaml.Node) -> tuple[Field, ...]:
    if not isinstance(node, yaml.MappingNode):
        names = nodes.texts(node, "fields")
        _refuse_twice(nodes, node, names, "fields")
        return tuple(Field(name) for name in names)
    return tuple(_field(nodes, name, value) for name, value in nodes.table(node, "fields").items())


def _field(nodes: Nodes, name: str, node: yaml.Node) -> Field:
    if _is_null(node):
        return Field(name)
    table = nodes.table(node, f"field {name!r}", _FIELD_KEYS)
    texts = {key: nodes.text(value, f"{key} of {name!r}") for key, value in table.items()}
    kind = texts.get("type", "text")
    if kind not in FIELD_TYPES:
        nodes.fail(table["type"], f"there is no type {kind!r}", f"types are: {', '.join(FIELD_TYPES)}")
    return Field(name, field_type(kind, name), texts.get("unit"), texts.get("scale"), texts.get("period"))


def _refuse_twice(nodes: Nodes, node: yaml.Node, names: tuple[str, ...], what: str) -> None:
    twice = next((name for place, name in enumerate(names) if name in names[:place]), None)
    if twice is not None:
        nodes.fail(node, f"{twice!r} stands twice in {what}", "keep one of them")


def _is_null(node: yaml.Node) -> bool:
    return isinstance(node, yaml.ScalarNode) and node.tag == "tag:yaml.org,2002:null"


def dump_contract(contract: Contract) -> str:
    """A contract as YAML that ``parse_task`` reads back to the same contract."""
    shown: dict[str, Any] = {"question": contract.question, "kind": contract.kind}
    if contract.rows:
        shown["rows"] = {row.name: _given(row, _ROW_KEYS) for row in contract.rows}
    if contract.fields:
        shown["fields"] = {field.name: _given(field, _FIELD_KEYS) for field in contract.fields}
    shown |= _given(contract, ("domains", "period", "forbidden", "done"))
    return yaml.safe_dump(shown, sort_keys=False, allow_unicode=True, width=100)


def _given(struct: msgspec.Struct, keys: tuple[str, ...]) -> dict[str, Any]:
    values = ((key, getattr(struct, key)) for key in keys)
    return {key: list(value) if isinstance(value, tuple) else value for key, value in values if value}
