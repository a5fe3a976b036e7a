"""An account that may do what `windlass generate rbac` grants an operator, and nothing else."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from windlass.api import read_yaml
from windlass.client import request_token
from windlass.codegen import load_project
from windlass.kinds.core.v1 import ServiceAccount
from windlass.kinds.rbac.v1 import ClusterRole, ClusterRoleBinding, Role, RoleBinding

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from windlass.api import Resource
    from windlass.client import Client
    from windlass.testing import Access

_KINDS: dict[str, type[Resource]] = {
    kind.__kind__.name: kind for kind in (ServiceAccount, Role, RoleBinding, ClusterRole, ClusterRoleBinding)
}


@asynccontextmanager
async def account(client: Client, access: Access, module: str, folder: Path) -> AsyncIterator[Path]:
    """The kubeconfig of such an account; what of its roles lies in no namespace is gone at the end."""
    namespace = client.options.namespace
    project = load_project(module, operator=namespace, namespace=namespace)
    documents = [each for text in project.rbac().values() for each in read_yaml(text.encode())]
    made = [await client.create(_KINDS[each["kind"]].from_wire(each)) for each in documents]
    (name,) = [each.metadata.name for each in made if isinstance(each, ServiceAccount)]
    token = (await request_token(client, name)).token
    kubeconfig = folder / "account.kubeconfig"
    kubeconfig.write_text(replace(access, tokens={name: token}).kubeconfig_for(name), encoding="utf-8")
    try:
        yield kubeconfig
    finally:
        for each in made:
            if not each.__kind__.namespaced:
                await client.delete(type(each), each.metadata.name)
