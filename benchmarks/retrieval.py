"""Measures whether the pages that answer a question are among the first five: ours beside LangChain's BM25.

Usage: python benchmarks/retrieval.py FOLDER QUESTIONS.jsonl [--index FILE]. Needs the dependency group `bench`.
A line holds question, doc (file name without suffix) and evidence [{doc, page}], pages counted from 0.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from langchain_community.retrievers import BM25Retriever
from langchain_text_splitters import RecursiveCharacterTextSplitter

from counterfoil.adapters.corpus.local import LocalCorpus
from counterfoil.adapters.corpus.rerank import MiniLmReranker, find_reranker
from counterfoil.adapters.corpus.vocabulary_files import load_vocabulary
from counterfoil.adapters.readers.html import HtmlReader
from counterfoil.adapters.readers.pdf import PdfReader
from counterfoil.adapters.readers.text import TextReader
from counterfoil.ports.reader import ReadLimits

FIRST = 5
CANDIDATES = 40  # chunks asked for, so that five distinct pages are among them
CHUNK_CHARS, OVERLAP_CHARS = 1000, 200
LIMITS = ReadLimits(file_bytes_max=200_000_000, segment_chars_max=6000, passage_chars_max=400)
Place = tuple[str, int]  # document without suffix, page counted from 1
Search = Callable[[str, str | None], list[Place]]
Question = dict[str, Any]


def main() -> None:
    arguments = parse_arguments()
    questions = [json.loads(line) for line in arguments.questions.read_text("utf-8").splitlines() if line.strip()]
    with tempfile.TemporaryDirectory() as folder:
        index = arguments.index or Path(folder) / "index.sqlite"
        corpus = open_corpus(arguments.corpus, index, None)
        started = time.perf_counter()
        report = corpus.index_now()
        seconds = time.perf_counter() - started
        print(f"{report.documents} documents, {report.segments} segments, indexed in {seconds:.1f} s")
        for line in (*report.warnings, *(f"skipped {name}: {why}" for name, _, why in report.skipped)):
            print(" ", line)
        show("counterfoil", searcher(corpus), questions, misses=True)
        reranker = find_reranker()
        if reranker is None:
            print("counterfoil + rerank: not installed (extra 'rerank')")
        else:
            warm = searcher(open_corpus(arguments.corpus, index, reranker))
            for question in questions:  # the first search of a page makes its vector, later ones find it
                warm(question["question"], None)
                warm(question["question"], question["doc"])
            show("counterfoil + rerank", warm, questions, misses=True)
        show("BM25Retriever 1000/200", bm25_retriever(corpus), questions, misses=False)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--index", type=Path, help="keep the index here instead of in a temporary folder")
    return parser.parse_args()


def open_corpus(folder: Path, index: Path, reranker: MiniLmReranker | None) -> LocalCorpus:
    return LocalCorpus(
        [folder],
        index_path=index,
        readers=(PdfReader(), HtmlReader(), TextReader()),
        limits=LIMITS,
        vocabulary=load_vocabulary(),
        reranker=reranker,
    )


def searcher(corpus: LocalCorpus) -> Search:
    def search(question: str, document: str | None) -> list[Place]:
        outcome = corpus.search_now(question, 20, (document,) if document else ())
        return distinct([(stem(h.document.id), h.page or h.segment + 1) for h in outcome.hits])

    return search


def bm25_retriever(corpus: LocalCorpus) -> Search:
    """LangChain's BM25Retriever over its recursive character splitter, both as they come."""
    splitter = RecursiveCharacterTextSplitter(chunk_size=CHUNK_CHARS, chunk_overlap=OVERLAP_CHARS)
    chunks: list[str] = []
    places: list[Place] = []
    for document, segment in corpus.all_segments():
        pieces = splitter.split_text(segment.text)
        chunks += pieces
        places += [(stem(document.id), segment.page or segment.index + 1)] * len(pieces)

    def retriever(rows: list[int]) -> BM25Retriever:
        where = [{"place": places[row]} for row in rows]
        return BM25Retriever.from_texts([chunks[row] for row in rows], metadatas=where, k=CANDIDATES)

    whole = retriever(list(range(len(chunks))))
    parts: dict[str, BM25Retriever] = {}

    def search(question: str, document: str | None) -> list[Place]:
        if document is not None and document not in parts:
            parts[document] = retriever([row for row, place in enumerate(places) if place[0] == document])
        found = (whole if document is None else parts[document]).invoke(question)
        return distinct([tuple(hit.metadata["place"]) for hit in found])

    return search


def show(name: str, search: Search, questions: Sequence[Question], *, misses: bool) -> None:
    for setting in ("open", "given"):
        recalls: list[float] = []
        seconds: list[float] = []
        missed: list[str] = []
        for question in questions:
            gold = {(e["doc"], e["page"] + 1) for e in question["evidence"]}
            started = time.perf_counter()
            found = search(question["question"], question["doc"] if setting == "given" else None)
            seconds.append(time.perf_counter() - started)
            recalls.append(len(gold & set(found[:FIRST])) / len(gold))
            if recalls[-1] < 1:
                missed.append(f"    {question['question'][:90]} | wanted {sorted(gold)} | got {found[:FIRST]}")
        seconds.sort()
        print(
            f"{name:24} {setting:6} rec@{FIRST} {sum(recalls) / len(recalls):.3f}  "
            f"any {sum(1 for r in recalls if r > 0)}/{len(recalls)}  "
            f"p50 {seconds[len(seconds) // 2] * 1000:.1f} ms  p95 {seconds[int(len(seconds) * 0.95)] * 1000:.1f} ms"
        )
        if misses:
            print("\n".join(missed))


def distinct(places: list[Place]) -> list[Place]:
    return list(dict.fromkeys(places))


def stem(document: str) -> str:
    return document.rsplit("/", 1)[-1].rsplit(".", 1)[0]


if __name__ == "__main__":
    main()
