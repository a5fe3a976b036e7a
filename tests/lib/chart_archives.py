"""Charts as archives, and a web that serves them."""

from __future__ import annotations

import gzip
import io
import tarfile
from contextlib import asynccontextmanager
from hashlib import sha256
from typing import TYPE_CHECKING

from aiohttp import web
from typing_extensions import override

from windlass.helm.source import Answer, Web

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

    from windlass.helm.source import SourcePolicy

    Handler = Callable[[web.BaseRequest], Awaitable[web.StreamResponse]]


def chart_archive(name: str, version: str, templates: Mapping[str, str] | None = None) -> bytes:
    """A chart as the .tgz that `helm package` would make."""
    files = {"Chart.yaml": f"apiVersion: v2\nname: {name}\nversion: {version}\nappVersion: app-{version}\n"}
    files |= {f"templates/{each}": text for each, text in (templates or {}).items()}
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for path, text in files.items():
            info = tarfile.TarInfo(f"{name}/{path}")
            info.size = len(text.encode())
            archive.addfile(info, io.BytesIO(text.encode()))
    return gzip.compress(packed.getvalue(), mtime=0)


class ServedWeb(Web):
    """A web of some files. `asked` has every request with its credentials."""

    def __init__(self, files: Mapping[str, bytes], *, authorization: str = "") -> None:
        self.files = dict(files)
        self.asked: list[tuple[str, str]] = []
        self._authorization = authorization

    @override
    async def get(
        self,
        url: str,
        headers: Mapping[str, str],
        policy: SourcePolicy,
        write: Callable[[bytes], None] | None = None,
    ) -> Answer:
        policy.check_url(url)
        self.asked.append((url, headers.get("Authorization", "")))
        if self._authorization and headers.get("Authorization") != self._authorization:
            return Answer(status=401)
        found = self.files.get(url)
        if found is None:
            return Answer(status=404)
        if write is None:
            return Answer(status=200, body=found)
        write(found)
        return Answer(status=200)


@asynccontextmanager
async def answering(answer: Handler) -> AsyncIterator[str]:
    """A server on a port of its own; its host and port."""
    runner = web.ServerRunner(web.Server(answer))
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield f"127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


def repository(
    base: str, charts: Mapping[tuple[str, str], bytes], *, digests: bool = True
) -> dict[str, bytes]:
    """The files of an HTTP repository: its index, and the archives below it."""
    lines = ["apiVersion: v1", "entries:"]
    for name in dict.fromkeys(name for name, _ in charts):
        lines.append(f"  {name}:")
        for (each, version), content in charts.items():
            if each == name:
                lines += [
                    f"    - name: {name}",
                    f"      version: {version}",
                    f"      urls: [{name}-{version}.tgz]",
                ]
                lines += [f"      digest: {sha256(content).hexdigest()}"] if digests else []
    files = {f"{base}/{name}-{version}.tgz": content for (name, version), content in charts.items()}
    return {f"{base}/index.yaml": "\n".join(lines).encode(), **files}
