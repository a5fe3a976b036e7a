"""Volumes, claims and their classes that a server refuses."""

from __future__ import annotations

from typing import Final

from broken import ABSENT, Sample

PERSISTENT_VOLUME: Final = Sample(
    valid={
        "apiVersion": "v1",
        "kind": "PersistentVolume",
        "metadata": {"name": "a"},
        "spec": {
            "accessModes": ["ReadWriteOnce"],
            "capacity": {"storage": "1Gi"},
            "persistentVolumeReclaimPolicy": "Retain",
            "storageClassName": "fast",
            "volumeMode": "Filesystem",
            "hostPath": {"path": "/data", "type": ""},
        },
    },
    refused={
        "no access modes": {"/spec/accessModes": ABSENT},
        "an unknown access mode": {"/spec/accessModes": ["Unknown"]},
        "one pod and many": {"/spec/accessModes": ["ReadWriteOncePod", "ReadWriteMany"]},
        "no capacity": {"/spec/capacity": ABSENT},
        "a capacity of zero": {"/spec/capacity/storage": "0"},
        "a negative capacity": {"/spec/capacity/storage": "-1"},
        "the capacity of something else": {"/spec/capacity/storage": ABSENT, "/spec/capacity/cpu": "1"},
        "an unknown reclaim policy": {"/spec/persistentVolumeReclaimPolicy": "Unknown"},
        "no source": {"/spec/hostPath": ABSENT},
        "two sources": {"/spec/nfs": {"server": "b", "path": "/x"}},
        "a path that leads back": {"/spec/hostPath/path": "/data/../etc"},
        "no path": {"/spec/hostPath/path": ""},
        "an unknown type of path": {"/spec/hostPath/type": "Unknown"},
        "the root recycled": {"/spec/persistentVolumeReclaimPolicy": "Recycle", "/spec/hostPath/path": "/"},
        "a class in capitals": {"/spec/storageClassName": "Fast"},
        "an unknown volume mode": {"/spec/volumeMode": "Unknown"},
        "affinity to nothing": {"/spec/nodeAffinity": {}},
        "affinity without terms": {"/spec/nodeAffinity": {"required": {"nodeSelectorTerms": []}}},
        "affinity of an unknown operator": {
            "/spec/nodeAffinity": {
                "required": {
                    "nodeSelectorTerms": [{"matchExpressions": [{"key": "a", "operator": "Unknown"}]}]
                }
            }
        },
        "a local volume without affinity": {"/spec/hostPath": ABSENT, "/spec/local": {"path": "/x"}},
        "a local volume without a path": {
            "/spec/hostPath": ABSENT,
            "/spec/local": {"path": ""},
            "/spec/nodeAffinity": {
                "required": {
                    "nodeSelectorTerms": [{"matchExpressions": [{"key": "a", "operator": "Exists"}]}]
                }
            },
        },
        "a driver without a name": {
            "/spec/hostPath": ABSENT,
            "/spec/csi": {"driver": "", "volumeHandle": "x"},
        },
        "a driver with an underscore": {
            "/spec/hostPath": ABSENT,
            "/spec/csi": {"driver": "a_b", "volumeHandle": "x"},
        },
        "a driver without a handle": {
            "/spec/hostPath": ABSENT,
            "/spec/csi": {"driver": "example.com", "volumeHandle": ""},
        },
        "a driver's secret without a namespace": {
            "/spec/hostPath": ABSENT,
            "/spec/csi": {
                "driver": "example.com",
                "volumeHandle": "x",
                "nodePublishSecretRef": {"name": "b"},
            },
        },
        "an NFS path that is relative": {"/spec/hostPath": ABSENT, "/spec/nfs": {"server": "b", "path": "x"}},
        "an NFS server without a name": {"/spec/hostPath": ABSENT, "/spec/nfs": {"server": "", "path": "/x"}},
        "an iSCSI target without a name": {
            "/spec/hostPath": ABSENT,
            "/spec/iscsi": {"targetPortal": "192.0.2.1", "iqn": "", "lun": 0, "iscsiInterface": "default"},
        },
        "an iSCSI target of a malformed name": {
            "/spec/hostPath": ABSENT,
            "/spec/iscsi": {
                "targetPortal": "192.0.2.1",
                "iqn": "iqn.x",
                "lun": 0,
                "iscsiInterface": "default",
            },
        },
        "a fibre channel without targets": {"/spec/hostPath": ABSENT, "/spec/fc": {}},
        "Ceph without monitors": {"/spec/hostPath": ABSENT, "/spec/cephfs": {"monitors": []}},
        "an image without monitors": {
            "/spec/hostPath": ABSENT,
            "/spec/rbd": {
                "monitors": [],
                "image": "",
                "pool": "rbd",
                "user": "admin",
                "keyring": "/etc/ceph/keyring",
            },
        },
        "a flexible volume without a driver": {"/spec/hostPath": ABSENT, "/spec/flexVolume": {"driver": ""}},
        "a reserved option": {
            "/spec/hostPath": ABSENT,
            "/spec/flexVolume": {"driver": "a/b", "options": {"kubernetes.io/x": "y"}},
        },
        "an Azure share without a name": {
            "/spec/hostPath": ABSENT,
            "/spec/azureFile": {"secretName": "b", "shareName": ""},
        },
        "an Azure disk without a name": {
            "/spec/hostPath": ABSENT,
            "/spec/azureDisk": {
                "diskName": "",
                "diskURI": "",
                "cachingMode": "ReadWrite",
                "fsType": "ext4",
                "readOnly": False,
                "kind": "Shared",
            },
        },
        "a disk without a name": {"/spec/hostPath": ABSENT, "/spec/gcePersistentDisk": {"pdName": ""}},
        "a block store without a name": {
            "/spec/hostPath": ABSENT,
            "/spec/awsElasticBlockStore": {"volumeID": ""},
        },
        "a volume without an id": {"/spec/hostPath": ABSENT, "/spec/cinder": {"volumeID": ""}},
        "a mount option of a path": {
            "/metadata/annotations": {"volume.beta.kubernetes.io/mount-options": "ro"}
        },
        "attributes of a path": {"/spec/volumeAttributesClassName": "gold"},
        "a name in capitals": {"/metadata/name": "Upper"},
        "a Gluster volume without endpoints": {
            "/spec/hostPath": ABSENT,
            "/spec/glusterfs": {"endpoints": "", "path": "", "endpointsNamespace": ""},
        },
        "a Gluster volume of a namespace in capitals": {
            "/spec/hostPath": ABSENT,
            "/spec/glusterfs": {"endpoints": "b", "path": "x", "endpointsNamespace": "Upper"},
        },
        "a StorageOS volume without a name": {
            "/spec/hostPath": ABSENT,
            "/spec/storageos": {"volumeNamespace": "Upper", "secretRef": {}},
        },
        "a ScaleIO volume without a gateway": {
            "/spec/hostPath": ABSENT,
            "/spec/scaleIO": {
                "gateway": "",
                "system": "",
                "secretRef": {},
                "storageMode": "Thin",
                "fsType": "xfs",
            },
        },
        "a Quobyte registry without a port": {
            "/spec/hostPath": ABSENT,
            "/spec/quobyte": {"registry": "host", "volume": "", "user": "x"},
        },
        "a Flocker data set of nothing": {"/spec/hostPath": ABSENT, "/spec/flocker": {}},
        "a Portworx volume without an id": {
            "/spec/hostPath": ABSENT,
            "/spec/portworxVolume": {"volumeID": ""},
        },
        "a Photon disk without an id": {"/spec/hostPath": ABSENT, "/spec/photonPersistentDisk": {"pdID": ""}},
        "a vSphere disk without a path": {
            "/spec/hostPath": ABSENT,
            "/spec/vsphereVolume": {"volumePath": ""},
        },
        "a Cinder volume's secret of nothing": {
            "/spec/hostPath": ABSENT,
            "/spec/cinder": {"volumeID": "x", "secretRef": {}},
        },
        "an Azure share of an empty namespace": {
            "/spec/hostPath": ABSENT,
            "/spec/azureFile": {"secretName": "b", "shareName": "c", "secretNamespace": ""},
        },
        "an iSCSI portal too long for its initiator": {
            "/spec/hostPath": ABSENT,
            "/spec/iscsi": {
                "targetPortal": "x" * 64,
                "iqn": "iqn.2026-01.com.example:x",
                "lun": 0,
                "iscsiInterface": "default",
                "initiatorName": "other",
            },
        },
        "an iSCSI secret of nothing": {
            "/spec/hostPath": ABSENT,
            "/spec/iscsi": {
                "targetPortal": "x",
                "iqn": "xyz",
                "lun": 256,
                "iscsiInterface": "default",
                "secretRef": {},
            },
        },
        "a driver's secret in capitals": {
            "/spec/hostPath": ABSENT,
            "/spec/csi": {
                "driver": "example.com",
                "volumeHandle": "x",
                "controllerExpandSecretRef": {"name": "Upper", "namespace": "Upper"},
            },
        },
        "empty attributes": {"/spec/volumeAttributesClassName": ""},
    },
    frozen={
        "another path": {"/spec/hostPath/path": "/other"},
        "another source": {"/spec/hostPath": ABSENT, "/spec/nfs": {"server": "b", "path": "/x"}},
        "another volume mode": {"/spec/volumeMode": "Block"},
        "no capacity": {"/spec/capacity": ABSENT},
        "an unknown reclaim policy": {"/spec/persistentVolumeReclaimPolicy": "Unknown"},
    },
    accepted={
        "a local volume": {
            "/spec/hostPath": ABSENT,
            "/spec/local": {"path": "/x"},
            "/spec/nodeAffinity": {
                "required": {
                    "nodeSelectorTerms": [{"matchExpressions": [{"key": "a", "operator": "Exists"}]}]
                }
            },
        },
        "a driver's volume": {
            "/spec/hostPath": ABSENT,
            "/spec/csi": {"driver": "Example.com", "volumeHandle": "x"},
            "/spec/volumeAttributesClassName": "gold",
        },
    },
    changed={
        "more capacity": {"/spec/capacity/storage": "2Gi"},
        "another reclaim policy": {"/spec/persistentVolumeReclaimPolicy": "Delete"},
    },
    namespaced=False,
)

PERSISTENT_VOLUME_CLAIM: Final = Sample(
    valid={
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": "a"},
        "spec": {
            "accessModes": ["ReadWriteOnce"],
            "storageClassName": "fast",
            "volumeMode": "Filesystem",
            "resources": {"requests": {"storage": "1Gi"}},
        },
    },
    refused={
        "no access modes": {"/spec/accessModes": ABSENT},
        "an unknown access mode": {"/spec/accessModes": ["Unknown"]},
        "one pod and many": {"/spec/accessModes": ["ReadWriteOncePod", "ReadWriteMany"]},
        "no request": {"/spec/resources/requests": ABSENT},
        "a request of zero": {"/spec/resources/requests/storage": "0"},
        "a negative request": {"/spec/resources/requests/storage": "-1"},
        "a malformed request": {"/spec/resources/requests/storage": "1X"},
        "a class in capitals": {"/spec/storageClassName": "Fast"},
        "an unknown volume mode": {"/spec/volumeMode": "Unknown"},
        "a selector with a blank": {"/spec/selector": {"matchLabels": {"app": "a b"}}},
        "a selector of an unknown operator": {
            "/spec/selector": {"matchExpressions": [{"key": "a", "operator": "Unknown"}]}
        },
        "a source without a name": {
            "/spec/dataSource": {"kind": "PersistentVolumeClaim", "name": ""},
            "/spec/dataSourceRef": {"kind": "PersistentVolumeClaim", "name": ""},
        },
        "a source of the wrong kind": {
            "/spec/dataSource": {"kind": "Secret", "name": "b"},
            "/spec/dataSourceRef": {"kind": "Secret", "name": "b"},
        },
        "a source of a malformed group": {
            "/spec/dataSource": {"apiGroup": "Upper", "kind": "Snapshot", "name": "b"},
            "/spec/dataSourceRef": {"apiGroup": "Upper", "kind": "Snapshot", "name": "b"},
        },
        "sources that differ": {
            "/spec/dataSource": {"apiGroup": "example.com", "kind": "Snapshot", "name": "b"},
            "/spec/dataSourceRef": {"apiGroup": "example.com", "kind": "Snapshot", "name": "c"},
        },
        "attributes in capitals": {"/spec/volumeAttributesClassName": "Gold"},
        "a name in capitals": {"/metadata/name": "Upper"},
    },
    frozen={
        "another access mode": {"/spec/accessModes": ["ReadOnlyMany"]},
        "another class": {"/spec/storageClassName": "slow"},
        "a larger request before it is bound": {"/spec/resources/requests/storage": "2Gi"},
        "a smaller request": {"/spec/resources/requests/storage": "1Mi"},
        "another volume mode": {"/spec/volumeMode": "Block"},
        "a class in an annotation": {
            "/metadata/annotations": {"volume.beta.kubernetes.io/storage-class": "slow"}
        },
    },
    status={
        "less than nothing": {"/status": {"capacity": {"storage": "-1"}}},
        "an unknown state of resizing": {"/status": {"allocatedResourceStatuses": {"storage": "Unknown"}}},
        "the state of resizing something else": {
            "/status": {"allocatedResourceStatuses": {"cpu": "NodeResizePending"}}
        },
        "less than nothing allocated": {"/status/allocatedResources": {"storage": "-1"}},
        "something else allocated": {"/status/allocatedResources": {"cpu": "1"}},
        "the state of resizing a malformed thing": {
            "/status/allocatedResourceStatuses": {"a b": "NodeResizePending"}
        },
    },
    accepted={
        "one pod alone": {"/spec/accessModes": ["ReadWriteOncePod"]},
        "no class": {"/spec/storageClassName": ""},
        "a copy of another claim": {
            "/spec/dataSource": {"kind": "PersistentVolumeClaim", "name": "b"},
            "/spec/dataSourceRef": {"kind": "PersistentVolumeClaim", "name": "b"},
        },
    },
    changed={
        "a volume": {"/spec/volumeName": "b"},
    },
)

STORAGE_CLASS: Final = Sample(
    valid={
        "apiVersion": "storage.k8s.io/v1",
        "kind": "StorageClass",
        "metadata": {"name": "a"},
        "provisioner": "example.com/disk",
        "parameters": {"type": "fast"},
        "reclaimPolicy": "Delete",
        "volumeBindingMode": "Immediate",
    },
    refused={
        "no provisioner": {"/provisioner": ""},
        "a provisioner with a blank": {"/provisioner": "a b"},
        "a provisioner with two slashes": {"/provisioner": "a/b/c"},
        "a parameter without a name": {"/parameters/": "x"},
        "an unknown reclaim policy": {"/reclaimPolicy": "Unknown"},
        "a recycled volume": {"/reclaimPolicy": "Recycle"},
        "an unknown binding": {"/volumeBindingMode": "Unknown"},
        "a topology without values": {
            "/allowedTopologies": [{"matchLabelExpressions": [{"key": "a", "values": []}]}]
        },
        "a topology of a malformed key": {
            "/allowedTopologies": [{"matchLabelExpressions": [{"key": "a b", "values": ["x"]}]}]
        },
        "one value of a topology twice": {
            "/allowedTopologies": [{"matchLabelExpressions": [{"key": "a", "values": ["x", "x"]}]}]
        },
        "one key of a topology twice": {
            "/allowedTopologies": [
                {"matchLabelExpressions": [{"key": "a", "values": ["x"]}, {"key": "a", "values": ["y"]}]}
            ]
        },
        "a topology of nothing": {
            "/allowedTopologies": [
                {"matchLabelExpressions": None},
                {"matchLabelExpressions": [{"key": "a", "values": ["x"]}]},
            ]
        },
        "one topology twice": {
            "/allowedTopologies": [
                {"matchLabelExpressions": [{"key": "a", "values": ["x"]}]},
                {"matchLabelExpressions": [{"key": "a", "values": ["x"]}]},
            ]
        },
        "a name in capitals": {"/metadata/name": "Upper"},
        "513 parameters": {"/parameters": {f"k{number}": "" for number in range(513)}},
        "parameters of more than 256 kibibytes": {"/parameters": {"k": "x" * 2**18}},
    },
    frozen={
        "another provisioner": {"/provisioner": "example.com/other"},
        "another parameter": {"/parameters/type": "slow"},
        "no parameters any more": {"/parameters": ABSENT},
        "another reclaim policy": {"/reclaimPolicy": "Retain"},
        "another binding": {"/volumeBindingMode": "WaitForFirstConsumer"},
    },
    accepted={
        "a provisioner in capitals": {"/provisioner": "Example.com/Disk"},
        "no parameters": {"/parameters": ABSENT},
        "two topologies": {
            "/allowedTopologies": [
                {"matchLabelExpressions": [{"key": "a", "values": ["x"]}]},
                {"matchLabelExpressions": [{"key": "a", "values": ["y"]}]},
            ]
        },
    },
    changed={
        "expansion": {"/allowVolumeExpansion": True},
    },
    namespaced=False,
)

VOLUME_ATTRIBUTES_CLASS: Final = Sample(
    valid={
        "apiVersion": "storage.k8s.io/v1",
        "kind": "VolumeAttributesClass",
        "metadata": {"name": "a"},
        "driverName": "example.com",
        "parameters": {"iops": "100"},
    },
    refused={
        "no driver": {"/driverName": ""},
        "a driver with a blank": {"/driverName": "a b"},
        "a driver of two labels and a slash": {"/driverName": "example.com/a/b"},
        "a driver that is a number": {"/driverName": 1},
        "no parameters": {"/parameters": ABSENT},
        "empty parameters": {"/parameters": {}},
        "a parameter without a name": {"/parameters/": "x"},
        "a parameter that is a number": {"/parameters/iops": 100},
        "more than 512 parameters": {"/parameters": {f"a{number}": "x" for number in range(513)}},
        "parameters beyond 256 KiB": {"/parameters": {"a": "x" * 2**18}},
        "neither driver nor parameters": {"/driverName": ABSENT, "/parameters": ABSENT},
        "a name in capitals": {"/metadata/name": "Upper"},
        "a name with an underscore": {"/metadata/name": "a_b"},
        "a label with a blank": {"/metadata/labels": {"app": "a b"}},
        "a finalizer without a domain": {"/metadata/finalizers": ["held"]},
    },
    frozen={
        "another driver": {"/driverName": "other.example.com"},
        "no driver": {"/driverName": ABSENT},
        "another parameter": {"/parameters/iops": "200"},
        "one more parameter": {"/parameters/size": "1"},
        "no parameters": {"/parameters": ABSENT},
    },
    accepted={
        "a driver in capitals": {"/driverName": "Example.com"},
        "512 parameters": {"/parameters": {f"a{number}": "x" for number in range(512)}},
    },
    changed={
        "a label": {"/metadata/labels": {"app": "a"}},
    },
    namespaced=False,
)


SAMPLES: Final = (
    PERSISTENT_VOLUME,
    PERSISTENT_VOLUME_CLAIM,
    STORAGE_CLASS,
    VOLUME_ATTRIBUTES_CLASS,
)
