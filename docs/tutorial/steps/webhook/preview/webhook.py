"""Who is asked before a preview is stored."""

from preview.types import Preview
from windlass.webhook import AdmissionRequest, Verdict, mutating, validating

CREATED_BY = "demo.example.com/created-by"
REGISTRY = "example.com/"


@mutating(Preview, verbs=("create",))
def with_its_author(request: AdmissionRequest[Preview]) -> Verdict[Preview]:
    """Note who asked for it."""
    preview = request.object
    preview.metadata.annotations[CREATED_BY] = request.user.name
    return Verdict.change(preview)


@validating(Preview)
def of_our_registry(request: AdmissionRequest[Preview]) -> Verdict[Preview]:
    """Run nobody else's images, and advise against tags that move."""
    image = request.object.spec.image
    if not image.startswith(REGISTRY):
        return Verdict.deny(f"spec.image: {image} is not from {REGISTRY}")
    if image.endswith(":latest"):
        return Verdict.allow(warnings=["spec.image: latest does not say which pull request it shows"])
    return Verdict.allow()
