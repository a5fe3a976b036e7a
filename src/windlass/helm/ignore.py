"""Which files of a chart's folder are no part of the chart: what its `.helmignore` says."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from windlass.errors import ChartError

FILE: Final = ".helmignore"
_ALWAYS: Final = "templates/.?*"
_CHARACTER: Final = r"\\.|[^\]\\-]"
_RANGE: Final = re.compile(rf"({_CHARACTER})(?:-({_CHARACTER}))?", re.DOTALL)
_TOKEN: Final = re.compile(rf"\*|\?|\[(\^?+)((?:{_RANGE.pattern})+)\]|\\(.)|([^\\\[])", re.DOTALL)


@dataclass(frozen=True)
class _Rule:
    pattern: re.Pattern[str]
    negated: bool
    folders_only: bool
    by_name: bool

    def matches(self, path: str) -> bool:
        return self.pattern.fullmatch(path.rpartition("/")[2] if self.by_name else path) is not None


@dataclass(frozen=True)
class Ignored:
    """The rules of one chart. As in Helm, `!` does not bring a file back: it drops all that do not match."""

    rules: tuple[_Rule, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Ignored:
        """Read a `.helmignore`; dot files among the templates are ignored by every chart.

        Raises:
            ChartError: Helm would refuse the file, and why.
        """
        lines = (line.strip() for line in (*text.removeprefix("\ufeff").splitlines(), _ALWAYS))
        return cls(tuple(_rule(line) for line in lines if line and not line.startswith("#")))

    def covers(self, path: str, *, is_folder: bool) -> bool:
        """Whether a path within the chart is ignored; of an ignored folder nothing counts."""
        for rule in self.rules:
            fits = rule.matches(path) and (is_folder or not rule.folders_only)
            if fits != rule.negated:
                return True
        return False


def _rule(line: str) -> _Rule:
    if "**" in line:
        raise ChartError(f"{FILE} has {line!r}: Helm does not know **; name the folder instead")
    text = line.removeprefix("!")
    negated, folders_only, text = text != line, text.endswith("/"), text.removesuffix("/")
    pattern = _compiled(text.removeprefix("/"))
    if pattern is None:
        raise ChartError(f"{FILE} has {line!r}, which is no pattern")
    return _Rule(pattern, negated=negated, folders_only=folders_only, by_name="/" not in text)


@lru_cache(maxsize=256)
def _compiled(glob: str) -> re.Pattern[str] | None:
    """A pattern of Go's `filepath.Match`, or None if it is none."""
    parts, position = [], 0
    while position < len(glob):
        token = _TOKEN.match(glob, position)
        if token is None:
            return None
        position = token.end()
        negation, ranges, *_, escaped, plain = token.groups()
        if ranges is not None:
            parts.append(_class(ranges, negated=bool(negation)))
        else:
            parts.append({"*": "[^/]*", "?": "[^/]"}.get(token[0], re.escape(escaped or plain or "")))
    return re.compile("".join(parts), re.DOTALL)


def _class(ranges: str, *, negated: bool) -> str:
    """What a bracket stands for; a range that runs backwards holds nothing."""
    pairs = ((low[-1], (high or low)[-1]) for low, high in _RANGE.findall(ranges))
    held = "".join(f"{re.escape(low)}-{re.escape(high)}" for low, high in pairs if low <= high)
    if not held:
        return "." if negated else "(?!)"
    return f"[{'^' if negated else ''}{held}]"
