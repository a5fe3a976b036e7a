"""What is known of the kinds that a Kubernetes API server has of itself: their schemas, names and verbs.

`definitions.json` and `kinds.json` are facts of the real server, written by
`scripts/generate_definitions.py`. They are read when they are first asked for.

    shape = library().shape("io.k8s.api.apps.v1.Deployment")
    namespaced = [each.kind for each in kinds() if each.kind.namespaced]

A schema carries, beside what OpenAPI says, facts of the Go types: `x-go` is a field's type, `x-keep-zero`
marks a field that is written though it is zero, `x-proto` is its number in protobuf (a list of numbers where
JSON inlines what protobuf nests), `x-go-embedded` names the embedded struct that it comes from, and
`x-go-struct` is the name of a definition's struct.
"""

from windlass.apiserver.builtin.kind import BuiltinKind
from windlass.apiserver.builtin.load import groups, kinds, library

__all__ = ["BuiltinKind", "groups", "kinds", "library"]
