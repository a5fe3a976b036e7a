"""Draw the layers into the page about the architecture, from the contract that import-linter holds.

What each package is stands in its docstring. `--check` only tells whether the committed page is up to date.
"""

import ast
import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "windlass"
PAGE = ROOT / "docs" / "design" / "architecture.md"
BLOCK = re.compile(r"(?<=<!-- layers -->\n).*?(?=<!-- end of layers -->)", re.DOTALL)
WIDTH = 63


def layers() -> list[list[str]]:
    """The packages that exist, those of one layer together, the highest first."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (contract,) = (each for each in settings["tool"]["importlinter"]["contracts"] if each["type"] == "layers")
    named = [[name.strip(" ()") for name in layer.split("|")] for layer in contract["layers"]]
    existing = [[name for name in layer if _module(name).is_file()] for layer in named]
    return [layer for layer in existing if layer]


def picture(rows: list[list[str]]) -> str:
    """Each layer stands on those below it."""
    line = f"+{'-' * WIDTH}+"
    drawn = [line]
    for row in rows:
        share, rest = divmod(WIDTH - len(row) + 1, len(row))
        cells = [name.center(share + (number < rest)) for number, name in enumerate(row)]
        drawn += [f"|{'|'.join(cells)}|", line]
    return "\n".join(drawn)


def table(rows: list[list[str]]) -> str:
    """What each package is, in its own words."""
    lines = [f"| `{name}` | {_said(name)} |" for row in rows for name in row]
    return "\n".join(["| package | is |", "|---|---|", *lines])


def page(text: str) -> str:
    """The page, with the block between its marks made anew."""
    rows = layers()
    block = f"```text\n{picture(rows)}\n```\n\n{table(rows)}\n"
    return BLOCK.sub(lambda _: block, text)


def _module(name: str) -> Path:
    package = SOURCE / name / "__init__.py"
    return package if package.is_file() else SOURCE / f"{name}.py"


def _said(name: str) -> str:
    docstring = ast.get_docstring(ast.parse(_module(name).read_text(encoding="utf-8"))) or ""
    return docstring.partition("\n\n")[0].replace("\n", " ").replace("|", "\\|")


def main() -> None:
    """Write, or check."""
    text = PAGE.read_text(encoding="utf-8")
    made = page(text)
    if "--check" in sys.argv:
        sys.exit(None if made == text else f"{PAGE.name} is stale: {Path(__file__).name}")
    PAGE.write_text(made, encoding="utf-8")


if __name__ == "__main__":
    main()
