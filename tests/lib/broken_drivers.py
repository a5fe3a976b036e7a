"""Storage drivers and what they attach that a server refuses."""

from __future__ import annotations

from typing import Final

from broken import ABSENT, Sample

VOLUME_ATTACHMENT: Final = Sample(
    valid={
        "apiVersion": "storage.k8s.io/v1",
        "kind": "VolumeAttachment",
        "metadata": {"name": "a"},
        "spec": {"attacher": "example.com", "nodeName": "b", "source": {"persistentVolumeName": "c"}},
    },
    refused={
        "no attacher": {"/spec/attacher": ""},
        "an attacher with an underscore": {"/spec/attacher": "a_b"},
        "an attacher beyond 63 characters": {"/spec/attacher": "a" * 64},
        "no node": {"/spec/nodeName": ""},
        "a node in capitals": {"/spec/nodeName": "Node"},
        "no source": {"/spec/source/persistentVolumeName": ABSENT},
        "an empty source": {"/spec/source/persistentVolumeName": ""},
        "a volume in capitals": {"/spec/source/persistentVolumeName": "Volume"},
        "two sources": {
            "/spec/source/inlineVolumeSpec": {
                "accessModes": ["ReadWriteOnce"],
                "csi": {"driver": "example.com", "volumeHandle": "x"},
            }
        },
        "an inline volume of a path": {
            "/spec/source/persistentVolumeName": ABSENT,
            "/spec/source/inlineVolumeSpec": {"accessModes": ["ReadWriteOnce"], "hostPath": {"path": "/x"}},
        },
        "an inline volume with a capacity": {
            "/spec/source/persistentVolumeName": ABSENT,
            "/spec/source/inlineVolumeSpec": {
                "accessModes": ["ReadWriteOnce"],
                "capacity": {"storage": "1Gi"},
                "csi": {"driver": "example.com", "volumeHandle": "x"},
            },
        },
        "an inline volume without modes": {
            "/spec/source/persistentVolumeName": ABSENT,
            "/spec/source/inlineVolumeSpec": {"csi": {"driver": "example.com", "volumeHandle": "x"}},
        },
        "a name in capitals": {"/metadata/name": "Upper"},
        "an inline volume that is deleted": {
            "/spec/source": {
                "inlineVolumeSpec": {
                    "accessModes": ["ReadWriteOnce"],
                    "persistentVolumeReclaimPolicy": "Delete",
                    "storageClassName": "fast",
                    "volumeMode": "Block",
                    "nodeAffinity": {},
                    "csi": {"driver": "example.com", "volumeHandle": "x"},
                }
            }
        },
    },
    frozen={
        "another node": {"/spec/nodeName": "d"},
        "another volume": {"/spec/source/persistentVolumeName": "d"},
    },
    status={
        "an error of a negative code": {"/status": {"attached": False, "attachError": {"errorCode": -1}}},
        "metadata of more than 256 kibibytes": {
            "/status": {"attached": True, "attachmentMetadata": {"k": "x" * 2**18}}
        },
        "an error of more than a kibibyte": {
            "/status": {"attached": False, "detachError": {"message": "x" * 1025}}
        },
    },
    accepted={
        "an inline volume": {
            "/spec/source": {
                "inlineVolumeSpec": {
                    "accessModes": ["ReadWriteOnce"],
                    "csi": {"driver": "example.com", "volumeHandle": "x"},
                }
            }
        },
    },
    namespaced=False,
)

CSI_DRIVER: Final = Sample(
    valid={
        "apiVersion": "storage.k8s.io/v1",
        "kind": "CSIDriver",
        "metadata": {"name": "a"},
        "spec": {
            "attachRequired": True,
            "podInfoOnMount": False,
            "storageCapacity": False,
            "seLinuxMount": False,
            "requiresRepublish": False,
            "fsGroupPolicy": "ReadWriteOnceWithFSType",
            "volumeLifecycleModes": ["Persistent"],
        },
    },
    refused={
        "an unknown group policy": {"/spec/fsGroupPolicy": "Unknown"},
        "an unknown life": {"/spec/volumeLifecycleModes": ["Unknown"]},
        "one audience twice": {"/spec/tokenRequests": [{"audience": "b"}, {"audience": "b"}]},
        "two requests without an audience": {"/spec/tokenRequests": [{"audience": ""}, {"audience": ""}]},
        "a token of a minute": {"/spec/tokenRequests": [{"audience": "b", "expirationSeconds": 60}]},
        "a token of centuries": {"/spec/tokenRequests": [{"audience": "b", "expirationSeconds": 4294967297}]},
        "tokens in secrets without tokens": {"/spec/serviceAccountTokenInSecrets": True},
        "a period of a second": {"/spec/nodeAllocatableUpdatePeriodSeconds": 1},
        "a name in capitals": {"/metadata/name": "Upper"},
        "a name with an underscore": {"/metadata/name": "a_b"},
        "a label with a blank": {"/metadata/labels": {"app": "a b"}},
        "a flag that is a text": {"/spec/attachRequired": "yes"},
    },
    frozen={
        "another need to attach": {"/spec/attachRequired": False},
        "another life": {"/spec/volumeLifecycleModes": ["Ephemeral"]},
        "an unknown group policy": {"/spec/fsGroupPolicy": "Unknown"},
    },
    accepted={
        "tokens of ten minutes": {"/spec/tokenRequests": [{"audience": "b", "expirationSeconds": 600}]},
    },
    changed={
        "another group policy": {"/spec/fsGroupPolicy": "File"},
    },
    namespaced=False,
)

CSI_NODE: Final = Sample(
    valid={
        "apiVersion": "storage.k8s.io/v1",
        "kind": "CSINode",
        "metadata": {"name": "a"},
        "spec": {
            "drivers": [
                {"name": "example.com", "nodeID": "b", "topologyKeys": ["zone"], "allocatable": {"count": 1}}
            ]
        },
    },
    refused={
        "a driver without a name": {
            "/spec/drivers/0/topologyKeys": ABSENT,
            "/spec/drivers/0/allocatable": ABSENT,
            "/spec/drivers/0/name": "",
        },
        "a driver with an underscore": {
            "/spec/drivers/0/topologyKeys": ABSENT,
            "/spec/drivers/0/allocatable": ABSENT,
            "/spec/drivers/0/name": "a_b",
        },
        "a driver beyond 63 characters": {
            "/spec/drivers/0/topologyKeys": ABSENT,
            "/spec/drivers/0/allocatable": ABSENT,
            "/spec/drivers/0/name": "a" * 64,
        },
        "a driver without a node": {
            "/spec/drivers/0/topologyKeys": ABSENT,
            "/spec/drivers/0/allocatable": ABSENT,
            "/spec/drivers/0/nodeID": "",
        },
        "a node beyond 256 characters": {
            "/spec/drivers/0/topologyKeys": ABSENT,
            "/spec/drivers/0/allocatable": ABSENT,
            "/spec/drivers/0/nodeID": "a" * 257,
        },
        "one driver twice": {
            "/spec/drivers": [{"name": "example.com", "nodeID": "b"}, {"name": "example.com", "nodeID": "b"}]
        },
        "less than no volumes": {
            "/spec/drivers/0/topologyKeys": ABSENT,
            "/spec/drivers/0/allocatable/count": -1,
        },
        "an empty key": {"/spec/drivers/0/allocatable": ABSENT, "/spec/drivers/0/topologyKeys": [""]},
        "one key twice": {"/spec/drivers/0/allocatable": ABSENT, "/spec/drivers/0/topologyKeys/-": "zone"},
        "a key with a blank": {
            "/spec/drivers/0/allocatable": ABSENT,
            "/spec/drivers/0/topologyKeys": ["a b"],
        },
        "a name in capitals": {"/metadata/name": "Upper"},
    },
    frozen={
        "another node": {"/spec/drivers/0/nodeID": "c"},
        "other keys": {"/spec/drivers/0/topologyKeys": ["region"]},
    },
    changed={
        "more volumes": {"/spec/drivers/0/allocatable/count": 2},
        "no drivers": {"/spec/drivers": []},
    },
    namespaced=False,
)

CSI_STORAGE_CAPACITY: Final = Sample(
    valid={
        "apiVersion": "storage.k8s.io/v1",
        "kind": "CSIStorageCapacity",
        "metadata": {"name": "a"},
        "storageClassName": "fast",
        "nodeTopology": {"matchLabels": {"zone": "b"}},
        "capacity": "1Gi",
    },
    refused={
        "no class": {"/storageClassName": ""},
        "a class in capitals": {"/storageClassName": "Fast"},
        "less than nothing": {"/capacity": "-1"},
        "a malformed capacity": {"/capacity": "1x"},
        "a topology with a blank": {"/nodeTopology/matchLabels/zone": "a b"},
        "a topology of a malformed key": {"/nodeTopology/matchLabels/a b": "x"},
        "a topology of an unknown operator": {
            "/nodeTopology/matchExpressions": [{"key": "a", "operator": "Unknown"}]
        },
        "a topology without values": {"/nodeTopology/matchExpressions": [{"key": "a", "operator": "In"}]},
        "a topology with needless values": {
            "/nodeTopology/matchExpressions": [{"key": "a", "operator": "Exists", "values": ["b"]}]
        },
        "a name in capitals": {"/metadata/name": "Upper"},
        "a label with a blank": {"/metadata/labels": {"app": "a b"}},
    },
    frozen={
        "another class": {"/storageClassName": "slow"},
        "another topology": {"/nodeTopology/matchLabels/zone": "c"},
        "less than nothing": {"/capacity": "-1"},
    },
    accepted={
        "no capacity": {"/capacity": ABSENT},
    },
    changed={
        "more capacity": {"/capacity": "2Gi"},
    },
)


SAMPLES: Final = (
    VOLUME_ATTACHMENT,
    CSI_DRIVER,
    CSI_NODE,
    CSI_STORAGE_CAPACITY,
)
