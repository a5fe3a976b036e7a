"""What is written under load."""

import orjson


def config_map(run: str, index: int) -> bytes:
    """A small ConfigMap."""
    metadata = {"name": f"{run}-{index}", "labels": {"run": run}}
    data = {"a": "1", "b": "2", "c": "x" * 100}
    return orjson.dumps({"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data})
