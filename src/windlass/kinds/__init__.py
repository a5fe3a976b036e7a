"""The built-in kinds as typed models, one package for each group and version.

They are generated from the OpenAPI document of a real API server (`make kinds`) and loaded lazily:
importing `Deployment` loads neither the other kinds of `apps` nor, until a Deployment is first used, the
parts of a pod.

    from windlass.kinds.apps.v1 import Deployment
    from windlass.kinds.core.v1 import ConfigMap
"""
