"""Kubernetes manifests as text: YAML as `kubectl` reads it, and as people like to see it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def read_yaml(text: str | bytes, source: str = "the manifest") -> list[Any]:
    """Every document of a YAML text; empty documents are left out, and times stay text.

    Raises:
        ConfigError: the text is not YAML; the message says where.
    """
    import yaml  # loaded by those who read or write manifests only

    from windlass.api.dialect import Loader

    try:
        return [document for document in yaml.load_all(text, Loader) if document is not None]
    except (yaml.YAMLError, ValueError) as error:  # the latter from a tag that lies: `!!int abc`
        raise ConfigError(f"{source} is not YAML: {error}") from error


def write_yaml(documents: Iterable[Mapping[str, Any]]) -> str:
    """Documents as YAML: keys in their order, block style, long text as literal blocks."""
    import yaml

    from windlass.api.dialect import Dumper

    dumped = [
        yaml.dump(
            document, Dumper=Dumper, sort_keys=False, allow_unicode=True, width=110, default_flow_style=False
        )
        for document in documents
    ]
    return "---\n".join(dumped)
