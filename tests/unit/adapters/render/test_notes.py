"""The working notes of a report, on every surface that shows them."""

from __future__ import annotations

import pytest
from tests.unit.adapters.render.papers import full_paper, full_report

from counterfoil.adapters.render.html import render_html
from counterfoil.adapters.render.markdown import render_markdown
from counterfoil.adapters.render.notes import MEANING, note_lines
from counterfoil.adapters.render.paper import Paper
from counterfoil.entrypoints.cli.screen import screen


@pytest.mark.req("RES-01", "TSK-02")
def test_plan_and_needs_are_shown_with_the_status_that_the_model_gave() -> None:
    labels = [line.label for line in note_lines(full_paper())]
    assert labels == ["kind of work", "criterion", "deliverable", "need, not needed"]
    for page in (render_markdown(full_paper()), render_html(full_paper()), screen(full_paper(), width=400)):
        assert "need, not needed" in page.replace("</b>", "")
        assert "same basis?" in page
        assert MEANING in page


def test_a_run_without_notes_has_no_such_section() -> None:
    report = {**full_report(), "needs": []}
    del report["plan"]
    paper = Paper(report=report)
    assert note_lines(paper) == ()
    assert MEANING not in render_markdown(paper) + render_html(paper) + screen(paper, width=80)
