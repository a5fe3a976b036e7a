"""Where charts come from: folders, archives, HTTP repositories, buckets, OCI registries.

`Charts` is what a controller asks; `Sources` answers from wherever an address points, and keeps what it has
fetched on disk, by digest, within `CacheLimits`. `Fetches` asks in the background, so that a slow repository
holds no worker. `SourcePolicy` says which addresses are allowed; the default refuses plain HTTP,
addresses that are not public, and archives without a digest.

    chart = await Sources().fetch(Wanted(name="shop", origin="https://charts.example.com", version="^1.2"))
"""

from windlass.helm.source.fetches import Fetches
from windlass.helm.source.origin import Charts, Credentials, Wanted
from windlass.helm.source.policy import SourcePolicy
from windlass.helm.source.shelf import LARGEST_CHART, CacheLimits
from windlass.helm.source.sources import Sources
from windlass.helm.source.version import highest, is_exact
from windlass.helm.source.web import Answer, HttpWeb, Web

__all__ = [
    "LARGEST_CHART",
    "Answer",
    "CacheLimits",
    "Charts",
    "Credentials",
    "Fetches",
    "HttpWeb",
    "SourcePolicy",
    "Sources",
    "Wanted",
    "Web",
    "highest",
    "is_exact",
]
