from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from typing_extensions import override

from windlass.client import Client, Transport
from windlass.codegen import READ, manager_roles

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
    from contextlib import AbstractAsyncContextManager

    from windlass.api import Json, Resource
    from windlass.apiserver import AuditEvent, Decision
    from windlass.client import Request, Response, Stream
    from windlass.cluster import Cluster
    from windlass.codegen import Rule

_OPERATOR = "least-privilege"
_USER = f"windlass:{_OPERATOR}"
_GROUP = "rbac.authorization.k8s.io"

# Which of the reading verbs a cache uses depends on what goes wrong while a test runs: they count as one.
_READING = "get, list and watch"
_EVENTS = ("events.k8s.io", "events")
_FINALIZERS = "/finalizers"


class Grant(NamedTuple):
    """One verb on one resource, in one namespace or in all, of one name or of any."""

    verb: str
    group: str
    resource: str
    namespace: str = ""
    name: str = ""

    def __str__(self) -> str:
        group = f".{self.group}" if self.group else ""
        name = f" {self.name}" if self.name else ""
        where = f" in {self.namespace}" if self.namespace else ""
        return f"{self.verb} {self.resource}{group}{name}{where}"


class Granted:
    """What an operator was granted, and what it made of that: give its manager this `client`."""

    def __init__(self, client: Client, rules: Sequence[Rule], trail: Sequence[AuditEvent]) -> None:
        self.client = client
        self._rules = rules
        self._trail = trail

    @property
    def missing(self) -> list[str]:
        """What was attempted and denied."""
        denied = (each.attempt for each in self._ours() if not each.verdict.allowed)
        return _told(
            f"{each.verb} {each.path}"
            if each.path is not None
            else str(Grant(each.verb, each.group, each.target, each.namespace))
            for each in denied
        )

    @property
    def unused(self) -> list[str]:
        """What was granted and never made use of.

        The reading verbs on a resource count as one. Two grants may go unused, since no run shows that they
        are needed: to tell events, and to update the finalizers of an owner, which few servers check.
        """
        used = [each.attempt for each in self._ours() if each.verdict.allowed]
        unused = []
        for grant in _grants(self._rules):
            optional = grant.resource.endswith(_FINALIZERS) or grant[1:3] == _EVENTS
            verbs = READ if grant.verb == _READING else (grant.verb,)
            made_use = any(
                (each.group, each.target) == grant[1:3]
                and each.verb in verbs
                and grant.namespace in ("", each.namespace)
                and grant.name in ("", each.name)
                for each in used
            )
            if not optional and not made_use:
                unused.append(str(grant))
        return _told(unused)

    def check(self, *, except_for: Iterable[Rule] = ()) -> None:
        """Fail the test if the operator lacked a grant, or has one that it made no use of.

        `except_for` are rules that this test gives no occasion to use.

        Raises:
            AssertionError: it names them all.
        """
        missing = self.missing
        excused = {str(grant) for grant in _grants(except_for)}
        unused = [each for each in self.unused if each not in excused]
        lines = [*_listed("missing grants", missing), *_listed("unused grants", unused)]
        if lines:
            raise AssertionError("\n".join(lines))

    def _ours(self) -> Iterator[Decision]:
        decisions = (each for event in tuple(self._trail) for each in event.decisions)
        return (each for each in decisions if each.user.name == _USER)


@asynccontextmanager
async def least_privilege(cluster: Cluster, rules: Iterable[Rule]) -> AsyncIterator[Granted]:
    """Let an operator run under exactly these rules; the server denies it everything else.

    async with least_privilege(cluster, operator_rules([WebAppController])) as granted:
        manager = Manager(granted.client, ManagerOptions(name="webapp"))
        ...  # run it, and let it do everything that it does
        granted.check()
    """
    rules = list(rules)
    admin = Client(cluster.transport())
    for role in manager_roles(_OPERATOR, rules):
        await _store(admin, role)
        await _store(admin, _binding(role))
    with cluster.audit() as trail:
        yield Granted(Client(_ActingAs(_USER, cluster.transport())), rules, trail)


class _ActingAs(Transport):
    """Sends every request in the name of somebody else."""

    def __init__(self, user: str, transport: Transport) -> None:
        self._header = {"impersonate-user": user}
        self._transport = transport

    @override
    async def send(self, request: Request) -> Response:
        return await self._transport.send(self._acting(request))

    @override
    def stream(self, request: Request) -> AbstractAsyncContextManager[Stream]:
        return self._transport.stream(self._acting(request))

    @override
    async def close(self) -> None:
        await self._transport.close()

    def _acting(self, request: Request) -> Request:
        return replace(request, headers={**request.headers, **self._header})


async def _store(admin: Client, obj: Json) -> None:
    """Create a role or a binding, in its namespace or in none."""
    from windlass.kinds.rbac import v1

    kind: type[Resource] = getattr(v1, obj["kind"])
    await admin.create(kind.from_wire(obj))


def _binding(role: Json) -> Json:
    return {
        "apiVersion": f"{_GROUP}/v1",
        "kind": f"{role['kind']}Binding",
        "metadata": role["metadata"],
        "roleRef": {"apiGroup": _GROUP, "kind": role["kind"], "name": role["metadata"]["name"]},
        "subjects": [{"apiGroup": _GROUP, "kind": "User", "name": _USER}],
    }


def _grants(rules: Iterable[Rule]) -> Iterator[Grant]:
    """Each verb on each resource that rules allow, the reading ones as one."""
    for rule in rules:
        reads = [verb for verb in rule.verbs if verb in READ]
        verbs = [*([_READING] if reads else []), *(verb for verb in rule.verbs if verb not in READ)]
        for group, resource, verb, name in product(
            rule.groups or ("",), rule.resources, verbs, rule.names or ("",)
        ):
            yield Grant(verb, "" if group == "core" else group, resource, rule.namespace, name)


def _told(texts: Iterable[str]) -> list[str]:
    return sorted(set(texts))


def _listed(what: str, texts: Sequence[str]) -> list[str]:
    return [f"{what}:", *(f"  {each}" for each in texts)] if texts else []
