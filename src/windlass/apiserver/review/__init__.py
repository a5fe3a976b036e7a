"""What is created to be answered and is never stored: reviews of access and identity, requests for tokens.

`answer_review` answers everything in the groups `authentication.k8s.io` and `authorization.k8s.io`;
`review.token_request` is the subresource `token` of service accounts.
"""

from windlass.apiserver.review.answer import answer_review

__all__ = ["answer_review"]
