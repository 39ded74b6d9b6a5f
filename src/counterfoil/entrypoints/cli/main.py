"""Owns the command group: which commands there are, found by name and loaded only when one is called.

Never: importing HTTP, SQL, web code or rich; ``counterfoil --help`` must answer at once.
"""

from __future__ import annotations

import difflib
import sys
from collections.abc import Sequence
from typing import Any

import click

from counterfoil.entrypoints.cli.commands import COMMANDS
from counterfoil.entrypoints.cli.errors import guarded
from counterfoil.entrypoints.cli.exits import MEANING
from counterfoil.entrypoints.cli.streams import take_signals, take_streams

_EPILOG = f"Exit codes: {', '.join(f'{code} {meaning}' for code, meaning in MEANING.items())}."


class LazyGroup(click.Group):
    """A group that knows its commands by name and summary, and loads one when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names, in the order a person meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, loaded now."""
        entry = COMMANDS.get(cmd_name)
        return entry.load() if entry else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that ``args`` name; an unknown one is refused with the nearest name."""
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            near = difflib.get_close_matches(args[0], COMMANDS, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            ctx.fail(f"there is no command {args[0]!r}.{hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, from their summaries alone."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.summary) for name, entry in COMMANDS.items()])


@click.group(
    cls=LazyGroup,
    epilog=_EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    invoke_without_command=True,
)
@click.version_option(package_name="counterfoil", prog_name="counterfoil", message="%(prog)s %(version)s")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Counterfoil: research that keeps its receipts.

    Ask a folder of documents a question; every figure in the answer links to the passage it stands in.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def run(args: Sequence[str]) -> int:
    """Run one command line; returns its exit code and never raises."""

    def call() -> Any:
        return cli.main(args=list(args), prog_name="counterfoil", standalone_mode=False)

    return guarded(call, args)


def main() -> None:
    """The console script."""
    take_streams()
    take_signals()
    sys.exit(run(sys.argv[1:]))
