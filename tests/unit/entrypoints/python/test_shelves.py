"""Documents are indexed once for a Host, apart for a Run that was admitted with other limits, and closed with it."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.unit.entrypoints.python.desk import Desk

from counterfoil import wiring
from counterfoil.core.errors import RefusedError
from counterfoil.core.text.vocabulary import NO_WORDS
from counterfoil.entrypoints.python.shelves import Inputs, Shelves
from counterfoil.settings import Settings, load_settings


def settings(desk: Desk) -> Settings:
    return load_settings({}, {}, desk.docs.parent)


def test_the_same_paths_are_opened_once_and_other_limits_get_an_index_of_their_own(desk: Desk) -> None:
    async def work() -> None:
        usual = settings(desk)
        shelves, inputs = Shelves(usual, NO_WORDS), Inputs.given([desk.docs], [])
        first, again = await asyncio.gather(shelves.open(usual, inputs), shelves.open(usual, inputs))
        assert first is again
        short = replace(usual, policies={"reader/passage-chars": 200})
        assert (await shelves.open(short, inputs)).corpus is not first.corpus
        shelves.close()

    asyncio.run(work())
    assert len(list(Path(settings(desk).index).rglob("*.db"))) == 2


def test_paths_are_kept_absolute(desk: Desk) -> None:
    assert Inputs.given(["docs"], []).corpus == (str(desk.docs),)


def test_what_was_skipped_is_kept_for_the_reader_of_an_answer(desk: Desk) -> None:
    async def work() -> None:
        (desk.docs / "broken.pdf").write_bytes(b"%PDF-1.7 no more")
        shelves = Shelves(settings(desk), NO_WORDS)
        shelf = await shelves.open(settings(desk), Inputs.given([desk.docs], []))
        assert ["broken.pdf" in notice.text for notice in shelf.notices] == [True]
        shelves.close()

    asyncio.run(work())


def test_a_path_that_is_not_there_is_refused(desk: Desk) -> None:
    with pytest.raises(RefusedError, match="nowhere"):
        asyncio.run(Shelves(settings(desk), NO_WORDS).open(settings(desk), Inputs.given(["nowhere"], [])))


def test_giving_up_on_an_index_closes_it_before_the_wait_is_over(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on = threading.Event(), threading.Event()
    closed: list[bool] = []
    opening = wiring.open_corpus

    def slow(*args: object, **options: object) -> object:
        begun.set()
        go_on.wait()
        corpus, report = opening(*args, **options)  # type: ignore[arg-type]  # passed on as given
        close = corpus.close

        def close_and_tell() -> None:
            close()
            closed.append(True)

        monkeypatch.setattr(corpus, "close", close_and_tell)
        return corpus, report

    monkeypatch.setattr(wiring, "open_corpus", slow)

    async def work() -> None:
        shelves = Shelves(settings(desk), NO_WORDS)
        waiting = asyncio.create_task(shelves.open(settings(desk), Inputs.given([desk.docs / "north.md"], [])))
        await asyncio.to_thread(begun.wait)
        waiting.cancel()
        await asyncio.sleep(0)
        assert not waiting.done()
        go_on.set()
        with pytest.raises(asyncio.CancelledError):
            await waiting

    asyncio.run(work())
    assert closed in ([True], [])  # it was whole and is closed, or it was given up half way
    assert not any(thread.name.startswith("asyncio") for thread in threading.enumerate())
