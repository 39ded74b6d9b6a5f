"""Prints which requirements a test proves (``@pytest.mark.req``) and which none does yet.

python tests/architecture/requirements_report.py
"""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[2]
LIST = ROOT / "docs" / "requirements.txt"
_MARK = re.compile(r"pytest\.mark\.req\(([^)]*)\)")
_ID = re.compile(r"[A-Z]+-\d{2}")


def listed() -> dict[str, str]:
    """Every requirement: identifier → title."""
    lines = (line.split(maxsplit=1) for line in LIST.read_text("utf-8").splitlines() if line and line[0] != "#")
    return {identifier: title for identifier, title in lines}


def proven() -> dict[str, set[str]]:
    """Identifier → the test files that name it."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for mark in _MARK.findall(path.read_text("utf-8")):
            for identifier in _ID.findall(mark):
                found[identifier].add(path.relative_to(ROOT / "tests").as_posix())
    return found


def report() -> str:
    """The report as text."""
    titles, by_test = listed(), proven()
    lines = [f"{len(titles.keys() & by_test.keys())} of {len(titles)} requirements are proven by a test", "", "Proven:"]
    lines += [f"  {i}  {titles[i]}  ({', '.join(sorted(by_test[i]))})" for i in titles if i in by_test]
    lines += ["", "Not yet:", *(f"  {i}  {titles[i]}" for i in titles if i not in by_test)]
    unknown = sorted(by_test.keys() - titles.keys())
    return "\n".join([*lines, *(["", f"Marks that name no requirement: {', '.join(unknown)}"] if unknown else [])])


if __name__ == "__main__":
    print(report())
