"""What the server cannot decide alone: webhooks that admit and convert objects.

A verb is never suspended: from the first read to the last write it is one transaction. Where it needs to know
what somebody outside says, it asks `answers.of(question)`, which has the answer or raises `Unanswered`.
Whoever began the verb then finds the answer, at leisure, and begins it anew (`answered`): with the same
objects it gets to the same question, which is now answered; with others, to another one, which is asked too.
"""

from windlass.apiserver.outside.question import Answers as Answers
from windlass.apiserver.outside.question import Question as Question
from windlass.apiserver.outside.question import Unanswered as Unanswered
from windlass.apiserver.outside.question import answered as answered

__all__ = ["Answers", "Question", "Unanswered", "answered"]
