"""Owns ``counterfoil demo``: the bundled task over the bundled documents, and its report in the current folder.

Never: the network, or the user's own store (the demo's Runs are kept beside its index, in the cache folder).
"""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Any

import click

from counterfoil.entrypoints.cli.conduct import Order, conduct
from counterfoil.entrypoints.cli.options import json_option, store_option
from counterfoil.entrypoints.cli.taskfile import load_task

REPORT = "counterfoil-demo.html"
AS_OF = "2025-05-02"


@click.command()
@click.option("--out", metavar="FILE", default=REPORT, show_default=True, help="Where the report goes.")
@store_option
@json_option
@click.option("--quiet", is_flag=True, help="No progress.")
def demo(out: str, **options: Any) -> int:
    """Compare the visitor bike-share passes of two cities over bundled documents: offline, without a key."""
    folder = Path(str(resources.files("counterfoil") / "data" / "demo"))
    task = load_task(str(folder / "task.yaml"))
    given = {**options, "out": out, "as_of": task.as_of or AS_OF, "yes": True}
    return conduct(Order(task.contract, task.corpus, task.budget), given)
