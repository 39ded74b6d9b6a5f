from __future__ import annotations

from pathlib import Path

from tests.unit.adapters.readers.spans import LIMITS, checked, headings, row, whole

from counterfoil.adapters.readers.markdown import MarkdownReader

TEXT = """---
title: The report
date: 2024-05-06
lang: en
---
# Results

Some **bold** claim of 1.234,56 EUR.

| Item | 2023 | 2022 |
|---|---|---|
| Revenue ($ in millions) | 12 | 11 |

- first
- second

## Outlook

```
code stays
```
"""


def test_front_matter_headings_tables_and_prose(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text(TEXT)
    document = checked(MarkdownReader().read(str(path), LIMITS))
    assert (document.title, document.published, document.language) == ("The report", "2024-05-06", "en")
    assert headings(document.segments) == ["Results", "Outlook"]
    assert "Some **bold** claim of 1.234,56 EUR." in whole(document)
    assert "code stays" in whole(document)
    table = row(document, "Revenue ($ in millions)").table
    assert table is not None
    assert [(c.value.text, c.header[0].text, c.multiplier, c.unit) for c in table.cells] == [
        ("12", "2023", "1000000", "USD"),
        ("11", "2022", "1000000", "USD"),
    ]


def test_a_long_document_is_cut_at_headings(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("\n\n".join(f"## Part {i}\n\n" + "A sentence of words stands here. " * 30 for i in range(6)))
    document = checked(MarkdownReader().read(str(path), LIMITS))
    assert [s.heading for s in document.segments] == [f"Part {i}" for i in range(6)]
