from __future__ import annotations

import click
import pytest
from tests.unit.adapters.render.papers import HEAD, full_paper, full_report

from counterfoil.adapters.render.paper import Paper
from counterfoil.entrypoints.cli.screen import cells, screen, shortened, text_table


def test_screen_has_every_part() -> None:
    shown = click.unstyle(screen(full_paper(), width=100, written="a.html"))
    for part in (
        "Complete, with gaps · extractive, no language model",
        "North: $18 [E3]",
        "(looked for, not found)",
        "North · pass price: $18 [E3] against 20.00 [E11]",
        "searched: South pass",
        "C1: 3 * day = 45 USD with day = $15 [E21]",
        "[E11] fares.pdf, page 2",
        "(Fares; Price; in US dollars)",
        "changed nothing",
        "entry 1 + research 5 + finalize 1 = 7",
        f"head   {HEAD}",
        "run    r1abc",
        "report a.html",
    ):
        assert part in shown


@pytest.mark.req("SEC-01")
def test_documents_cannot_write_to_the_terminal() -> None:
    plain = click.unstyle(screen(full_paper(), width=80))
    assert [c for c in plain if ord(c) < 32 and c != "\n"] == []
    assert "\u202e" not in plain


def test_budget_adds_up_on_the_screen() -> None:
    lines = click.unstyle(screen(full_paper(), width=80)).splitlines()
    used, limit, left = next(line.split()[1:4] for line in lines if line.startswith("run/model-requests"))
    assert int(used) + int(left) == int(limit)


def test_a_run_without_an_answer_is_shown() -> None:
    report = {**full_report(), "publication": None, "error": {"code": "internal", "message": "the disk is full"}}
    shown = click.unstyle(screen(Paper(report=report), width=80))
    assert "the disk is full" in shown
    assert "There is no answer." in shown


def test_wide_characters_take_two_cells() -> None:
    assert cells("中文") == 4
    assert cells("e\u0301") == 1
    assert shortened("中文字符", 5) == "中文…"
    lines = click.unstyle(text_table(("a", "b"), [("中文", "x"), ("y", "z")])).splitlines()
    assert lines == ["a     b", "中文  x", "y     z"]


def test_empty_columns_are_left_out() -> None:
    assert click.unstyle(text_table(("a", "b"), [("x", "")])).splitlines() == ["a", "x"]
    assert text_table(("a",), []) == ""
