"""What an object says of its release, in the words of operator-sdk."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from windlass.api import Condition, Model, Resource, Status, set_condition
from windlass.errors import ReleaseFailure, ReleaseStep, UndecodableError
from windlass.helm.record import Revision

INITIALIZED: Final = "Initialized"
DEPLOYED: Final = "Deployed"
RELEASE_FAILED: Final = "ReleaseFailed"
IRRECONCILABLE: Final = "Irreconcilable"
AVAILABLE: Final = "Available"
READY: Final = "Ready"
RECONCILING: Final = "Reconciling"
STALLED: Final = "Stalled"
OBJECT_CONFLICT: Final = "ObjectConflict"

_LONGEST: Final = 32768
_LARGEST: Final = 2**20  # of the 1.5 MiB that a server stores of an object
_REASONS: Final[Mapping[ReleaseStep, str]] = {
    "install": "InstallError",
    "upgrade": "UpgradeError",
    "uninstall": "UninstallError",
    "reconcile": "ReconcileError",
}

_BY_KIND: Final[Mapping[ReleaseFailure, str]] = {"render": "RenderFailed", "conflict": "Conflict"}


class DeployedRelease(Model):
    """The release that is in effect, and the objects that it consists of."""

    name: str = ""
    manifest: str = ""
    revision: int = 0
    chart: str = ""
    """Name and version of the chart."""
    version: str = ""
    """The version of the application as the chart states it, or that of the chart."""


class HelmStatus(Status):
    """The status of an object that is a release of a chart; what others write into it stays."""

    observed_generation: int | None = None
    conditions: list[Condition] = []
    deployed_release: DeployedRelease | None = None

    @classmethod
    def of(cls, resource: Resource) -> "HelmStatus":
        """The status that an object has now, to go on from, as one that has seen its present generation.

        What cannot be understood of it is left out: few definitions have a schema for it, and whatever
        somebody has written there must not keep an object from being deployed or deleted.
        """
        found: Any = resource.to_wire().get("status")
        whole = found if isinstance(found, dict) else {}
        try:
            status = cls.from_wire(whole)
        except UndecodableError:
            status = cls.from_wire({name: value for name, value in whole.items() if cls._fits(name, value)})
        status.conditions = list(status.conditions)
        status.observed_generation = resource.metadata.generation or None
        return status

    @classmethod
    def _fits(cls, name: str, value: Any) -> bool:
        try:
            cls.from_wire({name: value})
        except UndecodableError:
            return False
        return True

    def initialize(self, now: datetime) -> None:
        """It has been seen."""
        self._set(INITIALIZED, "True", ("Initialized", ""), now)

    def deploy(self, revision: Revision, now: datetime) -> None:
        """Report the release that is in effect; the message is the chart's notes.

        A manifest that is too large for an object is in the release's record alone, where it is packed.
        """
        reason = "InstallSuccessful" if revision.number == 1 else "UpgradeSuccessful"
        self._set(DEPLOYED, "True", (reason, revision.notes), now)
        fits = len(revision.manifest.encode()) <= _LARGEST
        self.deployed_release = DeployedRelease(
            name=revision.release.name,
            manifest=revision.manifest if fits else "",
            revision=revision.number,
            chart=f"{revision.chart}-{revision.chart_version}",
            version=revision.app_version or revision.chart_version,
        )

    def fail(self, step: ReleaseStep, message: str, now: datetime) -> None:
        """Report a step that failed; what was deployed before stays so."""
        failed = IRRECONCILABLE if step == "reconcile" else RELEASE_FAILED
        self._drop(RELEASE_FAILED if failed == IRRECONCILABLE else IRRECONCILABLE)
        self._set(failed, "True", (_REASONS[step], message), now)

    def recover(self) -> None:
        """Report that no step failed."""
        self._drop(RELEASE_FAILED, IRRECONCILABLE)

    def available(self, unready: str | None, now: datetime) -> None:
        """Report whether the objects of the release are ready; None where there is no release."""
        if unready is None:
            self._drop(AVAILABLE)
        elif unready:
            self._set(AVAILABLE, "False", ("NotReady", unready), now)
        else:
            self._set(AVAILABLE, "True", ("Available", "all objects of the release are ready"), now)

    def share(self, message: str, now: datetime) -> None:
        """Report objects that another release has too; nothing where there is no such object."""
        if message:
            self._set(OBJECT_CONFLICT, "True", ("ObjectShared", message), now)
        else:
            self._drop(OBJECT_CONFLICT)

    def ready(self, status: str, reason: str, message: str, now: datetime) -> None:
        """Report whether all is as it should be, for tools that know this condition alone."""
        self._set(READY, status, (reason, message), now)
        self._drop(STALLED, *([RECONCILING] if status == "True" else []))
        if status != "True":
            self._set(RECONCILING, "True", (reason, message), now)

    def stall(self, reason: str, message: str, now: datetime) -> None:
        """Report that nothing but a change of the object can help."""
        self._set(READY, "False", (reason, message), now)
        self._drop(RECONCILING)
        self._set(STALLED, "True", (reason, message), now)

    def uninstall(self, now: datetime, message: str = "") -> None:
        """The release is gone, or goes, if there is something to wait for."""
        self._drop(RELEASE_FAILED)
        self._set(DEPLOYED, "False", ("UninstallSuccessful", message), now)
        if not message:
            self.deployed_release = None

    def _set(self, type_: str, status: Any, said: tuple[str, str], now: datetime) -> None:
        reason, message = said
        condition = Condition(
            type=type_,
            status=status,
            observed_generation=self.observed_generation,
            reason=reason,
            message=message[:_LONGEST],
        )
        set_condition(self.conditions, condition, now)

    def _drop(self, *types: str) -> None:
        self.conditions = [each for each in self.conditions if each.type not in types]


def reason_of(step: ReleaseStep, kind: ReleaseFailure = "failed") -> str:
    """Return the reason of the condition that reports a failed step."""
    return _BY_KIND.get(kind) or _REASONS[step]
