from __future__ import annotations

import re
from pathlib import Path

import pytest

from counterfoil.adapters.corpus.vocabulary_files import load_vocabulary
from counterfoil.core.errors import UsageError


def test_the_packaged_vocabulary_is_consistent() -> None:
    words = load_vocabulary()
    terms = {t.name.replace(" ", "_") for t in words.terms}
    statements = {s.name for s in words.statements}
    assert len(terms) == len(words.terms)
    for formula in words.formulas:
        used = set(re.findall(r"[a-z_]+", formula.expression)) - {"avg", "prev"}
        assert used <= terms, formula.name
        assert formula.source
    for term in words.terms:
        assert set(term.statements) <= statements, term.name
        assert term.phrases


def test_a_user_file_extends_and_adds(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        'name = "mine"\ninstructions = ["in my words"]\n'
        '[[terms]]\nname = "revenue"\nphrases = ["takings"]\nlabels = ["takings, net"]\n'
        '[[terms]]\nname = "bookings"\nphrases = ["bookings"]\n'
    )
    words = load_vocabulary([path])
    revenue = next(t for t in words.terms if t.name == "revenue")
    assert revenue.phrases[0] == "takings"
    assert "net sales" in revenue.phrases
    assert any(t.name == "bookings" for t in words.terms)
    assert "in my words" in words.instructions


def test_what_a_statement_is_and_other_measures_survive_a_merge(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        'name = "mine"\nbases = ["like for like"]\n'
        '[[statements]]\nname = "balance sheet"\nphrases = ["what we own"]\ntitles = ["what we own"]\n'
    )
    words = load_vocabulary([path])
    sheet = next(s for s in words.statements if s.name == "balance sheet")
    assert sheet.instant
    assert sheet.titles[0] == "what we own"
    assert {"like for like", "adjusted"} <= set(words.bases)


@pytest.mark.parametrize(
    ("text", "code", "told"),
    [
        ("name = ", "VOCABULARY_INVALID", "not TOML"),
        ('name = "x"\nwrong = 1', "VOCABULARY_INVALID", "wrong"),
        ('name = "x"\n[[terms]]\nname = "sales"\nphrases = ["a"]\nkind = "colour"', "VOCABULARY_INVALID", "sales"),
        ("[[terms]]\nname = 3", "VOCABULARY_INVALID", "name"),
    ],
)
def test_a_broken_file_is_named_with_its_key(tmp_path: Path, text: str, code: str, told: str) -> None:
    path = tmp_path / "broken.toml"
    path.write_text(text)
    with pytest.raises(UsageError) as caught:
        load_vocabulary([path])
    assert caught.value.code == code
    assert "broken.toml" in caught.value.message
    assert told in caught.value.message


def test_a_missing_file_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        load_vocabulary([tmp_path / "none.toml"])
    assert caught.value.code == "VOCABULARY_UNREADABLE"
