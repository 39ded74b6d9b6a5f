"""An executor without threads."""

from __future__ import annotations

import threading

import pytest

from counterfoil.adapters.stores.inline import InlineExecutor


def test_work_is_done_in_the_thread_that_gives_it() -> None:
    done = InlineExecutor().submit(threading.get_ident)
    assert done.done()
    assert done.result() == threading.get_ident()


def test_what_fails_is_told_to_whoever_asks_for_the_result() -> None:
    failed = InlineExecutor().submit(int, "x")
    with pytest.raises(ValueError, match="invalid literal"):
        failed.result()


def test_what_ends_the_process_is_not_kept_in_a_future_that_nobody_awaits() -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        InlineExecutor().submit(interrupted)
