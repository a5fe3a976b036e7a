"""A slow and simple second opinion on where a pod may lie, on plain dictionaries.

It shares nothing with the scheduler: it counts anew for each question, over all pods.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

Wire = dict[str, Any]

HOSTNAME = "kubernetes.io/hostname"


@dataclass
class World:
    """Nodes by name, and pods that lie on them, as on the wire; quantities are whole numbers."""

    nodes: dict[str, Wire] = field(default_factory=dict)
    pods: list[tuple[Wire, str]] = field(default_factory=list)

    def allows(self, pod: Wire, node: str) -> bool:
        """Whether a pod may lie on a node, by every rule."""
        return all(
            rule(pod, node)
            for rule in (
                self.is_open,
                self.is_selected,
                self.is_roomy,
                self.has_ports,
                self.keeps_apart,
                self.comes_near,
                self.is_even,
            )
        )

    def is_open(self, pod: Wire, node: str) -> bool:
        spec = self.nodes[node]["spec"]
        tolerated = {each["key"] for each in pod["spec"].get("tolerations", ())}
        taints = [each["key"] for each in spec.get("taints", ()) if each["effect"] != "PreferNoSchedule"]
        return not spec.get("unschedulable") and set(taints) <= tolerated

    def is_selected(self, pod: Wire, node: str) -> bool:
        labels = self.nodes[node]["metadata"]["labels"]
        return bool(pod["spec"].get("nodeSelector", {}).items() <= labels.items())

    def is_roomy(self, pod: Wire, node: str) -> bool:
        there = [*self.on(node), pod]
        room = self.nodes[node]["status"]["allocatable"]
        names = {name for each in there for name in _requests(each)}
        fits = all(
            sum(int(_requests(each).get(name, 0)) for each in there) <= int(room.get(name, 0))
            for name in names
        )
        return fits and len(there) <= int(room["pods"])

    def has_ports(self, pod: Wire, node: str) -> bool:
        taken = {port for each in self.on(node) for port in _ports(each)}
        return not taken & set(_ports(pod))

    def keeps_apart(self, pod: Wire, node: str) -> bool:
        for other, place in self.pods:
            for mine, theirs in ((pod, other), (other, pod)):
                for term in _terms(mine, "podAntiAffinity"):
                    if _matches(term, theirs) and self.is_near(node, place, term["topologyKey"]):
                        return False
        return True

    def comes_near(self, pod: Wire, node: str) -> bool:
        terms = _terms(pod, "podAffinity")
        if not terms:
            return True
        labels = self.nodes[node]["metadata"]["labels"]
        if any(term["topologyKey"] not in labels for term in terms):
            return False
        liked = [(other, place) for other, place in self.pods if all(_matches(term, other) for term in terms)]
        known = [
            place
            for _, place in liked
            for term in terms
            if term["topologyKey"] in self.nodes[place]["metadata"]["labels"]
        ]
        if not known and all(_matches(term, pod) for term in terms):
            return True
        return all(
            any(self.is_near(node, place, term["topologyKey"]) for _, place in liked) for term in terms
        )

    def is_even(self, pod: Wire, node: str) -> bool:
        spreads = pod["spec"].get("topologySpreadConstraints", ())
        keys = {each["topologyKey"] for each in spreads}
        for spread in spreads:
            key, wanted = spread["topologyKey"], spread["labelSelector"]["matchLabels"]
            if key not in self.nodes[node]["metadata"]["labels"]:
                return False
            counts = {
                labels[key]: 0
                for name, labels in self._all_labels()
                if keys <= set(labels) and self.is_selected(pod, name)
            }
            for other, place in self.pods:
                labels = self.nodes[place]["metadata"]["labels"]
                counted = keys <= set(labels) and self.is_selected(pod, place)
                if counted and wanted.items() <= other["metadata"]["labels"].items():
                    counts[labels[key]] += 1
            itself = int(wanted.items() <= pod["metadata"]["labels"].items())
            here = counts.get(self.nodes[node]["metadata"]["labels"][key], 0)
            if here + itself - min(counts.values(), default=0) > spread["maxSkew"]:
                return False
        return True

    def on(self, node: str) -> list[Wire]:
        """The pods on a node."""
        return [pod for pod, place in self.pods if place == node]

    def is_near(self, one: str, other: str, topology: str) -> bool:
        """Whether two nodes have the same value of a label."""
        first, second = (self.nodes[each]["metadata"]["labels"].get(topology) for each in (one, other))
        return first is not None and first == second

    def _all_labels(self) -> list[tuple[str, dict[str, str]]]:
        return [(name, node["metadata"]["labels"]) for name, node in self.nodes.items()]


def _requests(pod: Wire) -> Wire:
    found: Wire = pod["spec"]["containers"][0].get("resources", {}).get("requests", {})
    return found


def _ports(pod: Wire) -> list[int]:
    return [each["hostPort"] for each in pod["spec"]["containers"][0].get("ports", ())]


def _terms(pod: Wire, kind: str) -> list[Wire]:
    affinity = pod["spec"].get("affinity", {}).get(kind, {})
    found: list[Wire] = affinity.get("requiredDuringSchedulingIgnoredDuringExecution", [])
    return found


def _matches(term: Wire, pod: Wire) -> bool:
    return bool(term["labelSelector"]["matchLabels"].items() <= pod["metadata"]["labels"].items())
