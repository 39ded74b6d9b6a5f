"""Owns reading YAML as nodes that know their line and column, and taking texts, lists and tables from them.

Every problem is a UsageError with file, line and column. Never: YAML's guesses (no, 1e3, dates) or aliases.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection
from typing import NoReturn

import yaml

from counterfoil.core.errors import UsageError

NUMBER_MAX = 1e15
DEPTH_MAX = 12
BYTES_MAX = 256 * 1024  # a task is a page or two; this bounds what the parser has to hold
_OPENING = (
    yaml.FlowSequenceStartToken,
    yaml.FlowMappingStartToken,
    yaml.BlockSequenceStartToken,
    yaml.BlockMappingStartToken,
)
_CLOSING = (yaml.FlowSequenceEndToken, yaml.FlowMappingEndToken, yaml.BlockEndToken)


class Nodes:
    """A YAML file as nodes."""

    def __init__(self, text: str, name: str) -> None:
        self._name = name
        if len(text.encode("utf-8", "surrogateescape")) > BYTES_MAX:
            raise UsageError(
                f"{name} is larger than {BYTES_MAX // 1024} KiB", code="TASK_TOO_LARGE", hint="split the task"
            )
        try:
            self._scan(text)
            self.root: yaml.Node | None = yaml.compose(text, Loader=yaml.SafeLoader)
        except yaml.MarkedYAMLError as wrong:
            what = " ".join(filter(None, (wrong.problem, wrong.context))) or "it cannot be parsed"
            self._fail(wrong.problem_mark or wrong.context_mark, what, "mend the YAML at that place")
        except yaml.reader.ReaderError as wrong:
            place = text.count("\n", 0, wrong.position) + 1
            raise UsageError(
                f"{name}, line {place}: a character that YAML does not allow", code="TASK_INVALID", hint="remove it"
            ) from wrong

    def _scan(self, text: str) -> None:
        """Refuse what makes a parser work for ever: references to references, and deep nesting."""
        depth = 0
        for token in yaml.scan(text, Loader=yaml.SafeLoader):
            if isinstance(token, yaml.AliasToken | yaml.AnchorToken):
                self._fail(token.start_mark, "anchors and aliases are not allowed", "write the value out")
            depth += isinstance(token, _OPENING) - isinstance(token, _CLOSING)
            if depth > DEPTH_MAX:
                self._fail(token.start_mark, "this is nested too deeply", "a task needs four levels at most")

    def table(self, node: yaml.Node, what: str, keys: Collection[str] | None = None) -> dict[str, yaml.Node]:
        """A mapping, key → node. Repeated keys, and keys not in ``keys``, are refused."""
        if not isinstance(node, yaml.MappingNode):
            self.fail(node, f"{what} must be a mapping of names to values", "write NAME: VALUE")
        found: dict[str, yaml.Node] = {}
        for key, value in node.value:
            name = self.text(key, f"a name in {what}")
            if keys is not None and name not in keys:
                near = difflib.get_close_matches(name, list(keys), n=1)
                hint = f"did you mean {near[0]!r}?" if near else f"keys are: {', '.join(keys)}"
                self.fail(key, f"{what} has no key {name!r}", hint)
            if name in found:
                self.fail(key, f"{name!r} stands twice in {what}", "keep one of them")
            found[name] = value
        return found

    def items(self, node: yaml.Node, what: str) -> list[yaml.Node]:
        """A list; a single value counts as a list of one."""
        if isinstance(node, yaml.MappingNode):
            self.fail(node, f"{what} must be a list", "write [first, second]")
        return list(node.value) if isinstance(node, yaml.SequenceNode) else [node]

    def texts(self, node: yaml.Node, what: str) -> tuple[str, ...]:
        """A list of texts."""
        return tuple(self.text(item, what) for item in self.items(node, what))

    def text(self, node: yaml.Node, what: str) -> str:
        """A text exactly as written: ``no`` and ``2018`` stay what they look like."""
        if not isinstance(node, yaml.ScalarNode):
            self.fail(node, f"{what} must be a text", "write it on one line")
        if not node.value.strip() or node.tag == "tag:yaml.org,2002:null":
            self.fail(node, f"{what} is empty", "give it a value, or leave the key out")
        if any("\ud800" <= c <= "\udfff" for c in node.value):
            self.fail(node, f"{what} holds half a character", "write the character itself instead of \\ud800")
        return str(node.value).strip()

    def number(self, node: yaml.Node, what: str) -> int | float:
        """A finite number."""
        text = self.text(node, what)
        try:
            number = float(text.replace("_", ""))
        except ValueError:
            number = float("nan")
        if not -NUMBER_MAX < number < NUMBER_MAX:
            self.fail(node, f"{what} is {text!r}, not a number", "write digits")
        return int(number) if number.is_integer() else number

    def fail(self, node: yaml.Node, what: str, hint: str) -> NoReturn:
        """Refuse ``node``, naming its place."""
        self._fail(node.start_mark, what, hint)

    def _fail(self, mark: yaml.Mark | None, what: str, hint: str) -> NoReturn:
        place = f", line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        raise UsageError(f"{self._name}{place}: {what}", code="TASK_INVALID", hint=hint)
