from __future__ import annotations

import pytest

from counterfoil.adapters.corpus.statements import StatementFinder
from counterfoil.adapters.corpus.vocabulary_files import load_vocabulary

FINDER = StatementFinder(load_vocabulary())


def strength(head: str, name: str, figures: int = 60) -> float:
    return dict(FINDER.find(head, figures)).get(name, 0.0)


@pytest.mark.parametrize(
    "head",
    [
        "ACME CO\nCONSOLIDATED BALANCE SHEETS\n(in millions)\nAssets",
        "Table of Contents\nAcme Company and Subsidiaries\nConsolidated Balance Shee t\nAt December 31",
        "ACME CO\nCondensed Consolidated Balance Sheets (Unaudited)\n",
        "Consolidated Balance Sheets (continued)\n",
        "Acme Company Consolidated\nBalance Sheets\n",
    ],
)
def test_a_balance_sheet_is_known_by_its_title(head: str) -> None:
    assert strength(head, "balance sheet") >= 0.8


@pytest.mark.parametrize(
    "head",
    [
        "The consolidated balance sheets and the notes to them give a view of what the company owned at year end",
        "Index\nConsolidated Balance Sheets ....... 40\nConsolidated Statements of Income ..... 41\n"
        "Consolidated Statements of Cash Flows ..... 42\nConsolidated Statements of Equity ..... 43",
        "Notes\nNothing here",
    ],
)
def test_mentions_and_indexes_are_no_balance_sheet(head: str) -> None:
    assert strength(head, "balance sheet") <= 0.3


def test_a_page_without_figures_is_no_statement() -> None:
    assert strength("CONSOLIDATED BALANCE SHEETS\n", "balance sheet", figures=0) == 0.0


def test_a_second_statement_further_down_the_page_counts() -> None:
    head = "\n".join(
        ["Consolidated Statements of Income", *["row of words"] * 20, "Consolidated Balance Sheets", "Assets"]
    )
    assert strength(head, "balance sheet") >= 0.8
    assert strength(head, "income statement") == 1.0
