"""Every limit that ``counterfoil policies`` lists is one that something reads."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from counterfoil import wiring

SRC = Path(__file__).parents[2] / "src" / "counterfoil"

# Owners whose code is not written yet: the catalogue is whole, so that a task file or deployment can name their
# limits. `counterfoil policies` says of each that this version has no consumer for it.
ABSENT = "which this version does not"
UNREAD = {policy.id for policy in wiring.catalogue().values() if ABSENT in policy.consumer}


def references(tree: ast.AST) -> Iterator[str]:
    """Names and texts that a module uses, but for what stands inside a policy's own declaration."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Policy":
            continue
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
            continue  # the constant that gives an identity its name
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        yield from references(node)


def names() -> dict[str, str]:
    """Constant → the policy that it names."""
    found: dict[str, str] = {}
    for path in SRC.rglob("*.py"):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
                found |= {t.id: str(node.value.value) for t in node.targets if isinstance(t, ast.Name)}
    return found


def read() -> set[str]:
    """The policies that source code refers to outside declarations."""
    used = {name for path in SRC.rglob("*.py") for name in references(ast.parse(path.read_text("utf-8")))}
    constants = names()
    return used | {constants[name] for name in used if name in constants}


@pytest.mark.req("GOV-01")
def test_every_policy_of_the_catalogue_is_read_outside_its_declaration() -> None:
    assert sorted(set(wiring.catalogue()) - read() - UNREAD) == []


def test_a_declaration_alone_is_no_reading() -> None:
    declared = 'LIMIT = "web/limit"\nPOLICIES = (Policy(id=LIMIT, unit="calls"),)\n'
    assert "LIMIT" not in set(references(ast.parse(declared)))
    assert "LIMIT" in set(references(ast.parse(declared + "value = values[LIMIT]")))
