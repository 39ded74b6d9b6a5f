"""Owns the JSON form of a report: the object of ``--json``, indented, and nothing beside it.

Never: adding, renaming or dropping a key.
"""

from __future__ import annotations

import json

from counterfoil.adapters.render.paper import Paper


def render_json(paper: Paper) -> str:
    """The run's JSON object as text, with a line break at its end."""
    return json.dumps(paper.report, ensure_ascii=False, indent=2) + "\n"
