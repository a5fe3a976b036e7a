from __future__ import annotations

import re
from typing import Final

_MOST: Final = 1000
_LOGGED: Final = re.compile(
    r"^(?:(?:time=\S+ )?level=|WARNING:|[IWEF]\d{4} |coalesce\.go:|walk\.go:|\d{4}/\d\d/\d\d )"
)
_FAILED: Final = re.compile(r"^(?:Error: |(?:INSTALLATION|UPGRADE|ROLLBACK|UNINSTALLATION) FAILED:\s*)+")
_ADVICE: Final = re.compile(r"\n(?:Use --debug flag|Usage:).*", re.DOTALL)


def complaint(said: str) -> str:
    """What was wrong, of what Helm said on standard error: no log lines, no usage, no prefixes, no flood."""
    lines = [line for line in said.splitlines() if not _LOGGED.match(line)]
    starts = [number for number, line in enumerate(lines) if line.startswith("Error: ")]
    text = "\n".join(lines[starts[-1] :] if starts else lines)
    text = _ADVICE.sub("", _FAILED.sub("", text)).strip()
    return text if len(text) <= _MOST else f"{text[: _MOST - 1].rstrip()}…"
