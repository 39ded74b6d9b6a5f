"""One question, one call: every figure of the answer is shown with the passage that it stands in."""

from pathlib import Path

import counterfoil

DOCUMENTS = Path(counterfoil.__file__).parent / "data" / "demo" / "documents"
QUESTION = "What was Tandem Mobility's total revenue in fiscal 2024, in USD thousands?"


def main() -> None:
    """Ask, and print the answer with its sources."""
    report = counterfoil.ask(QUESTION, corpus=[DOCUMENTS], model="offline")
    print(f"{report.status} ({report.model_label})\n")
    if report.publication is not None:
        print(report.publication.body, "\n")
        for citation in report.publication.citations:
            print(f"{citation.id}: {citation.title}, page {citation.page}: {citation.quote!r}")


if __name__ == "__main__":
    main()
