"""The kind Database."""

from windlass import Column, Condition, Definition, Field, Resource, Spec, Status

GROUP = "data.example.com"
COLUMNS = (
    Column("Ready", ".status.conditions[?(@.type=='Ready')].status"),
    Column("Reason", ".status.conditions[?(@.type=='Ready')].reason"),
    Column("Replicas", ".status.readyReplicas", type="integer"),
)


class DatabaseSpec(Spec):
    """The database that is wanted."""

    storage_gb: int = Field(default=1, ge=1, le=1000, description="Size of each volume, in GiB.")
    storage_class: str = Field(default="", description="StorageClass of the volumes.")
    replicas: int = Field(default=1, ge=1, le=5)
    backup: str = Field(default="", description="When backups are made, as a cron schedule.")


class DatabaseStatus(Status):
    """What was observed."""

    observed_generation: int | None = None
    ready_replicas: int = 0
    secret_name: str = ""
    conditions: list[Condition] = []


class Database(Resource, group=GROUP, version="v1", definition=Definition(columns=COLUMNS)):
    """A database of PostgreSQL."""

    spec: DatabaseSpec = Field(default_factory=DatabaseSpec)
    status: DatabaseStatus = Field(default_factory=DatabaseStatus)

    @property
    def volume_size(self) -> str:
        return f"{self.spec.storage_gb}Gi"

    @property
    def backup_schedule(self) -> str:
        return self.spec.backup
