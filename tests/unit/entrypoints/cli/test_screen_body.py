from __future__ import annotations

import click

from counterfoil.entrypoints.cli.screen_body import body_lines

BODY = """\
**$18** – the pass [E3]

| | price | ride |
|---|---|---|
| North | $18 [E3] | a \\| b |
| South | not found | 45 minutes [E7] |

> a quote that is long enough to be wrapped at a narrow width [E3]
- an item
"""


def test_tables_become_blocks() -> None:
    lines = click.unstyle(body_lines(BODY, 60)).splitlines()
    assert lines[:8] == [
        "$18 – the pass [E3]",
        "",
        "North",
        "  price: $18 [E3]",
        "  ride: a | b",
        "South",
        "  price: not found",
        "  ride: 45 minutes [E7]",
    ]
    assert lines[-3:] == ["> a quote that is long enough to be wrapped at a narrow", "> width [E3]", "- an item"]


def test_no_word_is_lost() -> None:
    shown = click.unstyle(body_lines(BODY, 24)).split()
    for word in BODY.replace("|---|---|---|", "").replace("\\|", "|").replace("**", "").split():
        assert word in shown or word == "|" or f"{word}:" in shown


def test_bars_without_a_divider_are_text() -> None:
    assert body_lines("| a | b |", 80) == "| a | b |"
    assert body_lines("", 80) == ""


def test_what_markdown_escapes_is_shown_as_the_document_has_it() -> None:
    body = "> Wages \\| (702) \\| 5\\*3\\*2 [E10]\n\n| | note |\n|---|---|\n| a\\_b | c \\[d\\] \\| e |"
    assert click.unstyle(body_lines(body, 80)).splitlines() == [
        "> Wages | (702) | 5*3*2 [E10]",
        "",
        "a_b",
        "  note: c [d] | e",
    ]


def test_a_mark_that_a_document_writes_does_not_look_like_ours() -> None:
    assert body_lines("> costs \\[some\\] $5 \\[E7\\] [E3]", 80) == "> costs [some] $5 \\[E7] [E3]"
