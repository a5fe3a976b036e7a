"""Whether the API server would take the objects of a release, found out without changing anything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.errors import ApiError, HelmError, ReleaseError, UndecodableError
from windlass.helm.manifest import helm_metadata, identity
from windlass.helm.ownership import HELM
from windlass.helm.step import is_lasting, shortened

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.api import Json, Key
    from windlass.client import Client
    from windlass.errors import Answer, ReleaseStep
    from windlass.helm.engine import Helm
    from windlass.helm.shared import Shared
    from windlass.helm.upkeep import Upkeep
    from windlass.helm.wanted import Wanted
    from windlass.reconcile import Context

_MOST: Final = 5
_LONGEST: Final = 600
_NO_DRY_RUN: Final = "does not support dry run"


async def preflight(
    objects: Sequence[Json], release: Key, step: ReleaseStep, upkeep: Upkeep, client: Client
) -> None:
    """Apply objects as a server-side dry run, in Helm's name.

    What a dry run cannot decide passes: kinds and namespaces that come with the release itself, webhooks that
    do not support dry runs, and failures that may pass by themselves.

    Raises:
        ReleaseError: the server refuses an object; the message names each.
    """
    dry = client.using(dry_run=True, field_manager=HELM)
    refused: list[str] = []
    refusals: list[Answer] = []
    for obj in objects:
        if not obj["metadata"].get("name"):
            if step == "upgrade":
                refused.append(f"{obj['kind']} without a name: Helm can install it, and cannot upgrade it")
            continue
        try:
            kind, key = await upkeep.placed(obj, release)
            resource = kind.from_wire(helm_metadata(obj, release))
            resource.metadata.namespace = key.namespace
            await dry.apply(resource, force=True)
        except UndecodableError as error:
            refused.append(f"{identity(obj)}: {shortened(str(error), _LONGEST)}")
        except ApiError as error:
            if is_lasting(error.answer) and _NO_DRY_RUN not in str(error):
                refused.append(f"{identity(obj)}: {shortened(error.answer.message or str(error), _LONGEST)}")
                refusals.append(error.answer)
    if refused:
        more = [f"{len(refused) - _MOST} more objects are refused"] if len(refused) > _MOST else []
        message = "; ".join(refused[:_MOST] + more)
        raise ReleaseError(step, message, kind="refused").refused_by(refusals)


async def foreign_objects(helm: Helm, wanted: Wanted, upkeep: Upkeep, ctx: Context) -> list[Shared]:
    """Return the objects and hooks of a release that belong to other releases; none if it does not render.

    Helm gives up on those, and says so of the first, without the name of the other release.
    """
    try:  # as an upgrade: rendering an installation on the server would fail by the same object
        objects = await helm.render(wanted.blueprint, is_upgrade=True, lookup=wanted.lookup, hooks=True)
        return await upkeep.foreign(objects, wanted.blueprint.release, ctx)
    except (HelmError, ApiError):
        return []
