"""What every corpus must do, run on each of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from counterfoil.adapters.corpus.local import LocalCorpus
from counterfoil.adapters.corpus.memory import MemoryCorpus
from counterfoil.adapters.readers.text import TextReader
from counterfoil.core.errors import SourceInvalid
from counterfoil.core.text.vocabulary import Vocabulary
from counterfoil.ports.corpus import Corpus, SearchOutcome
from counterfoil.ports.reader import ReadLimits

TEXTS = (
    (
        "north.example/passes.txt",
        "City North passes\n\nA visitor day pass costs $18.\fRides of 30 minutes are included.",
    ),
    ("south.example/passes.txt", "City South passes\n\nThe three-day pass costs $25 for visitors."),
    ("tokyo.txt", "東京都の人口は千四百万人です。\n\n大阪府は別です。"),
    ("bericht.txt", "Geschäftsbericht\n\nDer Umsatz betrug 1.234,56 Millionen Euro."),
)


def local(tmp_path: Path) -> Corpus:
    folder = tmp_path / "corpus"
    for name, text in TEXTS:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    limits = ReadLimits(file_bytes_max=1_000_000, segment_chars_max=2000, passage_chars_max=400)
    corpus = LocalCorpus(
        [],
        snapshots=[folder],
        index_path=tmp_path / "index.db",
        readers=(TextReader(),),
        limits=limits,
        vocabulary=Vocabulary(name="none"),
    )
    corpus.index_now()
    return corpus


def memory(tmp_path: Path) -> Corpus:
    return MemoryCorpus(TEXTS)


@pytest.fixture(params=[local, memory], ids=["local", "memory"])
def corpus(request: pytest.FixtureRequest, tmp_path: Path) -> Corpus:
    make: Callable[[Path], Corpus] = request.param
    return make(tmp_path)


def search(
    corpus: Corpus, query: str, *, limit: int = 5, documents: tuple[str, ...] = (), domains: tuple[str, ...] = ()
) -> SearchOutcome:
    return asyncio.run(corpus.search(query, limit=limit, documents=documents, domains=domains))


@pytest.mark.req("WEB-10")
@pytest.mark.parametrize(
    ("query", "document", "segment"),
    [
        ("What does a day pass cost in City North?", "north.example/passes.txt", 0),
        ("included minutes of a ride", "north.example/passes.txt", 1),
        ("東京の人口", "tokyo.txt", 0),
        ("Wie hoch war der Umsatz?", "bericht.txt", 0),
    ],
)
def test_the_best_place_comes_first_in_any_script(corpus: Corpus, query: str, document: str, segment: int) -> None:
    best = search(corpus, query).hits[0]
    assert (best.document.id, best.segment) == (document, segment)


def test_hits_are_ordered_limited_and_quote_verbatim(corpus: Corpus) -> None:
    outcome = search(corpus, "passes for visitors", limit=2)
    assert len(outcome.hits) == 2
    assert outcome.considered >= 2
    assert outcome.hits[0].score >= outcome.hits[1].score
    for hit in outcome.hits:
        segment = asyncio.run(corpus.read(hit.document.id, hit.segment))
        assert 0 < len(hit.snippet) <= 300
        assert hit.snippet in segment.text


def test_without_snippets_the_same_places_are_found(corpus: Corpus) -> None:
    bare = asyncio.run(corpus.search("passes for visitors", limit=2, snippets=False))
    assert [(h.document.id, h.segment) for h in bare.hits] == [
        (h.document.id, h.segment) for h in search(corpus, "passes for visitors", limit=2).hits
    ]
    assert all(hit.snippet == "" for hit in bare.hits)


def test_any_word_matches_and_nothing_is_found_for_none(corpus: Corpus) -> None:
    assert search(corpus, "zebra minutes unicorn").hits[0].segment == 1
    assert search(corpus, "zebra unicorn").hits == ()
    assert search(corpus, "").hits == ()
    assert search(corpus, "?!").hits == ()


def test_document_and_domain_filters_restrict(corpus: Corpus) -> None:
    south = search(corpus, "pass", documents=("south.example/passes.txt",))
    assert {h.document.id for h in south.hits} == {"south.example/passes.txt"}
    north = search(corpus, "pass", domains=("north.example",))
    assert {h.document.id for h in north.hits} == {"north.example/passes.txt"}
    assert search(corpus, "pass", documents=("nothing like it",)).hits == ()
    assert search(corpus, "pass", domains=("outh.example",)).hits == ()


@pytest.mark.parametrize(
    "query",
    [
        '"',
        "pass AND",
        "pass OR (",
        "NEAR(pass 5)",
        "title:pass*",
        "-pass",
        "pass'; DROP TABLE docs;--",
        "{a b} : c",
        "^pass",
        "\x00pass",
    ],
)
def test_a_query_is_words_never_syntax(corpus: Corpus, query: str) -> None:
    search(corpus, query)
    assert search(corpus, "day pass").hits


def test_segments_know_their_place(corpus: Corpus) -> None:
    segment = asyncio.run(corpus.read("north.example/passes.txt", 1))
    assert (segment.document, segment.index, segment.count) == ("north.example/passes.txt", 1, 2)
    assert all(segment.text[p.start : p.end] == p.text for p in segment.passages)
    document = asyncio.run(corpus.document("north.example/passes.txt"))
    assert document.segments == 2
    assert len(document.content_hash) == 64


@pytest.mark.parametrize(("document", "segment"), [("nowhere.txt", 0), ("tokyo.txt", 9), ("tokyo.txt", -1)])
def test_what_does_not_exist_is_source_invalid(corpus: Corpus, document: str, segment: int) -> None:
    with pytest.raises(SourceInvalid):
        asyncio.run(corpus.read(document, segment))


def test_an_unknown_document_is_source_invalid(corpus: Corpus) -> None:
    with pytest.raises(SourceInvalid):
        asyncio.run(corpus.document("nowhere.txt"))
