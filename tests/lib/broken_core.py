"""Configuration, accounts and namespaces that a server refuses."""

from __future__ import annotations

from typing import Final

from broken import ABSENT, Sample

CONFIG_MAP: Final = Sample(
    valid={
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "a"},
        "data": {"key": "value"},
        "binaryData": {"bytes": "AAE="},
    },
    refused={
        "a key with a blank": {"/data/a b": ""},
        "an empty key": {"/data/": "x"},
        "a key with a slash": {"/data/a~1b": "x"},
        "a key that is a dot": {"/data/.": "x"},
        "a key that is two dots": {"/data/..": "x"},
        "a key that begins with two dots": {"/data/..a": "x"},
        "a key beyond 253 characters": {"/data/" + "a" * 260: "x"},
        "a binary key with a blank": {"/binaryData/a b": ""},
        "a key in both maps": {"/binaryData/key": ""},
        "bytes that are not base64": {"/binaryData/bytes": "%%"},
        "a value that is a number": {"/data/key": 1},
        "a name in capitals": {"/metadata/name": "Upper"},
        "a label with a blank": {"/metadata/labels": {"app": "a b"}},
        "an annotation with a blank in its key": {"/metadata/annotations": {"a b": "x"}},
        "a finalizer without a domain": {"/metadata/finalizers": ["mine"]},
        "an owner without a uid": {
            "/metadata/ownerReferences": [{"apiVersion": "v1", "kind": "Pod", "name": "b"}]
        },
        "more than a mebibyte": {"/data": {"a": "x" * 2**20, "b": "x"}},
    },
    frozen={
        "an empty key": {"/data/": "x"},
        "a key in both maps": {"/data/bytes": ""},
        "a label with a blank": {"/metadata/labels": {"app": "a b"}},
    },
    accepted={
        "no data": {"/data": ABSENT, "/binaryData": ABSENT},
        "keys with dots, dashes and capitals": {"/data": {"A.b-c_d": "", ".hidden": "", "a" * 253: ""}},
        "an annotation in capitals": {"/metadata/annotations": {"Example.com/Key": "x"}},
    },
    changed={
        "other data": {"/data/key": "other"},
        "immutable with its last change": {"/data/key": "other", "/immutable": True},
    },
)

CONFIG_MAP_IMMUTABLE: Final = Sample(
    valid={
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "a"},
        "data": {"key": "value"},
        "immutable": True,
    },
    refused={},
    frozen={
        "data that differ": {"/data/key": "other"},
        "data that are gone": {"/data": ABSENT},
        "binary data added": {"/binaryData": {"bytes": "AAE="}},
        "no longer immutable": {"/immutable": ABSENT},
        "immutable turned off with other data": {"/data/key": "other", "/immutable": False},
    },
    changed={
        "a label": {"/metadata/labels": {"app": "a"}},
    },
    variant="immutable",
)

SECRET: Final = Sample(
    valid={
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": "a"},
        "type": "Opaque",
        "data": {"key": "MQ=="},
    },
    refused={
        "a key with a blank": {"/data/a b": ""},
        "an empty key": {"/data/": "MQ=="},
        "a key that begins with two dots": {"/data/..a": "MQ=="},
        "data that are not base64": {"/data/key": "%"},
        "a certificate without its key": {"/type": "kubernetes.io/tls", "/data/tls.crt": "MQ=="},
        "neither certificate nor key": {"/type": "kubernetes.io/tls"},
        "neither user nor password": {"/type": "kubernetes.io/basic-auth"},
        "no private key": {"/type": "kubernetes.io/ssh-auth"},
        "an empty private key": {"/type": "kubernetes.io/ssh-auth", "/data/ssh-privatekey": ""},
        "no registry configuration": {"/type": "kubernetes.io/dockerconfigjson"},
        "no old registry configuration": {"/type": "kubernetes.io/dockercfg"},
        "a registry configuration that is no JSON": {
            "/type": "kubernetes.io/dockerconfigjson",
            "/data/.dockerconfigjson": "eA==",
        },
        "a registry configuration that is a list": {
            "/type": "kubernetes.io/dockerconfigjson",
            "/data/.dockerconfigjson": "W10=",
        },
        "an empty registry configuration": {"/type": "kubernetes.io/dockercfg", "/data/.dockercfg": ""},
        "a registry configuration that ends early": {
            "/type": "kubernetes.io/dockercfg",
            "/data/.dockercfg": "eyJhIjo=",
        },
        "a token of no account": {"/type": "kubernetes.io/service-account-token"},
        "a name in capitals": {"/metadata/name": "Upper"},
        "more than a mebibyte": {"/data/key": "eHh4" * 349526},
    },
    frozen={
        "another type": {"/type": "example.com/other"},
        "a key with a blank": {"/data/a b": ""},
    },
    accepted={
        "a certificate and its key": {
            "/type": "kubernetes.io/tls",
            "/data": {"tls.crt": "MQ==", "tls.key": ""},
        },
        "a password alone": {"/type": "kubernetes.io/basic-auth", "/data": {"password": "MQ=="}},
        "a registry configuration": {
            "/type": "kubernetes.io/dockerconfigjson",
            "/data": {".dockerconfigjson": "e30="},
        },
        "a registry configuration of nothing": {
            "/type": "kubernetes.io/dockercfg",
            "/data": {".dockercfg": "bnVsbA=="},
        },
        "a type of one's own": {"/type": "example.com/mine"},
    },
    changed={
        "other data": {"/data/key": "Mg=="},
    },
)

SECRET_IMMUTABLE: Final = Sample(
    valid={
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": "a"},
        "type": "Opaque",
        "data": {"key": "MQ=="},
        "immutable": True,
    },
    refused={},
    frozen={
        "data that differ": {"/data/key": "Mg=="},
        "a key added": {"/data/other": "Mg=="},
        "no longer immutable": {"/immutable": ABSENT},
        "another type and other data": {"/type": "other", "/data/key": "Mg=="},
    },
    changed={
        "an annotation": {"/metadata/annotations": {"a": "b"}},
    },
    variant="immutable",
)

SERVICE_ACCOUNT: Final = Sample(
    valid={"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "a"}},
    refused={
        "a name in capitals": {"/metadata/name": "Upper"},
        "a name with an underscore": {"/metadata/name": "a_b"},
        "a name that ends in a dash": {"/metadata/name": "a-"},
        "no name": {"/metadata/name": ABSENT},
        "a name with a slash": {"/metadata/name": "a/b"},
        "a label with an empty key": {"/metadata/labels": {"": "x"}},
        "a label whose key has two slashes": {"/metadata/labels": {"a/b/c": "x"}},
        "a label with a value that is too long": {"/metadata/labels": {"a": "x" * 64}},
        "two controllers": {
            "/metadata/ownerReferences": [
                {"apiVersion": "v1", "kind": "Pod", "name": "b", "uid": "b", "controller": True},
                {"apiVersion": "v1", "kind": "Pod", "name": "c", "uid": "c", "controller": True},
            ]
        },
        "an event as owner": {
            "/metadata/ownerReferences": [{"apiVersion": "v1", "kind": "Event", "name": "b", "uid": "b"}]
        },
        "two finalizers that exclude each other": {"/metadata/finalizers": ["orphan", "foregroundDeletion"]},
        "a finalizer with a blank": {"/metadata/finalizers": ["example.com/a b"]},
        "another namespace": {"/metadata/namespace": "other"},
        "a flag that is a text": {"/automountServiceAccountToken": "yes"},
    },
    frozen={
        "a label with an empty key": {"/metadata/labels": {"": "x"}},
    },
    accepted={
        "a name with dots": {"/metadata/name": "a.b.c"},
    },
    changed={
        "no token mounted": {"/automountServiceAccountToken": False},
    },
)

NAMESPACE: Final = Sample(
    valid={
        "apiVersion": "v1",
        "kind": "Namespace",
        "metadata": {"name": "a"},
        "spec": {"finalizers": ["kubernetes"]},
    },
    refused={
        "a name with a dot": {"/metadata/name": "a.b"},
        "a name in capitals": {"/metadata/name": "Upper"},
        "a name beyond 63 characters": {"/metadata/name": "a" * 64},
        "a name that ends in a dash": {"/metadata/name": "a-"},
        "an underscore in its name": {"/metadata/name": "a_b"},
        "a finalizer without a domain": {"/spec/finalizers": ["mine"]},
        "a finalizer with a blank": {"/spec/finalizers": ["example.com/a b"]},
        "an empty finalizer": {"/spec/finalizers": [""]},
        "a finalizer of metadata without a domain": {"/metadata/finalizers": ["mine"]},
        "a label with a blank": {"/metadata/labels": {"app": "a b"}},
        "an annotation whose key has two slashes": {"/metadata/annotations": {"a/b/c": "x"}},
    },
    frozen={
        "a label with a blank": {"/metadata/labels": {"app": "a b"}},
    },
    status={
        "a phase of its own": {"/status": {"phase": "Terminating"}},
        "an unknown phase": {"/status": {"phase": "Unknown"}},
    },
    accepted={
        "a finalizer with a domain": {"/spec/finalizers": ["kubernetes", "example.com/mine"]},
    },
    changed={
        "a label": {"/metadata/labels/app": "a"},
    },
    namespaced=False,
)


SAMPLES: Final = (
    CONFIG_MAP,
    CONFIG_MAP_IMMUTABLE,
    SECRET,
    SECRET_IMMUTABLE,
    SERVICE_ACCOUNT,
    NAMESPACE,
)
