"""The way from v1 to v2 and back."""

from math import ceil

from dbop.types import Backup, Database, DatabaseSpec, OldDatabase, OldSpec
from windlass import Quantity
from windlass.webhook import Conversion, Spoke

GIB = 1024**3


def upgraded(old: OldDatabase) -> Database:
    spec = old.spec
    return Database(
        spec=DatabaseSpec(
            storage=Quantity(f"{spec.storage_gb}Gi"),
            storage_class=spec.storage_class,
            replicas=spec.replicas,
            backup=Backup(schedule=spec.backup) if spec.backup else None,
        ),
        status=old.status,
    )


def downgraded(new: Database) -> OldDatabase:
    spec = new.spec
    return OldDatabase(
        spec=OldSpec(
            storage_gb=min(1000, max(1, ceil(int(spec.storage) / GIB))),
            storage_class=spec.storage_class,
            replicas=spec.replicas,
            backup=spec.backup.schedule if spec.backup else "",
        ),
        status=new.status,
    )


V1 = Spoke(OldDatabase, to_hub=upgraded, from_hub=downgraded, lacks=("spec.storage", "spec.backup.keep"))
CONVERSION = Conversion(hub=Database, spokes=(V1,))
