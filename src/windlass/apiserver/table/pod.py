"""The row of a pod, whose state is one word made of much."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from windlass.apiserver.table.age import since
from windlass.apiserver.table.layout import NONE, KindLayout, columns
from windlass.apiserver.table.text import age, condition, name, part

if TYPE_CHECKING:
    from datetime import datetime

    Object = dict[str, Any]

_GATED: Final = "SchedulingGated"
_LOST: Final = "NodeLost"
_FINISHED: Final = {
    "Succeeded": "The pod has completed successfully.",
    "Failed": "The pod failed.",
}


class PodLayout(KindLayout):
    """The layout of pods; a finished one has a row that says so."""

    @override
    def conditions(self, _obj: Object) -> list[dict[str, Any]]:
        phase = part(_obj, "status").get("phase", "")
        if phase not in _FINISHED:
            return []
        return [{"type": "Completed", "status": "True", "reason": phase, "message": _FINISHED[phase]}]


@dataclass(slots=True)
class _Restarts:
    """How often containers restarted, and when last."""

    number: int = 0
    last: str = ""

    def count(self, status: Object) -> None:
        """Add those of a container."""
        self.number += status.get("restartCount", 0)
        self.last = max(self.last, part(status, "lastState", "terminated").get("finishedAt") or "")

    def shown(self, now: datetime) -> str:
        """The cell."""
        return (
            f"{self.number} ({since(self.last, now)} ago)" if self.number and self.last else str(self.number)
        )


@dataclass(slots=True)
class _Tally:
    """What the containers of a pod add up to; `sidecars` are the init containers that keep running."""

    reason: str
    sidecars: frozenset[str]
    ready: int = 0
    running: bool = False
    failure: str = ""
    initializing: bool = False
    restarts: _Restarts = field(default_factory=_Restarts)
    sidecar_restarts: _Restarts = field(default_factory=_Restarts)


def _cells(pod: Object, now: datetime) -> list[Any]:
    spec, status = part(pod, "spec"), part(pod, "status")
    tally = _Tally(_first_reason(status), _sidecars(spec))
    _tally_init(tally, spec, status)
    if not tally.initializing or _is_true(pod, "Initialized"):
        _tally_main(tally, pod)
    total = len(spec.get("containers", ())) + len(tally.sidecars)
    return [
        name(pod),
        f"{tally.ready}/{total}",
        _final_reason(pod, tally.reason),
        tally.restarts.shown(now),
        age(pod, now),
        *_wide(pod),
    ]


def _sidecars(spec: Object) -> frozenset[str]:
    """The names of the init containers that keep running."""
    found = spec.get("initContainers", ())
    return frozenset(each["name"] for each in found if each.get("restartPolicy") == "Always")


def _first_reason(status: Object) -> str:
    gated = any(
        each.get("type") == "PodScheduled" and each.get("reason") == _GATED
        for each in status.get("conditions") or ()
    )
    return _GATED if gated else status.get("reason") or status.get("phase", "")


def _tally_init(tally: _Tally, spec: Object, status: Object) -> None:
    """Look at the init containers, up to the one that is at work or has failed."""
    for index, each in enumerate(status.get("initContainerStatuses") or ()):
        tally.restarts.count(each)
        if each.get("name") in tally.sidecars:
            tally.sidecar_restarts.count(each)
        state = each.get("state") or {}
        ended = state.get("terminated")
        if ended is not None and not ended.get("exitCode", 0):
            continue
        if each.get("name") in tally.sidecars and each.get("started"):
            tally.ready += bool(each.get("ready"))
            continue
        tally.initializing = True
        waiting = part(state, "waiting").get("reason", "")
        if ended is not None:
            tally.reason = f"Init:{_ending(ended)}"
        elif waiting and waiting != "PodInitializing":
            tally.reason = f"Init:{waiting}"
        else:
            tally.reason = f"Init:{index}/{len(spec.get('initContainers', ()))}"
        return


def _tally_main(tally: _Tally, pod: Object) -> None:
    """Look at the main containers, last one first; of the init containers only sidecars still count."""
    status = part(pod, "status")
    tally.restarts = tally.sidecar_restarts
    for each in reversed(status.get("containerStatuses") or ()):
        tally.restarts.count(each)
        state = each.get("state") or {}
        ended = state.get("terminated")
        waiting = part(state, "waiting").get("reason", "")
        if waiting:
            tally.reason = waiting
        elif ended is not None:
            tally.reason = _ending(ended)
            if ended.get("exitCode", 0):
                tally.failure = tally.reason
        elif each.get("ready") and state.get("running") is not None:
            tally.running = True
            tally.ready += 1
    if tally.reason == "Completed":
        tally.reason = _after_completion(tally, pod)


def _after_completion(tally: _Tally, pod: Object) -> str:
    """A pod with a completed container may well be running, or have failed."""
    if tally.running and _is_true(pod, "Ready"):
        return "Running"
    return tally.failure or ("NotReady" if tally.running else tally.reason)


def _ending(terminated: Object) -> str:
    if terminated.get("reason"):
        return str(terminated["reason"])
    if terminated.get("signal"):
        return f"Signal:{terminated['signal']}"
    return f"ExitCode:{terminated.get('exitCode', 0)}"


def _final_reason(pod: Object, reason: str) -> str:
    status = part(pod, "status")
    if pod["metadata"].get("deletionTimestamp") is None:
        return reason
    if status.get("reason") == _LOST:
        return "Unknown"
    return reason if status.get("phase") in _FINISHED else "Terminating"


def _wide(pod: Object) -> list[str]:
    spec, status = part(pod, "spec"), part(pod, "status")
    addresses = [each.get("ip", "") for each in status.get("podIPs") or ()]
    gates = spec.get("readinessGates") or ()
    passed = sum(_is_true(pod, gate.get("conditionType", "")) for gate in gates)
    return [
        (addresses[0] if addresses else "") or NONE,
        spec.get("nodeName") or NONE,
        status.get("nominatedNodeName") or NONE,
        f"{passed}/{len(gates)}" if gates else NONE,
    ]


def _is_true(pod: Object, kind: str) -> bool:
    found = condition(pod, kind)
    return found is not None and found.get("status") == "True"


POD: Final = PodLayout(
    columns(
        "Name", "Ready", "Status", "Restarts", "Age", "+IP", "+Node", "+Nominated Node", "+Readiness Gates"
    ),
    _cells,
)
