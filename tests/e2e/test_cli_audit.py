"""Audit from a user's seat: exit codes, JSON, files, and drafts that are no drafts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.e2e.cli import Cli

pytestmark = pytest.mark.req("TSK-15")

PASSES = "# City North passes\n\nA three-day pass costs $18 and is not refundable.\n\nHelmets cost $4 a day.\n"


@pytest.fixture(name="at")
def at_fixture(tmp_path: Path) -> Cli:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "passes.md").write_text(PASSES, "utf-8")
    (docs / "south.md").write_text("# City South\n\nA day costs $15 for each visitor.\n", "utf-8")
    return Cli(tmp_path)


def draft(at: Cli, text: str | bytes, name: str = "draft.md") -> str:
    (at.home / name).write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return name


def test_a_clean_draft_is_0_and_one_with_findings_is_10(at: Cli) -> None:
    clean = at("audit", draft(at, "The three-day pass of City North costs $18."), "--corpus", "docs", "--json")
    assert clean.code == 0 and clean.json["findings"] == []
    wrong = at(
        "audit", draft(at, "The three-day pass of City North costs $19 [1].\n\n[1]: passes.md"), "--corpus", "docs"
    )
    assert wrong.code == 10
    assert "line 1  $19" in wrong.out and "FIGURE_MISMATCH" in wrong.out and "$18" in wrong.out


def test_the_json_is_the_contract_of_the_command(at: Cli) -> None:
    body = 'The pass costs $18 (passes.md). It says "is not refundable since last year".'
    done = at("audit", draft(at, body), "--corpus", "docs", "--json", "--question", "What is the pass?")
    assert set(done.json) >= {"schema", "figures", "citations", "findings", "warnings"} and done.json["schema"] == 1
    (figure,) = done.json["figures"]
    assert set(figure) >= {"text", "start", "end", "state", "code", "binding", "nearest"}
    assert body[figure["start"] : figure["end"]] == figure["text"] == "$18"
    assert set(figure["binding"]) == {"citation", "calculation"}
    assert figure["binding"]["citation"]["quote"].startswith("A three-day pass costs $18")
    assert [c["text"] for c in done.json["citations"]] == ["(passes.md)"]


def test_stdin_and_every_form_of_report(at: Cli) -> None:
    draft(at, "The pass costs $19.")
    for suffix, sign in ((".html", "<!doctype html>"), (".md", "# Audit of"), (".json", '"schema": 1')):
        assert at("audit", "draft.md", "--corpus", "docs", "--out", f"r{suffix}", "--quiet").code == 10
        assert sign in (at.home / f"r{suffix}").read_text("utf-8")
    assert at("audit", "-", "--corpus", "docs").code == 2, "stdin is empty here"


@pytest.mark.parametrize(
    ("text", "code", "why"),
    [
        (b"", 2, "DRAFT_EMPTY"),
        (b" \n\xe2\x80\x8b\n", 2, "DRAFT_EMPTY"),
        (b"\x00\x01\x02", 2, "DRAFT_NOT_TEXT"),
        (b"\xff\xd8\xff\xe0 JFIF", 2, "DRAFT_NOT_TEXT"),
        (b"It costs $18. " * 400_000, 3, "audit/draft-bytes"),
    ],
)
def test_what_is_no_draft_is_refused_in_words(at: Cli, text: bytes, code: int, why: str) -> None:
    done = at("audit", draft(at, text), "--corpus", "docs")
    assert (done.code, done.out) == (code, "") and why in done.err and "next:" in done.err
    as_json = at("audit", "draft.md", "--corpus", "docs", "--json")
    assert as_json.code == code and set(as_json.json) == {"error"}


def test_missing_files_are_refused(at: Cli) -> None:
    assert at("audit", "absent.md", "--corpus", "docs").code == 2
    name = draft(at, "It costs $18.")
    assert at("audit", name).code == 3
    assert at("audit", name, "--corpus", "nowhere").code == 3
    assert at("audit", name, "--corpus", "docs", "--out", "r.pdf").code == 2


def test_a_hostile_draft_cannot_act_on_the_page(at: Cli) -> None:
    (at.home / "docs" / "evil.md").write_text("# <script>alert(1)</script>\n\nThe <img src=x onerror=a()> fee is $7.\n")
    text = (
        "The fee is $7. <script>alert(2)</script> [x](javascript:alert(3)) <img src=y onerror=b()>\n\n"
        "\u202eevil\u202c ⸨0⸩ ![i](https://track.example/p.png) fee $8 ⸩\n\n"
        "> <b onclick=c()>the fee is very very high</b>\n"
    )
    assert at("audit", draft(at, text), "--corpus", "docs", "--out", "r.html", "--quiet").code == 10
    page = (at.home / "r.html").read_text("utf-8")
    for word in ("<script", "<img", "<b ", 'href="javascript', "href='javascript", "\u202e"):
        assert word not in page.partition("</style>")[2]
    assert "Content-Security-Policy" in page


@pytest.mark.parametrize(
    "text",
    [
        "| a | 5\n|---\n| b |\n||| 7 |\n" * 3,
        "**_`[1](((5** ![[[ ```\n9\n",
        "התעריף הוא $18 \u200f\u202bליום\u202c ו-1\u200b8 דולר",
        "> > - 1. | $18 | > *x*\n" * 20,
        "1\n" * 300,
        "[1][2][3][^1][1-50] (p. 99999) 【1†x】 $18",
        "\ufeff---\nno end\n\n$18",
        "$18\r\n\r\n# x\r$4",
    ],
)
def test_broken_drafts_give_a_result(at: Cli, text: str) -> None:
    done = at("audit", draft(at, text), "--corpus", "docs", "--json", "--out", "r.html")
    assert done.code in (0, 10), done.err
    body = json.loads(done.out)
    assert {figure["state"] for figure in body["figures"]} <= {"bound", "flagged", "free"}
