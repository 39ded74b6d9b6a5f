"""Owns the JSON schema of the one object that a model without native tool calls replies with, made anew each turn.

Every property is required and no other is allowed, as strict response formats ask; what may be left out may be null.
Never: deciding what a call may do. The tools check again whatever the schema was.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, get_args

import msgspec

from counterfoil.adapters.models.forms import EVIDENCE_FIRST, FACT, FACT_FORMS, FORMS, OWN, REFERENCES
from counterfoil.core.answer.contract import Contract, FieldType, TaskKind
from counterfoil.core.exchange import Json, ToolResult, ToolSpec, View
from counterfoil.core.record.state import READ_TOOL, SEARCH_TOOL

CALLS_MAX = 4
ENUM_MAX = 200  # values; a Run that has read more is given the shape of an ID: grammars slow down with each value
ENTRY_MAX = 20  # rows or fields of a proposed contract
_SHAPES = {"Handle": re.compile(r"S\d+"), "Evidence": re.compile(r"E\d+"), "SearchCall": re.compile(r"c\d+")}
_AGREED = ("Row", "Field")  # where the contract has none, the argument falls away instead of its call
_KEPT = ("type", "enum", "const", "pattern", "format", "minimum", "maximum", "minItems", "maxItems")
_NULL: Json = {"type": "null"}
_TEXT: Json = {"type": "string"}

Names = Mapping[str, tuple[str, ...]]


def reply_schema(view: View, tools: tuple[ToolSpec, ...]) -> Json:
    """The schema of a reply to ``view``: calls of offered tools that could be lawful, IDs shown as enums."""
    builder = _Builder(_names_shown(view))
    calls = [
        _object({"tool": {"type": "string", "enum": [tool.name]}, "args": args})
        for tool in tools
        if (args := builder.arguments(tool)) is not None
    ]
    listed: Json = {"type": "array", "items": {"anyOf": calls}, "minItems": 1, "maxItems": CALLS_MAX}
    reply = _object({"say": _or_null(_TEXT), "calls": listed})
    return {**reply, "$defs": builder.definitions} if builder.definitions else reply


def contract_schema() -> Json:
    """The schema of an entry reply."""
    optional = {name: _or_null(_TEXT) for name in ("unit", "scale", "period")}
    kinds = {"type": "string", "enum": list(get_args(FieldType))}
    fields = _object({"name": _TEXT, "type": kinds, **optional})
    return _object(
        {
            "kind": {"type": "string", "enum": list(get_args(TaskKind))},
            "rows": {"type": "array", "items": _object({"name": _TEXT}), "maxItems": ENTRY_MAX},
            "fields": {"type": "array", "items": fields, "maxItems": ENTRY_MAX},
            "period": _or_null(_TEXT),
            "done": {"type": "array", "items": _TEXT, "maxItems": ENTRY_MAX},
        }
    )


def described(tools: tuple[ToolSpec, ...], contract: Contract) -> str:
    """Tools with their arguments in a few words, the same whatever the Run has issued."""
    names = {name: ("…",) for name in _SHAPES}
    builder = _Builder({**names, **_agreed(contract)})
    lines = [
        f"- {tool.name} {_signature(args)}: {tool.description}"
        for tool in tools
        if (args := builder.arguments(tool)) is not None
    ]
    for name, schema in builder.definitions.items():
        if name not in names and name not in _AGREED:
            lines.append(f"- where {name.rpartition('.')[2]} is {_signature(schema)}")
    return "\n".join(lines)


def _names_shown(view: View) -> Names:
    """What the view names: handles and search calls of searches, evidence of reads and of the table."""
    found: dict[str, list[str]] = {"Handle": [], "Evidence": [], "SearchCall": []}
    for message in view.messages:
        if isinstance(message, ToolResult) and message.ok:
            for kind, name in _issued(message):
                found[kind].append(name)
    for cell in view.table:
        found["Evidence"] += cell.evidence
    kept = {
        kind: tuple(dict.fromkeys(name for name in names if _SHAPES[kind].fullmatch(name)))
        for kind, names in found.items()
    }
    return {**kept, **_agreed(view.contract)}


def _issued(result: ToolResult) -> Iterator[tuple[str, str]]:
    if result.tool == SEARCH_TOOL:
        yield "SearchCall", result.call_id
        for hit in result.content.get("results", ()):
            yield "Handle", str(hit.get("handle"))
    elif result.tool == READ_TOOL:
        yield "Handle", str(result.content.get("handle"))
        for passage in result.content.get("passages", ()):
            yield "Evidence", str(passage.get("id"))


def _agreed(contract: Contract) -> Names:
    return {
        "Row": tuple(row.name for row in contract.rows),
        "Field": tuple(field.name for field in contract.fields if field.type != "url"),
    }


class _Builder:
    """Collects the definitions that the arguments of several tools share."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self.definitions: Json = {}

    def arguments(self, tool: ToolSpec) -> Json | None:
        """The arguments of ``tool``; None when they need something that the Run has not issued yet."""
        own = tool.name in OWN
        defined = tool.parameters.get("$defs", {})
        if own:
            return self._form(tool.parameters, defined, FORMS[tool.name])
        for name, schema in defined.items():
            self.definitions[f"{tool.name}.{name}"] = self._closed(schema, defined, tool.name)
        return self._closed(tool.parameters, defined, tool.name)

    def _form(self, schema: Json, defined: Json, form: tuple[str, ...], kind: str | None = None) -> Json | None:
        """An object with the properties of ``form``; None when one that must be there cannot be."""
        built: Json = {} if kind is None else {"kind": {"type": "string", "enum": [kind]}}
        for entry in form:
            name, needed = entry.removesuffix("!"), entry.endswith("!")
            value = self._property(name, schema["properties"].get(name, {}), defined)
            if value is not None:
                built[name] = value if needed else _or_null(value)
            elif needed and REFERENCES.get(name) not in _AGREED:
                return None
        return _object(built)

    def _property(self, name: str, schema: Json, defined: Json) -> Json | None:
        if name in REFERENCES:
            reference = self._reference(REFERENCES[name])
            several = name in (EVIDENCE_FIRST, "search_calls")
            return {"type": "array", "items": reference} if several and reference else reference
        if schema.get("type") == "array":
            items = self._property("", schema["items"], defined)
            return None if items is None else {"type": "array", "items": items}
        if "$ref" not in schema:
            return _plain(schema)
        target = schema["$ref"].rpartition("/")[2]
        if target not in self.definitions:
            part = self._fact(defined) if target == FACT else self._form(defined[target], defined, FORMS[target])
            if part is None:
                return None
            self.definitions[target] = part
        return {"$ref": f"#/$defs/{target}"}

    def _fact(self, defined: Json) -> Json | None:
        """A fact, of whichever kinds there can be; none where the contract has no cells."""
        if not any(self._names[kind] for kind in _AGREED):
            return None
        kinds = [self._form(defined[FACT], defined, form, kind) for kind, form in FACT_FORMS.items()]
        lawful = [form for form in kinds if form is not None]
        return {"anyOf": lawful} if lawful else None

    def _reference(self, kind: str) -> Json | None:
        names = self._names.get(kind, ())
        if not names:
            return None
        pattern = _SHAPES.get(kind)
        shape = pattern is not None and len(names) > ENUM_MAX
        values: Json = {"pattern": f"^{kind[0]}[0-9]+$"} if shape else {"enum": list(names)}
        self.definitions[kind] = {"type": "string", **values}
        return {"$ref": f"#/$defs/{kind}"}

    def _closed(self, schema: Json, defined: Json, tool: str) -> Json:
        """A foreign schema with every property required; objects without named properties stay as they are."""
        if not isinstance(schema, dict):  # true: anything
            return {}
        if "$ref" in schema:
            return {"$ref": f"#/$defs/{tool}.{str(schema['$ref']).rpartition('/')[2]}"}
        for word in ("anyOf", "oneOf"):
            if isinstance(schema.get(word), list):
                return {"anyOf": [self._closed(part, defined, tool) for part in schema[word]]}
        if isinstance(schema.get("properties"), dict):
            needed = schema.get("required", ())
            parts = {name: self._closed(part, defined, tool) for name, part in schema["properties"].items()}
            return _object({name: part if name in needed else _or_null(part) for name, part in parts.items()})
        kept = {word: schema[word] for word in _KEPT if word in schema}
        if "items" in schema:
            kept["items"] = self._closed(schema["items"], defined, tool)
        return kept


def _object(properties: Json) -> Json:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _plain(schema: Json) -> Json:
    """A simple type without its title and default; null is added again where a form allows it."""
    options = [part for part in schema.get("anyOf", ()) if part != _NULL]
    chosen = options[0] if options else schema
    return {word: chosen[word] for word in _KEPT if word in chosen}


def _or_null(schema: Json) -> Json:
    if schema.get("type") == "null" or _NULL in schema.get("anyOf", ()):
        return schema
    return {"anyOf": [*schema.get("anyOf", (schema,)), _NULL]}


def _signature(schema: Any) -> str:
    """A schema as one reads it: {"handle": Handle, "find": string|null}."""
    if not isinstance(schema, dict):
        return "any"
    if "$ref" in schema:
        return re.split(r"[/.]", str(schema["$ref"]))[-1]
    if "anyOf" in schema:
        return "|".join(dict.fromkeys(_signature(part) for part in schema["anyOf"]))
    if "enum" in schema:
        return "|".join(msgspec.json.encode(value).decode() for value in schema["enum"])
    if "properties" in schema:
        parts = (f'"{name}": {_signature(part)}' for name, part in schema["properties"].items())
        return "{" + ", ".join(parts) + "}"
    if schema.get("type") == "array":
        return f"[{_signature(schema.get('items'))}, …]"
    return str(schema.get("type", "any"))
