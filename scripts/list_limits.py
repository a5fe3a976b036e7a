"""Write the page of what the embedded API server does not do, from the contract suite's own list.

`--check` only tells whether the committed page is the list's.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "lib"))

from limits import Limit, limits  # noqa: E402 - from the folder above

PAGE = ROOT / "docs" / "design" / "limits.md"

INTRODUCTION = """# What the embedded API server does not do

Each line is a difference from the real kube-apiserver 1.36, with the tests of the contract suite that show
it: they pass on the real server and fail on the embedded one. When a difference is gone its tests pass, and
the run fails until the line is removed. `scripts/list_limits.py` makes this page from
`tests/contract/limits.toml`.
"""


def entry(limit: Limit) -> str:
    """One limit: the sentence, and its tests."""
    count = len(limit.tests)
    shown = f"`{limit.tests[0]}`" + (f" and {count - 1} more" if count > 1 else "")
    return f"- {limit.says} ({shown})"


def page() -> str:
    """The text of the page."""
    return INTRODUCTION + "\n" + "\n".join(entry(each) for each in limits()) + "\n"


def main() -> None:
    """Write, or check."""
    text = page()
    if "--check" in sys.argv:
        same = PAGE.is_file() and PAGE.read_text(encoding="utf-8") == text
        sys.exit(None if same else f"{PAGE.name} is stale: {Path(__file__).name}")
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
