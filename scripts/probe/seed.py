"""What a structure needs so that the server takes it; what is not here has its required fields."""

from typing import Any

Json = dict[str, Any]

LABELS: Json = {"app": "x"}
SELECTOR: Json = {"matchLabels": LABELS}
CONTAINER: Json = {"name": "x", "image": "example.com/x"}
POD: Json = {"containers": [CONTAINER]}
RUN_ONCE: Json = {"spec": {**POD, "restartPolicy": "Never"}}
TEMPLATE: Json = {"metadata": {"labels": LABELS}, "spec": POD}
CLAIM: Json = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
TERMS: Json = {"nodeSelectorTerms": [{"matchExpressions": [{"key": "x", "operator": "Exists"}]}]}
POD_TERM: Json = {"topologyKey": "x"}
RULE: Json = {"apiGroups": ["x"], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["x"]}
CONSTRAINTS: Json = {"resourceRules": [RULE]}
BACKEND: Json = {"service": {"name": "x", "port": {"number": 80}}}
WEBHOOK: Json = {
    "name": "x.example.com",
    "clientConfig": {"url": "https://example.com"},
    "admissionReviewVersions": ["v1"],
    "sideEffects": "None",
}
VOLUME_SOURCES = frozenset(
    {
        "awsElasticBlockStore",
        "azureDisk",
        "azureFile",
        "cephfs",
        "cinder",
        "csi",
        "fc",
        "flexVolume",
        "flocker",
        "gcePersistentDisk",
        "glusterfs",
        "hostPath",
        "iscsi",
        "local",
        "nfs",
        "photonPersistentDisk",
        "portworxVolume",
        "quobyte",
        "rbd",
        "scaleIO",
        "storageos",
        "vsphereVolume",
    }
)
TARGET: Json = {"type": "AverageValue", "averageValue": "1"}

SEEDS: dict[str, Json] = {
    "AggregationRule": {"clusterRoleSelectors": [SELECTOR]},
    "AuditAnnotation": {"key": "x", "valueExpression": "'x'"},
    "AzureFilePersistentVolumeSource": {"secretName": "x", "shareName": "x", "secretNamespace": "x"},
    "CephFSPersistentVolumeSource": {"monitors": ["x"]},
    "ClusterTrustBundleProjection": {"name": "x", "path": "x"},
    "Container": CONTAINER,
    "ContainerResourceMetricSource": {"container": "x", "name": "cpu", "target": TARGET},
    "ControllerRevision": {"data": {"x": 1}, "revision": 1},
    "CronJobSpec": {"schedule": "* * * * *", "jobTemplate": {"spec": {"template": RUN_ONCE}}},
    "CrossVersionObjectReference": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "x"},
    "CustomResourceColumnDefinition": {"name": "x", "type": "string", "jsonPath": ".spec"},
    "CustomResourceConversion": {"strategy": "None"},
    "CustomResourceDefinition": {
        "metadata": {"name": "things.example.com"},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"plural": "things", "kind": "Thing"},
            "versions": [
                {
                    "name": "v1",
                    "served": True,
                    "storage": True,
                    "schema": {
                        "openAPIV3Schema": {
                            "type": "object",
                            "properties": {"spec": {"type": "string"}, "size": {"type": "integer"}},
                        }
                    },
                }
            ],
        },
    },
    "CustomResourceSubresourceScale": {"specReplicasPath": ".spec.x", "statusReplicasPath": ".status.x"},
    "DaemonSetSpec": {"selector": SELECTOR, "template": TEMPLATE},
    "DeploymentSpec": {"selector": SELECTOR, "template": TEMPLATE},
    "DownwardAPIVolumeFile": {"path": "x", "fieldRef": {"fieldPath": "metadata.name"}},
    "Endpoint": {"addresses": ["192.0.2.1"]},
    "EndpointAddress": {"ip": "192.0.2.1"},
    "EndpointSlice": {"addressType": "IPv4"},
    "EndpointSubset": {"addresses": [{"ip": "192.0.2.1"}]},
    "EnvFromSource": {"configMapRef": {"name": "x"}},
    "EphemeralContainer": CONTAINER,
    "EphemeralVolumeSource": {"volumeClaimTemplate": {"spec": CLAIM}},
    "FCVolumeSource": {"wwids": ["x"]},
    "FlockerVolumeSource": {"datasetName": "x"},
    "HTTPIngressPath": {"path": "/", "pathType": "Prefix", "backend": BACKEND},
    "HostAlias": {"ip": "192.0.2.1"},
    "IPAddress": {
        "metadata": {"name": "192.0.2.1"},
        "spec": {"parentRef": {"resource": "x", "name": "x"}},
    },
    "IPBlock": {"cidr": "192.0.2.0/24"},
    "ISCSIVolumeSource": {"iqn": "iqn.2026-01.com.example:x", "lun": 1, "targetPortal": "x"},
    "ISCSIPersistentVolumeSource": {"iqn": "iqn.2026-01.com.example:x", "lun": 1, "targetPortal": "x"},
    "IngressBackend": BACKEND,
    "IngressSpec": {"defaultBackend": BACKEND},
    "IngressClassSpec": {"controller": "example.com/x"},
    "JobSpec": {"template": RUN_ONCE},
    "LabelSelectorRequirement": {"key": "app", "operator": "Exists"},
    "LifecycleHandler": {"tcpSocket": {"port": 80}},
    "LimitRangeItem": {"type": "Container"},
    "LocalObjectReference": {"name": "x"},
    "MatchCondition": {"name": "x", "expression": "true"},
    "MatchResources": CONSTRAINTS,
    "MetricTarget": TARGET,
    "MutatingAdmissionPolicySpec": {
        "matchConstraints": CONSTRAINTS,
        "reinvocationPolicy": "Never",
        "mutations": [{"patchType": "ApplyConfiguration", "applyConfiguration": {"expression": "Object{}"}}],
    },
    "MutatingAdmissionPolicyBindingSpec": {"policyName": "x"},
    "NamedRuleWithOperations": RULE,
    "NetworkPolicyPeer": {"podSelector": {}},
    "NodeSelector": TERMS,
    "NodeSelectorRequirement": {"key": "x", "operator": "Exists"},
    "NodeSelectorTerm": TERMS["nodeSelectorTerms"][0],
    "ObjectFieldSelector": {"fieldPath": "metadata.name"},
    "ParamKind": {"apiVersion": "v1", "kind": "ConfigMap"},
    "ParamRef": {"name": "x", "parameterNotFoundAction": "Deny"},
    "PersistentVolumeClaimSpec": CLAIM,
    "PersistentVolumeSpec": {
        "accessModes": ["ReadWriteOnce"],
        "capacity": {"storage": "1Gi"},
        "hostPath": {"path": "/x"},
    },
    "PodAffinityTerm": POD_TERM,
    "PodDNSConfigOption": {"name": "x"},
    "PodFailurePolicyRule": {"action": "Ignore", "onPodConditions": [{"type": "x"}]},
    "PodOS": {"name": "linux"},
    "PodSchedulingGate": {"name": "example.com/x"},
    "PodSpec": POD,
    "PodTemplate": {"template": TEMPLATE},
    "PodTemplateSpec": TEMPLATE,
    "PolicyRule": {"apiGroups": [""], "resources": ["x"], "verbs": ["get"]},
    "Probe": {"tcpSocket": {"port": 80}},
    "ReplicaSetSpec": {"selector": SELECTOR, "template": TEMPLATE},
    "ReplicationControllerSpec": {"selector": LABELS, "template": TEMPLATE},
    "ResourceFieldSelector": {"resource": "limits.cpu", "containerName": "x"},
    "RoleRef": {"kind": "ClusterRole", "name": "x"},
    "RuleWithOperations": RULE,
    "ServiceAccountTokenProjection": {"path": "x"},
    "ServiceCIDRSpec": {"cidrs": ["192.0.2.0/24"]},
    "ServicePort": {"port": 80},
    "ServiceSpec": {"ports": [{"port": 80}]},
    "StatefulSetSpec": {"selector": SELECTOR, "template": TEMPLATE},
    "Subject": {"kind": "User", "name": "x"},
    "TCPSocketAction": {"port": 80},
    "TopologySpreadConstraint": {"maxSkew": 1, "topologyKey": "x", "whenUnsatisfiable": "DoNotSchedule"},
    "TypedObjectReference": {"kind": "PersistentVolumeClaim", "name": "x"},
    "TypedLocalObjectReference": {"kind": "PersistentVolumeClaim", "name": "x"},
    "ValidatingAdmissionPolicySpec": {
        "matchConstraints": CONSTRAINTS,
        "validations": [{"expression": "true"}],
    },
    "ValidatingAdmissionPolicyBindingSpec": {"policyName": "x", "validationActions": ["Deny"]},
    "Validation": {"expression": "true"},
    "ValidationRule": {"rule": "true"},
    "Variable": {"name": "x", "expression": "1"},
    "VolumeAttachmentSource": {"persistentVolumeName": "x"},
    "VolumeAttributesClass": {"driverName": "x", "parameters": {"x": "x"}},
    "VolumeNodeAffinity": {"required": TERMS},
    "AppArmorProfile": {"type": "RuntimeDefault"},
    "AzureDiskVolumeSource": {
        "diskName": "x",
        "diskURI": "https://x.blob.core.windows.net/x/x.vhd",
    },
    "ConfigMapKeySelector": {"name": "x", "key": "x"},
    "ConfigMapProjection": {"name": "x"},
    "ConfigMapVolumeSource": {"name": "x"},
    "ContainerResizePolicy": {"resourceName": "cpu", "restartPolicy": "NotRequired"},
    "ContainerRestartRule": {"action": "Restart", "exitCodes": {"operator": "In", "values": [1]}},
    "ContainerRestartRuleOnExitCodes": {"operator": "In", "values": [1]},
    "EnvVarSource": {"fieldRef": {"fieldPath": "metadata.name"}},
    "ExecAction": {"command": ["x"]},
    "FileKeySelector": {"volumeName": "x", "path": "x", "key": "x"},
    "ImageVolumeSource": {"reference": "example.com/x"},
    "NFSVolumeSource": {"server": "x", "path": "/x"},
    "PodResourceClaim": {"name": "x", "resourceClaimName": "x"},
    "QuobyteVolumeSource": {"registry": "x:1", "volume": "x"},
    "ScaleIOVolumeSource": {"gateway": "x", "system": "x", "secretRef": {"name": "x"}, "volumeName": "x"},
    "SeccompProfile": {"type": "RuntimeDefault"},
    "SecretKeySelector": {"name": "x", "key": "x"},
    "SecretEnvSource": {"name": "x"},
    "SecretProjection": {"name": "x"},
    "SecretVolumeSource": {"secretName": "x"},
    "StorageOSVolumeSource": {"volumeName": "x"},
    "Toleration": {"operator": "Exists"},
    "HPAScalingPolicy": {"type": "Pods", "value": 1, "periodSeconds": 1},
    "MetricSpec": {"type": "Resource", "resource": {"name": "cpu", "target": TARGET}},
    "MutatingWebhook": WEBHOOK,
    "NFSPersistentVolumeSource": {"server": "x", "path": "/x"},
    "ResourceMetricSource": {"name": "cpu", "target": TARGET},
    "ScaleIOPersistentVolumeSource": {
        "gateway": "x",
        "system": "x",
        "secretRef": {"name": "x"},
        "volumeName": "x",
    },
    "ScopedResourceSelectorRequirement": {"scopeName": "BestEffort", "operator": "Exists"},
    "SecretReference": {"name": "x", "namespace": "x"},
    "StorageOSPersistentVolumeSource": {"volumeName": "x"},
    "TopologySelectorTerm": {"matchLabelExpressions": [{"key": "x", "values": ["x"]}]},
    "ValidatingWebhook": WEBHOOK,
    "WebhookClientConfig": {"url": "https://example.com"},
    "WebhookConversion": {"clientConfig": {"url": "https://example.com"}, "conversionReviewVersions": ["v1"]},
    "SuccessPolicyRule": {"succeededCount": 1},
    "JSONPatch": {"expression": "[JSONPatch{op: 'remove', path: '/spec'}]"},
    "events.v1.EventSeries": {"count": 2, "lastObservedTime": "2026-01-01T00:00:00.000000Z"},
    "events.v1.Event": {
        "eventTime": "2026-01-01T00:00:00.000000Z",
        "reportingController": "example.com/x",
        "reportingInstance": "x",
        "action": "x",
        "reason": "x",
        "type": "Normal",
    },
    "core.v1.Event": {"involvedObject": {"namespace": "default"}},
}
"""By definition, `Container` or where that is not unique `events.v1.Event`: the smallest that is valid."""

FIELDS: dict[str, Any] = {
    "PodSpec.initContainers": [{**CONTAINER, "name": "init", "restartPolicy": "Always"}],
    "StatefulSetSpec.volumeClaimTemplates": [{"metadata": {"name": "x"}, "spec": CLAIM}],
    "StorageOSPersistentVolumeSource.secretRef": {"name": "x", "namespace": "x"},
    "VolumeAttachmentSource.inlineVolumeSpec": {
        "accessModes": ["ReadWriteOnce"],
        "csi": {"driver": "x", "volumeHandle": "x"},
    },
    "NodeSelectorTerm.matchFields": [{"key": "metadata.name", "operator": "In", "values": ["x"]}],
}
"""By field: what it holds, where that is not the smallest of its kind."""

UNIONS: dict[str, frozenset[str]] = {
    "DownwardAPIVolumeFile": frozenset({"fieldRef", "resourceFieldRef"}),
    "EnvFromSource": frozenset({"configMapRef", "secretRef"}),
    "EnvVarSource": frozenset(
        {"configMapKeyRef", "fieldRef", "fileKeyRef", "resourceFieldRef", "secretKeyRef"}
    ),
    "IngressBackend": frozenset({"resource", "service"}),
    "LifecycleHandler": frozenset({"exec", "httpGet", "sleep", "tcpSocket"}),
    "MetricSpec": frozenset({"containerResource", "external", "object", "pods", "resource"}),
    "Mutation": frozenset({"applyConfiguration", "jsonPatch"}),
    "NetworkPolicyPeer": frozenset({"ipBlock", "podSelector"}),
    "ParamRef": frozenset({"name", "selector"}),
    "PersistentVolumeSpec": VOLUME_SOURCES,
    "PodFailurePolicyRule": frozenset({"onExitCodes", "onPodConditions"}),
    "Probe": frozenset({"exec", "grpc", "httpGet", "tcpSocket"}),
    "VolumeAttachmentSource": frozenset({"inlineVolumeSpec", "persistentVolumeName"}),
    "WebhookClientConfig": frozenset({"service", "url"}),
}
"""By definition: the fields of which one excludes the others."""

WITH: dict[str, dict[str, Json]] = {
    "CustomResourceConversion.webhook": {"CustomResourceConversion": {"strategy": "Webhook"}},
    "Container.restartPolicyRules": {"Container": {"restartPolicy": "Never"}},
    "Container.volumeDevices": {
        "PodSpec": {"volumes": [{"name": "x", "persistentVolumeClaim": {"claimName": "x"}}]}
    },
    "Container.volumeMounts": {"PodSpec": {"volumes": [{"name": "x"}]}},
    "CustomResourceDefinitionVersion.selectableFields": {
        "CustomResourceDefinitionVersion": {"selectableFields": [{"jsonPath": ".spec"}]}
    },
    "EnvVarSource.fileKeyRef": {"PodSpec": {"volumes": [{"name": "x"}]}},
    "JobSpec.backoffLimitPerIndex": {"JobSpec": {"completionMode": "Indexed", "completions": 1}},
    "JobSpec.successPolicy": {"JobSpec": {"completionMode": "Indexed", "completions": 1}},
    "MetricSpec.containerResource": {"MetricSpec": {"type": "ContainerResource"}},
    "MetricSpec.external": {"MetricSpec": {"type": "External"}},
    "MetricSpec.object": {"MetricSpec": {"type": "Object"}},
    "MetricSpec.pods": {"MetricSpec": {"type": "Pods"}},
    "Mutation.jsonPatch": {"Mutation": {"patchType": "JSONPatch"}},
    "PersistentVolumeSpec.local": {"PersistentVolumeSpec": {"nodeAffinity": {"required": TERMS}}},
    "PodSpec.hostNetwork": {"PodSpec": {"containers": [{**CONTAINER, "ports": [{"containerPort": 80}]}]}},
    "ResourceRequirements.claims": {"PodSpec": {"resourceClaims": [{"name": "x", "resourceClaimName": "x"}]}},
    "ServiceSpec.externalName": {"ServiceSpec": {"type": "ExternalName"}},
    "VolumeProjection.serviceAccountToken": {"PodSpec": {"serviceAccountName": "x"}},
}
"""By field: what structures around it have when it is there."""

SHALLOW: dict[str, str] = {
    "PodSpec.resources": "claims are for containers",
    "VolumeAttachmentSource.inlineVolumeSpec": "of the volumes of a PersistentVolume, only CSI is taken",
}
"""By field: why what it holds is not entered."""

SKIPPED: dict[str, str] = {
    "PodSpec.ephemeralContainers": "not taken on create; they are defaulted as containers are",
    "JobSpec.selector": "made by the server",
}
"""By field: why there is nothing to probe."""

VARIATIONS: dict[str, list[Any]] = {
    "Container.image": ["example.com/x:1"],
    "ControllerRevision.data": [{"y": 1}],
    "ImageVolumeSource.reference": ["example.com/x:1"],
    "JobSpec.backoffLimitPerIndex": [1],
    "LimitRangeItem.default": [{"cpu": "1"}],
    "LimitRangeItem.max": [{"cpu": "1"}],
    "LimitRangeItem.min": [{"cpu": "1"}],
    "Pod.spec": [
        {
            "containers": [{**CONTAINER, "resources": {"limits": {"cpu": "1", "hugepages-2Mi": "2Mi"}}}],
            "resources": {"requests": {"cpu": "1"}},
        }
    ],
    "PodSpec.terminationGracePeriodSeconds": [-1, 1],
    "ResourceRequirements.limits": [{"cpu": "1"}],
    "ResourceRequirements.requests": [{"cpu": "1"}],
    "Service.spec": [
        {"ports": [{"port": 80}], "type": "LoadBalancer", "externalTrafficPolicy": "Local"},
        {"clusterIP": "None", "selector": LABELS},
    ],
    "ServiceSpec.clusterIP": ["None"],
    "ServiceSpec.externalName": ["x.example.com"],
    "Subject.kind": ["Group", "ServiceAccount"],
}
"""By field: values on which something else may depend, in place of any value."""
