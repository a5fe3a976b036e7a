from __future__ import annotations

from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from windlass.api import ObjectMeta
from windlass.client import Client, request_token
from windlass.cluster import InProcessTransport
from windlass.codegen import READ, manager_roles
from windlass.errors import AlreadyExists

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Iterator, Sequence

    from windlass.api import Json, Resource
    from windlass.apiserver import AuditEvent, Decision
    from windlass.cluster import Cluster
    from windlass.codegen import Rule

_OPERATOR = "least-privilege"
_NAMESPACE = "default"
_ACCOUNTS = "system:serviceaccount:"
_USER = f"{_ACCOUNTS}{_NAMESPACE}:{_OPERATOR}"
_FORBIDDEN = 403
_LIFETIME = timedelta(days=1)
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


class _Used(NamedTuple):
    """A verb on a resource that was made use of."""

    verb: str
    group: str
    resource: str
    namespace: str
    name: str

    @classmethod
    def of(cls, decision: Decision) -> _Used:
        attempt = decision.attempt
        return cls(attempt.verb, attempt.group, attempt.target, attempt.namespace, attempt.name)


def _is_ours(event: AuditEvent) -> bool:
    return event.user is not None and event.user.name == _USER


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
        impersonations = (
            str(each.status.get("message"))
            for each in tuple(self._trail)
            if _is_ours(each) and each.code == _FORBIDDEN and not each.decisions
        )
        attempts = (
            f"{each.verb} {each.path}"
            if each.path is not None
            else str(Grant(each.verb, each.group, each.target, each.namespace))
            for each in denied
        )
        return _told([*attempts, *impersonations])

    @property
    def unused(self) -> list[str]:
        """What was granted and never made use of.

        The reading verbs on a resource count as one. Two grants may go unused, since no run shows that they
        are needed: to tell events, and to update the finalizers of an owner, which few servers check.
        """
        used: list[_Used] = [_Used.of(each) for each in self._ours() if each.verdict.allowed]
        used += self._impersonated()
        unused = []
        for grant in _grants(self._rules):
            optional = grant.resource.endswith(_FINALIZERS) or grant[1:3] == _EVENTS
            verbs = READ if grant.verb == _READING else (grant.verb,)
            made_use = any(
                (each.group, each.resource) == grant[1:3]
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

    def _impersonated(self) -> Iterator[_Used]:
        """Whom the operator acted as: ServiceAccounts, by the audit trail."""
        for each in tuple(self._trail):
            if _is_ours(each) and each.acting_as and each.acting_as.name.startswith(_ACCOUNTS):
                namespace, _, name = each.acting_as.name.removeprefix(_ACCOUNTS).partition(":")
                yield _Used("impersonate", "", "serviceaccounts", namespace, name)

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
    token = await _account_token(admin)
    for role in manager_roles(_OPERATOR, rules):
        await _store(admin, role)
        await _store(admin, _binding(role))
    with cluster.audit() as trail:
        operator = InProcessTransport(cluster.server, {"authorization": f"Bearer {token}"})
        yield Granted(Client(operator), rules, trail)


async def _account_token(admin: Client) -> str:
    """A token of the operator's own ServiceAccount.

    To impersonate it instead would not do: an operator that acts as others would then do so with the rights
    of the administrator.
    """
    from windlass.kinds.core.v1 import Namespace, ServiceAccount

    for obj in (
        Namespace(metadata=ObjectMeta(name=_NAMESPACE)),
        ServiceAccount(metadata=ObjectMeta(name=_OPERATOR, namespace=_NAMESPACE)),
    ):
        with suppress(AlreadyExists):
            await admin.create(obj)
    return (await request_token(admin, _OPERATOR, _NAMESPACE, lifetime=_LIFETIME)).token


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
        "subjects": [{"kind": "ServiceAccount", "name": _OPERATOR, "namespace": _NAMESPACE}],
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
