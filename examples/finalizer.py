"""A finalizer: a folder for each object, which goes before the object does.

Run `windlass run examples/finalizer.py` in an empty folder, and apply a Workspace. A folder of its name
appears. `kubectl delete workspace` returns when the folder is gone; an operator that is stopped meanwhile
does it at its next start.
"""

import shutil
from pathlib import Path

from windlass import Condition, Context, Field, Reconciler, Resource, Result, Status


class WorkspaceStatus(Status):
    """What was seen."""

    conditions: list[Condition] = []


class Workspace(Resource, group="demo.example.com", version="v1"):
    """A folder on the operator's disk."""

    status: WorkspaceStatus = Field(default_factory=WorkspaceStatus)


class WorkspaceController(Reconciler[Workspace]):
    """Has a folder for each workspace."""

    finalizer = "demo.example.com/folder"  # on the object before the first reconcile

    async def reconcile(self, workspace: Workspace, ctx: Context) -> Result[WorkspaceStatus]:
        folder = _folder(workspace)
        if not await ctx.thread(folder.is_dir):
            await ctx.effect("make the folder", lambda: ctx.thread(folder.mkdir))
        return Result.ready(WorkspaceStatus())

    async def finalize(self, workspace: Workspace, ctx: Context) -> Result[WorkspaceStatus]:
        folder = _folder(workspace)
        if await ctx.thread(folder.is_dir):
            await ctx.effect("remove the folder", lambda: ctx.thread(shutil.rmtree, folder))
        return Result.ready()  # now the object may go


def _folder(workspace: Workspace) -> Path:
    return Path(f"{workspace.metadata.namespace}-{workspace.metadata.name}")
