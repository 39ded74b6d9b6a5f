"""Draws the phase diagram of docs/ARCHITECTURE.md from the moves that the code allows.

python docs/make_diagrams.py          rewrites the part between the markers
"""

from __future__ import annotations

from pathlib import Path

from counterfoil.core.law.phases import MOVES, Phase

PAGE = Path(__file__).with_name("ARCHITECTURE.md")
BEGIN, END = "<!-- phases: drawn by docs/make_diagrams.py -->", "<!-- end of phases -->"


def phase_diagram() -> str:
    """The phases and every move between them, as a Mermaid state diagram."""
    order = {phase: place for place, phase in enumerate(Phase)}
    sources = {source for source, _ in MOVES}
    lines = ["```mermaid", "stateDiagram-v2", f"    [*] --> {next(iter(Phase)).value}"]
    for source, target in sorted(MOVES, key=lambda move: (order[move[0]], order[move[1]])):
        lines.append(f"    {source.value} --> {target.value}")
    lines += [f"    {phase.value} --> [*]" for phase in Phase if phase not in sources]
    return "\n".join([*lines, "```"])


def with_diagram(page: str) -> str:
    """The page with its diagram drawn anew."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{phase_diagram()}\n{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(with_diagram(PAGE.read_text("utf-8")), "utf-8")
