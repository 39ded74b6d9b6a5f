"""Owns the child side of cold reading: takes jobs on stdin, answers frames on stdout.

Never: the index file, more than one file at a time. A crash here costs the file in hand only.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import struct
import sys
from typing import IO

import msgspec

from counterfoil.adapters.corpus.prepare import TOO_LARGE_TO_READ, Failed, Prepared, Progress, prepare
from counterfoil.ports.reader import Reader, ReadLimits

try:
    import resource
except ImportError:  # not a POSIX system
    resource = None  # type: ignore[assignment]  # without it no memory limit is set; the deadline still holds

Frame = Progress | Prepared | Failed
_LENGTH = struct.Struct("<Q")
_PROGRESS_EVERY = 8
BYTES_MAX = 5 << 28  # of addresses: a quarter of it is libraries, a gigabyte is left for a file


class Job(msgspec.Struct, frozen=True):
    """One file to read; ``reader`` is pickled by the parent, which this process trusts."""

    reader: bytes
    path: bytes
    name: str
    limits: ReadLimits


def write_frame(stream: IO[bytes], body: bytes) -> None:
    """Write one length-prefixed message."""
    stream.write(_LENGTH.pack(len(body)))
    stream.write(body)
    stream.flush()


def read_frame(stream: IO[bytes]) -> bytes | None:
    """Read one message; None when the other side is gone."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    body = stream.read(length)
    return body if len(body) == length else None


def serve(source: IO[bytes], sink: IO[bytes]) -> None:
    """Answer jobs until the parent closes its end."""
    readers: dict[bytes, Reader] = {}
    while (body := read_frame(source)) is not None:
        job = msgspec.msgpack.decode(body, type=Job)
        if job.reader not in readers:
            readers[job.reader] = pickle.loads(job.reader)
        reader = readers[job.reader]
        write_frame(sink, msgspec.msgpack.encode(Progress(0, 0)))  # ready: from here on the file's own time runs

        def progress(done: int, total: int) -> None:
            if done % _PROGRESS_EVERY == 0 or done == total:
                write_frame(sink, msgspec.msgpack.encode(Progress(done, total)))

        try:
            outcome = msgspec.msgpack.encode(prepare(reader, os.fsdecode(job.path), job.name, job.limits, progress))
        except MemoryError:  # it could be read, and what was read could not be sent
            outcome = msgspec.msgpack.encode(Failed("", "TOO_LARGE_TO_READ", TOO_LARGE_TO_READ))
        write_frame(sink, outcome)


def _limit_memory() -> None:
    """Bound what one hostile file can take from the machine, where the system lets a process bound itself."""
    if resource is None:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = BYTES_MAX if hard == resource.RLIM_INFINITY else min(BYTES_MAX, hard)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))


def main() -> None:
    """Serve on the real stdin and stdout; anything a library prints goes to stderr."""
    _limit_memory()
    source, sink = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    serve(source, sink)


if __name__ == "__main__":
    main()
