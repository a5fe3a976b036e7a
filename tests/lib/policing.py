"""Validating admission policies for the contract suite."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from hooking import ADMISSION, CONFIG_MAPS
from polling import until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from contract import Api, Object, Reply

_PROBE = "object == null || !has(object.metadata.labels) || !('probe' in object.metadata.labels)"


class Policed:
    """An API server, and policies for the ConfigMaps of one namespace of it."""

    def __init__(self, api: Api, namespace: str) -> None:
        self.api = api
        self.namespace = namespace
        self.name = f"{namespace}.example.com"
        self._selector = {"matchLabels": {"kubernetes.io/metadata.name": namespace}}
        self.path = f"/api/v1/namespaces/{namespace}/configmaps"

    async def create(self, name: str = "x", data: dict[str, str] | None = None, **query: Any) -> Reply:
        """Create a ConfigMap."""
        body: Object = {"metadata": {"name": name}} | ({"data": data} if data is not None else {})
        return await self.api.create(self.path, body, **query)

    def policy(self, *validations: Object, **spec: Any) -> Object:
        """A policy for ConfigMaps."""
        constraints = {
            "resourceRules": [CONFIG_MAPS],
            "namespaceSelector": self._selector,
            **spec.pop("matchConstraints", {}),
        }
        given = {
            "failurePolicy": "Fail",
            "matchConstraints": constraints,
            "validations": list(validations),
            **spec,
        }
        return {"metadata": {"name": self.name}, "spec": given}

    def binding(self, **spec: Any) -> Object:
        """A binding of it to the namespace."""
        given = {
            "policyName": self.name,
            "validationActions": ["Deny"],
            "matchResources": {"namespaceSelector": self._selector},
            **spec,
        }
        return {"metadata": {"name": self.name}, "spec": given}

    async def refused(self, *validations: Object, **spec: Any) -> list[str]:
        """What is said against a policy that must not be; each fault with its field."""
        policy = self.policy(*validations, **spec)
        reply = await self.api.create(f"{ADMISSION}/validatingadmissionpolicies", policy, dryRun="All")
        causes = reply.refused(422, "Invalid")["details"]["causes"]
        return [f"{cause['field']}: {cause['message']}" for cause in causes]

    @asynccontextmanager
    async def bound(self, policy: Object, binding: Object | None = None) -> AsyncIterator[None]:
        """A policy with a binding, once both are seen to be in effect: the policy refuses a probe, too."""
        spec = policy["spec"]
        probe = {"expression": _PROBE, "message": "seen"}
        spec["validations"] = [*spec.get("validations", ()), probe]
        policies = f"{ADMISSION}/validatingadmissionpolicies"
        (await self.api.create(policies, policy)).ok()
        try:
            (
                await self.api.create(
                    f"{ADMISSION}/validatingadmissionpolicybindings", binding or self.binding()
                )
            ).ok()
            try:
                await until(self._probe, lambda reply: reply.status != 201 or bool(reply.warnings), every=0.1)
                yield
            finally:
                path = f"{ADMISSION}/validatingadmissionpolicybindings/{self.name}"
                (await self.api.delete(path)).ok()
        finally:
            (await self.api.delete(f"{policies}/{self.name}")).ok()

    async def bind(self, binding: Object) -> None:
        """Put another binding in the place of the one that there is."""
        path = f"{ADMISSION}/validatingadmissionpolicybindings/{self.name}"
        (await self.api.patch(path, {"spec": binding["spec"] | {"paramRef": None}})).ok()
        (await self.api.patch(path, {"spec": binding["spec"]})).ok()

    async def _probe(self) -> Reply:
        body = {"metadata": {"name": "probe", "labels": {"probe": "yes"}}}
        return await self.api.create(self.path, body, dryRun="All")
