"""Network policies."""

from __future__ import annotations

from typing import Any, Final


def policy_types(spec: dict[str, Any]) -> None:
    """A policy is about what comes in; one that has rules for what goes out is about that too."""
    if not spec.get("policyTypes"):
        spec["policyTypes"] = ["Ingress", "Egress"] if spec.get("egress") else ["Ingress"]


RULES: Final = {"io.k8s.api.networking.v1.NetworkPolicySpec": (policy_types,)}
