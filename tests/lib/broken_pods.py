"""Pods that a server refuses for their metadata, their containers, and for changes."""

from __future__ import annotations

from typing import Any, Final

from broken import ABSENT, Edits, Sample

MAIN: Final = "/spec/containers/0"
INIT: Final = "/spec/initContainers/0"
LONG: Final = "a" * 64
REQUIRED: Final = "requiredDuringSchedulingIgnoredDuringExecution"
PREFERRED: Final = "preferredDuringSchedulingIgnoredDuringExecution"

VALID: Final[dict[str, Any]] = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "a", "labels": {"app": "a"}},
    "spec": {
        "automountServiceAccountToken": False,
        "containers": [
            {
                "name": "main",
                "image": "example.com/app:1",
                "ports": [{"name": "http", "containerPort": 80}],
                "env": [{"name": "A", "value": "1"}],
                "volumeMounts": [{"name": "files", "mountPath": "/files"}],
                "resources": {"limits": {"cpu": "1", "memory": "1Gi"}},
                "livenessProbe": {"httpGet": {"path": "/", "port": "http"}},
            }
        ],
        "initContainers": [{"name": "first", "image": "example.com/app:1"}],
        "volumes": [{"name": "files", "emptyDir": {}}],
        "tolerations": [{"key": "example.com/taint", "operator": "Exists"}],
    },
}


METADATA: Final[Edits] = {
    "no name": {"/metadata/name": ABSENT},
    "a name in capitals": {"/metadata/name": "A"},
    "a name with two faults": {"/metadata/name": "A" * 254},
    "a prefix in capitals": {"/metadata/generateName": "Ab-"},
    "a label's key with a blank": {"/metadata/labels": {"a b": "x"}},
    "a label's value too long": {"/metadata/labels/app": LONG},
    "an annotation's key with two slashes": {"/metadata/annotations": {"a/b/c": "x"}},
    "a finalizer without a domain": {"/metadata/finalizers": ["plain"]},
    "finalizers that contradict": {"/metadata/finalizers": ["orphan", "foregroundDeletion"]},
    "an owner without a uid": {
        "/metadata/ownerReferences": [{"apiVersion": "v1", "kind": "Pod", "name": "o", "uid": ""}]
    },
    "a deletion cost that is no number": {
        "/metadata/annotations": {"controller.kubernetes.io/pod-deletion-cost": "+1"}
    },
    "a mirror of nothing": {"/metadata/annotations": {"kubernetes.io/config.mirror": "x"}},
    "an AppArmor profile of nobody": {
        "/metadata/annotations": {"container.apparmor.security.beta.kubernetes.io/none": "unknown"}
    },
    "an unknown seccomp profile": {
        "/metadata/annotations": {"seccomp.security.alpha.kubernetes.io/pod": "unknown"}
    },
}

CONTAINERS: Final[Edits] = {
    "no containers": {"/spec/containers": []},
    "no spec": {"/spec": ABSENT},
    "a container without name and image": {f"{MAIN}/name": ABSENT, f"{MAIN}/image": ABSENT},
    "a container's name with a dot": {f"{MAIN}/name": "a.b"},
    "a container's name too long": {f"{MAIN}/name": LONG},
    "an image with blanks around": {f"{MAIN}/image": " x "},
    "two containers of one name": {"/spec/containers/-": {"name": "main", "image": "x"}},
    "an init container of a container's name": {f"{INIT}/name": "main"},
    "an unknown message policy": {f"{MAIN}/terminationMessagePolicy": "Unknown"},
    "an unknown pull policy": {f"{MAIN}/imagePullPolicy": "Unknown"},
    "no port number": {f"{MAIN}/ports/0/containerPort": 0},
    "a port too high": {f"{MAIN}/ports/0/containerPort": 65536},
    "a host port below zero": {f"{MAIN}/ports/0/hostPort": -1},
    "a port's name without a letter": {f"{MAIN}/ports/0/name": "12-34--"},
    "an unknown protocol": {f"{MAIN}/ports/0/protocol": "ICMP"},
    "two ports of one name": {f"{MAIN}/ports/-": {"name": "http", "containerPort": 81}},
    "two ports on one port of the host": {
        f"{MAIN}/ports": [{"containerPort": 80, "hostPort": 80}, {"containerPort": 81, "hostPort": 80}]
    },
    "a host port of its own in the host's network": {
        "/spec/hostNetwork": True,
        f"{MAIN}/ports/0/hostPort": 81,
    },
    "a variable without a name": {f"{MAIN}/env/0/name": ""},
    "a variable with an equals sign": {f"{MAIN}/env/0/name": "A=B"},
    "a variable from nowhere": {f"{MAIN}/env/0": {"name": "A", "valueFrom": {}}},
    "a variable from two places": {
        f"{MAIN}/env/0": {
            "name": "A",
            "valueFrom": {
                "fieldRef": {"fieldPath": "metadata.name"},
                "secretKeyRef": {"name": "s", "key": "k"},
            },
        }
    },
    "a variable of a label's key that cannot be": {
        f"{MAIN}/env/0": {"name": "A", "valueFrom": {"fieldRef": {"fieldPath": "metadata.labels['a b']"}}}
    },
    "a variable of a field that files have": {
        f"{MAIN}/env/0": {"name": "A", "valueFrom": {"fieldRef": {"fieldPath": "metadata.labels"}}}
    },
    "a variable of a subscript that is none": {
        f"{MAIN}/env/0": {"name": "A", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name['a']"}}}
    },
    "a variable of an unknown resource": {
        f"{MAIN}/env/0": {"name": "A", "valueFrom": {"resourceFieldRef": {"resource": "limits.x"}}}
    },
    "a divisor that is none": {
        f"{MAIN}/env/0": {
            "name": "A",
            "valueFrom": {"resourceFieldRef": {"resource": "limits.memory", "divisor": "3"}},
        }
    },
    "a key that is no file name": {
        f"{MAIN}/env/0": {"name": "A", "valueFrom": {"configMapKeyRef": {"name": "B", "key": "../x"}}}
    },
    "a file's key without its volume": {
        f"{MAIN}/env/0": {
            "name": "A",
            "valueFrom": {"fileKeyRef": {"key": "K", "volumeName": "none", "path": "../x"}},
        }
    },
    "an import of nothing": {f"{MAIN}/envFrom": [{}]},
    "an import of two with a bad prefix": {
        f"{MAIN}/envFrom": [{"prefix": "=", "configMapRef": {"name": "A"}, "secretRef": {}}]
    },
    "a mount of nothing": {f"{MAIN}/volumeMounts": [{"mountPath": "/x"}]},
    "a mount of an absent volume": {f"{MAIN}/volumeMounts/0/name": "none"},
    "two mounts at one path": {f"{MAIN}/volumeMounts/-": {"name": "files", "mountPath": "/files"}},
    "a mount that steps back": {f"{MAIN}/volumeMounts/0/subPath": "a/../b"},
    "a mount with two ways below": {
        f"{MAIN}/volumeMounts/0/subPath": "a",
        f"{MAIN}/volumeMounts/0/subPathExpr": "/b",
    },
    "a mount that reaches back to the host": {f"{MAIN}/volumeMounts/0/mountPropagation": "Bidirectional"},
    "a mount of an unknown propagation": {f"{MAIN}/volumeMounts/0/mountPropagation": "Unknown"},
    "a mount read-only below but not above": {f"{MAIN}/volumeMounts/0/recursiveReadOnly": "Enabled"},
    "a device that is a folder": {f"{MAIN}/volumeDevices": [{"name": "files", "devicePath": "/files/.."}]},
    "a restart policy that is none": {f"{MAIN}/restartPolicy": "Unknown"},
    "restart rules without a policy": {f"{MAIN}/restartPolicyRules": [{"action": "Unknown"}]},
    "a resize policy of an unknown resource": {
        f"{MAIN}/resizePolicy": [
            {"resourceName": "storage", "restartPolicy": "Unknown"},
            {"resourceName": "storage", "restartPolicy": "NotRequired"},
        ]
    },
    "an init container that is probed": {f"{INIT}/livenessProbe": {"exec": {"command": ["x"]}}},
    "an init container that restarts on resize": {
        f"{INIT}/resizePolicy": [{"resourceName": "cpu", "restartPolicy": "RestartContainer"}]
    },
    "an ephemeral container": {"/spec/ephemeralContainers": [{"name": "debug", "image": "x"}]},
}

PROBES: Final[Edits] = {
    "a probe without a handler": {f"{MAIN}/livenessProbe": {}},
    "a probe with three handlers": {
        f"{MAIN}/readinessProbe": {"exec": {}, "tcpSocket": {"port": 1}, "grpc": {"port": 0}}
    },
    "a probe of a port that cannot be": {f"{MAIN}/livenessProbe/httpGet/port": 0},
    "a probe of a port's name that cannot be": {f"{MAIN}/livenessProbe/httpGet/port": "No Name"},
    "a probe over an unknown scheme": {f"{MAIN}/livenessProbe/httpGet/scheme": "FTP"},
    "a probe with a bad header": {
        f"{MAIN}/livenessProbe/httpGet/httpHeaders": [{"name": "a b", "value": "x"}]
    },
    "a liveness probe that must succeed twice": {f"{MAIN}/livenessProbe/successThreshold": 2},
    "a probe of negative numbers": {
        f"{MAIN}/livenessProbe/initialDelaySeconds": -1,
        f"{MAIN}/livenessProbe/periodSeconds": -1,
        f"{MAIN}/livenessProbe/terminationGracePeriodSeconds": 0,
    },
    "a readiness probe that ends the pod": {
        f"{MAIN}/readinessProbe": {"grpc": {"port": 1}, "terminationGracePeriodSeconds": 1}
    },
    "a hook that does nothing": {f"{MAIN}/lifecycle": {"preStop": {}}},
    "a hook that sleeps too long": {f"{MAIN}/lifecycle": {"preStop": {"sleep": {"seconds": 31}}}},
}

RESOURCES: Final[Edits] = {
    "a negative limit": {f"{MAIN}/resources": {"limits": {"cpu": "-1"}}},
    "a request over its limit": {f"{MAIN}/resources/requests": {"memory": "2Gi"}},
    "an unknown resource": {f"{MAIN}/resources/limits": {"power": "1"}},
    "a resource of a bad name": {f"{MAIN}/resources/limits": {"a b": "1"}},
    "half a device": {f"{MAIN}/resources/limits/example.com~1gpu": "500m"},
    "a device with a request of its own": {
        f"{MAIN}/resources": {"limits": {"example.com/gpu": "2"}, "requests": {"example.com/gpu": "1"}}
    },
    "a device without a limit": {f"{MAIN}/resources": {"requests": {"example.com/gpu": "1"}}},
    "huge pages alone": {f"{MAIN}/resources": {"limits": {"hugepages-2Mi": "3Mi"}}},
    "a claim that is not declared": {f"{MAIN}/resources/claims": [{"name": "x"}]},
    "a claim of nothing": {"/spec/resourceClaims": [{"name": "X"}]},
    "a pod's resources below its containers'": {
        "/spec/resources": {"limits": {"cpu": "500m"}, "requests": {"cpu": "500m"}}
    },
    "a pod's resource that is not for pods": {"/spec/resources": {"limits": {"ephemeral-storage": "1Gi"}}},
    "a negative overhead": {"/spec/overhead": {"cpu": "-1"}},
}

FROZEN: Final[Edits] = {
    "a variable from nowhere": {f"{MAIN}/env/0/valueFrom": {}},
    "an empty lifecycle": {f"{MAIN}/lifecycle": {}},
    "an empty affinity": {"/spec/affinity": {}},
    "another container": {"/spec/containers/-": {"name": "x", "image": "x"}},
    "no init container": {"/spec/initContainers": ABSENT},
    "no image": {f"{MAIN}/image": ""},
    "an image with blanks around": {f"{MAIN}/image": " x"},
    "no toleration": {"/spec/tolerations": ABSENT},
    "another toleration": {"/spec/tolerations/0/key": "other"},
    "a node": {"/spec/nodeName": "n"},
    "another restart policy": {"/spec/restartPolicy": "Never"},
    "another variable": {f"{MAIN}/env/0/value": "2"},
    "other resources": {f"{MAIN}/resources/limits/cpu": "2"},
    "another volume": {"/spec/volumes/-": {"name": "more", "emptyDir": {}}},
    "a longer grace": {"/spec/terminationGracePeriodSeconds": 31},
    "a gate": {"/spec/schedulingGates": [{"name": "g"}]},
    "a deadline out of range": {"/spec/activeDeadlineSeconds": -1},
    "a label's key with a blank": {"/metadata/labels": {"a b": "x"}},
    "a deletion": {"/metadata/deletionTimestamp": "2020-01-01T00:00:00Z"},
    "a finalizer without a domain": {"/metadata/finalizers": ["plain"]},
    "the mark of a mirror": {"/metadata/annotations": {"kubernetes.io/config.mirror": "x"}},
    "an AppArmor profile": {
        "/metadata/annotations": {"container.apparmor.security.beta.kubernetes.io/main": "runtime/default"}
    },
}

ACCEPTED: Final[Edits] = {
    "a device": {f"{MAIN}/resources/limits/example.com~1gpu": "2"},
    "a port of the host": {f"{MAIN}/ports/0/hostPort": 8080},
    "a sidecar with a probe": {
        f"{INIT}/restartPolicy": "Always",
        f"{INIT}/readinessProbe": {"tcpSocket": {"port": 1}},
    },
    "a deadline": {"/spec/activeDeadlineSeconds": 1},
    "a name server": {"/spec/dnsPolicy": "None", "/spec/dnsConfig": {"nameservers": ["1.2.3.4", "::1"]}},
    "a variable of a label": {
        f"{MAIN}/env/0": {"name": "A", "valueFrom": {"fieldRef": {"fieldPath": "metadata.labels['app']"}}}
    },
    "a preference for what cannot be": {
        f"/spec/affinity/nodeAffinity/{PREFERRED}": [
            {
                "weight": 1,
                "preference": {"matchExpressions": [{"key": "a", "operator": "In", "values": ["-"]}]},
            }
        ]
    },
    "users of its own": {"/spec/hostUsers": False},
}

CHANGED: Final[Edits] = {
    "another image": {f"{MAIN}/image": "example.com/app:2", f"{INIT}/image": "example.com/app:2"},
    "a deadline": {"/spec/activeDeadlineSeconds": 50},
    "another toleration too": {"/spec/tolerations/-": {"key": "b", "operator": "Exists"}},
    "a toleration for a while": {
        "/spec/tolerations/-": {
            "key": "c",
            "operator": "Exists",
            "effect": "NoExecute",
            "tolerationSeconds": 1,
        }
    },
    "the same in other words": {f"{MAIN}/resources/limits/cpu": "1000m"},
}

STATUS: Final[Edits] = {
    "a condition of a bad name": {"/status/conditions": [{"type": "a b", "status": "True"}]},
    "a negative generation": {
        "/status/observedGeneration": -1,
        "/status/conditions": [{"type": "Ready", "status": "True", "observedGeneration": -1}],
    },
    "another class": {"/status/qosClass": "Guaranteed"},
    "a nominee in capitals": {"/status/nominatedNodeName": "A"},
    "addresses that are none": {
        "/status/podIP": "x",
        "/status/podIPs": [{"ip": "x"}, {"ip": "01.2.3.4"}],
    },
    "two addresses of one family": {
        "/status/podIP": "1.2.3.4",
        "/status/podIPs": [{"ip": "1.2.3.4"}, {"ip": "1.2.3.5"}],
    },
    "another host": {"/status/hostIP": "1.2.3.4", "/status/hostIPs": [{"ip": "1.2.3.5"}]},
    "a claim of nobody": {"/status/resourceClaimStatuses": [{"name": "x", "resourceClaimName": "A"}]},
    "an extended claim of nobody": {
        "/status/extendedResourceClaimStatus": {
            "resourceClaimName": "A",
            "requestMappings": [
                {"containerName": "x", "resourceName": "a/b", "requestName": "R"},
                {"containerName": "main", "resourceName": "a/b", "requestName": "r"},
                {"containerName": "main", "resourceName": "a/b", "requestName": "r"},
            ],
        }
    },
    "an extended claim of nothing": {"/status/extendedResourceClaimStatus": {}},
    "a user out of range": {
        "/status/containerStatuses": [
            {"name": "main", "image": "x", "user": {"linux": {"uid": -1, "gid": 2**31}}}
        ]
    },
    "a device of nobody": {
        "/status/containerStatuses": [
            {
                "name": "main",
                "image": "x",
                "allocatedResourcesStatus": [
                    {
                        "name": "example.com/gpu",
                        "resources": [
                            {"resourceID": "a", "health": "Unknown"},
                            {"resourceID": "a", "health": "Well"},
                        ],
                    }
                ],
            }
        ]
    },
    "a label's key with a blank": {"/metadata/labels": {"a b": "x"}},
}

SAMPLES: Final = (
    Sample(
        valid=VALID,
        refused={**METADATA, **CONTAINERS, **PROBES, **RESOURCES},
        frozen=FROZEN,
        accepted=ACCEPTED,
        changed=CHANGED,
        status=STATUS,
    ),
)
