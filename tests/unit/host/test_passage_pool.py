from __future__ import annotations

import asyncio

import pytest

from counterfoil.adapters.corpus.memory import MemoryCorpus
from counterfoil.core.answer.draft import Target
from counterfoil.host import passage_pool
from counterfoil.host.passage_pool import PassagePool

PAGES = [("a.md", "Passes cost $18.\n\nSold at kiosks.\fHelmets cost $4."), ("b.md", "Bikes cost $500.")]


def pool() -> PassagePool:
    corpus = MemoryCorpus(PAGES)
    documents = [asyncio.run(corpus.document(name)) for name, _ in PAGES]
    return PassagePool(corpus, documents)


def texts(found: list) -> list[str]:  # type: ignore[type-arg]
    return [evidence.passage.text for evidence in found]


def test_a_page_is_all_of_its_passages_and_no_others() -> None:
    at = pool()
    assert texts(asyncio.run(at.page("a.md", 2))) == ["Helmets cost $4."]
    assert asyncio.run(at.page("a.md", 9)) == [] and asyncio.run(at.page("b.md", 1)) == []


def test_searching_within_documents_finds_nothing_elsewhere() -> None:
    at = pool()
    assert texts(asyncio.run(at.search("cost bikes", ("b.md",)))) == ["Bikes cost $500."]


def test_targets_are_pages_documents_or_pages_of_any_document() -> None:
    at = pool()
    assert texts(asyncio.run(at.pointed_at([Target("x", ("a.md",), 2)], "cost"))) == ["Helmets cost $4."]
    assert texts(asyncio.run(at.pointed_at([Target("x", ("b.md",))], "cost"))) == ["Bikes cost $500."]
    assert texts(asyncio.run(at.pointed_at([Target("p. 2", (), 2)], "cost"))) == ["Helmets cost $4."]
    assert asyncio.run(at.pointed_at([Target("x", missing="gone")], "cost")) == []
    assert asyncio.run(at.has_page(Target("x", ("a.md",), 2))) and not asyncio.run(
        at.has_page(Target("x", ("a.md",), 3))
    )


def test_a_passage_keeps_its_id_also_after_it_was_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    at = pool()
    (first,) = asyncio.run(at.page("a.md", 2))
    monkeypatch.setattr(passage_pool, "HELD_SEGMENTS_MAX", 0)
    assert first.id in at.trim() and at.evidence(first.id) is None
    (again,) = asyncio.run(at.page("a.md", 2))
    assert again.id == first.id and at.evidence(first.id) == again and at.occurs("helmets")
