from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.decode.problem import DecodeError, InexactError, Notes, described
from windlass.apiserver.decode.text import has_repeated_fields, parse_carefully, parse_quickly
from windlass.apiserver.patch.syntax import NotJsonError
from windlass.apiserver.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.api import Kind
    from windlass.apiserver.decode.types import Types

JSON: Final = "application/json"
YAML: Final = "application/yaml"
_UNKNOWN_FORMAT: Final = (
    "the body of the request was in an unknown format - accepted media types include: "
    "application/json, application/yaml, application/vnd.kubernetes.protobuf"
)
_LARGEST: Final = 3 * 2**20
_HEADER: Final = (
    r'struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }'
)
_SUMMARY: Final = 30
_SCHEME: Final = "pkg/runtime/scheme.go:111"

Object = dict[str, Any]
