"""An admission webhook as people deploy one: HTTPS with a mounted certificate; it refuses what is called `bad`."""

from __future__ import annotations

import json
import os
import ssl
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

from typing_extensions import override


class Judge(BaseHTTPRequestHandler):
    """Answers reviews, and probes."""

    def do_GET(self) -> None:
        """Be healthy."""
        self._answer(b"ok")

    def do_POST(self) -> None:
        """Judge an object by its name."""
        review = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        request = review["request"]
        verdict = {"uid": request["uid"], "allowed": request["name"] != "bad"}
        if not verdict["allowed"]:
            verdict["status"] = {"message": f"refused in {os.environ['HOSTNAME']}"}
        self._answer(json.dumps({**review, "request": None, "response": verdict}).encode())

    @override
    def log_message(self, format: str, *args: object) -> None:
        print(format % args, flush=True)  # noqa: T201 - this is what the container says

    def _answer(self, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def main() -> None:
    """Serve until killed."""
    folder = Path(os.environ["CERTIFICATES"])
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "tls.crt", folder / "tls.key")
    server = HTTPServer(("127.0.0.1", int(os.environ["PORT"])), Judge)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
