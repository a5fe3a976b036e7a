"""Mutating admission policies for the contract suite."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from hooking import ADMISSION, CONFIG_MAPS
from polling import until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from contract import Api, Object, Reply

_POLICIES = f"{ADMISSION}/mutatingadmissionpolicies"
_BINDINGS = f"{ADMISSION}/mutatingadmissionpolicybindings"
_PROBE = "has(object.metadata.labels) && 'marked' in object.metadata.labels"
_MARK = "Object{metadata: Object.metadata{labels: {'marked': 'seen'}}}"


def merging(expression: str) -> Object:
    """A mutation by an object that is merged."""
    return {"patchType": "ApplyConfiguration", "applyConfiguration": {"expression": expression}}


def patching(*operations: str) -> Object:
    """A mutation by the operations of a JSON patch, each without the name of its type."""
    expression = ", ".join(f"JSONPatch{{{each}}}" for each in operations)
    return {"patchType": "JSONPatch", "jsonPatch": {"expression": f"[{expression}]"}}


def _in_effect(reply: Reply) -> bool:
    """Whether a probe was marked, or did not get as far as that because an earlier policy refuses it."""
    return reply.status != 201 or "seen" in str(reply.body)


class Mutated:
    """An API server, and policies that change the ConfigMaps of one namespace of it."""

    def __init__(self, api: Api, namespace: str) -> None:
        self.api = api
        self.namespace = namespace
        self.name = f"{namespace}.example.com"
        self.path = f"/api/v1/namespaces/{namespace}/configmaps"
        self._selector = {"matchLabels": {"kubernetes.io/metadata.name": namespace}}

    async def create(self, name: str = "x", data: dict[str, str] | None = None, **query: Any) -> Reply:
        """Create a ConfigMap."""
        body: Object = {"metadata": {"name": name}} | ({"data": data} if data is not None else {})
        return await self.api.create(self.path, body, **query)

    def policy(self, *mutations: Object, **spec: Any) -> Object:
        """A policy for ConfigMaps, unless its constraints say otherwise."""
        constraints = {
            "resourceRules": [CONFIG_MAPS],
            "namespaceSelector": self._selector,
            **spec.pop("matchConstraints", {}),
        }
        given = {
            "failurePolicy": "Fail",
            "reinvocationPolicy": "Never",
            "matchConstraints": constraints,
            "mutations": list(mutations),
            **spec,
        }
        return {"metadata": {"name": self.name}, "spec": given}

    def binding(self, **spec: Any) -> Object:
        """A binding of it to the namespace."""
        given = {
            "policyName": self.name,
            "matchResources": {"namespaceSelector": self._selector},
            **spec,
        }
        return {"metadata": {"name": self.name}, "spec": given}

    async def refused(self, *mutations: Object, **spec: Any) -> list[str]:
        """What is said against a policy that must not be; each fault with its field."""
        policy = self.policy(*mutations, **spec)
        reply = await self.api.create(_POLICIES, policy, dryRun="All")
        causes = reply.refused(422, "Invalid")["details"]["causes"]
        return [f"{cause['field']}: {cause['message']}" for cause in causes]

    @asynccontextmanager
    async def bound(self, *policies: Object, binding: Object | None = None) -> AsyncIterator[None]:
        """Policies, each with a binding of its name, once they are seen to be in effect.

        With them comes one that marks what asks for it.
        """
        probe = self.policy(merging(_MARK), matchConditions=[{"name": "probe", "expression": _PROBE}])
        probe["metadata"] = {"name": f"z.{self.name}"}
        probe["spec"]["matchConstraints"]["resourceRules"] = [CONFIG_MAPS]
        all_policies = [*policies, probe]
        try:
            for policy in all_policies:
                (await self.api.create(_POLICIES, policy)).ok()
                given = binding if binding is not None and policy is not probe else self.binding()
                name = policy["metadata"]["name"]
                spec = {**given["spec"], "policyName": name}
                (await self.api.create(_BINDINGS, {"metadata": {"name": name}, "spec": spec})).ok()
            await until(self._probe, _in_effect, every=0.1)
            yield
        finally:
            for policy in all_policies:
                for kind in (_BINDINGS, _POLICIES):
                    await self.api.delete(f"{kind}/{policy['metadata']['name']}")

    async def bind(self, binding: Object) -> None:
        """Put another binding in the place of the one that there is."""
        path = f"{_BINDINGS}/{self.name}"
        (await self.api.patch(path, {"spec": binding["spec"] | {"paramRef": None}})).ok()
        (await self.api.patch(path, {"spec": binding["spec"]})).ok()

    async def _probe(self) -> Reply:
        body = {"metadata": {"name": "probe", "labels": {"marked": "no"}}}
        return await self.api.create(self.path, body, dryRun="All")
