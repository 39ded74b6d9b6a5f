from __future__ import annotations

import pytest

from counterfoil.core.answer.findings import line_of


@pytest.mark.parametrize(("position", "line"), [(0, 1), (1, 1), (2, 2), (4, 3)])
def test_lines_count_from_one(position: int, line: int) -> None:
    assert line_of("a\nb\nc", position) == line
