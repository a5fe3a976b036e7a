"""Clouds, as far as peer pods need them: an instance that nobody uses any more is deleted.

`Cloud` is the interface, of one method. No SDK of a provider is a dependency: a provider is a plug-in (an
entry point of the group `windlass.peerpod.clouds`), a program of one's own (`ProgramCloud`), or any function
from credentials to a `Cloud` in `CleaningOptions.clouds`. `FakeCloud` is one in memory, for tests and the
demo.
"""

from windlass.operators.peerpod.cloud.clouds import Clouds
from windlass.operators.peerpod.cloud.error import (
    AccessDeniedError,
    CloudError,
    InstanceMissingError,
    ThrottledError,
)
from windlass.operators.peerpod.cloud.fake import FakeCloud
from windlass.operators.peerpod.cloud.interface import Cloud, CloudFactory, Credentials
from windlass.operators.peerpod.cloud.options import CleaningOptions, CredentialsPlace
from windlass.operators.peerpod.cloud.plugin import ENTRY_POINTS, installed_clouds
from windlass.operators.peerpod.cloud.program import ProgramCloud

__all__ = [
    "ENTRY_POINTS",
    "AccessDeniedError",
    "CleaningOptions",
    "Cloud",
    "CloudError",
    "CloudFactory",
    "Clouds",
    "Credentials",
    "CredentialsPlace",
    "FakeCloud",
    "InstanceMissingError",
    "ProgramCloud",
    "ThrottledError",
    "installed_clouds",
]
