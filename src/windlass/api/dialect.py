"""The YAML that `kubectl` reads, which is neither PyYAML's nor quite YAML 1.1.

As YAML 1.1 has it, `yes` and `on` are booleans. Unlike PyYAML, `y` is one too, `1e3` and `08` are numbers,
`12:30` is no number, `=` is a text, a time is a text, and every key is a text. Only imported by those who
read or write manifests, since loading PyYAML takes a while.
"""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any, Final

import yaml
from typing_extensions import override

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_TAG = "tag:yaml.org,2002:"
_TRUE = ("y", "yes", "true", "on")
_BOOL = re.compile(r"^(?:[yYnN]|yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF)$")
_INT = re.compile(r"^[-+]?(?:0[bB][01]+|0[xX][0-9a-fA-F]+|0[oO]?[0-7]+|0|[1-9][0-9]*)$")
_FLOAT = re.compile(r"^[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?$")
_UNKNOWN = {f"{_TAG}{name}" for name in ("timestamp", "value", "int", "float")}
_MAX_INTEGER = 2**63
_MAX_UNSIGNED = 2**64
_BREAKS = re.compile("[\r\x85\u2028\u2029]")
_MERGE: Final = f"{_TAG}merge"
_DEEPEST: Final = (
    200  # levels; orjson writes 254, and PyYAML's C parser overflows the stack at some thousands
)
_MOST_MERGED: Final = 100_000  # pairs that `<<` copies, and `<<` themselves
_MOST_REPEATED: Final = 4 * 2**20  # what aliases add to the size of a document
_MOST_DIRECTIVES: Final = 1000  # libyaml compares each with all others
_BOMS: Final = (b"\xff\xfe", b"\xfe\xff")
_NODE: Final = 16  # the weight of a node in that size, where a character weighs 1


class LimitError(yaml.YAMLError):
    """A YAML text that would take too much memory or stack; `limit` says which, and repeats none of it."""

    def __init__(self, limit: str) -> None:
        super().__init__(limit)
        self.limit = limit


class _Number:
    """A pattern of numbers, in which underscores may stand anywhere but in front."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self.pattern = pattern

    def match(self, text: str) -> re.Match[str] | None:
        return self.pattern.match(text.replace("_", ""))


class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc] # C where PyYAML was built with it
    """Reads a manifest as `kubectl` does, within limits of depth, of nodes and of what aliases repeat."""

    def __init__(self, text: str | bytes, most_nodes: int | None = None) -> None:
        super().__init__(text)
        self._most_nodes = most_nodes
        self._nodes = self._depth = self._merged = 0
        anchor, alias = ("&", "*") if isinstance(text, str) else (b"&", b"*")
        self._may_repeat = anchor in text and alias in text  # type: ignore[operator] # both are of its type

    @override
    def descend_resolver(self, current_node: Any, current_index: Any) -> None:
        """Count a node; PyYAML calls this before it reads one."""
        self._depth += 1
        self._nodes += 1
        if self._depth > _DEEPEST:
            raise LimitError(f"it nests deeper than {_DEEPEST} levels")
        if self._most_nodes is not None and self._nodes > self._most_nodes:
            raise LimitError(f"it has more than {self._most_nodes} keys, values and items")

    @override
    def ascend_resolver(self) -> None:
        """Leave a node; PyYAML calls this after it read one."""
        self._depth -= 1

    @override
    def construct_document(self, node: Any) -> Any:
        """Construct a document, unless its aliases repeat too much."""
        if self._may_repeat:
            sizes = _Sizes()
            if sizes.expanded(node)[0] - sizes.unique > _MOST_REPEATED:
                raise LimitError(f"its aliases repeat more than {_MOST_REPEATED >> 20} MiB")
        return super().construct_document(node)

    @override
    def flatten_mapping(self, node: Any) -> None:
        """Replace the keys `<<` of a mapping by what they name."""
        merges = sum(key.tag == _MERGE for key, _ in node.value)
        self._count_merged(merges)
        before = len(node.value) - merges
        super().flatten_mapping(node)
        self._count_merged(len(node.value) - before)

    def _count_merged(self, pairs: int) -> None:
        self._merged += pairs
        if self._merged > _MOST_MERGED:
            raise LimitError(f"its merge keys (<<) copy more than {_MOST_MERGED} keys")

    @override
    def construct_mapping(self, node: Any, deep: bool = False) -> dict[str, Any]:
        """A mapping whose keys are texts, as JSON wants them, so that `1` and `true` are two of them."""
        if not isinstance(node, yaml.MappingNode):
            return super().construct_mapping(node, deep=deep)  # type: ignore[no-any-return] # it raises
        self.flatten_mapping(node)
        mapping: dict[str, Any] = {}
        for key_node, value_node in node.value:
            key = self.construct_object(key_node, deep=True)
            name = key if isinstance(key, str) else _key(key, node)
            mapping[name] = self.construct_object(value_node, deep=deep)
        return mapping


class _Sizes:
    """The sizes of the nodes of one document, each computed once; `unique` is that of all without repeats.

    An alias comes after its anchor, so walking a document in its order takes no more stack than its depth.
    """

    def __init__(self) -> None:
        self.unique = 0
        self._known: dict[int, tuple[int, int] | None] = {}

    def expanded(self, node: Any) -> tuple[int, int]:
        """Return the size and the height of a node with its aliases written out.

        Raises:
            LimitError: it contains itself, or is too deep.
        """
        if isinstance(node, yaml.ScalarNode):
            return self._noted(node, _NODE + len(node.value), 1)
        if id(node) in self._known:
            known = self._known[id(node)]
            if known is None:
                raise LimitError("an alias in it names what it is a part of")
            return known
        self._known[id(node)] = None
        size, height = _NODE, 0
        pairs = isinstance(node, yaml.MappingNode)
        for child in (each for pair in node.value for each in pair) if pairs else node.value:
            child_size, child_height = self.expanded(child)
            size, height = size + child_size, max(height, child_height)
        if height >= _DEEPEST:
            raise LimitError(f"with its aliases it nests deeper than {_DEEPEST} levels")
        self.unique += _NODE
        found = self._known[id(node)] = (size, height + 1)
        return found

    def _noted(self, node: Any, size: int, height: int) -> tuple[int, int]:
        if id(node) not in self._known:
            self._known[id(node)] = (size, height)
            self.unique += size
        return size, height


class Dumper(yaml.SafeDumper):
    """Writes block style, quotes whatever some reader would take for something else, uses no aliases."""

    @override
    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        """Indent the items of a list below their key."""
        super().increase_indent(flow=flow, indentless=False)

    @override
    def ignore_aliases(self, data: Any) -> bool:
        """Write a value out again where it is used again."""
        return True


def documents(text: str | bytes, most_nodes: int | None = None, only: Sequence[str] = ()) -> Iterator[Any]:
    """Read each document of a YAML text, of the maps on the path `only` no other keys.

    Raises:
        LimitError: it exceeds a limit.
        yaml.YAMLError: it is not YAML.
    """
    if isinstance(text, bytes) and text.startswith(_BOMS):
        text = text.decode("utf-16")
    if (text.count("%TAG") if isinstance(text, str) else text.count(b"%TAG")) > _MOST_DIRECTIVES:
        raise LimitError(f"it has more than {_MOST_DIRECTIVES} %TAG directives")
    if only:
        parser: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        text = str(yaml.emit(_only(yaml.parse(text, parser), only, most_nodes)))
    loader = Loader(text, most_nodes)
    try:
        while loader.check_data():
            yield loader.get_data()
    finally:
        loader.dispose()


def _only(events: Iterator[yaml.Event], path: Sequence[str], most_nodes: int | None) -> Iterator[yaml.Event]:
    """Leave out what is not on a path, event by event: what is left out takes no memory."""
    left = sys.maxsize if most_nodes is None else 3 * most_nodes + 2  # a document has two, and each node too
    for event in _on_path(events, path):
        yield event
        left -= 1
        if left < 0:
            raise LimitError(f"it has more than {most_nodes} keys, values and items")


def _on_path(events: Iterator[yaml.Event], path: Sequence[str]) -> Iterator[yaml.Event]:
    for event in events:
        yield event
        if isinstance(event, yaml.DocumentStartEvent):
            yield from _value(next(events), events, path)


def _value(first: yaml.Event, events: Iterator[yaml.Event], path: Sequence[str]) -> Iterator[yaml.Event]:
    """The events of a value at the beginning of a path; null, if it is no map."""
    if not path:
        yield from _node(first, events)
        return
    if not isinstance(first, yaml.MappingStartEvent):
        _skip(first, events)
        yield yaml.ScalarEvent(None, None, (True, False), "null")
        return
    yield first
    while not isinstance(key := next(events), yaml.MappingEndEvent):
        if isinstance(key, yaml.ScalarEvent) and key.value == path[0]:
            yield key
            yield from _value(next(events), events, path[1:])
        else:
            _skip(key, events)
            _skip(next(events), events)
    yield key


def _skip(first: yaml.Event, events: Iterator[yaml.Event]) -> None:
    for _ in _node(first, events):
        pass


def _node(first: yaml.Event, events: Iterator[yaml.Event]) -> Iterator[yaml.Event]:
    """The events of one node, whatever is in it."""
    depth, event = 0, first
    while True:
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > _DEEPEST:
            raise LimitError(f"it nests deeper than {_DEEPEST} levels")
        yield event
        if not depth:
            return
        event = next(events)


def _bool(loader: Loader, node: yaml.ScalarNode) -> bool:
    return str(loader.construct_scalar(node)).lower() in _TRUE


def _int(loader: Loader, node: yaml.ScalarNode) -> int | float | str:
    """JSON writers take integers of 64 bits; a larger one is a number with an exponent, or stays text."""
    text = str(loader.construct_scalar(node)).replace("_", "")
    number = int(text, 8 if re.match(r"[-+]?0[0-7]", text) else 0)
    if -_MAX_INTEGER <= number < _MAX_UNSIGNED:
        return number
    return _number(loader, node) if _FLOAT.match(text) else text


def _number(loader: Loader, node: yaml.ScalarNode) -> float | str:
    """JSON does not tell 1.0 from 1, and cannot say infinity, which stays text."""
    text = str(loader.construct_scalar(node))
    number = float(text.replace("_", ""))
    if abs(number) < _MAX_INTEGER and number.is_integer():
        return int(number)
    return number if abs(number) < float("inf") else text


def _key(key: Any, node: yaml.Node) -> str:
    if isinstance(key, bool):
        return "true" if key else "false"
    if isinstance(key, (int, float)):
        return str(key)
    raise yaml.constructor.ConstructorError(
        "while reading a mapping", node.start_mark, f"a {type(key).__name__} cannot be a key", node.start_mark
    )


def _text(dumper: Dumper, value: str) -> yaml.ScalarNode:
    # PyYAML takes a few rare characters for line breaks, and would lose them in all but double quotes.
    style = '"' if _BREAKS.search(value) else "|" if "\n" in value else None
    return dumper.represent_scalar(f"{_TAG}str", value, style=style)


Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in known if tag not in _UNKNOWN]
    for first, known in Loader.yaml_implicit_resolvers.items()
}
_PATTERNS: tuple[tuple[str, Any, str], ...] = (
    ("bool", _BOOL, "yYnNoO"),
    ("int", _Number(_INT), "-+0123456789"),
    ("float", _Number(_FLOAT), "-+.0123456789"),
)
for _name, _pattern, _first in _PATTERNS:
    Loader.add_implicit_resolver(f"{_TAG}{_name}", _pattern, list(_first))
    Dumper.add_implicit_resolver(f"{_TAG}{_name}", _pattern, list(_first))
Loader.add_constructor(f"{_TAG}bool", _bool)
Loader.add_constructor(f"{_TAG}int", _int)
Loader.add_constructor(f"{_TAG}float", _number)
Loader.add_constructor(_MERGE, yaml.SafeLoader.construct_yaml_str)  # `<<` as a value
Loader.add_constructor(f"{_TAG}timestamp", yaml.SafeLoader.construct_yaml_str)
for _name in ("binary", "set", "omap", "pairs"):  # which JSON does not have
    Loader.add_constructor(f"{_TAG}{_name}", yaml.SafeLoader.construct_undefined)
Dumper.add_representer(str, _text)
