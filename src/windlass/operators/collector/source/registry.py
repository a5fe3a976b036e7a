"""An OCI registry of charts, from which the `helm` program pulls."""

from __future__ import annotations

import asyncio
import json
import os
import tempfile
from base64 import b64encode
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from windlass.aio import end_child, start_child
from windlass.errors import ChartError
from windlass.tools import find_helm

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from windlass.operators.collector.source.cache import ChartCache
    from windlass.operators.collector.source.origin import Credentials, Wanted

SCHEME: Final = "oci://"
_SECONDS: Final = 120
_LONGEST: Final = 1000


async def from_registry(wanted: Wanted, cache: ChartCache, *, plain_http: bool = False) -> Path:
    """The archive of a chart that a registry holds.

    Raises:
        ChartError: there is none that fits, or Helm could not pull it.
        ToolError: there is no `helm` program.
    """
    program = await asyncio.to_thread(find_helm)
    with tempfile.TemporaryDirectory(prefix="windlass-pull-") as folder:
        home = Path(folder)
        config = home / "registry.json"
        config.touch(mode=0o600)
        config.write_text(json.dumps(_logins(wanted)))
        address = f"{wanted.origin.rstrip('/')}/{wanted.name}"
        version = () if wanted.version in ("", "latest") else ("--version", wanted.version)
        plain = ("--plain-http",) if plain_http else ()
        words = [str(program), "pull", address, *version, *plain, "--destination", str(home / "pulled")]
        (home / "pulled").mkdir()
        await _run(words, _environment(home, config))
        archives = list((home / "pulled").glob("*.tgz"))
        if len(archives) != 1:
            raise ChartError(f"{address}: helm pulled {len(archives)} archives, not one")
        content = await asyncio.to_thread(archives[0].read_bytes)
        return await cache.archive(address, "", lambda: _given(content))


async def _given(content: bytes) -> bytes:
    return content


def _logins(wanted: Wanted) -> dict[str, Any]:
    """Credentials in the file that Helm reads, since everybody can see the words of a command."""
    credentials = wanted.credentials
    if credentials is None:
        return {"auths": {}}
    return {"auths": {urlsplit(wanted.origin).netloc: {"auth": _login(credentials)}}}


def _login(credentials: Credentials) -> str:
    password = credentials.password or credentials.token
    return b64encode(f"{credentials.username or 'oauth2'}:{password}".encode()).decode()


def _environment(home: Path, config: Path) -> Mapping[str, str]:
    """A home of its own; of our own environment, where to find programs and by which proxy to go."""
    passed = ("PATH", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR")
    ours = {name: os.environ[name] for name in passed if name in os.environ}
    return {**ours, "HOME": str(home), "HELM_REGISTRY_CONFIG": str(config)}


async def _run(words: Sequence[str], environment: Mapping[str, str]) -> None:
    nothing = asyncio.subprocess.DEVNULL
    child = await start_child(
        words, env=environment, stdin=nothing, stdout=nothing, stderr=asyncio.subprocess.PIPE
    )
    process = child.process
    try:
        async with asyncio.timeout(_SECONDS):
            _, said = await process.communicate()
    except TimeoutError as error:
        raise ChartError(f"{words[2]} was not pulled within {_SECONDS} s") from error
    finally:
        if process.returncode is None:
            await end_child(child)
    if process.returncode:
        text = said.decode(errors="replace").strip().removeprefix("Error: ")[-_LONGEST:]
        raise ChartError(f"{words[2]} cannot be pulled: {text}")
