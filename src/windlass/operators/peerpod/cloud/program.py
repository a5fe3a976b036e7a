"""A cloud that is reached by a program of one's own.

This is the one real cloud that comes with the operator: the providers' own command lines delete an instance
in one line, know every way to sign in that there is, and bring no dependency into this process.
"""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from typing_extensions import override

from windlass.aio import end_child, start_child
from windlass.errors import ConfigError
from windlass.operators.peerpod.cloud.error import (
    AccessDeniedError,
    CloudError,
    InstanceMissingError,
    ThrottledError,
)
from windlass.operators.peerpod.cloud.interface import Cloud

if TYPE_CHECKING:
    from windlass.aio import Child
    from windlass.operators.peerpod.cloud.interface import CloudFactory, Credentials

_MEANINGS: Final[dict[int, type[CloudError]]] = {
    66: InstanceMissingError,  # EX_NOINPUT
    75: ThrottledError,  # EX_TEMPFAIL
    77: AccessDeniedError,  # EX_NOPERM
}
_PASSED_ON: Final = ("PATH", "HOME", "LANG", "SSL_CERT_FILE", "SSL_CERT_DIR")
_LONGEST: Final = 500


@dataclass(frozen=True)
class ProgramCloud(Cloud):
    """Deletes an instance by running `command … <instance id>`, with the credentials as its environment.

    Of the environment of this process it gets nothing but where programs, certificates and its home are. It
    succeeds with 0, and says by the exit codes of `sysexits.h` what went wrong: 66, there is no such
    instance; 75, too much was asked at a time; 77, the credentials are not accepted. With any other it has
    failed, and is run again later. What it writes to stderr is the message. After `timeout` it is killed.
    """

    command: tuple[str, ...]
    credentials: Credentials
    timeout: timedelta = timedelta(minutes=2)

    def __post_init__(self) -> None:
        if not self.command:
            raise ConfigError("a cloud that is a program needs a command")

    @classmethod
    def of(cls, *command: str) -> CloudFactory:
        """What goes into `CleaningOptions.clouds`: `{"aws": ProgramCloud.of("/opt/delete-instance")}`."""
        return lambda credentials: cls(command, credentials)

    @override
    async def delete_instance(self, instance_id: str) -> None:
        if instance_id.startswith("-"):
            raise CloudError(f"{instance_id!r} would be taken for an option of {self.command[0]}")
        try:
            child = await start_child(
                [*self.command, instance_id],
                env={**_passed_on(), **self.credentials},
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.PIPE,
            )
        except OSError as error:
            raise CloudError(f"{self.command[0]} cannot be run: {error}") from error
        said = await self._ended(child)
        if code := child.process.returncode:
            raise _MEANINGS.get(code, CloudError)(
                f"{self.command[0]} {instance_id} ended with {code}: {said}"
            )

    async def _ended(self, child: Child) -> str:
        """The last that it said; one that takes too long, or is no longer wanted, does not stay behind."""
        try:
            async with asyncio.timeout(self.timeout.total_seconds()):
                _, stderr = await child.process.communicate()
        except TimeoutError as error:
            raise CloudError(f"{self.command[0]} did not end within {self.timeout}") from error
        finally:
            if child.process.returncode is None:
                await end_child(child)
        return stderr.decode("utf-8", "replace").strip()[-_LONGEST:] or "it did not say why"


def _passed_on() -> dict[str, str]:
    return {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
