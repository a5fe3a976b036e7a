"""Write the pages, or check them."""

import sys
from pathlib import Path

from .kind import kinds
from .metric import common_metrics, metrics
from .setting import settings
from .source import OPERATORS, ROOT
from .telling import event_table

BLOCKS = {"kinds": kinds, "settings": settings, "events": event_table, "metrics": metrics}
PAGES = ROOT / "docs" / "operators"


def renewed(text: str, blocks: dict[str, str]) -> str:
    """A page with its blocks made anew.

    Raises:
        ValueError: the page lacks one of them.
    """
    for name, made in blocks.items():
        head, begin, rest = text.partition(f"<!-- {name} -->\n")
        _, end, tail = rest.partition(f"<!-- /{name} -->")
        if not end:
            raise ValueError(f"a page has no block {name}")
        text = f"{head}{begin}\n{made}\n{end}{tail}"
    return text


def pages() -> dict[Path, str]:
    """Each page, as it should be."""
    blocks = {each: {name: make(each) for name, make in BLOCKS.items()} for each in OPERATORS}
    found = {
        PAGES / f"{name}.md": made
        for name, made in {**blocks, "index": {"metrics": common_metrics()}}.items()
    }
    return {path: renewed(path.read_text(encoding="utf-8"), made) for path, made in found.items()}


def main() -> None:
    """Write, or check."""
    stale = {path: text for path, text in pages().items() if path.read_text(encoding="utf-8") != text}
    if "--check" in sys.argv:
        names = ", ".join(path.name for path in stale)
        sys.exit(f"stale: {names}; run scripts/describe_operators.py" if stale else None)
    for path, text in stale.items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
