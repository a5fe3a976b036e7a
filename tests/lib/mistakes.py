"""Mistakes that people make, each as one change of a program in `tests/typing/right`, and who finds it.

`mypy` is strict, `pyright` in its standard mode, which is what it does without a configuration and more than
its basic one; `class` is Python itself, when the class is made, a function decorated or an instance made, with
a message that matches `says`.
"""

from __future__ import annotations

from typing import NamedTuple

BOTH = frozenset({"mypy", "pyright"})
ALL = BOTH | {"class"}
MYPY = frozenset({"mypy"})
PYRIGHT = frozenset({"pyright"})
CLASS = frozenset({"class"})


class Mistake(NamedTuple):
    """One mistake: the line that is right in a program, what is written instead, and who finds it."""

    name: str
    right: str
    wrong: str
    found_by: frozenset[str]
    says: str = ""


RECONCILE = "async def reconcile(self, app: WebApp, ctx: Context) -> Result[WebAppStatus]:"
FINALIZE = "async def finalize(self, app: WebApp, ctx: Context) -> Result[WebAppStatus]:"
SHOP = "async def reconcile(self, shop: Shop, ctx: Context) -> Result[ShopStatus]:"
REPORT = "async def reconcile(self, key: Key, ctx: Context) -> Result[Status]:"
OWNS = "owns = (Deployment, Owns(ConfigMap))"
DOMAIN = 'finalizer = "demo.example.com/webapp"'
READY = "return Result.ready(status, again=timedelta(minutes=10))"

RECONCILER = (
    Mistake("own", OWNS, "own = (Deployment,)", CLASS, r"\.own .*write owns = \(Deployment,\)"),
    Mistake("owned", OWNS, "owned = Deployment", CLASS, r"\.owned .*write owns = \(Deployment,\)"),
    Mistake("owns_without_comma", OWNS, "owns = (Deployment)", ALL, "with the comma"),
    Mistake("owns_an_object", OWNS, "owns = (SAMPLE,)", ALL, r"owns = \(Deployment,\)"),
    Mistake("owns_a_text", OWNS, 'owns = ("Deployment",)', ALL, r"'Deployment' does not belong into"),
    Mistake("owns_its_own_kind", OWNS, "owns = (WebApp, Deployment)", CLASS, "leave it out, or say Owns"),
    Mistake("finaliser", DOMAIN, DOMAIN.replace("izer", "iser"), CLASS, "write finalizer = "),
    Mistake("finalizers", DOMAIN, 'finalizers = ("demo.example.com/webapp",)', CLASS, "write finalizer = "),
    Mistake("finalizer_without_domain", DOMAIN, 'finalizer = "webapp"', CLASS, "with a domain of yours"),
    Mistake("finalize_without_finalizer", DOMAIN, "pass", CLASS, "say finalizer = "),
    Mistake("read", "    reads = (", "    read = (", CLASS, r"\.read .*write reads = "),
    Mistake("watches", "    reads = (", "    watches = (", CLASS, r"\.watches .*write reads = "),
    Mistake(
        "source",
        "sources = (Every(timedelta(hours=1)),)",
        "source = Every(timedelta(hours=1))",
        CLASS,
        "sources",
    ),
    Mistake("sources_as_seconds", "Every(timedelta(hours=1)),)", "Every(3600),)", ALL, ""),
    Mistake("rule", "rules = (Rule", "rule = (Rule", CLASS, r"\.rule .*write rules = "),
    Mistake("index", "indexes = (BY_NODE,)", "index = (BY_NODE,)", CLASS, r"\.index .*write indexes = "),
    Mistake(
        "first_retry_as_seconds", "first_retry = timedelta(seconds=1)", "first_retry = 1", ALL, "timedelta"
    ),
    Mistake("sync_reconcile", SHOP, SHOP.removeprefix("async "), ALL, "is not async"),
    Mistake("sync_finalize", FINALIZE, FINALIZE.removeprefix("async "), ALL, "is not async"),
    Mistake("sync_forget", "async def forget", "def forget", ALL, r"write async def forget\(self, key\)"),
    Mistake(
        "generator", "return Result.ready(ShopStatus", "yield Result.ready(ShopStatus", ALL, "is not async"
    ),
    Mistake(
        "reconsile", RECONCILE, RECONCILE.replace("cile", "sile"), CLASS, "reconsile .*async def reconcile"
    ),
    Mistake("finalise", FINALIZE, FINALIZE.replace("ize(", "ise("), CLASS, "finalise .*async def finalize"),
    Mistake("no_context", RECONCILE, RECONCILE.replace(", ctx: Context", ""), ALL, "takes other parameters"),
    Mistake(
        "a_parameter_more",
        RECONCILE,
        RECONCILE.replace("ctx: Context", "ctx: Context, old: WebApp"),
        ALL,
        "takes",
    ),
    Mistake(
        "parameters_exchanged",
        RECONCILE,
        RECONCILE.replace("app: WebApp, ctx: Context", "ctx: Context, app: WebApp"),
        ALL,
        "annotated for",
    ),
    Mistake(
        "another_kind", RECONCILE, RECONCILE.replace("app: WebApp", "app: Shop"), ALL, "annotated for Shop"
    ),
    Mistake(
        "returns_none",
        RECONCILE,
        RECONCILE.replace("Result[WebAppStatus]", "None"),
        ALL,
        "annotated to return",
    ),
    Mistake(
        "returns_the_status",
        RECONCILE,
        RECONCILE.replace("Result[WebAppStatus]", "WebAppStatus"),
        ALL,
        "annotated",
    ),
    Mistake(
        "returns_another_status",
        RECONCILE,
        RECONCILE.replace("WebAppStatus", "ShopStatus"),
        ALL,
        "WebAppStatus",
    ),
    Mistake("ready_with_another_status", READY, "return Result.ready(ShopStatus())", BOTH),
    Mistake("waiting_with_another_status", '"some replicas are not ready", status', '"", ShopStatus()', BOTH),
    Mistake(
        "failed_with_another_status", 'ValueError("no image"), status', 'ValueError(""), ShopStatus()', BOTH
    ),
    Mistake("failed_with_a_text", 'ValueError("no image"), status', '"no image", status', BOTH),
    Mistake("ready_with_a_text", READY, 'return Result.ready("done")', BOTH),
    Mistake("again_as_seconds", "again=timedelta(minutes=10)", "again=600", BOTH),
    Mistake("nothing_returned", READY, "print(status)", BOTH),
    Mistake(
        "by_of_a_misspelt_field",
        "app.spec.secret_name or None",
        "app.spec.secret_nam or None",
        MYPY | CLASS,
        "did you mean secret_name",
    ),
    Mistake(
        "selects_of_a_misspelt_field",
        '{"app": app.metadata.name}',
        '{"app": app.metadat.name}',
        MYPY | CLASS,
        "did you mean metadata",
    ),
    Mistake(
        "to_of_a_misspelt_field",
        "Key(shop.metadata.namespace, ",
        "Key(shop.metadata.name_space, ",
        CLASS,
        "did you mean namespace",
    ),
    Mistake(
        "index_of_a_misspelt_field", "pod.spec.node_name", "pod.spec.nodeName", BOTH, "did you mean node_name"
    ),
    Mistake("index_of_another_type", "pod.spec.node_name)", "pod.spec.containers)", BOTH),
    Mistake("watch_of_a_text", "Watch(Pod,", 'Watch("Pod",', ALL, "with the class of a kind"),
    Mistake(
        "watch_by_a_name",
        "by=lambda app: app.spec.secret_name or None",
        'by="secret_name"',
        ALL,
        "is no function",
    ),
    Mistake("misspelt_field", "app.spec.replicas:", "app.spec.replica:", BOTH),
    Mistake(
        "misspelt_field_of_a_new_object",
        'WebAppSpec(image="web:1")',
        'WebAppSpec(imge="web:1")',
        ALL,
        "did you mean image",
    ),
    Mistake("forgotten_await", "live = await ctx", "live = ctx", BOTH),
    Mistake("misspelt_method_of_the_context", "ctx.apply(", "ctx.aply(", BOTH),
    Mistake(
        "keys_own_nothing",
        "timing = (",
        "owns = (ConfigMap,)\n    timing = (",
        CLASS,
        "a KeyReconciler has no objects",
    ),
    Mistake("keys_without_a_name", 'name = "report"', "pass", CLASS, 'say name = "report"'),
    Mistake("keys_with_misspelt_sources", "sources = timing", "source = timing", CLASS, "write sources"),
    Mistake(
        "keys_of_a_timer_for_objects", 'hours=1), keys=(Key("", "report"),))', "hours=1))", CLASS, "say keys="
    ),
    Mistake("sync_reconcile_of_keys", REPORT, REPORT.removeprefix("async "), ALL, "is not async"),
    Mistake("keys_given_an_object", REPORT, REPORT.replace("key: Key", "key: WebApp"), ALL, "is given a Key"),
    Mistake(
        "no_reconcile",
        REPORT,
        "async def _look(self, key: Key, ctx: Context) -> Result[Status]:",
        CLASS,
        "has no reconcile",
    ),
)

KIND = (
    Mistake("grup", 'group="demo.example.com"', 'grup="demo.example.com"', CLASS, "did you mean group"),
    Mistake(
        "storage_of_a_class",
        'version="v1",',
        'version="v1",\n    storage=True,',
        CLASS,
        r"Definition\(storage=True\)",
    ),
    Mistake("group_without_version", 'version="v1",', "", CLASS, "no version"),
    Mistake("subresources_without_comma", '("status",)', '("status")', CLASS, r"subresources=\('status',\)"),
    Mistake("namespaced_as_text", "namespaced=False", 'namespaced="no"', CLASS, "namespaced=False"),
    Mistake("short_names_without_comma", '("wa",)', '("wa")', PYRIGHT | CLASS, r"short_names=\('wa',\)"),
    Mistake(
        "columns_without_comma",
        '.readyReplicas", type="integer"),',
        '.readyReplicas", type="integer")',
        PYRIGHT | CLASS,
        "with the comma",
    ),
    Mistake("short_name", "short_names=", "short_name=", PYRIGHT | CLASS, "short_name"),
    Mistake(
        "storage_as_text", "storage=True", 'storage="v1"', PYRIGHT | CLASS, "storage=True or storage=False"
    ),
    Mistake("type_of_a_column", 'type="integer"', 'type="int"', PYRIGHT | CLASS),
    Mistake(
        "field_of_another_type", "app.spec.replicas = replicas", "app.spec.replicas = str(replicas)", BOTH
    ),
    Mistake("misspelt_field_set", "app.spec.replicas = replicas", "app.spec.replica = replicas", BOTH),
)

CHECK = "def has_a_tag(request: AdmissionRequest[WebApp]) -> Verdict[WebApp]:"
DECORATED = '@validating(WebApp, verbs=("create", "update"), options=OPTIONS)'

WEBHOOK = (
    Mistake(
        "a_webhook_of_two",
        CHECK,
        CHECK.replace("request:", "app: WebApp, request:"),
        ALL,
        "takes other parameters",
    ),
    Mistake(
        "a_webhook_of_another_kind",
        CHECK,
        CHECK.replace("Request[WebApp]", "Request[Shop]"),
        ALL,
        "annotated for Shop",
    ),
    Mistake(
        "a_webhook_that_returns_bool", CHECK, CHECK.replace("Verdict[WebApp]", "bool"), ALL, "than a verdict"
    ),
    Mistake("a_webhook_without_a_kind", DECORATED, "@validating", ALL, r"write @validating\(WebApp\)"),
    Mistake("a_verb_misspelt", '"update"', '"updat"', ALL, "did you mean update"),
    Mistake("verbs_without_comma", '("create", "update")', '("create")', ALL, r"verbs=\('create',\)"),
    Mistake("change_to_another_kind", "Verdict.change(app)", "Verdict.change(Shop())", BOTH),
    Mistake("change_without_object", "Verdict.change(app)", "Verdict.change()", BOTH),
    Mistake("a_misspelt_field_of_a_request", "request.object.spec.image:", "request.object.spec.imag:", BOTH),
    Mistake("failure_in_small_letters", 'failure="Ignore"', 'failure="ignore"', ALL, "did you mean Ignore"),
    Mistake(
        "timeout_as_seconds", "timeout=timedelta(seconds=5)", "timeout=5", ALL, r"timedelta\(seconds=5\)"
    ),
    Mistake(
        "conversions_exchanged",
        "to_hub=upgraded, from_hub=downgraded",
        "to_hub=downgraded, from_hub=upgraded",
        ALL,
        "exchange",
    ),
    Mistake("an_async_conversion", "def upgraded", "async def upgraded", PYRIGHT | CLASS, "a plain function"),
    Mistake(
        "spokes_without_comma", 'lacks=("spec.port",)),)', 'lacks=("spec.port",)))', ALL, "with the comma"
    ),
    Mistake("a_spoke_that_is_a_class", "spokes=(Spoke", "spokes=(OldWebApp, Spoke", ALL, "no tuple of Spoke"),
    Mistake("lacks_without_comma", '("spec.port",)', '("spec.port")', ALL, r"lacks=\('spec\.strategy',\)"),
)

RUNNING = (
    Mistake("drian", "drain=", "drian=", ALL, "drian"),
    Mistake(
        "drain_as_seconds", "drain=timedelta(seconds=20)", "drain=20", ALL, r"drain=timedelta\(seconds=20\)"
    ),
    Mistake("namespaces_without_comma", '("default",)', '("default")', ALL, "names of namespaces"),
    Mistake("metrics_as_an_address", "metrics=MetricsOptions()", 'metrics=":8080"', ALL, "MetricsOptions"),
    Mistake("concurrency_as_text", "reconciles=4", 'reconciles="4"', ALL, "max_concurrent_reconciles"),
    Mistake("workers_as_text", "workers=3", 'workers="3"', ALL, "workers"),
    Mistake(
        "time_limit_as_seconds",
        "time_limit=timedelta(minutes=1)",
        "time_limit=60",
        ALL,
        r"timedelta\(seconds=60\)",
    ),
)

TABLE = {"reconciler": RECONCILER, "kind": KIND, "webhook": WEBHOOK, "running": RUNNING}
"""The mistakes by the program that they are changes of."""
