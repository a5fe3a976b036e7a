"""Write the list of pinned API-server behaviours, by verb and feature, from the contract suite itself.

`--check` only tells whether the committed list is the suite's.
"""

import ast
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SUITE = ROOT / "tests" / "contract"
PAGE = ROOT / "docs" / "reference" / "contract.md"

INTRODUCTION = """# The contract suite

What an API server does, as operators, `kubectl` and client libraries notice it: {count} behaviours, one test
each, in `tests/contract`. All of them hold on the real kube-apiserver 1.36.

`make test-real` runs them. This page is made from the tests by `scripts/list_contract.py`.
"""


def behaviours(path: Path) -> tuple[str, list[str]]:
    """The title of a file of tests, and what each of its tests claims."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    title = (ast.get_docstring(tree) or path.stem).rstrip(".")
    tests = [node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    claims = [
        node.name.removeprefix("test_").replace("_", " ") for node in tests if node.name.startswith("test_")
    ]
    return title, claims


def page() -> str:
    """The text of the page."""
    sections: dict[str, list[str]] = defaultdict(list)
    for path in sorted(SUITE.glob("test_*.py")):
        title, claims = behaviours(path)
        sections[title] += claims
    parts = [INTRODUCTION.format(count=sum(map(len, sections.values())))]
    for title in sorted(sections):
        listed = "\n".join(f"- {claim}" for claim in sections[title])
        parts.append(f"## {title[0].upper()}{title[1:]}\n\n{listed}\n")
    return "\n".join(parts)


def main() -> None:
    """Write, or check."""
    text = page()
    if "--check" in sys.argv:
        sys.exit(
            None
            if PAGE.read_text(encoding="utf-8") == text
            else f"{PAGE.name} is stale: {Path(__file__).name}"
        )
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
