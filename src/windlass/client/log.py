"""What containers wrote."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from windlass.api import format_time
from windlass.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from datetime import datetime

    from windlass.client.client import Client


@dataclass(frozen=True, slots=True, kw_only=True)
class LogOptions:
    """Which part of a log is wanted; by default all of it, so far.

    `container`: its name, which a pod with one container does not need.
    `follow`: go on until the container ends. `previous`: its instance before. `timestamps`: each line begins
    with its time. `since`: nothing older, as a time or an age. `tail`: no more than the last lines. `limit`:
    no more than the first bytes.

    Raises:
        ConfigError: `since` is less than a second ago.
    """

    container: str = ""
    follow: bool = False
    previous: bool = False
    timestamps: bool = False
    since: datetime | timedelta | None = None
    tail: int | None = None
    limit: int | None = None

    def __post_init__(self) -> None:
        if isinstance(self.since, timedelta) and self.since < timedelta(seconds=1):
            raise ConfigError(f"since must be a second at least, not {self.since.total_seconds():g} s")

    def query(self) -> tuple[tuple[str, str], ...]:
        """The parameters of a request."""
        flags = {"follow": self.follow, "previous": self.previous, "timestamps": self.timestamps}
        said = {name: "true" for name, is_set in flags.items() if is_set}
        if self.container:
            said["container"] = self.container
        if isinstance(self.since, timedelta):
            said["sinceSeconds"] = str(int(self.since.total_seconds()))
        elif self.since is not None:
            said["sinceTime"] = format_time(self.since)
        if self.tail is not None:
            said["tailLines"] = str(self.tail)
        if self.limit is not None:
            said["limitBytes"] = str(self.limit)
        return tuple(said.items())


async def read_logs(
    client: Client, name: str, namespace: str = "", options: LogOptions | None = None
) -> AsyncGenerator[str, None]:
    """The lines that a container of a pod wrote, without their ends; bytes that are no text are replaced.

    async with aclosing(read_logs(client, "web-0", "shop", LogOptions(follow=True))) as lines:
        async for line in lines:
            print(line)

    Closing it ends following; a loop that reads to the end of what is there needs not.

    Raises:
        ApiError: the server refused: there is no such pod, or its container has not begun.
        ConnectionFailedError: no answer came, or it was cut off.
    """
    from windlass.kinds.core.v1 import Pod

    query = (options or LogOptions()).query()
    async with client.subresource("log").stream(Pod, name, namespace, query) as stream:
        async for line in stream.lines():
            yield line.decode(errors="replace")
