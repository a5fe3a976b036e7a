"""Admission of databases."""

from dbop.types import Database
from windlass.webhook import AdmissionRequest, Verdict, mutating, validating


@mutating(Database, verbs=("create",))
def with_storage_class(request: AdmissionRequest[Database]) -> Verdict[Database]:
    """Write the StorageClass down, so that another default does not change it."""
    database = request.object
    if database.spec.storage_class:
        return Verdict.allow()
    database.spec.storage_class = "standard"
    return Verdict.change(database)


@validating(Database)
def keep_replicas(request: AdmissionRequest[Database]) -> Verdict[Database]:
    """Refuse changes that would lose data."""
    old, new = request.old, request.object
    if old is not None and new.spec.replicas < old.spec.replicas:
        return Verdict.deny("spec.replicas: replicas cannot be removed; restore a backup into a new database")
    return Verdict.allow()
