"""Many objects, of which only the metadata is watched: how many pods each team has.

Run `windlass run examples/metadata_only.py`, and apply a Team with `spec.name: shop`. `status.pods` follows
the pods of its namespace that have the label `team=shop`. Of each pod only the metadata is transferred and
kept.
"""

from windlass import (
    Condition,
    Context,
    Field,
    LabelSelector,
    Reconciler,
    Resource,
    Result,
    Spec,
    Status,
)
from windlass.api import Selection
from windlass.kinds.core.v1 import Pod
from windlass.reconcile import Watch


class TeamSpec(Spec):
    """Whose pods they are."""

    name: str


class TeamStatus(Status):
    """What was counted."""

    pods: int = 0
    conditions: list[Condition] = []


class Team(Resource, group="demo.example.com", version="v1"):
    """Those who have pods."""

    spec: TeamSpec
    status: TeamStatus = Field(default_factory=TeamStatus)


def pods_of(team: Team) -> LabelSelector:
    """By which labels a team's pods are known, in its own namespace."""
    return LabelSelector(match_labels={"team": team.spec.name})


class TeamController(Reconciler[Team]):
    """Counts pods."""

    reads = (Watch(Pod, selects=pods_of, selection=Selection(metadata_only=True)),)

    async def reconcile(self, team: Team, ctx: Context) -> Result[TeamStatus]:
        pods = await ctx.list(Pod, team.metadata.namespace, labels=f"team={team.spec.name}")
        return Result.ready(TeamStatus(pods=len(pods)))
