"""The kind Database in two versions: v2 has a quantity for the size, and more to say about backups."""

from windlass import Column, Condition, Definition, Field, Model, Quantity, Resource, Spec, Status

GROUP = "data.example.com"
STORED = "v2"
COLUMNS = (
    Column("Ready", ".status.conditions[?(@.type=='Ready')].status"),
    Column("Reason", ".status.conditions[?(@.type=='Ready')].reason"),
    Column("Replicas", ".status.readyReplicas", type="integer"),
)


class Backup(Model):
    """Scheduled backups."""

    schedule: str = Field(min_length=1, description="When backups are made, as a cron schedule.")
    keep: int = Field(default=7, ge=1, le=100, description="How many are kept.")


class DatabaseSpec(Spec):
    """The database that is wanted."""

    storage: Quantity = Field(default=Quantity("1Gi"), description="Size of each volume.")
    storage_class: str = Field(default="", description="StorageClass of the volumes.")
    replicas: int = Field(default=1, ge=1, le=5)
    backup: Backup | None = None


class DatabaseStatus(Status):
    """What was observed."""

    observed_generation: int | None = None
    ready_replicas: int = 0
    secret_name: str = ""
    conditions: list[Condition] = []


class Database(
    Resource, group=GROUP, version="v2", definition=Definition(columns=COLUMNS, storage=STORED == "v2")
):
    """A database of PostgreSQL."""

    spec: DatabaseSpec = Field(default_factory=DatabaseSpec)
    status: DatabaseStatus = Field(default_factory=DatabaseStatus)

    @property
    def volume_size(self) -> str:
        return str(self.spec.storage)

    @property
    def backup_schedule(self) -> str:
        return self.spec.backup.schedule if self.spec.backup else ""


class OldSpec(Spec):
    """The database that is wanted."""

    storage_gb: int = Field(default=1, ge=1, le=1000, description="Size of each volume, in GiB.")
    storage_class: str = Field(default="", description="StorageClass of the volumes.")
    replicas: int = Field(default=1, ge=1, le=5)
    backup: str = Field(default="", description="When backups are made, as a cron schedule.")


class OldDatabase(
    Resource,
    group=GROUP,
    version="v1",
    kind="Database",
    definition=Definition(columns=COLUMNS, storage=STORED == "v1"),
):
    """A database of PostgreSQL."""

    spec: OldSpec = Field(default_factory=OldSpec)
    status: DatabaseStatus = Field(default_factory=DatabaseStatus)
