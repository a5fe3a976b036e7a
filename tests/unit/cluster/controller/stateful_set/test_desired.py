from __future__ import annotations

from set_pods import stateful
from windlass.cluster.controller.stateful_set.desired import claims_of, pod_of, revision_of

_TEMPLATE = {
    "metadata": {"name": "data", "labels": {"tier": "disk"}},
    "spec": {"accessModes": ["ReadWriteOnce"]},
}


def test_a_pod_has_its_name_its_host_and_the_volumes_of_its_claims_before_all_others() -> None:
    owner = stateful(1, serviceName="web", volumeClaimTemplates=[_TEMPLATE])
    owner.spec.template = owner.spec.template.from_wire(
        {
            "metadata": {"labels": {"app": "web"}, "annotations": {"note": "kept"}},
            "spec": {
                "containers": [{"name": "main"}],
                "volumes": [{"name": "data", "emptyDir": {}}, {"name": "other", "emptyDir": {}}],
            },
        }
    )
    made = pod_of(owner, owner.spec.template, "web-1a", 4).to_wire()
    assert made["metadata"] == {
        "name": "web-4",
        "annotations": {"note": "kept"},
        "labels": {
            "app": "web",
            "statefulset.kubernetes.io/pod-name": "web-4",
            "apps.kubernetes.io/pod-index": "4",
            "controller-revision-hash": "web-1a",
        },
    }
    assert (made["spec"]["hostname"], made["spec"]["subdomain"]) == ("web-4", "web")
    claimed = {"name": "data", "persistentVolumeClaim": {"claimName": "data-web-4"}}
    assert made["spec"]["volumes"] == [claimed, {"name": "other", "emptyDir": {}}]


def test_a_claim_has_the_labels_of_its_template_and_of_the_selector() -> None:
    (claim,) = claims_of(stateful(1, volumeClaimTemplates=[_TEMPLATE]), 2)
    assert claim.metadata.name == "data-web-2"
    assert claim.metadata.labels == {"tier": "disk", "app": "web"}
    assert claim.spec.access_modes == ["ReadWriteOnce"]


def test_a_revision_changes_its_name_with_the_template_alone() -> None:
    first = revision_of(stateful(1), 0).metadata.name
    assert revision_of(stateful(5, minReadySeconds=3), 0).metadata.name == first
    changed = stateful(1)
    changed.spec.template.metadata.labels["app"] = "other"
    assert revision_of(changed, 0).metadata.name != first
    assert revision_of(stateful(1), 1).metadata.name != first
