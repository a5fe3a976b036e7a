"""The names of previews, as a resolver finds them."""

import asyncio
from pathlib import Path
from typing import Protocol

from typing_extensions import override


class Hosts(Protocol):
    """Which address each host name has."""

    async def find(self, host: str) -> str | None:
        """The address of a host, None when it has none."""

    async def publish(self, host: str, address: str) -> None:
        """Let a host have this address and no other."""

    async def withdraw(self, host: str) -> None:
        """Let a host have none; one that has none is no fault."""


class HostsFolder(Hosts):
    """One file for each host in a folder that dnsmasq watches: `dnsmasq --hostsdir=hosts.d`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @override
    async def find(self, host: str) -> str | None:
        return await asyncio.to_thread(self._read, host)

    @override
    async def publish(self, host: str, address: str) -> None:
        await asyncio.to_thread(self._write, host, address)

    @override
    async def withdraw(self, host: str) -> None:
        await asyncio.to_thread((self._folder / host).unlink, missing_ok=True)

    def _read(self, host: str) -> str | None:
        try:
            return (self._folder / host).read_text(encoding="utf-8").split()[0]
        except FileNotFoundError:
            return None

    def _write(self, host: str, address: str) -> None:
        self._folder.mkdir(exist_ok=True)
        (self._folder / host).write_text(f"{address} {host}\n", encoding="utf-8")
