"""What importing costs: CPU seconds and resident memory of a fresh process."""

import json
import subprocess
import sys

PROGRAM = """
import json, os, time
start = time.process_time()
{}
spent = time.process_time() - start
pages = int(open("/proc/self/statm").read().split()[1])
print(json.dumps({{"cpu": spent, "memory_mb": pages * os.sysconf("SC_PAGE_SIZE") / 2**20}}))
"""

PACKAGE = {
    "windlass": "import windlass",
    "lightkube": "import lightkube",
    "kr8s": "import kr8s",
    "kubernetes_asyncio": "import kubernetes_asyncio",
    "kopf": "import kopf",
}
TYPED_KIND = {
    "windlass": "from windlass.kinds.apps.v1 import Deployment",
    "lightkube": "from lightkube.resources.apps_v1 import Deployment",
    "kr8s": "from kr8s.asyncio.objects import Deployment",
    "kubernetes_asyncio": "import kubernetes_asyncio.client",
}
READY = {
    "windlass": "from windlass.client import HttpTransport\nfrom windlass.kinds.apps.v1 import Deployment",
    "lightkube": "from lightkube import AsyncClient\nfrom lightkube.resources.apps_v1 import Deployment",
    "kr8s": "import kr8s.asyncio\nfrom kr8s.asyncio.objects import Deployment",
    "kubernetes_asyncio": "from kubernetes_asyncio import client, config",
    "kopf": "import kopf",
}


def costs(
    statements: dict[str, str], environment: dict[str, str], runs: int = 9
) -> dict[str, dict[str, float]]:
    """The least CPU time and memory of several runs, in turns so that a busy moment hits all of them."""
    found: dict[str, list[dict[str, float]]] = {library: [] for library in statements}
    for _ in range(runs):
        for library, statement in statements.items():
            ran = subprocess.run(
                [sys.executable, "-c", PROGRAM.format(statement)],
                capture_output=True,
                text=True,
                check=True,
                env=environment,
            )
            found[library].append(json.loads(ran.stdout))
    return {
        library: {key: min(each[key] for each in measured) for key in ("cpu", "memory_mb")}
        for library, measured in found.items()
    }
