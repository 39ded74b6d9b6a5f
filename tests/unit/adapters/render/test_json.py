from __future__ import annotations

import json

from tests.unit.adapters.render.papers import full_paper, full_report

from counterfoil.adapters.render.json_ import render_json


def test_json_is_the_object_unchanged() -> None:
    assert json.loads(render_json(full_paper())) == full_report()
