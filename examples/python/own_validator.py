"""A publication check of your own: it judges every answer with the built-in ones, and its findings go to the model."""

from pathlib import Path

import counterfoil
from counterfoil import SyncHost
from counterfoil.core.answer.candidate import Candidate
from counterfoil.core.answer.findings import Finding, line_of
from counterfoil.core.record.state import RunState

DOCUMENTS = Path(counterfoil.__file__).parent / "data" / "demo" / "documents"


class NotFrom:
    """Rejects an answer that cites a source that the house does not trust. Pure: it looks at what it is given only."""

    name = "not_from@1"  # name and version, kept with each judgement

    def __init__(self, part: str) -> None:
        self._part = part

    def check(self, candidate: Candidate, state: RunState) -> tuple[Finding, ...]:
        """Every citation of such a source."""
        found = []
        for number in range(1, state.evidence_count + 1):
            evidence = state.evidence(f"E{number}")
            place = candidate.body.find(f"[E{number}]")
            if evidence is not None and place >= 0 and self._part in evidence.source.document.url:
                needed = f"a source outside {self._part}"
                found.append(Finding("SOURCE_UNWANTED", f"[E{number}]", needed, line=line_of(candidate.body, place)))
        return tuple(found)


def main() -> None:
    """Ask twice: the second time the only documents are those that are not trusted."""
    question = "What does the three-day visitor pass of City North cost?"
    for corpus in (DOCUMENTS, DOCUMENTS / "blog"):
        with SyncHost(corpus=[corpus], model="offline", validators=[NotFrom("/blog/")]) as host:
            report = host.ask(question)
        print(f"{corpus.name}: {report.status}, finished: {report.finished}")
        for rejection in report.rejections:
            print("  rejected:", rejection["findings"][0])


if __name__ == "__main__":
    main()
