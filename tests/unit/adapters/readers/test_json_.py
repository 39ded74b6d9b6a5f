from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.unit.adapters.readers.spans import LIMITS, checked, row, whole

from counterfoil.adapters.readers.json_ import JsonReader
from counterfoil.core.errors import DocumentUnreadable


def test_values_keep_their_path_and_their_digits(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(
        '{"name": "passes", "price": {"day": 18.50, "ids": [7]}, "rows": [{"k": "a", "v": 1.0}, {"k": "b", "v": 2}]}'
    )
    document = checked(JsonReader().read(str(path), LIMITS))
    assert document.title == "passes"
    assert "price.day: 18.50" in whole(document)
    table = row(document, "a").table
    assert table is not None
    assert (table.cells[0].value.text, table.cells[0].header[0].text) == ("1.0", "v")


def test_json_lines_are_one_table(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(json.dumps({"city": c, "pop": n}) for c, n in (("Bern", 1), ("Ulm", 2))))
    assert row(checked(JsonReader().read(str(path), LIMITS)), "Ulm").text == "Ulm | 2"


@pytest.mark.parametrize("text", ["{broken", "[" * 100_000, "{}]"])
def test_broken_json_is_corrupt(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(text)
    with pytest.raises(DocumentUnreadable) as caught:
        JsonReader().read(str(path), LIMITS)
    assert caught.value.code == "CORRUPT"


def test_json_without_values_is_empty(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("{}")
    with pytest.raises(DocumentUnreadable) as caught:
        JsonReader().read(str(path), LIMITS)
    assert caught.value.code == "EMPTY"
