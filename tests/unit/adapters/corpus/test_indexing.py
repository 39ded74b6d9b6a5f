from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import msgspec
import pytest
from tests.unit.adapters.corpus.helpers import LIMITS, HostileReader, local, write

import counterfoil
from counterfoil.adapters.corpus.indexing import IndexProgress
from counterfoil.adapters.readers.text import TextReader
from counterfoil.core.errors import RefusedError


@pytest.mark.req("WEB-10")
def test_only_what_changed_is_read_again(tmp_path: Path) -> None:
    folder, index = tmp_path / "c", tmp_path / "i.db"
    write(folder, a="alpha", b="beta", c="gamma")
    first = local(folder, index).index_now()
    assert (first.documents, first.read, first.unchanged, first.removed) == (3, 3, 0, 0)
    second = local(folder, index).index_now()
    assert (second.documents, second.read, second.unchanged, second.removed) == (3, 0, 3, 0)
    (folder / "a.txt").write_text("delta epsilon")
    (folder / "b.txt").unlink()
    os.utime(folder / "c.txt", (1, 1))  # another time, the same bytes
    corpus = local(folder, index)
    third = corpus.index_now()
    assert (third.documents, third.read, third.unchanged, third.removed) == (2, 1, 1, 1)
    assert [h.document.id for h in corpus.search_now("epsilon", 5).hits] == ["a.txt"]
    assert corpus.search_now("alpha", 5).hits == ()
    assert corpus.search_now("beta", 5).hits == ()


def test_other_limits_or_a_newer_reader_read_again(tmp_path: Path) -> None:
    class Newer(TextReader):
        version = 2

    folder, index = tmp_path / "c", tmp_path / "i.db"
    write(folder, a="alpha")
    local(folder, index).index_now()
    smaller = msgspec.structs.replace(LIMITS, passage_chars_max=100)
    assert local(folder, index, limits=smaller).index_now().read == 1
    assert local(folder, index, limits=smaller, readers=(Newer(),)).index_now().read == 1
    assert local(folder, index, limits=smaller, readers=(Newer(),)).index_now().read == 0


def test_files_that_cannot_be_used_are_named_with_the_reason(tmp_path: Path) -> None:
    folder = tmp_path / "c"
    write(folder, good="alpha", empty="", blank=" \n ")
    (folder / "picture.png").write_bytes(b"x")
    (folder / "binary.txt").write_bytes(bytes(range(256)) * 50)
    (folder / "huge.txt").write_text("word " * 250_000)
    (folder / ".hidden.txt").write_text("never")
    report = local(folder, tmp_path / "i.db").index_now()
    assert report.documents == 1
    assert {(name, code) for name, code, _ in report.skipped} == {
        ("empty.txt", "EMPTY"),
        ("blank.txt", "EMPTY"),
        ("picture.png", "UNSUPPORTED"),
        ("binary.txt", "CORRUPT"),
        ("huge.txt", "TOO_LARGE"),
    }
    assert all(len(message) > 10 for _, _, message in report.skipped)


def test_a_skipped_file_is_not_read_again_until_it_changes(tmp_path: Path) -> None:
    folder, index = tmp_path / "c", tmp_path / "i.db"
    write(folder, good="alpha", empty="")
    local(folder, index).index_now()
    again = local(folder, index).index_now()
    assert [(n, c) for n, c, _ in again.skipped] == [("empty.txt", "EMPTY")]
    (folder / "empty.txt").write_text("now beta")
    assert local(folder, index).index_now().skipped == ()


def test_a_file_that_kills_or_hangs_its_reader_costs_only_itself(tmp_path: Path) -> None:
    folder = tmp_path / "c"
    folder.mkdir()
    for name, text in {
        "a": "die",
        "b": "good alpha",
        "c": "hang",
        "d": "raise",
        "e": "chatter beta",
        "f": "gamma",
    }.items():
        (folder / f"{name}.pdf").write_text(text)
    corpus = local(folder, tmp_path / "i.db", readers=(HostileReader(),))
    corpus._plan = msgspec.structs.replace(corpus._plan, silent_seconds_max=4.0)
    report = corpus.index_now()
    assert [(n, c) for n, c, _ in report.skipped] == [
        ("a.pdf", "CRASHED"),
        ("c.pdf", "CRASHED"),
        ("d.pdf", "READER_FAILED"),
    ]
    assert report.documents == 3
    assert corpus.search_now("beta", 5).hits[0].document.id == "e.pdf"


def test_names_with_line_breaks_emoji_and_broken_bytes_work(tmp_path: Path) -> None:
    folder = tmp_path / "c"
    folder.mkdir()
    for raw in (b"line\nbreak.txt", "größe 📈.txt".encode(), b"broken\xff\xfe.txt", b"quote'\".txt"):
        with open(os.path.join(os.fsencode(folder), raw), "wb") as file:
            file.write(b"alpha beta")
    corpus = local(folder, tmp_path / "i.db")
    assert corpus.index_now().documents == 4
    names = [h.document.id for h in corpus.search_now("alpha", 9).hits]
    assert sorted(names) == sorted(["line\\nbreak.txt", "größe 📈.txt", "broken\\xff\\xfe.txt", "quote'\".txt"])
    assert all("\n" not in n and n.encode("utf-8") for n in names)
    assert corpus.index_now().unchanged == 4


def test_links_out_of_the_folder_are_not_followed_and_loops_end(tmp_path: Path) -> None:
    folder, outside = tmp_path / "c", tmp_path / "outside"
    write(folder / "sub", a="alpha")
    write(outside, secret="secret alpha")
    (folder / "link").symlink_to(outside)
    (folder / "file.txt").symlink_to(outside / "secret.txt")
    (folder / "sub" / "loop").symlink_to(folder)
    report = local(folder, tmp_path / "i.db").index_now()
    assert report.documents == 1


def test_a_folder_that_may_not_be_listed_is_named_after_one_walk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "c" / "closed", secret="never")
    write(tmp_path / "c", a="alpha")
    listed: list[str] = []
    scandir = os.scandir

    def guarded(folder: str) -> object:
        listed.append(folder)
        if folder.endswith("closed"):
            raise PermissionError(13, "Permission denied", folder)
        return scandir(folder)

    monkeypatch.setattr("counterfoil.adapters.corpus.files.os.scandir", guarded)
    report = local(tmp_path / "c", tmp_path / "i.db").index_now()
    assert report.documents == 1
    assert [w for w in report.warnings if "closed may not be listed" in w]
    assert len(listed) == len(set(listed)) == 2


def test_files_and_folders_may_be_given_together_and_ids_stay_apart(tmp_path: Path) -> None:
    write(tmp_path / "one", a="alpha")
    write(tmp_path / "two", a="beta")
    corpus = local([tmp_path / "one", tmp_path / "two", tmp_path / "one" / "a.txt"], tmp_path / "i.db")
    assert corpus.index_now().documents == 2
    assert corpus.search_now("beta", 1).hits[0].document.id == "two/a.txt"


@pytest.mark.parametrize(
    "make", [lambda p: p.mkdir(), lambda p: write(p, empty=""), lambda p: (p.mkdir(), (p / "a.png").write_bytes(b"x"))]
)
def test_a_corpus_without_readable_text_is_refused(tmp_path: Path, make: object) -> None:
    assert callable(make)
    make(tmp_path / "c")
    with pytest.raises(RefusedError) as caught:
        local(tmp_path / "c", tmp_path / "i.db").index_now()
    assert (caught.value.code, caught.value.exit_code) == ("CORPUS_EMPTY", 3)
    assert ".txt" in caught.value.hint


def test_a_path_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RefusedError) as caught:
        local(tmp_path / "nowhere", tmp_path / "i.db").index_now()
    assert (caught.value.code, caught.value.exit_code) == ("CORPUS_MISSING", 3)


@pytest.mark.parametrize("damage", ["garbage", "old schema", "torn", "no tables"])
def test_a_damaged_or_old_index_is_built_again_with_a_warning(tmp_path: Path, damage: str) -> None:
    folder, index = tmp_path / "c", tmp_path / "i.db"
    write(folder, **{f"doc{i}": f"alpha number{i} " * 50 for i in range(30)})
    corpus = local(folder, index)
    corpus.index_now()
    corpus.close()
    if damage == "garbage":
        index.write_bytes(b"this is no database" * 100)
    elif damage == "torn":
        data = index.read_bytes()
        index.write_bytes(data[: len(data) // 2])
    else:
        with sqlite3.connect(index) as db:
            db.execute("PRAGMA user_version = 1" if damage == "old schema" else "DROP TABLE files")
        db.close()
    corpus = local(folder, index)
    report = corpus.index_now()
    assert report.read == 30
    assert any("built again" in w for w in report.warnings)
    assert corpus.search_now("number7", 3).hits[0].document.id == "doc7.txt"


def test_two_processes_that_index_at_once_agree(tmp_path: Path) -> None:
    folder, index = tmp_path / "c", tmp_path / "i.db"
    write(folder, **{f"doc{i}": f"alpha number{i} " * 50 for i in range(60)})
    code = (
        "import sys; from pathlib import Path; from tests.unit.adapters.corpus.helpers import local;"
        "print(local(Path(sys.argv[1]), Path(sys.argv[2])).index_now().documents)"
    )
    roots = [str(Path(counterfoil.__path__[0]).parent), str(Path(__file__).parents[4])]
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(roots))
    children = [
        subprocess.Popen([sys.executable, "-c", code, str(folder), str(index)], stdout=subprocess.PIPE, env=environment)
        for _ in range(3)
    ]
    assert [child.communicate(timeout=60)[0].strip() for child in children] == [b"60"] * 3
    with sqlite3.connect(index) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert db.execute("SELECT count(*) FROM docs").fetchone() == (60,)
    db.close()


def test_progress_counts_documents_and_pages(tmp_path: Path) -> None:
    folder = tmp_path / "c"
    write(folder, a="alpha", b="beta")
    seen: list[IndexProgress] = []
    local(folder, tmp_path / "i.db").index_now(seen.append)
    assert (seen[0].documents_done, seen[0].documents_total) == (0, 2)
    assert (seen[-1].documents_done, seen[-1].documents_total) == (2, 2)


def test_reading_in_workers_works_from_any_thread(tmp_path: Path) -> None:
    folder = tmp_path / "c"
    folder.mkdir()
    (folder / "a.pdf").write_text("alpha")
    reports: list[int] = []
    corpus = local(folder, tmp_path / "i.db", readers=(HostileReader(),))
    thread = threading.Thread(target=lambda: reports.append(corpus.index_now().documents))
    thread.start()
    thread.join(60)
    assert reports == [1]
