from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterfoil.core.answer.contract import Contract, Field, Row
from counterfoil.core.errors import UsageError
from counterfoil.entrypoints.cli.taskfile import CONTRACT_KEYS, dump_contract, load_task, parse_task

TASK = """\
question: Compare the visitor bike-share passes of City North and City South for a three-day visitor.
kind: research
rows: {City North: {domains: [citynorth.gov]}, City South: {domains: [citysouth.example], docs: [passes.md]}}
fields: {price: {type: money}, included_ride: {type: duration}, overage_rule: {type: text}, source_url: {type: url}}
period: 3 days
forbidden: [purchase]
done: [a final comparison that names conflicts]
budget: {run/tool-calls: 6, run/active-seconds: 60.5}
"""


@pytest.mark.req("TSK-01")
def test_a_task_becomes_a_contract_and_a_budget() -> None:
    task = parse_task(TASK, "task.yaml")
    assert task.contract == Contract(
        question="Compare the visitor bike-share passes of City North and City South for a three-day visitor.",
        rows=(
            Row("City North", ("citynorth.gov",)),
            Row("City South", ("citysouth.example",), ("passes.md",)),
        ),
        fields=(
            Field("price", "money"),
            Field("included_ride", "duration"),
            Field("overage_rule"),
            Field("source_url", "url"),
        ),
        forbidden=("purchase",),
        period="3 days",
        done=("a final comparison that names conflicts",),
    )
    assert task.budget == {"run/tool-calls": 6, "run/active-seconds": 60.5}


def test_rows_and_fields_may_be_plain_lists() -> None:
    contract = parse_task("question: q\nrows: [North, South]\nfields:\n  - price\n", "t").contract
    assert [row.name for row in contract.rows] == ["North", "South"]
    assert contract.fields == (Field("price"),)


def test_scalars_stay_what_they_look_like() -> None:
    contract = parse_task("question: 2018\nrows: [no, 1e3, 2025-01-01, 0x1F]\n", "t").contract
    assert contract.question == "2018"
    assert [row.name for row in contract.rows] == ["no", "1e3", "2025-01-01", "0x1F"]


@pytest.mark.req("UX-06")
@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        ("question: q\n  kind: x", "line 2, column 7", "mapping values"),
        ("question: [q", "line 1", "expected"),
        ("question: q\nbugdet: {}\n", "line 2, column 1", "'bugdet'"),
        ("question: q\nquestion: r\n", "line 2, column 1", "twice"),
        ("question: q\nrows: [A, A]\n", "line 2, column 7", "twice"),
        ("question: q\nrows: {A: {domain: [x]}}\n", "line 2, column 12", "'domain'"),
        ("question: q\nfields: {p: {type: cash}}\n", "line 2, column 20", "'cash'"),
        ("question: q\nkind: chat\n", "line 2, column 7", "'chat'"),
        ("question: q\nbudget: {run/tool-calls: six}\n", "line 2, column 26", "not a number"),
        ("question: q\nbudget: {run/tool-calls: .nan}\n", "line 2, column 26", "not a number"),
        ("question: q\nbudget: [1]\n", "line 2, column 9", "mapping"),
        ("question:\n", "line 1, column 10", "empty"),
        ("rows: [A]\n", "line 1, column 1", "asks nothing"),
        ("- a\n", "line 1, column 1", "mapping"),
        ("question: {a: b}\n", "line 1, column 11", "text"),
        ("question: q\ndone: {a: b}\n", "line 2, column 7", "list"),
        ("question: &a q\ndone: [*a]\n", "line 1, column 11", "anchors"),
        ("question: !!python/object:os.system q\nrows: {? [a] : b}\n", "line 2", "text"),
        ("question: q\x00\n", "line 1", "YAML does not allow"),
    ],
)
def test_a_bad_task_is_refused_with_its_place(text: str, place: str, said: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse_task(text, "task.yaml")
    assert place in refused.value.message
    assert said in refused.value.message
    assert refused.value.message.startswith("task.yaml")
    assert refused.value.hint


def test_a_misspelt_key_is_told_the_right_one() -> None:
    with pytest.raises(UsageError) as refused:
        parse_task("question: q\nfeilds: [a]\n", "t")
    assert refused.value.hint == "did you mean 'fields'?"


def test_an_alias_bomb_is_refused_at_once() -> None:
    bomb = "a: &a [x]\n" + "".join(f"b{i}: &b{i} [{', '.join(['*a'] * 9)}]\n" for i in range(20))
    with pytest.raises(UsageError, match="anchors"):
        parse_task(bomb, "t")


@pytest.mark.parametrize("text", ["question: " + "[" * 50_000, "question: q\ndone: [" + "x," * 200_000 + "]"])
def test_a_huge_or_deep_task_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        parse_task(text, "t")


def test_an_empty_task_is_refused() -> None:
    with pytest.raises(UsageError, match="empty"):
        parse_task("# nothing\n", "t")


def test_corpus_paths_start_at_the_file(tmp_path: Path) -> None:
    file = tmp_path / "task.yaml"
    file.write_text("question: q\ncorpus: [docs, /absolute]\n")
    assert load_task(str(file)).corpus == (str(tmp_path / "docs"), "/absolute")


def test_a_missing_or_binary_file_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        load_task(str(tmp_path / "none.yaml"))
    (tmp_path / "bin.yaml").write_bytes(b"\xff\xfe\x00q")
    with pytest.raises(UsageError, match="UTF-8"):
        load_task(str(tmp_path / "bin.yaml"))


words = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp", "Zs")), min_size=1, max_size=20
)
names = st.lists(words, max_size=3, unique=True).map(tuple)
contracts = st.builds(
    Contract,
    question=words,
    rows=st.lists(st.builds(Row, words, names, names), max_size=3, unique_by=lambda row: row.name).map(tuple),
    fields=st.lists(st.builds(Field, words, st.just("money"), words), max_size=3, unique_by=lambda f: f.name).map(
        tuple
    ),
    domains=names,
    period=st.none() | words,
    done=names,
)


@settings(max_examples=100, deadline=None)
@given(contracts)
def test_a_contract_survives_being_edited(contract: Contract) -> None:
    assert parse_task(dump_contract(contract), "edited", CONTRACT_KEYS).contract == contract
