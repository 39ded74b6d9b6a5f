"""Owns the evidence report that the Host assembles when no Publication was accepted.

Never: a sentence of a rejected candidate, or a figure that no quote holds; only facts with their sources, conflicts,
gaps and what was tried. Every text stands on one line, as text.
"""

from __future__ import annotations

from counterfoil.core.answer.conflicts import CellView, Conflict, cell_states, conflicts, grounded
from counterfoil.core.evidence.facts import Fact
from counterfoil.core.record.state import RunState
from counterfoil.core.text.folding import loosely_folded, space_folded
from counterfoil.core.text.marks import escaped
from counterfoil.core.text.quantities import find_quantities


def assemble_report(state: RunState) -> str:
    """Markdown with ``[E7]`` marks. Whoever shows it says that the Host assembled it."""
    lines: list[str] = []
    cells = cell_states(state.contract, state.facts, ())
    known = {cell_fact.id for cell in cells for cell_fact in cell.facts}
    ordered = [fact for cell in cells for fact in cell.facts]
    ordered += [fact for fact in state.facts if fact.id not in known]
    found = list(dict.fromkeys(_fact(fact, state) for fact in ordered if grounded(fact) and fact.kind != "estimate"))
    lines += _section("What was found", found)
    lines += _section("Conflicts", [_conflict(found) for found in conflicts(state.contract, state.facts)])
    apps = dict.fromkeys(_text(request.app) for request in state.connectors)
    missing = [_missing(cell) for cell in cells if not any(f.kind in ("stated", "calculation") for f in cell.facts)]
    missing += [f"- whatever needs the app {app}, which was not connected" for app in apps]
    lines += _section("What is missing", missing or ([] if found else ["- an answer to the question"]))
    tried = [f"- searched: {_text(str(call.call.args.get('query', '')))}" for call in state.searches()]
    tried += [
        f"- read: {_text(state.sources[reading.handle].document.title)}"
        + (f", page {reading.segment.page}" if reading.segment.page else "")
        for reading in state.readings
    ]
    lines += _section("What was tried", list(dict.fromkeys(tried)) or ["- nothing was searched or read"])
    return "\n".join(lines).strip() + "\n"


def _section(title: str, lines: list[str]) -> list[str]:
    return ["", f"## {title}", "", *lines] if lines else []


def _text(words: str) -> str:
    """Words of a model or a document as one line of text that no Markdown can break out of."""
    return escaped("".join(letter for letter in space_folded(words) if letter.isprintable()))


def _missing(cell: CellView) -> str:
    why = "looked for and not found" if cell.state == "not_found" else "not answered"
    if any(fact.kind == "estimate" for fact in cell.facts):
        why = "nothing but an estimate of the model, which is not repeated here"
    return f"- {_text(cell.row)}, {_text(cell.field)}: {why}"


def _fact(fact: Fact, state: RunState) -> str:
    marks = " ".join(f"[{evidence}]" for evidence in fact.evidence)
    proven = loosely_folded(" ".join((fact.quote or "", fact.value or "", *_around(fact, state))))
    unit, period = (_proven(words, proven) for words in (fact.unit, fact.period))
    name = ", ".join(shown for words in (fact.row, fact.field) if (shown := _proven(words, proven)))
    value = f"{_text(fact.value or '')}{f' {unit}' if unit else ''}{f' ({period})' if period else ''}"
    kind = ", calculation" if fact.kind == "calculation" else ""
    return f"- {name or 'the question'}: {value}{kind} {marks}".rstrip()


def _around(fact: Fact, state: RunState) -> list[str]:
    """What stands around the evidence of a fact, and the words that the caller gave: all of it may be repeated."""
    contract = state.contract
    names = [contract.question, *(row.name for row in contract.rows), *(field.name for field in contract.fields)]
    for evidence in filter(None, map(state.evidence, fact.evidence)):
        names += [evidence.passage.text, evidence.passage.heading or "", evidence.source.document.title]
    return names


def _proven(words: str | None, proven: str) -> str:
    """Words that a model put beside a value, unless they hold an amount that nothing around the value holds."""
    amounts = [q for q in find_quantities(words or "") if q.kind in ("money", "percent", "number")]
    if any(loosely_folded(amount.text) not in proven for amount in amounts):
        return ""
    return _text(words or "")


def _conflict(found: Conflict) -> str:
    values = " against ".join(_cited(group) for group in found.groups)
    return f"- {_text(found.row)}, {_text(found.field)}: {values}"


def _cited(group: tuple[Fact, ...]) -> str:
    return f"{_text(group[0].value or '')} [{', '.join(dict.fromkeys(e for fact in group for e in fact.evidence))}]"
