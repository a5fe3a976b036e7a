from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

Credentials = Mapping[str, str]
"""What the ConfigMap and the Secret of a provider say, by the names that the cloud-api-adaptor gives them."""


class Cloud(Protocol):
    """One account of a provider of virtual machines. It is given its credentials when it is made.

    It reads nothing from the environment of the process, which serves several providers at once.
    """

    async def delete_instance(self, instance_id: str) -> None:
        """Delete an instance; returns when it can no longer be used, or cost anything.

        It may be called again after a success that was not recorded.

        Raises:
            InstanceMissingError: there is none.
            AccessDeniedError: these credentials will not do.
            ThrottledError: later.
            CloudError: something else; it is tried again, ever later.
        """


CloudFactory = Callable[[Credentials], Cloud]
"""Makes a cloud of credentials. It raises `ConfigError` where they cannot be used."""
