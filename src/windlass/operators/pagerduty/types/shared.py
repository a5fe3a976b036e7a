"""What the three kinds have in common."""

from typing import Annotated

from windlass.api import Cel, Column, Condition, Field, ListMap, Model, Spec, Status, Time, Wire

GROUP = "pagerduty.platform.share-now.com"
ADOPT = f"{GROUP}/adopt"
"""The annotation that lets an object of the same name in PagerDuty become ours, when it is `true`."""
DELETION_POLICY = f"{GROUP}/deletion-policy"
"""The annotation that says what becomes of the object in PagerDuty: `Delete` (as without it) or `Orphan`."""


def columns(id_: str, *others: Column) -> tuple[Column, ...]:
    """What `kubectl get` shows of each kind: whether it is ready, why not, and its id in PagerDuty."""
    ready = ".status.conditions[?(@.type=='Ready')]"
    return (
        Column("Ready", f"{ready}.status"),
        Column("Reason", f"{ready}.reason"),
        Column("ID", f".status.{id_}"),
        *others,
        Column("Name", ".spec.name", priority=1),
        Column("Age", ".metadata.creationTimestamp", type="date"),
    )


class Part(Model, alias_generator=None):
    """Part of one of these kinds, all of whose names have underscores on the wire too."""


class SecretKeyRef(Part):
    """One value of a Secret in the namespace of the object."""

    name: Annotated[str, Field(min_length=1)]
    """The name of the Secret."""
    key: Annotated[str, Field(min_length=1)] = "PAGERDUTY_API_KEY"
    """The key of the value in it."""


_ONE_TOKEN = Cel(
    "!has(self.token_secret_ref) || !has(self.tokenSecretRef)"
    " || (self.token_secret_ref.name == self.tokenSecretRef.name"
    " && self.token_secret_ref.key == self.tokenSecretRef.key)",
    message="token_secret_ref and tokenSecretRef differ: they are one field, so give one of them",
)


class PagerDutySpec(Spec, alias_generator=None, markers=(_ONE_TOKEN,)):
    """What all three kinds have: a name in PagerDuty, and the token that may write there.

    A field that is not set is left as it is in PagerDuty, so that nothing is lost that a person configured.
    """

    name: str = ""
    """The name in PagerDuty; that of the object itself where it is not set."""
    description: str | None = None
    """What PagerDuty shows below the name."""
    token_secret_ref: SecretKeyRef | None = None
    """The API token, where it is not the operator's own."""
    token_secret_ref_in_camel_case: Annotated[SecretKeyRef | None, Wire("tokenSecretRef")] = None
    """The same, as Kubernetes spells names; the two may not differ."""

    @property
    def token_ref(self) -> SecretKeyRef | None:
        """Where the token lies, in whichever spelling it was said."""
        return self.token_secret_ref or self.token_secret_ref_in_camel_case


class Pending(Part):
    """A creation that was about to be asked for, and whose outcome may be unknown."""

    name: str
    """The name under which it was to be created."""
    at: Time
    """When that was decided."""
    looking: Time | None = None
    """Since when it is looked for; it may have waited for its turn for long before it was sent."""


class PagerDutyStatus(Status, alias_generator=None):
    """What all three kinds tell of their object in PagerDuty."""

    url: str = ""
    """Where a person finds it in PagerDuty."""
    created: Time | None = None
    """When the operator created it, where it did."""
    pending: Pending | None = None
    managed: list[str] = []
    """The fields that were set at the last write; one that is set no longer goes back to its default."""
    last_synced_hash: str = ""
    """Tells whether what is wanted has changed since PagerDuty last had it."""
    observed_generation: Annotated[int | None, Wire("observedGeneration")] = None
    """The generation of the spec that this status is about."""
    conditions: Annotated[list[Condition], ListMap("type")] = []
    """How it is, in the conditions that Kubernetes' tools know."""

    @property
    def upstream_id(self) -> str:
        """The id that PagerDuty gave to the object, empty until it is known."""
        raise NotImplementedError

    @upstream_id.setter
    def upstream_id(self, value: str) -> None:
        raise NotImplementedError
