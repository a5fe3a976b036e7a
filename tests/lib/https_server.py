"""An HTTPS server that answers what it was told."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

from windlass.pki import authority, serving_certificate
from windlass.testing import Access

if TYPE_CHECKING:
    from pathlib import Path

Answers = Mapping[str, tuple[int, bytes]]


class Server:
    """An HTTPS server on loopback that answers what it was told, and remembers what it was asked."""

    def __init__(self, folder: Path, answers: Answers) -> None:
        ca = authority("test")
        pair = serving_certificate(ca, ["127.0.0.1"])
        (folder / "crt").write_text(pair.certificate)
        (folder / "key").write_text(pair.key)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(folder / "crt", folder / "key")
        self.asked: list[tuple[str, str, bytes]] = []
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler(answers))
        self._http.socket = context.wrap_socket(self._http.socket, server_side=True)
        self.access = Access(
            server=f"https://127.0.0.1:{self._http.server_port}",
            tokens={"admin": "s3cret"},
            authority=ca,
            folder=folder,
        )
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,))
        self._thread.start()

    def close(self) -> None:
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    def _handler(self, answers: Answers) -> type[BaseHTTPRequestHandler]:
        asked = self.asked

        class Handler(BaseHTTPRequestHandler):
            def answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                asked.append((f"{self.command} {self.path}", self.headers["Authorization"], body))
                code, said = answers.get(f"{self.command} {self.path}", (404, b"nothing here"))
                self.send_response(code)
                self.send_header("Content-Length", str(len(said)))
                self.end_headers()
                self.wfile.write(said)

            do_GET = do_POST = do_DELETE = answer  # noqa: N815 - the names that http.server looks for

            def log_message(self, *_: object) -> None: ...

        return Handler
