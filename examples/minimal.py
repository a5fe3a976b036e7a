"""The smallest operator: a kind, and what is said about each object.

Run `windlass run examples/minimal.py`, and apply a Greeting with the name `world`. `kubectl get greeting
world -o yaml` then has `status.text: Hello, world!` and a Ready condition; another `spec.word` changes the
text at once.
"""

from windlass import Condition, Context, Field, Reconciler, Resource, Result, Spec, Status


class GreetingSpec(Spec):
    """How to greet."""

    word: str = "Hello"


class GreetingStatus(Status):
    """What was said."""

    text: str = ""
    conditions: list[Condition] = []


class Greeting(Resource, group="demo.example.com", version="v1"):
    """A greeting to whom it is named after."""

    spec: GreetingSpec = Field(default_factory=GreetingSpec)
    status: GreetingStatus = Field(default_factory=GreetingStatus)


class GreetingController(Reconciler[Greeting]):
    """Greets."""

    async def reconcile(self, greeting: Greeting, ctx: Context) -> Result[GreetingStatus]:
        ctx.log.info("greeting, because of %s", ", ".join(map(str, ctx.causes)))
        return Result.ready(GreetingStatus(text=f"{greeting.spec.word}, {greeting.metadata.name}!"))
