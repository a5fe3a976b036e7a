"""How a command ended, in the form in which clients are told."""

from __future__ import annotations

from typing import Any

Object = dict[str, Any]


def exited(code: int) -> Object:
    """The Status of a command that ended with an exit code."""
    if code == 0:
        return {"metadata": {}, "status": "Success"}
    said = f"command terminated with exit code {code}"
    return {
        "metadata": {},
        "status": "Failure",
        "message": f"command terminated with non-zero exit code: {said}",
        "reason": "NonZeroExitCode",
        "details": {"causes": [{"reason": "ExitCode", "message": str(code)}]},
    }


def failed(message: str) -> Object:
    """The Status of a command that could not be run."""
    return {
        "metadata": {},
        "status": "Failure",
        "message": f"Internal error occurred: {message}",
        "reason": "InternalError",
        "details": {"causes": [{"message": message}]},
        "code": 500,
    }


def translated(status: Object) -> Object:
    """What a client of `v5.channel.k8s.io` is told: a server translates for it, and wraps what it cannot."""
    return failed(status["message"]) if status.get("reason") == "InternalError" else status
