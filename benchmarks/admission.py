"""A webhook of ours beside the same webhook on controller-runtime.

Both note on a pod how much CPU its containers ask for, and give each a limit. A call is one AdmissionReview
over a kept TLS connection, as the API server sends it, at a steady rate; what a call costs is the CPU of the
webhook's process. Beside that, the real API server asks each of them about pods that are created as a trial.
The two take turns, and each figure is the median of the rounds.
"""

import asyncio
import base64
import ssl
import statistics
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import aiohttp
import orjson

from benchmarks.contenders import GO, OURS, Environment
from benchmarks.golang import build
from benchmarks.measured import Measured, started
from benchmarks.result import Row, row
from windlass.aio import run
from windlass.api import ObjectMeta
from windlass.client import Client, connect, load_config
from windlass.kinds.admissionregistration.v1 import MutatingWebhookConfiguration
from windlass.kinds.core.v1 import Namespace, Pod, ServiceAccount
from windlass.pki import KeyPair, authority, serving_certificate
from windlass.testing import start_control_plane

PATH = "/mutate-v1-pod"
_NAMESPACE = "bench"
_HEADERS = {"Content-Type": "application/json"}
_PATIENCE = 30

Figures = dict[str, float]


@dataclass(frozen=True, kw_only=True)
class AdmissionOptions:
    """How many calls a second for how many seconds over how many connections, and how many pods at once."""

    rounds: int = 3
    rate: int = 200
    seconds: int = 10
    connections: int = 8
    pods: int = 1000


def admission(environment: Environment, options: AdmissionOptions) -> list[Row]:
    """What an admission call takes, and what it costs."""
    program = build()
    with start_control_plane() as running, TemporaryDirectory() as name:
        ca = authority("bench")
        folder = Path(name)
        _write(folder, serving_certificate(ca, ["127.0.0.1"]))
        commands = {
            OURS: [sys.executable, "-m", "benchmarks.peer_webhook"],
            GO: [program, "webhook"],
        }
        found = run(_race(commands, environment, (folder, ca), running.access.kubeconfig, options))
    return list(_rows(found))


async def _race(
    commands: dict[str, list[str]],
    environment: Environment,
    certificates: tuple[Path, KeyPair],
    kubeconfig: Path,
    options: AdmissionOptions,
) -> dict[str, Figures]:
    folder, ca = certificates
    rounds: dict[str, list[Figures]] = {name: [] for name in commands}
    async with connect(load_config(kubeconfig)) as client:
        await _prepare(client)
        for number in range(options.rounds):
            for index, (name, command) in enumerate(commands.items()):
                port = _free_port()
                async with started([*command, str(port), str(folder)], environment) as process:
                    await process.says("serving")
                    url = f"https://127.0.0.1:{port}{PATH}"
                    figures = await _calls(url, ca, process, options)
                    async with _configured(client, url, ca, f"bench-{number}-{index}"):
                        figures |= await _pods(client, options)
                told = ", ".join(f"{what} {value:.2f}" for what, value in figures.items())
                print(f"round {number + 1}, {name}: {told}", flush=True)
                rounds[name].append(figures)
    return {name: _medians(found) for name, found in rounds.items()}


async def _calls(url: str, ca: KeyPair, process: Measured, options: AdmissionOptions) -> Figures:
    """Calls at a steady rate, whether or not earlier ones were answered."""
    context = ssl.create_default_context(cadata=ca.certificate)
    connector = aiohttp.TCPConnector(ssl=context, limit=options.connections)
    async with aiohttp.ClientSession(connector=connector) as session:

        async def call(number: int) -> None:
            async with session.post(url, data=_review(number), headers=_HEADERS) as answer:
                said = orjson.loads(await answer.read())["response"]
            if not said["allowed"] or b"milli-cpu" not in base64.b64decode(said["patch"]):
                raise SystemExit(f"not what was asked for: {said}")

        await _until_served(lambda: call(0))
        await _paced(call, options.rate, options.rate)  # everybody is warm
        before = process.cost().cpu
        taken = await _paced(call, options.rate * options.seconds, options.rate)
        cost = process.cost()
    return {
        "call: p50": _percentile(taken, 50) * 1000,
        "call: p99": _percentile(taken, 99) * 1000,
        "call: CPU": (cost.cpu - before) / len(taken) * 1000,
        "memory": cost.memory,
    }


async def _pods(client: Client, options: AdmissionOptions) -> Figures:
    """Pods that are created as a trial, some at a time."""
    trial = client.using(dry_run=True)
    taken: list[float] = []
    numbers = iter(range(options.pods))

    async def create() -> None:
        for number in numbers:
            begin = time.perf_counter()
            made = await trial.create(Pod.from_wire(_pod(number)))
            taken.append(time.perf_counter() - begin)
            if "bench.windlass.dev/milli-cpu" not in made.metadata.annotations:
                raise SystemExit(f"the webhook was not asked about {made}")

    async with asyncio.TaskGroup() as group:
        for _ in range(options.connections):
            group.create_task(create())
    return {"pod: p50": _percentile(taken, 50) * 1000, "pod: p99": _percentile(taken, 99) * 1000}


async def _paced(call: Callable[[int], Awaitable[None]], count: int, rate: int) -> list[float]:
    """How long each of these calls took from when it was due."""
    taken: list[float] = []
    begin = time.perf_counter()

    async def one(number: int) -> None:
        due = begin + number / rate
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        sent = time.perf_counter()
        await call(number)
        taken.append(time.perf_counter() - sent)

    async with asyncio.TaskGroup() as group:
        for number in range(count):
            group.create_task(one(number))
    return taken


async def _until_served(call: Callable[[], Awaitable[None]]) -> None:
    """Both say that they serve a moment before they do."""
    async with asyncio.timeout(_PATIENCE):
        while True:
            try:
                return await call()
            except aiohttp.ClientConnectorError:
                await asyncio.sleep(0.05)


async def _prepare(client: Client) -> None:
    await client.create(Namespace(metadata=ObjectMeta(name=_NAMESPACE)))
    await client.create(ServiceAccount(metadata=ObjectMeta(name="default", namespace=_NAMESPACE)))


@asynccontextmanager
async def _configured(client: Client, url: str, ca: KeyPair, name: str) -> AsyncIterator[None]:
    """The API server asks this webhook, once it has heard of it."""
    hook = {
        "name": "sized.bench.windlass.dev",
        "clientConfig": {"url": url, "caBundle": base64.b64encode(ca.certificate.encode()).decode()},
        "rules": [
            {"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["pods"]}
        ],
        "admissionReviewVersions": ["v1"],
        "sideEffects": "None",
    }
    await client.create(
        MutatingWebhookConfiguration.from_wire({"metadata": {"name": name}, "webhooks": [hook]})
    )
    try:
        await _until_asked(client, wanted=True)
        yield
    finally:
        await client.delete(MutatingWebhookConfiguration, name)
        await _until_asked(client, wanted=False)


async def _until_asked(client: Client, *, wanted: bool) -> None:
    """Wait until the API server asks the webhook, or does not any more."""
    trial = client.using(dry_run=True)
    async with asyncio.timeout(_PATIENCE):
        while bool((await trial.create(Pod.from_wire(_pod(0)))).metadata.annotations) is not wanted:  # noqa: ASYNC110
            await asyncio.sleep(0.05)


def _review(number: int) -> bytes:
    """What the API server asks about a pod."""
    kind = {"group": "", "version": "v1", "kind": "Pod"}
    resource = {"group": "", "version": "v1", "resource": "pods"}
    request = {
        "uid": f"00000000-0000-4000-8000-{number:012}",
        "kind": kind,
        "resource": resource,
        "requestKind": kind,
        "requestResource": resource,
        "namespace": _NAMESPACE,
        "operation": "CREATE",
        "userInfo": {"username": "jane", "groups": ["system:authenticated"]},
        "object": {"apiVersion": "v1", "kind": "Pod", **_pod(number)},
        "oldObject": None,
        "dryRun": False,
        "options": {"kind": "CreateOptions", "apiVersion": "meta.k8s.io/v1"},
    }
    return orjson.dumps({"kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1", "request": request})


def _pod(number: int) -> dict[str, Any]:
    """A pod of a usual size: two containers with environment, probes and mounts."""
    container = {
        "image": "registry.example.com/shop/web:1.2.3",
        "env": [{"name": f"SETTING_{index}", "value": f"value {index}"} for index in range(12)],
        "ports": [{"name": "http", "containerPort": 8080, "protocol": "TCP"}],
        "resources": {"requests": {"cpu": "250m", "memory": "64Mi"}},
        "readinessProbe": {"httpGet": {"path": "/ready", "port": "http"}, "periodSeconds": 5},
        "volumeMounts": [{"name": "data", "mountPath": "/data"}],
        "securityContext": {"allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True},
    }
    return {
        "metadata": {
            "name": f"web-{number}",
            "namespace": _NAMESPACE,
            "labels": {"app.kubernetes.io/name": "web", "app.kubernetes.io/instance": "shop"},
        },
        "spec": {
            "containers": [{"name": "web", **container}, {"name": "side", **container}],
            "volumes": [{"name": "data", "emptyDir": {}}],
            "tolerations": [{"key": "dedicated", "operator": "Exists", "effect": "NoSchedule"}],
        },
    }


def _medians(rounds: list[Figures]) -> Figures:
    return {what: statistics.median(each[what] for each in rounds) for what in rounds[0]}


def _percentile(taken: list[float], percent: int) -> float:
    return statistics.quantiles(taken, n=100, method="inclusive")[percent - 1]


def _free_port() -> int:
    import socket

    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def _write(folder: Path, pair: KeyPair) -> None:
    (folder / "tls.crt").write_text(pair.certificate)
    (folder / "tls.key").write_text(pair.key)


def _rows(found: dict[str, Figures]) -> Iterator[Row]:
    for what, unit in (
        ("call: p50", "ms"),
        ("call: p99", "ms"),
        ("call: CPU", "ms"),
        ("pod: p50", "ms"),
        ("pod: p99", "ms"),
        ("memory", "MB"),
    ):
        yield row(f"admission, {what}", unit, GO, (found[OURS][what], found[GO][what]), None)
