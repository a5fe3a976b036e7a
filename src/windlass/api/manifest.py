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

    try:
        return [document for document in yaml.load_all(text, _loader()) if document is not None]
    except yaml.YAMLError as error:
        raise ConfigError(f"{source} is not YAML: {error}") from error


def write_yaml(documents: Iterable[Mapping[str, Any]]) -> str:
    """Documents as YAML: keys in their order, block style, long text as literal blocks."""
    import yaml

    class Dumper(yaml.SafeDumper):
        def increase_indent(self, flow: Any = False, indentless: Any = False) -> None:  # noqa: ARG002, FBT002 - PyYAML's
            """Indent the items of a list below their key."""
            super().increase_indent(flow=flow, indentless=False)

        def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002
            """Write a value out again where it is used again."""
            return True

    def text(dumper: yaml.SafeDumper, value: str) -> yaml.ScalarNode:
        style = "|" if "\n" in value else None
        return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)

    Dumper.add_representer(str, text)
    dumped = [
        yaml.dump(
            document, Dumper=Dumper, sort_keys=False, allow_unicode=True, width=110, default_flow_style=False
        )
        for document in documents
    ]
    return "---\n".join(dumped)


def _loader() -> Any:
    """The safe loader without timestamps: `2026-01-01` stays the text that Kubernetes expects."""
    import yaml

    base = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    resolvers = {
        first: [(tag, pattern) for tag, pattern in known if tag != "tag:yaml.org,2002:timestamp"]
        for first, known in base.yaml_implicit_resolvers.items()
    }
    return type("Loader", (base,), {"yaml_implicit_resolvers": resolvers})
