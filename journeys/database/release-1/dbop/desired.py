"""What a database consists of, as functions of the object."""

import hashlib
from typing import Any

from dbop.types import Database
from windlass import ObjectMeta
from windlass.kinds.apps.v1 import StatefulSet
from windlass.kinds.batch.v1 import CronJob
from windlass.kinds.core.v1 import Secret, Service

PORT = 5432
IMAGE = "postgres:17"
DIGEST = "data.example.com/credentials"


def credentials(database: Database, password: bytes) -> Secret:
    """The Secret of the user and the password."""
    return Secret(
        metadata=ObjectMeta(name=secret_name(database)), data={"user": b"postgres", "password": password}
    )


def secret_name(database: Database) -> str:
    return f"{database.metadata.name}-credentials"


def services(database: Database) -> list[Service]:
    """The Service for clients, and the headless one by which replicas find each other."""
    name = database.metadata.name
    ports = [{"name": "postgres", "port": PORT, "targetPort": PORT}]
    selector = labels(database)
    return [
        Service.from_wire({"metadata": {"name": name}, "spec": {"selector": selector, "ports": ports}}),
        Service.from_wire(
            {
                "metadata": {"name": f"{name}-replicas"},
                "spec": {"selector": selector, "ports": ports, "clusterIP": "None"},
            }
        ),
    ]


def stateful_set(database: Database, password: bytes) -> StatefulSet:
    """The replicas; another password restarts them."""
    name, spec = database.metadata.name, database.spec
    claim: dict[str, Any] = {
        "accessModes": ["ReadWriteOnce"],
        "resources": {"requests": {"storage": database.volume_size}},
    }
    if spec.storage_class:
        claim["storageClassName"] = spec.storage_class
    pod = {
        "metadata": {
            "labels": labels(database),
            "annotations": {DIGEST: hashlib.sha256(password).hexdigest()[:16]},
        },
        "spec": {
            "containers": [
                {
                    "name": "postgres",
                    "image": IMAGE,
                    "envFrom": [{"secretRef": {"name": secret_name(database)}}],
                    "ports": [{"name": "postgres", "containerPort": PORT}],
                    "volumeMounts": [{"name": "data", "mountPath": "/var/lib/postgresql/data"}],
                }
            ]
        },
    }
    return StatefulSet.from_wire(
        {
            "metadata": {"name": name, "labels": labels(database)},
            "spec": {
                "serviceName": f"{name}-replicas",
                "replicas": spec.replicas,
                "selector": {"matchLabels": labels(database)},
                "template": pod,
                "volumeClaimTemplates": [{"metadata": {"name": "data"}, "spec": claim}],
            },
        }
    )


def backups(database: Database) -> list[CronJob]:
    """The job that makes backups, if there is a schedule."""
    if not database.backup_schedule:
        return []
    container = {
        "name": "backup",
        "image": IMAGE,
        "command": ["pg_dumpall", "--host", database.metadata.name],
        "envFrom": [{"secretRef": {"name": secret_name(database)}}],
    }
    job = {"template": {"spec": {"restartPolicy": "Never", "containers": [container]}}}
    return [
        CronJob.from_wire(
            {
                "metadata": {"name": f"{database.metadata.name}-backup"},
                "spec": {"schedule": database.backup_schedule, "jobTemplate": {"spec": job}},
            }
        )
    ]


def labels(database: Database) -> dict[str, str]:
    return {"app.kubernetes.io/name": "database", "app.kubernetes.io/instance": database.metadata.name}
