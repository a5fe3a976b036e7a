"""Webhooks, policies and classes that both servers admit objects by, for namespaces with the labels that say so."""

from __future__ import annotations

import json
import re
import zlib
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from functools import partial
from typing import TYPE_CHECKING, Final

from contract import config_map, pod
from differential_custom import PLURAL, VERSIONS
from hooking import ADMISSION, allowed, denied, patched, rule, serving_hooks
from polling import until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence

    from contract import Api, Object, Reply
    from differential_pair import Pair
    from differential_side import Side
    from hooking import Hooks

AREA: Final = "admission"
HOOKED: Final = "hooked"
POLICED: Final = "policed"
_PROBE: Final = "probe"
_BUILTIN: Final = ("", "apps", "autoscaling")
_RANDOM: Final = re.compile("differential-[0-9a-f]{8}")
_PATHS: Final = ("real", "embedded")
_WRITES: Final = ["CREATE", "UPDATE"]
_CONFIGURATIONS: Final = ("mutatingwebhookconfigurations", "validatingwebhookconfigurations")
_POLICIES: Final = ("validatingadmissionpolicies", "validatingadmissionpolicybindings")
_KINDS: Final = ("configmaps", "pods", "deployments", "deployments/scale", f"{PLURAL}/*", PLURAL)
_LABELS: Final = "object.metadata.?labels"
_NEW: Final = "!has(object.metadata.labels) || !('tier' in object.metadata.labels)"
_SEEN: Final = {
    "one": "one seen",
    "judge": "judge seen",
    "deny": "denied request: seen",
    "warn": "noticed",
}
"""What is told of a probe, once the webhook or the policy is in effect."""
_DENIES: Final[tuple[Object, ...]] = (
    {"expression": f"{_LABELS}.?probe.orValue('') != 'deny'", "message": "seen"},
    {
        "expression": f"request.operation != 'CREATE' || {_NEW} || object.metadata.labels.tier != 'web'",
        "messageExpression": "'no ' + request.kind.kind + ' of ' + string(object.metadata.labels.size())",
        "reason": "Forbidden",
    },
    {
        "expression": "variables.before.size() <= variables.after.size() + 1",
        "message": "labels are lost",
    },
)
_WARNS: Final[tuple[Object, ...]] = (
    {"expression": f"{_LABELS}.?probe.orValue('') != 'warn'", "message": "noticed"},
    {"expression": "request.?dryRun.orValue(false) == false", "message": "only tried"},
    {"expression": "object.metadata.name in namespaceObject.metadata.labels || object.metadata.name != 'b'"},
    {"expression": "object.spec.replicas < 3", "message": "many"},
)
_VARIABLES: Final = [
    {"name": "before", "expression": "oldObject == null ? {} : oldObject.metadata.?labels.orValue({})"},
    {"name": "after", "expression": "object.metadata.?labels.orValue({})"},
]


def classes(group: str) -> tuple[str, str]:
    """The names of a class of priority and of one of runtime, of which pods may be."""
    return f"{_token(group)}-high", f"{_token(group)}-heavy"


def labels(group: str, *marks: str) -> dict[str, str]:
    """What labels make a namespace one that is hooked, or policed."""
    return {f"{mark}.example.com/{_token(group)}": "yes" for mark in marks}


class Admission:
    """The webhooks of two servers: they do the same to the same object, and tell what they were asked.

    While it is `idle` everything passes.
    """

    def __init__(self, hooks: Hooks, group: str) -> None:
        self.idle = False
        self._hooks = hooks
        self._group = group
        for side in _PATHS:
            for path, respond in (("one", _changed), ("two", _changed), ("judge", _judged)):
                hooks.respond(f"/{side}/{path}", self._unless_idle(respond))

    def __str__(self) -> str:
        """Whom the servers have asked since the last request, in order."""
        return " ".join(path for path, _ in self._hooks.asked) or "no webhook asked"

    def begin(self) -> None:
        """Begin a new sequence of requests."""
        self.idle = False
        self._hooks.asked.clear()

    def calls(self, sides: tuple[Side, Side]) -> tuple[list[Object], list[Object]]:
        """What each of the servers has asked since this was last called, as it is compared."""
        asked = [*self._hooks.asked]
        self._hooks.asked.clear()
        real, embedded = (
            [side.normal.value(call) for call in _last_of_each(asked, f"/{name}/")]
            for name, side in zip(_PATHS, sides, strict=True)
        )
        return real, embedded

    async def install(self, name: str, api: Api) -> None:
        """Have a server admit objects by all of this, and wait until it does."""
        token = _token(self._group)
        await _make_classes(self._group, api)
        for plural, webhooks in zip(_CONFIGURATIONS, self._webhooks(name), strict=True):
            body = {"metadata": {"name": token}, "webhooks": webhooks}
            (await api.create(f"{ADMISSION}/{plural}", body)).ok()
        for suffix, validations, action in (("deny", _DENIES, "Deny"), ("warn", _WARNS, "Warn")):
            for plural, spec in zip(_POLICIES, self._policy(suffix, validations, action), strict=True):
                body = {"metadata": {"name": f"{token}-{suffix}.example.com"}, "spec": spec}
                (await api.create(f"{ADMISSION}/{plural}", body)).ok()
        await self._await(api)

    async def remove(self, api: Api) -> None:
        """Take all of it away."""
        token = _token(self._group)
        for plural in _CONFIGURATIONS:
            await api.delete(f"{ADMISSION}/{plural}/{token}")
        for plural in _POLICIES:
            for suffix in ("deny", "warn"):
                await api.delete(f"{ADMISSION}/{plural}/{token}-{suffix}.example.com")
        for path in _class_paths(self._group):
            await api.delete(path)
        await api.delete(f"/api/v1/namespaces/{token}")
        await api.update(f"/api/v1/namespaces/{token}/finalize", _namespace(token, {}))

    def _unless_idle(self, respond: Callable[[Object], Object]) -> Callable[[Object], Object]:
        return lambda request: allowed() if self.idle else respond(request)

    def _selector(self, mark: str) -> Object:
        return {"matchLabels": labels(self._group, mark)}

    def _webhooks(self, side: str) -> tuple[list[Object], list[Object]]:
        condition = {"name": "new", "expression": f"object == null || {_NEW}"}
        given: Mapping[str, Object] = {
            "one": {"reinvocationPolicy": "IfNeeded", "rules": [self._rule(*_WRITES)]},
            "two": {"rules": [self._rule(*_WRITES)], "matchConditions": [condition]},
            "judge": {"rules": [self._rule("*")], "matchPolicy": "Equivalent"},
        }
        hooks = {
            path: {
                "name": f"{path}.example.com",
                "clientConfig": self._hooks.client(f"/{side}/{path}"),
                "namespaceSelector": self._selector(HOOKED),
                "admissionReviewVersions": ["v1"],
                "sideEffects": "None",
                **settings,
            }
            for path, settings in given.items()
        }
        return [hooks["one"], hooks["two"]], [hooks["judge"]]

    def _rule(self, *operations: str) -> Object:
        """The first version of the custom kind only: the other one is converted for the webhook."""
        versions = ["v1", VERSIONS[0]]
        return rule(*_KINDS, apiVersions=versions, operations=[*operations])

    def _policy(self, suffix: str, validations: Sequence[Object], action: str) -> tuple[Object, Object]:
        """The specs of a policy and of its binding."""
        constraints = {
            "resourceRules": [rule(*_KINDS, operations=_WRITES)],
            "namespaceSelector": self._selector(POLICED),
        }
        spec = {"matchConstraints": constraints, "validations": [*validations], "variables": _VARIABLES}
        named = f"{_token(self._group)}-{suffix}.example.com"
        return spec, {"policyName": named, "validationActions": [action]}

    async def _await(self, api: Api) -> None:
        """Ask until the webhooks and policies are seen to be in effect."""
        token = _token(self._group)
        (await api.create("/api/v1/namespaces", _namespace(token, labels(self._group, HOOKED, POLICED)))).ok()
        path = f"/api/v1/namespaces/{token}/configmaps"
        for probe, told in _SEEN.items():
            body = config_map(_PROBE, labels={_PROBE: probe})
            ask = partial(api.create, path, body, dryRun="All")
            await until(ask, partial(_tells, told), every=0.1)


def _tells(text: str, reply: Reply) -> bool:
    return text in f"{reply.body} {reply.warnings}"


@contextmanager
def admitting(pair: Pair) -> Iterator[None]:
    """Have both servers of a pair admit by webhooks and policies, and compare what webhooks are asked."""
    stack = AsyncExitStack()
    try:
        pair.admission = pair.run(stack.enter_async_context(_installed(pair)))
        yield
    finally:
        pair.admission = None
        pair.run(stack.aclose())


@asynccontextmanager
async def _installed(pair: Pair) -> AsyncIterator[Admission]:
    async with serving_hooks() as hooks:
        admission = Admission(hooks, pair.group)
        try:
            for name, side in zip(_PATHS, pair.sides, strict=True):
                await admission.install(name, side.api)
            hooks.asked.clear()
            yield admission
        finally:
            for side in pair.sides:
                await admission.remove(side.api)


async def _make_classes(group: str, api: Api) -> None:
    """Classes for pods: the server is seen to know the one of priority by the pods that it takes."""
    priority, runtime = _class_paths(group)
    high, heavy = classes(group)
    body: Object = {"metadata": {"name": high}, "value": 7, "preemptionPolicy": "Never"}
    (await api.create(priority.rpartition("/")[0], body)).ok()
    scheduling = {"nodeSelector": {"vm": "yes"}}
    overhead = {"podFixed": {"cpu": "250m", "memory": "64Mi"}}
    body = {"metadata": {"name": heavy}, "handler": "vm", "overhead": overhead, "scheduling": scheduling}
    (await api.create(runtime.rpartition("/")[0], body)).ok()
    trial = pod(_PROBE, priorityClassName=high)
    path = "/api/v1/namespaces/default/pods"
    await until(lambda: api.create(path, trial, dryRun="All"), lambda reply: reply.status == 201)


def _class_paths(group: str) -> tuple[str, str]:
    high, heavy = classes(group)
    return (
        f"/apis/scheduling.k8s.io/v1/priorityclasses/{high}",
        f"/apis/node.k8s.io/v1/runtimeclasses/{heavy}",
    )


def _token(group: str) -> str:
    return group.partition(".")[0]


def _namespace(name: str, marks: Mapping[str, str]) -> Object:
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": marks}, "spec": {}}


def _last_of_each(asked: Sequence[tuple[str, Object]], root: str) -> list[Object]:
    """The calls below a path without what two servers cannot have in common.

    Of several for one object only the last one counts: the real server admits anew what it has tried with a
    version that was not the newest. Of those for a deletion it is the first, because it asks again at each of its
    steps. For the objects of a collection it asks in any order.
    """
    found = {}
    own = [(path.removeprefix(root), review) for path, review in asked if path.startswith(root)]
    for path, review in own:
        call = {name: value for name, value in review["request"].items() if name not in ("uid", "userInfo")}
        key = (path, call["operation"], call.get("name", ""), call.get("subResource", ""))
        if call["operation"] != "DELETE" or key not in found:
            found[key] = {"path": path, **call}
    return [found[key] for key in sorted(found)]


def _number(request: Object) -> int:
    """A number that follows from what a client has said of the object."""
    found = request["object"] or request["oldObject"] or {}
    meta = found.get("metadata", {})
    said = [meta.get("labels"), meta.get("annotations"), *(found.get(name) for name in ("data", "spec"))]
    return zlib.crc32(_RANDOM.sub("", json.dumps(said, sort_keys=True)).encode())


def _probed(request: Object) -> str:
    found = request["object"] or {}
    return str((found.get("metadata", {}).get("labels") or {}).get(_PROBE, ""))


def _changed(request: Object) -> Object:
    """What a webhook makes of an object: by chance, but always the same of the same."""
    probe = _probed(request)
    if probe:
        return denied(message=f"{probe} seen") if probe == "one" else allowed()
    number = _number(request)
    answers: tuple[Object, ...] = (
        denied(message="no", code=403, reason="Forbidden"),
        denied(code=422, message="never", details={"causes": [{"field": "spec", "message": "no"}]}),
        patched(("add", "/metadata/labels", {"hook": str(number % 5)})),
        patched(("add", "/metadata/annotations", {"example.com/hook": str(number % 7)})),
        patched(("add", "/metadata/finalizers", ["example.com/held"])),
        patched(("remove", "/metadata/unknown")),
        patched(("add", "/metadata/labels", {"a b": "c"})),
        allowed(warnings=["look", "at this"]),
        allowed(auditAnnotations={"seen": "yes"}),
    )
    if request["kind"]["group"] in _BUILTIN:
        # What these make of a custom object, other webhooks still see on the real server: a known limit.
        wrong = (("add", "/unknown", {"a": 1}), ("add", "/metadata/labels", 3))
        answers = (*answers, *map(patched, wrong))
    return answers[number // 11 % len(answers)] if number % 2 else allowed()


def _judged(request: Object) -> Object:
    """What a webhook says of an object, which it cannot change."""
    probe = _probed(request)
    if probe:
        return denied(message=f"{probe} seen") if probe == "judge" else allowed()
    number = _number(request)
    answers = (
        denied(message="no"),
        denied(),
        denied(code=404, reason="NotFound", message="gone"),
        allowed(warnings=["judged"]),
    )
    return answers[number // 11 % len(answers)] if number % 3 == 0 else allowed()
