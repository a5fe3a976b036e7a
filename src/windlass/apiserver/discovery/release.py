from __future__ import annotations

from typing import Final

_MAJOR: Final = "1"
_MINOR: Final = "36"
_OLDEST: Final = "35"


def release() -> dict[str, str]:
    """`/version`: the release of Kubernetes that the server behaves like, and what runs it."""
    import platform
    import sys
    from datetime import UTC, datetime

    from windlass._version import __version__

    machine = {"x86_64": "amd64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())
    python = f"{sys.version_info.major}.{sys.version_info.minor}.{sys.version_info.micro}"
    return {
        "major": _MAJOR,
        "minor": _MINOR,
        "emulationMajor": _MAJOR,
        "emulationMinor": _MINOR,
        "minCompatibilityMajor": _MAJOR,
        "minCompatibilityMinor": _OLDEST,
        "gitVersion": f"v{_MAJOR}.{_MINOR}.0+windlass.{__version__}",
        "gitCommit": "unknown",
        "gitTreeState": "clean",
        "buildDate": datetime(2026, 1, 1, tzinfo=UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "goVersion": f"python{python}",
        "compiler": platform.python_implementation().lower(),
        "platform": f"{sys.platform}/{machine}",
    }
