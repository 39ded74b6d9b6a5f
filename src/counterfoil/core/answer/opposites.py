"""Owns words that exclude each other: who "lost" 0.21 m did not gain them, 57 that were refused were not granted.

Never: words that tell one deal from its two sides (bought and sold), or directions of change (see ``directions``).
"""

from __future__ import annotations

from counterfoil.core.text.stems import stems

_PAIRS = tuple(
    (stems(first), stems(second))
    for first, second in (
        ("gained gain gains won win", "lost lose loses loss"),
        ("earned", "lost"),
        ("provided generated", "used consumed"),
        ("approved accepted granted adopted passed", "rejected refused denied declined defeated failed"),
        ("opened opening", "closed closing closure closures"),
        ("arrived arrival arrivals", "departed departure departures"),
        ("imports imported import", "exports exported export"),
        ("births born", "deaths died"),
        ("inflow inflows", "outflow outflows"),
        ("joined", "left"),
        ("included including inclusive", "excluded excluding exclusive"),
        ("positive", "negative"),
        ("minimum lowest smallest least shortest cheapest", "maximum highest largest most longest dearest"),
        ("gewann gewannen gewonnen", "verlor verloren"),
        ("bewilligt genehmigt angenommen", "abgelehnt verweigert"),
        ("geöffnet eröffnet", "geschlossen"),
        ("einnahmen", "ausgaben"),
        ("einfuhr einfuhren importe", "ausfuhr ausfuhren exporte"),
        ("gagné gagnés gagnée", "perdu perdus perdue"),
        ("accepté acceptés approuvé", "refusé refusés rejeté rejetés"),
        ("ouvert ouverts", "fermé fermés"),
        ("ganó ganaron ganado", "perdió perdieron perdido"),
        ("aprobado aprobados aprobadas", "rechazado rechazados rechazadas"),
    )
)
# Pairs of two words each, which only together exclude each other.
_JOINT = (
    (stems("net cash"), stems("net debt")),
    (stems("trésorerie nette"), stems("dette nette")),
    (stems("caja neta"), stems("deuda neta")),
)


def opposite(said: frozenset[str], held: frozenset[str]) -> bool:
    """Whether words say of a number what the words beside it in its passage exclude; both are stems."""
    for pair in _PAIRS:
        for ours, theirs in (pair, pair[::-1]):
            if said & ours and not said & theirs and held & theirs and not held & ours:
                return True
    for pair in _JOINT:
        for ours, theirs in (pair, pair[::-1]):
            if ours <= said and not theirs <= said and theirs <= held and not ours <= held:
                return True
    return False
