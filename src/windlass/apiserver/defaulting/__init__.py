"""The defaults of the built-in kinds: what the server puts into an object where its author said nothing.

    deployment = {"spec": {"template": {"spec": {"containers": [{"name": "main", "image": "app:1"}]}}}}
    fill("apps/v1/Deployment", deployment)
    deployment["spec"]["replicas"]  # 1

Most defaults depend on nothing but the structure that they stand in; these are in `defaults.json`, a table
that `scripts/probe_defaults.py` writes from the answers of a real server. The others are rules in code, under
`rules`, each a function of one structure.

Not done here: zero values that are always written (`status: {}`), and whatever takes more than the object
itself, such as addresses, priorities, times and other objects.
"""

from windlass.apiserver.defaulting.defaults import fill, fill_definition, rewrite

__all__ = ["fill", "fill_definition", "rewrite"]
