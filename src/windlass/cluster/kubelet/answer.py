"""What a kubelet answers to the requests of an API server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from windlass.apiserver import Call, Reply
from windlass.apiserver.kubelet import Command, KubeletRefusal, LogQuery, PodName
from windlass.apiserver.streaming import (
    Forwarding,
    Running,
    command_upgrade,
    forward_upgrade,
    log_reply,
    wants_upgrade,
)

if TYPE_CHECKING:
    from windlass.aio import Clock
    from windlass.apiserver import Query
    from windlass.apiserver.kubelet import Kubelet

_MASTERS: Final = "system:masters"
_YES: Final = "1"


class Answerer:
    """Answers requests; a `closed` one only those of whoever may do everything."""

    def __init__(self, kubelet: Kubelet, clock: Clock, *, closed: bool) -> None:
        self._kubelet = kubelet
        self._clock = clock
        self._closed = closed

    async def handle(self, call: Call) -> Reply:
        """The answer to a request; what goes wrong is said in plain text, as kubelets do."""
        if self._closed and call.certified is None:
            return Reply.text("Unauthorized", 401)
        if self._closed and call.certified and _MASTERS not in call.certified.groups:
            return Reply.text(f"Forbidden (user={call.certified.name})", 403)
        try:
            return await self._answer(call)
        except KubeletRefusal as refusal:
            return Reply.text(str(refusal), refusal.status)

    async def _answer(self, call: Call) -> Reply:
        match [unquote(part) for part in call.path.strip("/").split("/")]:
            case ["healthz"]:
                return Reply.text("ok")
            case ["containerLogs", namespace, pod, container]:
                return await self._logs(call, PodName(namespace, pod), container)
            case ["exec" | "attach", namespace, pod, container] | [
                "exec" | "attach",
                namespace,
                pod,
                _,
                container,
            ]:
                return self._run(call, PodName(namespace, pod), container)
            case ["portForward", namespace, pod] | ["portForward", namespace, pod, _]:
                return self._forward(call, PodName(namespace, pod))
            case _:
                return Reply.text("404 page not found\n", 404)

    async def _logs(self, call: Call, pod: PodName, container: str) -> Reply:
        chunks = self._kubelet.logs(pod, container, LogQuery.of(call.query, self._clock.now()))
        return await log_reply(chunks)

    def _run(self, call: Call, pod: PodName, container: str) -> Reply:
        _check_upgrade(call)
        running = _running(self._kubelet, pod, container, call.query)
        return Reply(status=101, content_type="", upgrade=command_upgrade(call.headers, running))

    def _forward(self, call: Call, pod: PodName) -> Reply:
        _check_upgrade(call)
        texts = [part for text in call.query.texts("port") for part in text.split(",")]
        ports = [int(text) for text in texts if text.isdecimal()]
        forwarding = Forwarding(kubelet=self._kubelet, pod=pod)
        return Reply(status=101, content_type="", upgrade=forward_upgrade(call.headers, forwarding, ports))


def _check_upgrade(call: Call) -> None:
    if not wants_upgrade(call.headers):
        raise KubeletRefusal("Upgrade request required", 400)


def _running(kubelet: Kubelet, pod: PodName, container: str, query: Query) -> Running:
    """The command that the parameters of a request describe."""
    stdin, stdout, stderr, tty = (query.text(name) == _YES for name in ("input", "output", "error", "tty"))
    command = Command(argv=tuple(query.texts("command")), stdin=stdin, tty=tty)
    return Running(
        kubelet=kubelet, pod=pod, container=container, command=command, stdout=stdout, stderr=stderr
    )
