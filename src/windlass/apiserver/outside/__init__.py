"""What the server cannot decide alone: webhooks that admit and convert objects.

A verb is never suspended: from the first read to the last write it is one transaction. Where it needs to know
what somebody outside says, it asks `answers.of(question)`, which has the answer or raises `Unanswered`.
Whoever began the verb then finds the answer, at leisure, and begins it anew (`answered`): with the same
objects it gets to the same question, which is now answered; with others, to another one, which is asked too.

`Network` is how somebody is reached: over TLS, or in this process.
"""

from typing import TYPE_CHECKING

from windlass._lazy import attributes

if TYPE_CHECKING:
    from windlass.apiserver.outside.bundle import bundle_problem as bundle_problem
    from windlass.apiserver.outside.document import read_review as read_review
    from windlass.apiserver.outside.endpoint import host_port as host_port
    from windlass.apiserver.outside.endpoint import ready_endpoints as ready_endpoints
    from windlass.apiserver.outside.network import Answer as Answer
    from windlass.apiserver.outside.network import Handler as Handler
    from windlass.apiserver.outside.network import Network as Network
    from windlass.apiserver.outside.network import Unreachable as Unreachable
    from windlass.apiserver.outside.network import Untrustworthy as Untrustworthy
    from windlass.apiserver.outside.question import Answers as Answers
    from windlass.apiserver.outside.question import Question as Question
    from windlass.apiserver.outside.question import Unanswered as Unanswered
    from windlass.apiserver.outside.question import answered as answered
    from windlass.apiserver.outside.question import current_answers as current_answers
    from windlass.apiserver.outside.question import settled as settled
    from windlass.apiserver.outside.target import Target as Target

__lazy__ = {
    "Answer": "windlass.apiserver.outside.network",
    "Answers": "windlass.apiserver.outside.question",
    "Handler": "windlass.apiserver.outside.network",
    "Network": "windlass.apiserver.outside.network",
    "Question": "windlass.apiserver.outside.question",
    "Target": "windlass.apiserver.outside.target",
    "Unanswered": "windlass.apiserver.outside.question",
    "Unreachable": "windlass.apiserver.outside.network",
    "Untrustworthy": "windlass.apiserver.outside.network",
    "answered": "windlass.apiserver.outside.question",
    "bundle_problem": "windlass.apiserver.outside.bundle",
    "current_answers": "windlass.apiserver.outside.question",
    "host_port": "windlass.apiserver.outside.endpoint",
    "read_review": "windlass.apiserver.outside.document",
    "ready_endpoints": "windlass.apiserver.outside.endpoint",
    "settled": "windlass.apiserver.outside.question",
}
__all__ = list(__lazy__)
__getattr__, __dir__ = attributes(__name__, __lazy__)
