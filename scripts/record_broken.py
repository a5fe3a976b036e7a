"""Records what a real API server answers to the broken manifests of a table in `tests/lib`.

python scripts/record_broken.py KUBECONFIG broken_pods broken_workloads
"""

from __future__ import annotations

import asyncio
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

ROOT = Path(__file__).resolve().parents[1]
LIBRARY = ROOT / "tests" / "lib"

if TYPE_CHECKING:
    from broken import Sample
    from contract import Api


async def record(api: Api, namespace: str, sample: Sample) -> dict[str, dict[str, Any]]:
    """The answers to every edit of a sample that must be refused."""
    from broken import answer, ask_create, ask_update, created, path_of

    path = path_of(namespace, sample)
    refused = {
        name: answer(await ask_create(api, path, sample, edit)) for name, edit in sample.refused.items()
    }
    if not sample.frozen and not sample.status:
        return {"refused": refused, "frozen": {}}
    async with created(api, path, sample):
        frozen = {
            name: answer(await ask_update(api, path, sample, edit)) for name, edit in sample.frozen.items()
        }
        status = {
            name: answer(await ask_update(api, path, sample, edit, "/status"))
            for name, edit in sample.status.items()
        }
    return {"refused": refused, "frozen": frozen} | ({"status": status} if status else {})


async def main(kubeconfig: str, *tables: str) -> None:
    """Record every table."""
    from contract import Api
    from windlass.client import HttpTransport, load_config

    transport = HttpTransport(load_config(Path(kubeconfig)))
    api = Api(transport)
    made = await api.create("/api/v1/namespaces", {"metadata": {"generateName": "record-"}})
    namespace = made.ok()["metadata"]["name"]
    try:
        for table in tables:
            samples = import_module(table).SAMPLES
            found = {sample.title: await record(api, namespace, sample) for sample in samples}
            text = orjson.dumps(found, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS)
            (LIBRARY / f"{table}.json").write_bytes(text + b"\n")
    finally:
        await api.delete(f"/api/v1/namespaces/{namespace}")
        ended = {
            "metadata": {"name": namespace},
            "spec": {},
        }  # in the place of a controller, if there is none
        await api.update(f"/api/v1/namespaces/{namespace}/finalize", ended)
        await transport.close()


if __name__ == "__main__":
    sys.path.insert(0, str(LIBRARY))
    asyncio.run(main(*sys.argv[1:]))
