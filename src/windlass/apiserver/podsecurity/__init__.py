"""The pod security standards: what pods may do to their nodes, as the labels of a namespace say.

    hold(operation, pod, None)

There are two standards, baseline and the stricter restricted, in a version for each version of Kubernetes. A
namespace may enforce one, so that its pods are refused, and have clients warned by another. Nothing here is
imported before a namespace has such a label.
"""

from windlass.apiserver.podsecurity.hold import hold

__all__ = ["hold"]
