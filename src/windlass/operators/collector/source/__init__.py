"""Where charts come from: folders, archives, HTTP repositories, buckets, OCI registries.

`Charts` is what a controller asks; `Sources` answers from wherever an address points, and keeps what it has
fetched on disk, by digest.

    chart = await Sources().fetch(Wanted(name="shop", origin="https://charts.example.com", version="^1.2"))
"""

from windlass.operators.collector.source.origin import Charts, Credentials, Wanted
from windlass.operators.collector.source.sources import Sources
from windlass.operators.collector.source.version import highest, is_exact
from windlass.operators.collector.source.web import HttpWeb, Web

__all__ = ["Charts", "Credentials", "HttpWeb", "Sources", "Wanted", "Web", "highest", "is_exact"]
