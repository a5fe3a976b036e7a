"""What is written under load."""

import orjson


def check(status: int, expected: int, answer: bytes = b"") -> None:
    """Stop where an answer is not the one that the figure is about."""
    if status != expected:
        raise SystemExit(f"answered {status} where {expected} was expected: {answer!r}")


def config_map(run: str, index: int) -> bytes:
    """A small ConfigMap."""
    metadata = {"name": f"{run}-{index}", "labels": {"run": run}}
    data = {"a": "1", "b": "2", "c": "x" * 100}
    return orjson.dumps({"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data})
