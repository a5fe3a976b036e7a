"""A `go` that is a shell script, a release page on loopback, and programs that come from there."""

from __future__ import annotations

import json
import socket
import threading
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

import pytest

from windlass.tools.catalog import ETCD
from windlass.tools.program import Platform, Program, Release

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FAKE_GO = """\
#!/bin/sh
# Shell builtins only: PATH holds nothing but this folder.
echo "$*" >> '{here}/calls'
case "$1 $2" in
'mod download') echo '{place}' ;;
'mod edit') echo '{go_mod}' ;;
'build '*)
    echo "CGO_ENABLED=$CGO_ENABLED GOOS=$GOOS GOARCH=$GOARCH GOWORK=$GOWORK" > '{here}/settings'
    echo "$GOTMPDIR" > '{here}/gotmpdir'
    for file in go.mod go.sum; do
        while IFS= read -r line; do echo "$line"; done < $file > '{here}'/built-with-$file
    done
    while [ $# -gt 1 ]; do
        [ "$1" = -o ] && out=$2
        shift
    done
    if [ -e '{here}/fail' ]; then
        printf half > "$out"
        echo 'undefined: everything' >&2
        exit 1
    fi
    if [ -p '{here}/gate' ]; then
        exec 3> '{here}/started' 4<> '{here}/gate'
        echo 'go: waiting at the gate' >&2
        echo $$ >&3
        read -r word <&4
    fi
    read -r says < '{here}/says'
    printf '#!/bin/sh\\necho "%s"\\n' "$says" > "$out"
    ;;
esac
"""


@pytest.fixture
def go(tmp_path: Path) -> Path:
    """The folder of a fake `go`, which is steered by files in it.

    `calls` lists its invocations, `settings` and `built-with-…` show what the last build got. What it builds
    prints the contents of `says`. If `fail` exists, a build fails in the middle. If the fifos `gate` and
    `started` exist, a build opens both, writes its process id into `started`, keeps that open until it ends,
    and waits for a line from `gate`.
    """
    here = tmp_path / "go"
    module = here / "module"
    module.mkdir(parents=True)
    (module / "go.sum").write_text("example.com/dependency v1.0.0 h1:sum=\n")
    info = module / "v.info"
    info.write_text(json.dumps({"Version": "v3.6.16", "Time": "2026-10-22T22:52:36Z"}))
    place = json.dumps({"Dir": str(module), "GoMod": str(module / "go.mod"), "Info": str(info)})
    (here / "says").write_text("etcd Version: 3.6.16\n")
    script = here / "go"
    script.write_text(FAKE_GO.format(here=here, place=place, go_mod='{"Go": "1.26.0"}'))
    script.chmod(0o755)
    return here


@pytest.fixture
def env(tmp_path: Path, go: Path) -> dict[str, str]:
    """An environment in which there is nothing but the fake `go` and an empty cache."""
    home = tmp_path / "home"
    home.mkdir()
    return {"HOME": str(home), "PATH": str(go), "WINDLASS_CACHE": str(tmp_path / "cache")}


@pytest.fixture
def platform() -> Platform:
    return Platform("linux", "amd64")


@pytest.fixture
def release_files() -> dict[str, bytes]:
    """What the release page holds, by path."""
    return {}


@pytest.fixture
def release_requests() -> list[str]:
    """The paths that the release page was asked for."""
    return []


@pytest.fixture
def release_url(release_files: dict[str, bytes], release_requests: list[str]) -> Iterator[str]:
    """The address of a release page. `short` at the end of a path cuts the answer in the middle."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            release_requests.append(self.path)
            body = release_files.get(self.path)
            if body is None:
                self.send_error(404)
                return
            self.send_response(200)
            self.send_header("Content-Length", str(len(body) * (2 if self.path.endswith("short") else 1)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Keep quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Page)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def refused_url() -> Iterator[str]:
    """An address where nobody listens, and nobody else can: the port is taken."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{taken.getsockname()[1]}"


@pytest.fixture
def silent_url() -> Iterator[str]:
    """An address that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        yield f"http://127.0.0.1:{silent.getsockname()[1]}"


@pytest.fixture
def etcd(release_url: str) -> Program:
    """Etcd, published on the release page as the bare program `/etcd`."""
    return replace(
        ETCD, release=Release(url=release_url + "/{name}", checksums=release_url + "/{name}.sha256")
    )


@pytest.fixture
def unpublished_etcd(refused_url: str) -> Program:
    """Etcd, published where nobody listens."""
    return replace(
        ETCD, release=Release(url=refused_url + "/{name}", checksums=refused_url + "/{name}.sha256")
    )
