from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from windlass.operators.peerpod.cloud.interface import Cloud, CloudFactory, Credentials

ENTRY_POINTS: Final = "windlass.peerpod.clouds"
"""The group of entry points: each is a provider's name, and a function from credentials to a `Cloud`."""


def installed_clouds() -> dict[str, CloudFactory]:
    """The clouds that other packages bring, by provider. Each is loaded when it is first needed."""
    from importlib.metadata import entry_points

    return {each.name: _deferred(each) for each in entry_points(group=ENTRY_POINTS)}


def _deferred(entry_point: EntryPoint) -> CloudFactory:
    def made(credentials: Credentials) -> Cloud:
        cloud: Cloud = entry_point.load()(credentials)
        return cloud

    return made
