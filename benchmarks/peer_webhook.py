"""The webhook of ours: `peer_webhook PORT FOLDER` judges pods until it is told to end."""

import asyncio
import signal
import sys
from pathlib import Path

from windlass.aio import run
from windlass.api import Quantity
from windlass.client import Client, ClusterConfig, HttpTransport
from windlass.kinds.core.v1 import Pod, ResourceRequirements
from windlass.manager import Address
from windlass.webhook import AdmissionRequest, Verdict, WebhookOptions, WebhookServer, mutating

_NOTHING = Quantity("0")
_LIMIT = Quantity("1Gi")


@mutating(Pod, verbs=("create",))
def sized(request: AdmissionRequest[Pod]) -> Verdict[Pod]:
    """Note how much CPU the containers ask for, and give each of them a limit."""
    pod, asked = request.object, _NOTHING
    for container in pod.spec.containers:
        resources = container.resources = container.resources or ResourceRequirements()
        asked += resources.requests.get("cpu", _NOTHING)
        resources.limits["memory"] = _LIMIT
    pod.metadata.annotations["bench.windlass.dev/milli-cpu"] = str(int(asked * 1000))
    return Verdict.change(pod)


async def serve(port: int, folder: Path) -> None:
    """Serve with the certificate of a folder; no API server is needed for that."""
    server = WebhookServer([sized], WebhookOptions(address=Address("127.0.0.1", port), folder=folder))
    running = asyncio.ensure_future(
        server.run(Client(HttpTransport(ClusterConfig(server="https://nowhere"))))
    )
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, running.cancel)
    await asyncio.wait([running, asyncio.ensure_future(server.opened())], return_when=asyncio.FIRST_COMPLETED)
    print("serving", flush=True)
    await asyncio.wait([running])


run(serve(int(sys.argv[1]), Path(sys.argv[2])))
