"""Kubernetes protobuf: the form in which clients written in Go prefer to speak of built-in kinds.

A body is an envelope, which says what kind the message within is; the numbers and types of its fields are
those of the definitions in `windlass.apiserver.builtin`. `read_message` gives the object that the same object
in JSON would have been decoded to, `write_object` the bytes that the real server writes for an object, and
`write_event` those of an event of a watch. Custom resources have no messages; their metadata alone does.

    envelope = Envelope.open(body)
    obj = read_message("io.k8s.api.core.v1.ConfigMap", envelope.message)

Messages are compiled when they are first needed, and nothing here is imported before the first request that
speaks protobuf.
"""

from windlass.apiserver.protobuf.body import read_message, write_event, write_object
from windlass.apiserver.protobuf.envelope import Envelope

__all__ = ["Envelope", "read_message", "write_event", "write_object"]
