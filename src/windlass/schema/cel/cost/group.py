"""Functions that cost alike, whether before or after there are values."""

from typing import Final

NOMINAL: Final = (
    *("serviceAccount", "path", "group", "resource", "subresource", "namespace", "name"),
    *("allowed", "reason", "error", "errored"),
    *("masked", "prefixLength", "family", "isUnspecified", "isLoopback"),
    *("isLinkLocalMulticast", "isLinkLocalUnicast", "isGlobalUnicast"),
    *("sign", "asInteger", "isInteger", "asApproximateFloat", "isGreaterThan", "isLessThan"),
    *("compareTo", "add", "sub", "major", "minor", "patch"),
    *("getScheme", "getHostname", "getHost", "getPort", "getEscapedPath", "getQuery"),
    "format.named",
)
"""They cost one unit."""

TRAVERSING: Final = ("isSorted", "sum", "max", "min", "indexOf", "lastIndexOf")
"""They look at all of a list or a text."""

READING: Final = ("cidr", "isIP", "isCIDR", "quantity", "isQuantity", "semver", "isSemver")
"""They read their argument, a text."""

SORTABLE: Final = (
    *("int", "uint", "double", "bool", "string", "bytes"),
    *("google.protobuf.Duration", "google.protobuf.Timestamp"),
)
"""How the overloads of sorting name the types of what is sorted."""
