from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.adapters.corpus.helpers import local, write

from counterfoil.adapters.corpus.store import SHARDS, Store, doc_of, index_of, row_range
from counterfoil.core.errors import RefusedError


def test_rows_of_a_document_are_contiguous() -> None:
    first, last = row_range(7)
    assert (doc_of(first), doc_of(last), index_of(first), index_of(first + 41)) == (7, 7, 0, 41)
    assert row_range(8)[0] == last + 1


def test_a_failed_transaction_leaves_nothing(tmp_path: Path) -> None:
    store = Store(tmp_path / "i.db")
    store.open()
    with pytest.raises(ZeroDivisionError), store.transaction():
        store.set_meta("a", "1")
        raise ZeroDivisionError
    assert store.meta("a") is None
    with store.transaction():
        store.set_meta("a", "2")
    assert store.meta("a") == "2"
    store.close()


def test_a_place_that_cannot_hold_an_index_says_so(tmp_path: Path) -> None:
    write(tmp_path / "c", a="alpha")
    (tmp_path / "file").write_text("in the way")
    for index in (tmp_path / "file" / "i.db", tmp_path / "c"):
        with pytest.raises(RefusedError) as caught:
            local(tmp_path / "c", index).index_now()
        assert caught.value.code == "INDEX_UNAVAILABLE"
        assert caught.value.hint


def test_documents_spread_over_all_shards(tmp_path: Path) -> None:
    write(tmp_path / "c", **{f"d{i}": f"common word{i}" for i in range(SHARDS * 2)})
    corpus = local(tmp_path / "c", tmp_path / "i.db")
    corpus.index_now()
    assert corpus.search_now("common", 100).considered == SHARDS * 2
