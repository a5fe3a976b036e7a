"""The values of an operator's chart, with a word to each."""

from __future__ import annotations

import json
from textwrap import indent
from typing import TYPE_CHECKING, Any, Final

from windlass.api import write_yaml

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_VALUES: Final = """\
image:
  repository: {repository}
  tag: {tag}
  # Always, IfNotPresent or Never; empty for what the cluster thinks best.
  pullPolicy: ""
imagePullSecrets: []

# One of them leads, the others stand by.
replicas: 1

# The only namespaces that it watches, each with a Role of its own; empty: all, by a ClusterRole.
watchNamespaces: {watched}

# After those that every operator is run with; see `{command} --help`.
args: []
# As in a pod: a list of name and value, or valueFrom.
env: []

resources:
{resources}
tmp:
  # The pod is evicted when its temporary files take more.
  sizeLimit: {tmp}

nodeSelector: {{}}
tolerations: []
affinity: {{}}

crds:
  enabled: true
  # Whether the definitions, and with them every object of their kinds, outlive the release.
  keep: true

networkPolicy:
  # Accept connections to the metrics, from namespaces labelled metrics=enabled, and to webhooks; no others.
  enabled: true

prometheus:
  # A ServiceMonitor, which the cluster has to know; who reads metrics needs the role ...-metrics-reader.
  enabled: false

# What all names begin with, 28 characters at most; a second release in one cluster needs one of its own.
fullnameOverride: ""
"""


def values_file(
    image: str, resources: Mapping[str, Any], tmp: str, watched: Sequence[str], command: str
) -> str:
    """The text of `values.yaml` for a chart of this image, which runs the command."""
    repository, _, tag = image.rpartition(":")
    return _VALUES.format(
        repository=repository,
        tag=f'"{tag}"',
        resources=indent(write_yaml([resources]), "  "),
        tmp=tmp,
        watched=json.dumps(list(watched)),
        command=command,
    )
