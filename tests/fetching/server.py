"""A local HTTP server with ranges, which can be told to fail in the ways in which real ones do."""

from __future__ import annotations

import hashlib
import threading
from collections import defaultdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType

BLOCK = 1000


class Server:
    """Serves the bytes in `files` by path, and remembers what was asked and sent."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.ranges = True  # else a range is ignored: the whole file with status 200
        self.versions = True  # else there is no ETag
        self.encoding = ""  # a Content-Encoding that is only a label, as some servers give it to .tgz
        self.statuses: dict[str, list[int]] = defaultdict(list)  # answers before the file is sent
        self.cuts: dict[str, list[int]] = defaultdict(list)  # after as many bytes the connection ends
        self.pause: dict[str, int] = {}  # after as many bytes nothing more is sent, until `go_on` is set
        self.go_on = threading.Event()
        self.requests: list[tuple[str, str | None]] = []  # path and range
        self.sent: dict[str, int] = defaultdict(int)
        self.web = _Web(("127.0.0.1", 0), _handler(self))
        self.web.daemon_threads = True

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.web.server_address[1]}"

    def url(self, path: str) -> str:
        return f"{self.address}/{path}"

    def __enter__(self) -> Server:
        threading.Thread(target=self.web.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.go_on.set()
        self.web.shutdown()
        self.web.server_close()


class _Web(ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """Keep quiet when a client goes away."""


def _handler(server: Server) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            path, asked = self.path.lstrip("/"), self.headers.get("Range")
            server.requests.append((path, asked))
            if server.statuses[path]:
                self.send_error(server.statuses[path].pop(0))
            elif path not in server.files:
                self.send_error(404)
            else:
                self.send_file(path, server.files[path], asked)

        def send_file(self, path: str, content: bytes, asked: str | None) -> None:
            tag = f'"{hashlib.sha256(content).hexdigest()[:16]}"'
            start = 0
            if asked and server.ranges and self.headers.get("If-Range", tag) == tag:
                start = int(asked.removeprefix("bytes=").removesuffix("-"))
                if start >= len(content):
                    self.send_response(416)
                    self.send_header("Content-Range", f"bytes */{len(content)}")
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                    return
            self.send_response(206 if start else 200)
            if start:
                self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
            if server.versions:
                self.send_header("ETag", tag)
            if server.encoding:
                self.send_header("Content-Encoding", server.encoding)
            self.send_header("Content-Length", str(len(content) - start))
            self.end_headers()
            self.send_body(path, content[start:])

        def send_body(self, path: str, body: bytes) -> None:
            cut = server.cuts[path].pop(0) if server.cuts[path] else len(body)
            pause = server.pause.pop(path, None)
            for position in range(0, min(cut, len(body)), BLOCK):
                if pause is not None and position >= pause:
                    server.go_on.wait(300)
                block = body[position : min(position + BLOCK, cut)]
                server.sent[path] += len(block)  # before the other side can have it
                try:
                    self.wfile.write(block)
                except OSError:  # the other side went away
                    break
            if cut < len(body):
                self.close_connection = True

        def log_message(self, format: str, *arguments: object) -> None:
            """Keep quiet."""

    return Handler
