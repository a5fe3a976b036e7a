"""A cloud whose instances are files, as somebody's program deletes them: `REGION` is their folder."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path


def main() -> int:
    """Delete the instance that the last argument names; tells by sysexits how that went."""
    instance = sys.argv[-1]
    fault = Path(os.environ["REGION"], "fault")
    if fault.exists():
        said = fault.read_text("utf-8")
        fault.unlink()
        print(f"as told: {said}", file=sys.stderr)  # noqa: T201 - this is what the operator tells
        if said == "hang":
            time.sleep(3600)
        return int(said)
    try:
        Path(os.environ["REGION"], instance).unlink()
    except FileNotFoundError:
        return 66
    return 0


if __name__ == "__main__":
    sys.exit(main())
