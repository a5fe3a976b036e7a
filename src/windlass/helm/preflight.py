"""Whether the API server would take the objects of a release, found out without changing anything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.errors import ApiError, ReleaseError
from windlass.helm.manifest import helm_metadata, identity
from windlass.helm.ownership import HELM
from windlass.helm.step import is_lasting, shortened

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.api import Json, Key
    from windlass.client import Client
    from windlass.errors import Answer, ReleaseStep
    from windlass.helm.upkeep import Upkeep

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
            continue
        try:
            kind, key = await upkeep.placed(obj, release)
            resource = kind.from_wire(helm_metadata(obj, release))
            resource.metadata.namespace = key.namespace
            await dry.apply(resource, force=True)
        except ApiError as error:
            if is_lasting(error.answer) and _NO_DRY_RUN not in str(error):
                refused.append(f"{identity(obj)}: {shortened(error.answer.message or str(error), _LONGEST)}")
                refusals.append(error.answer)
    if refused:
        more = [f"{len(refused) - _MOST} more objects are refused"] if len(refused) > _MOST else []
        message = "; ".join(refused[:_MOST] + more)
        raise ReleaseError(step, message, kind="refused").refused_by(refusals)
