"""A server that runs `rarewords` and `snakemake` in forks of one process, in which everything is imported already.

Whole experiments in tests have hundreds of short jobs, and most of the time of each goes into imports. `Warm` puts two
programs of these names into a folder; with the folder first on PATH they do what the real ones do: same arguments,
working folder, environment, streams and exit code. Only signals do not reach the commands; tests that send some use the
real programs, and so does the tiny experiment of tests/workflow.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import pkgutil
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAMS = ("rarewords", "snakemake")
CLIENT = """#!{python} -IS
import json, os, socket, sys
with socket.socket(socket.AF_UNIX) as server:
    server.connect({address!r})
    request = json.dumps([{program!r}, sys.argv[1:], os.getcwd(), dict(os.environ)]).encode()
    socket.send_fds(server, [len(request).to_bytes(4, "big")], [0, 1, 2])
    server.sendall(request)
    code = server.recv(1)
sys.exit(code[0] if code else 1)
"""


class Warm:
    """The server's process, and the folder `programs` to be put first on PATH."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="rarewords-warm-"))  # a socket's path must be short
        address = str(self._folder / "socket")
        self.programs = self._folder / "bin"
        self.programs.mkdir()
        for program in PROGRAMS:
            path = self.programs / program
            path.write_text(CLIENT.format(python=sys.executable, address=address, program=program), encoding="utf-8")
            path.chmod(0o755)
        self._process = subprocess.Popen(
            [sys.executable, __file__, address],
            stdin=subprocess.PIPE,  # ends with this process, however that ends
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        assert self._process.stdout is not None
        assert self._process.stdout.readline(), "the server of warm programs does not start"

    def close(self) -> None:
        """End the server and what it still runs."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)


def serve(address: str) -> None:
    """Import everything, then fork for each connection; writes one line to standard output when it is ready.

    Ends with everything that it runs as soon as standard input ends.
    """
    import rarewords

    importlib.import_module("snakemake.cli")
    for module in pkgutil.walk_packages(rarewords.__path__, "rarewords."):
        importlib.import_module(module.name)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # ended children need no one to wait for them
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen(64)
        os.write(1, b"ready\n")
        while sys.stdin not in select.select([listener, sys.stdin], [], [])[0]:
            connection, _ = listener.accept()
            if os.fork() == 0:
                listener.close()
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                code = answer(connection)
                connection.sendall(bytes([code]))
                os._exit(0)
            connection.close()
    # Standard input has ended: the tests were killed, and nobody wants what still runs.
    shutil.rmtree(Path(address).parent, ignore_errors=True)
    os.killpg(0, signal.SIGKILL)


def answer(connection: socket.socket) -> int:
    """Run the program that a client asks for, with its streams; returns the exit code."""
    length, streams, _, _ = socket.recv_fds(connection, 4, 3)
    request = b""
    while len(request) < int.from_bytes(length, "big"):
        request += connection.recv(1 << 16)
    program, arguments, folder, environment = json.loads(request)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    # Python's own streams may hold what the server has read or not yet written.
    sys.stdin, sys.stdout, sys.stderr = (os.fdopen(number, "rww"[number], encoding="utf-8") for number in range(3))
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.argv = [str(Path(sys.executable).with_name(program)), *arguments]
    code: int | str | None = 0
    try:
        if program == "snakemake":
            from snakemake.cli import main
        else:
            from rarewords.cli import main
        main()
    except SystemExit as end:
        code = end.code
    except BaseException:
        import traceback

        traceback.print_exc()
        code = 1
    for output in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError):
            output.flush()
    return code if isinstance(code, int) else int(code is not None)


if __name__ == "__main__":
    serve(sys.argv[1])
