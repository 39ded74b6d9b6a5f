from __future__ import annotations

import contextlib
import os
import socket
import sqlite3
import subprocess
import sys
import threading
import types
from pathlib import Path

import msgspec
import pytest
from tests.unit.adapters.corpus.helpers import LIMITS, HostileReader, SlowTextReader, local, write

import counterfoil
from counterfoil.adapters.corpus.files import Root, find_files
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
    (folder / "nowhere.txt").symlink_to(folder / "gone.txt")
    report = local(folder, tmp_path / "i.db").index_now()
    assert report.documents == 1
    assert {(name, code) for name, code, _ in report.skipped} == {
        ("link", "LINK_OUTSIDE"),
        ("file.txt", "LINK_OUTSIDE"),
        ("nowhere.txt", "NOT_A_FILE"),
    }


def test_a_pipe_and_a_socket_are_named_and_not_waited_for(tmp_path: Path) -> None:
    folder = tmp_path / "c"
    write(folder, a="alpha")
    os.mkfifo(folder / "pipe.txt")
    with contextlib.closing(socket.socket(socket.AF_UNIX)) as listening:
        here = os.getcwd()
        os.chdir(folder)  # a socket's path may not be long
        try:
            listening.bind("socket.txt")
        finally:
            os.chdir(here)
        report = local(folder, tmp_path / "i.db").index_now()
    assert [(n, c) for n, c, _ in report.skipped] == [("pipe.txt", "NOT_A_FILE"), ("socket.txt", "NOT_A_FILE")]
    with pytest.raises(RefusedError) as caught:
        local(folder / "pipe.txt", tmp_path / "j.db").index_now()
    assert caught.value.code == "CORPUS_NOT_A_FILE"


def _replace(monkeypatch: pytest.MonkeyPatch, **functions: object) -> None:
    """Let the walk, and nothing else, see another system."""
    system = {name: getattr(os, name) for name in dir(os)}
    monkeypatch.setattr("counterfoil.adapters.corpus.files.os", types.SimpleNamespace(**{**system, **functions}))


@pytest.mark.parametrize("error", [FileNotFoundError(2, "No such file"), NotADirectoryError(20, "Not a directory")])
@pytest.mark.parametrize("what", ["scandir", "stat"])
def test_what_goes_away_during_the_walk_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str, error: OSError
) -> None:
    write(tmp_path / "c" / "going", b="never")
    write(tmp_path / "c", a="alpha")
    original = getattr(os, what)
    gone = "going" if what == "scandir" else "b.txt"

    def vanishing(path: object, *given: object, **named: object) -> object:
        if str(path).endswith(gone):
            raise error
        return original(path, *given, **named)

    _replace(monkeypatch, **{what: vanishing})
    report = local(tmp_path / "c", tmp_path / "i.db").index_now()
    assert report.documents == 1
    assert [(n, c) for n, c, _ in report.skipped] == [("going" if what == "scandir" else "going/b.txt", "UNREADABLE")]
    assert "went away" in report.skipped[0][2]


def test_a_file_that_is_gone_when_it_is_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "c"
    write(folder, a="alpha", b="beta")
    found = find_files([Root(folder)])
    (folder / "b.txt").unlink()
    monkeypatch.setattr("counterfoil.adapters.corpus.indexing.find_files", lambda _: found)
    report = local(folder, tmp_path / "i.db").index_now()
    assert report.documents == 1
    assert [(n, c) for n, c, _ in report.skipped] == [("b.txt", "UNREADABLE")]


def test_a_folder_or_file_that_may_not_be_read_is_refused_as_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "c", a="alpha")
    _replace(monkeypatch, access=lambda *_: False)
    with pytest.raises(RefusedError) as caught:
        local(tmp_path / "c", tmp_path / "i.db").index_now()
    assert (caught.value.code, caught.value.exit_code) == ("CORPUS_CLOSED", 3)
    assert "may not be read" in caught.value.message

    def closed(path: object) -> object:
        raise PermissionError(13, "Permission denied", str(path))

    _replace(monkeypatch, stat=closed)
    with pytest.raises(RefusedError) as caught:
        local(tmp_path / "c" / "a.txt", tmp_path / "i.db").index_now()
    assert (caught.value.code, caught.value.exit_code) == ("CORPUS_CLOSED", 3)


@pytest.mark.parametrize("text", ["die", "hang", "raise"])
def test_a_file_that_its_reader_failed_on_is_tried_again_only_when_touched(tmp_path: Path, text: str) -> None:
    folder, index = tmp_path / "c", tmp_path / "i.db"
    folder.mkdir()
    (folder / "bad.pdf").write_text(text)
    (folder / "good.pdf").write_text("alpha")
    tried: list[str | None] = []
    for touched in (False, False, True):
        corpus = local(folder, index, readers=(HostileReader(),))
        corpus._plan = msgspec.structs.replace(corpus._plan, silent_seconds_max=1.0)
        if touched:
            os.utime(folder / "bad.pdf")
        tried.clear()
        report = corpus.index_now(lambda at: tried.append(at.current))
        corpus.close()
        assert ("bad.pdf" in tried) == (touched or report.read == 1)
        assert "changed or touched" in report.skipped[0][2]


def test_a_large_file_is_read_where_it_can_be_stopped(tmp_path: Path) -> None:
    folder = tmp_path / "c"
    write(folder, a="hang " * 50_000, b="alpha")
    corpus = local(folder, tmp_path / "i.db", readers=(SlowTextReader(),))
    corpus._plan = msgspec.structs.replace(corpus._plan, silent_seconds_max=1.0)
    report = corpus.index_now()
    assert [(n, c) for n, c, _ in report.skipped] == [("a.txt", "CRASHED")]


def test_a_file_cannot_take_all_memory(tmp_path: Path) -> None:
    folder = tmp_path / "c"
    folder.mkdir()
    (folder / "bad.pdf").write_text("swell")
    (folder / "good.pdf").write_text("alpha")
    report = local(folder, tmp_path / "i.db", readers=(HostileReader(),)).index_now()
    assert [(n, c) for n, c, _ in report.skipped] == [("bad.pdf", "TOO_LARGE_TO_READ")]


def test_a_file_rewritten_under_its_old_size_and_time_is_read_again(tmp_path: Path) -> None:
    folder, index = tmp_path / "c", tmp_path / "i.db"
    write(folder, a="alpha one")
    local(folder, index).index_now()
    times = (folder / "a.txt").stat()
    (folder / "a.txt").write_text("alpha two")
    os.utime(folder / "a.txt", ns=(times.st_atime_ns, times.st_mtime_ns))
    corpus = local(folder, index)
    assert corpus.index_now().read == 1
    assert "two" in corpus.search_now("alpha", 1).hits[0].snippet


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
    assert [(n, c) for n, c, m in report.skipped if "may not be listed" in m] == [("closed", "UNREADABLE")]
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
    assert any("built again" in w for w in report.notes)
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
