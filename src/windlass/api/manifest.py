"""Kubernetes manifests as text: YAML as `kubectl` reads it, and as people like to see it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


def read_yaml(
    text: str | bytes,
    source: str = "the manifest",
    *,
    most_nodes: int | None = None,
    only: Sequence[str] = (),
) -> list[Any]:
    """Every document of a YAML text; empty documents are left out, and times stay text.

    A node takes about 600 bytes of memory while it is read: bound their number by `most_nodes` where you do
    not trust the author of the text. What aliases repeat and how deep a document nests is always bounded.

    `only` is a path of keys: all other keys of the maps on it are left out, and neither take memory nor count
    as nodes.

    Raises:
        ConfigError: the text is not YAML, or exceeds a limit; the message says where, or which.
    """
    import yaml  # loaded by those who read or write manifests only

    from windlass.api.dialect import LimitError, documents

    try:
        return [document for document in documents(text, most_nodes, only) if document is not None]
    except LimitError as error:
        raise ConfigError(f"{source} is refused: {error}") from error
    except RecursionError as error:
        raise ConfigError(f"{source} is refused: a key of it nests too deep") from error
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
