"""Pods that a server refuses for their volumes, for where they want to run, and for what they may do."""

from __future__ import annotations

from typing import Any, Final

from broken import ABSENT, Edits, Sample
from broken_pods import LONG, MAIN, PREFERRED, REQUIRED, VALID

VOLUME: Final = "/spec/volumes/0"


def volume(**source: Any) -> dict[str, Any]:
    """The edit that gives the pod's volume another source."""
    return {VOLUME: {"name": "files", **source}}


def node_term(**requirement: Any) -> dict[str, Any]:
    """The edit that requires something of the node's labels."""
    terms = [{"matchExpressions": [requirement]}]
    return {f"/spec/affinity/nodeAffinity/{REQUIRED}": {"nodeSelectorTerms": terms}}


def pod_term(**term: Any) -> dict[str, Any]:
    """The edit that requires other pods nearby."""
    return {f"/spec/affinity/podAffinity/{REQUIRED}": [term]}


def spread(**constraint: Any) -> dict[str, Any]:
    """The edit that spreads the pods."""
    whole = {"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule", **constraint}
    return {"/spec/topologySpreadConstraints": [whole]}


VOLUMES: Final[Edits] = {
    "a volume without a name": {f"{VOLUME}/name": ""},
    "a volume's name in capitals": {f"{VOLUME}/name": "Files"},
    "two volumes of one name": {"/spec/volumes/-": {"name": "files", "emptyDir": {}}},
    "a volume of two sources": volume(emptyDir={}, hostPath={"path": "/"}, secret={"secretName": "s"}),
    "a negative size": volume(emptyDir={"sizeLimit": "-1"}),
    "a host path that steps back": volume(hostPath={"path": "/a/../b", "type": "Unknown"}),
    "a host path to nowhere": volume(hostPath={"path": ""}),
    "a secret without a name": volume(secret={"defaultMode": 512}),
    "a config map's item that steps out": volume(
        configMap={"name": "c", "items": [{"key": "", "path": "../x", "mode": 1000}]}
    ),
    "a file of the kubelet's own": volume(secret={"secretName": "s", "items": [{"key": "k", "path": "..x"}]}),
    "an absolute file": volume(secret={"secretName": "s", "items": [{"key": "k", "path": "/x"}]}),
    "a claim without a name": volume(persistentVolumeClaim={"claimName": ""}),
    "a share without a server": volume(nfs={"server": "", "path": "x"}),
    "a downward file of nothing": volume(downwardAPI={"items": [{"path": "x"}]}),
    "a downward file of a container's resource": volume(
        downwardAPI={"items": [{"path": "x", "resourceFieldRef": {"resource": "limits.cpu"}}]}
    ),
    "a projection of two sources to one path": volume(
        projected={
            "sources": [
                {"secret": {"name": "s", "items": [{"key": "k", "path": "x"}]}, "configMap": {"name": ""}},
                {"configMap": {"name": "c", "items": [{"key": "k", "path": "x"}]}},
            ]
        }
    ),
    "a token that expires at once": volume(
        projected={"sources": [{"serviceAccountToken": {"path": "t", "expirationSeconds": 1}}]}
    ),
    "a driver without a name": volume(csi={"driver": ""}),
    "a driver's name too long": volume(csi={"driver": LONG, "nodePublishSecretRef": {"name": ""}}),
    "an ephemeral volume without a template": volume(ephemeral={}),
    "an ephemeral volume of a bad claim": volume(
        ephemeral={"volumeClaimTemplate": {"metadata": {"name": "x"}, "spec": {"accessModes": ["Unknown"]}}}
    ),
    "an image of an unknown pull policy": volume(image={"reference": "", "pullPolicy": "Unknown"}),
    "a portal of bad names": volume(iscsi={"targetPortal": "p", "iqn": "x", "lun": 256}),
    "a disk of Microsoft's of a bad address": volume(
        azureDisk={"diskName": "d", "diskURI": "x", "kind": "Managed", "cachingMode": "Unknown"}
    ),
    "a disk of a reserved option": volume(flexVolume={"driver": "d", "options": {"kubernetes.io/x": "1"}}),
}

SCHEDULING: Final[Edits] = {
    "an unknown restart policy": {"/spec/restartPolicy": "Sometimes"},
    "an unknown DNS policy": {"/spec/dnsPolicy": "Unknown"},
    "no name servers of its own": {"/spec/dnsPolicy": "None"},
    "bad name servers": {
        "/spec/dnsConfig": {
            "nameservers": ["1.2.3", "01.2.3.4", "::ffff:1.2.3.4", "x"],
            "searches": ["a_b", "A"],
            "options": [{"value": "x"}],
        }
    },
    "a deadline of zero": {"/spec/activeDeadlineSeconds": 0},
    "a host's name with a dot": {"/spec/hostname": "a.b", "/spec/subdomain": "A"},
    "an override of the host's name too long": {"/spec/hostnameOverride": "a" * 65},
    "a host's alias without an address": {"/spec/hostAliases": [{"ip": "x", "hostnames": ["A"]}]},
    "a node's name in capitals": {"/spec/nodeName": "A"},
    "a node for a gated pod": {"/spec/nodeName": "n", "/spec/schedulingGates": [{"name": "g"}]},
    "two gates of one bad name": {"/spec/schedulingGates": [{"name": "a b"}, {"name": "a b"}]},
    "a readiness gate of a bad name": {"/spec/readinessGates": [{"conditionType": "a b"}]},
    "an account's name in capitals": {"/spec/serviceAccountName": "A"},
    "a node selector with a blank": {"/spec/nodeSelector": {"a": "b c"}},
    "a toleration of everything but": {"/spec/tolerations/0": {"operator": "Equal"}},
    "a toleration of existence with a value": {"/spec/tolerations/0/value": "x"},
    "a toleration of bad words": {
        "/spec/tolerations/0": {"key": "a b", "operator": "Unknown", "effect": "Unknown"}
    },
    "a toleration for a while of what does not evict": {
        "/spec/tolerations/0": {"key": "a", "value": "-", "tolerationSeconds": 1, "effect": "NoSchedule"}
    },
    "a toleration that compares": {"/spec/tolerations/0/operator": "Gt"},
    "no node terms": {f"/spec/affinity/nodeAffinity/{REQUIRED}": {"nodeSelectorTerms": []}},
    "a node term without values": node_term(key="a", operator="In"),
    "a node term with values too many": node_term(key="a", operator="Exists", values=["x"]),
    "a node term that compares with two": node_term(key="a b", operator="Gt", values=["1", "2"]),
    "a node term of bad words": node_term(key="a", operator="Unknown", values=["-"]),
    "a node field that is none": {
        f"/spec/affinity/nodeAffinity/{REQUIRED}": {
            "nodeSelectorTerms": [{"matchFields": [{"key": "x", "operator": "Exists", "values": ["A"]}]}]
        }
    },
    "a preference without weight": {
        f"/spec/affinity/nodeAffinity/{PREFERRED}": [{"weight": 0, "preference": {}}]
    },
    "a pod term without a topology": pod_term(labelSelector={"matchLabels": {"a": "b"}}, namespaces=["A"]),
    "a pod term of a bad selector": pod_term(
        topologyKey="zone", labelSelector={"matchExpressions": [{"key": "a", "operator": "In"}]}
    ),
    "a pod term of keys without a selector": pod_term(topologyKey="zone", matchLabelKeys=["app"]),
    "a pod term of keys that contradict": pod_term(
        topologyKey="zone", labelSelector={}, matchLabelKeys=["app"], mismatchLabelKeys=["app"]
    ),
    "a weight too high": {
        f"/spec/affinity/podAntiAffinity/{PREFERRED}": [
            {"weight": 101, "podAffinityTerm": {"topologyKey": "zone"}}
        ]
    },
    "a spread of nothing": spread(maxSkew=0, topologyKey="", whenUnsatisfiable="Unknown"),
    "a spread with domains that do not matter": spread(whenUnsatisfiable="ScheduleAnyway", minDomains=0),
    "a spread of unknown policies": spread(nodeAffinityPolicy="Unknown", nodeTaintsPolicy="Unknown"),
    "two spreads of one kind": {
        "/spec/topologySpreadConstraints": [
            {"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule"}
        ]
        * 2
    },
}

SECURITY: Final[Edits] = {
    "a user below zero": {f"{MAIN}/securityContext": {"runAsUser": -1, "runAsGroup": 2**31}},
    "groups out of range": {
        "/spec/securityContext": {"fsGroup": -1, "runAsUser": -1, "supplementalGroups": [2**31]}
    },
    "unknown policies": {
        "/spec/securityContext": {
            "fsGroupChangePolicy": "Unknown",
            "supplementalGroupsPolicy": "Unknown",
            "seLinuxChangePolicy": "Unknown",
        }
    },
    "bad sysctls": {
        "/spec/securityContext": {
            "sysctls": [
                {"name": "", "value": "1"},
                {"name": "A", "value": "1"},
                {"name": "kernel.shm", "value": "1"},
                {"name": "kernel.shm", "value": "1"},
            ]
        }
    },
    "a sysctl of the host": {
        "/spec/hostNetwork": True,
        f"{MAIN}/ports": ABSENT,
        "/spec/securityContext": {"sysctls": [{"name": "net.a", "value": "1"}]},
    },
    "privileged without escalation": {
        f"{MAIN}/securityContext": {"privileged": True, "allowPrivilegeEscalation": False}
    },
    "an administrator without escalation": {
        f"{MAIN}/securityContext": {
            "allowPrivilegeEscalation": False,
            "capabilities": {"add": ["CAP_SYS_ADMIN"]},
        }
    },
    "a proc mount that is none": {f"{MAIN}/securityContext": {"procMount": "Unknown"}},
    "a proc mount of the host": {f"{MAIN}/securityContext": {"procMount": "Unmasked"}},
    "a seccomp profile without a type": {f"{MAIN}/securityContext": {"seccompProfile": {"type": ""}}},
    "a seccomp profile of nowhere": {"/spec/securityContext": {"seccompProfile": {"type": "Localhost"}}},
    "a seccomp profile too much": {
        "/spec/securityContext": {"seccompProfile": {"type": "Unconfined", "localhostProfile": "x"}}
    },
    "an AppArmor profile of blanks": {
        f"{MAIN}/securityContext": {"appArmorProfile": {"type": "Localhost", "localhostProfile": " x"}}
    },
    "a user of Windows with a bad name": {
        f"{MAIN}/securityContext": {"windowsOptions": {"runAsUserName": "a\\b\\c"}}
    },
    "Linux with options of Windows": {
        "/spec/os": {"name": "linux"},
        "/spec/securityContext": {"windowsOptions": {"runAsUserName": "x"}},
    },
    "Windows with options of Linux": {
        "/spec/os": {"name": "windows"},
        "/spec/hostPID": True,
        "/spec/securityContext": {"runAsUser": 1, "sysctls": [{"name": "kernel.shm", "value": "1"}]},
        f"{MAIN}/securityContext": {"privileged": True, "procMount": "Default"},
    },
    "an unknown system": {"/spec/os": {"name": "unknown"}},
    "processes of the host in a network of their own": {
        f"{MAIN}/securityContext": {"windowsOptions": {"hostProcess": True}}
    },
    "users of its own beside the host's": {
        "/spec/hostUsers": False,
        "/spec/hostNetwork": True,
        "/spec/hostPID": True,
        f"{MAIN}/ports": ABSENT,
    },
    "one process namespace in two ways": {"/spec/shareProcessNamespace": True, "/spec/hostPID": True},
}

SAMPLES: Final = (Sample(valid=VALID, refused={**VOLUMES, **SCHEDULING, **SECURITY}),)
