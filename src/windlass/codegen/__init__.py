"""Types in, files out: CRDs, roles, samples and models.

`windlass generate` is its command line. Nothing here talks to a cluster; what is generated is text, written
or compared by the caller.

    for definition in custom_resource_definitions([WebApp]):
        print(write_yaml([definition]))
"""

from windlass.codegen.crd import check_definition, custom_resource_definitions
from windlass.codegen.delivery import (
    KINDS_ANNOTATION,
    MANAGER_LABELS,
    Delivery,
    Extended,
    Workload,
    service_name,
)
from windlass.codegen.files import Difference, compare_files, header, orphans, replace_text, write_files
from windlass.codegen.grant import Setting, operator_rules
from windlass.codegen.models import from_crds, from_openapi
from windlass.codegen.operator import Operator, load_module, load_operator
from windlass.codegen.project import Project, load_project, project_of
from windlass.codegen.rbac import ALL, WRITE, manager_roles, rules_of, user_roles
from windlass.codegen.sample import sample, sample_file, sample_value
from windlass.codegen.scope import limited
from windlass.reconcile import READ, Rule

__all__ = [
    "ALL",
    "KINDS_ANNOTATION",
    "MANAGER_LABELS",
    "READ",
    "WRITE",
    "Delivery",
    "Difference",
    "Extended",
    "Operator",
    "Project",
    "Rule",
    "Setting",
    "Workload",
    "check_definition",
    "compare_files",
    "custom_resource_definitions",
    "from_crds",
    "from_openapi",
    "header",
    "limited",
    "load_module",
    "load_operator",
    "load_project",
    "manager_roles",
    "operator_rules",
    "orphans",
    "project_of",
    "replace_text",
    "rules_of",
    "sample",
    "sample_file",
    "sample_value",
    "service_name",
    "user_roles",
    "write_files",
]
