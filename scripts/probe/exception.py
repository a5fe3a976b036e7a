"""What the table does not hold, and why. An entry that no answer of the server bears out is an error."""

RULES: dict[str, str] = {
    "Container.imagePullPolicy": "follows from the tag of the image",
    "ContainerPort.hostPort": "the port of the container, on the network of the host",
    "CustomResourceDefinitionNames.listKind": "follows from the kind",
    "CustomResourceDefinitionNames.singular": "follows from the kind",
    "CustomResourceDefinitionSpec.conversion": "whole or not at all: one without a strategy is invalid",
    "CustomResourceDefinitionStatus.storedVersions": "the version that is stored",
    "DaemonSetUpdateStrategy.rollingUpdate": "depends on the type",
    "DeploymentStrategy.rollingUpdate": "depends on the type",
    "HorizontalPodAutoscalerSpec.targetCPUUtilizationPercentage": "depends on metrics in an annotation",
    "ImageVolumeSource.pullPolicy": "follows from the tag of the image",
    "JobSpec.backoffLimit": "without end where each index has its own",
    "JobSpec.completions": "absent where there is a parallelism",
    "JobSpec.podReplacementPolicy": "depends on the failure policy",
    "LimitRangeItem.default": "the maximum, of containers",
    "LimitRangeItem.defaultRequest": "the default limit or the minimum, of containers",
    "NetworkPolicySpec.policyTypes": "depends on whether there are rules for egress",
    "PersistentVolumeClaim.apiVersion": "written over, in a template",
    "PersistentVolumeClaim.kind": "written over, in a template",
    "PersistentVolumeClaimSpec.dataSource": "the same as dataSourceRef",
    "PersistentVolumeClaimSpec.dataSourceRef": "the same as dataSource",
    "PodSpec.serviceAccount": "the old name of serviceAccountName",
    "PodSpec.serviceAccountName": "the new name of serviceAccount",
    "ResourceRequirements.limits": "of a pod as a whole: huge pages, from its containers",
    "ResourceRequirements.requests": "the limits, in a pod",
    "Secret.data": "what stringData has",
    "ServicePort.targetPort": "the port",
    "ServiceSpec.allocateLoadBalancerNodePorts": "depends on the type",
    "ServiceSpec.externalTrafficPolicy": "depends on the type",
    "ServiceSpec.internalTrafficPolicy": "depends on the type",
    "ServiceSpec.sessionAffinityConfig": "depends on the affinity",
    "StatefulSetUpdateStrategy.rollingUpdate": "depends on the type",
    "Subject.apiGroup": "depends on the kind",
    "Volume.emptyDir": "where no other source is given",
}
"""By field: on what its default depends, so that it is a rule in code."""

REWRITTEN: dict[str, str] = {
    "Container.lifecycle": "goes with the stop signal, a feature that is off",
    "CSIDriverSpec.preventPodSchedulingIfMissing": "a feature that is off",
    "Endpoint.deprecatedTopology": "dropped",
    "LeaseSpec.preferredHolder": "a feature that is off",
    "LeaseSpec.strategy": "a feature that is off",
    "NodeSpec.configSource": "a feature that is gone",
    "ObjectReference.apiVersion": "dropped from the secrets of a service account",
    "ObjectReference.fieldPath": "dropped from the secrets of a service account",
    "ObjectReference.kind": "dropped from the secrets of a service account",
    "ObjectReference.namespace": "dropped from the secrets of a service account",
    "ObjectReference.resourceVersion": "dropped from the secrets of a service account",
    "ObjectReference.uid": "dropped from the secrets of a service account",
    "PodSpec.schedulingGroup": "a feature that is off",
    "PodSpec.terminationGracePeriodSeconds": "one below zero becomes one, in a pod",
    "RollingUpdateStatefulSetStrategy.maxUnavailable": "a feature that is off",
    "Secret.stringData": "becomes data",
    "VolumeProjection.clusterTrustBundle": "a feature that is off",
    "VolumeProjection.podCertificate": "a feature that is off",
}
"""By field: why it does not come back as it was given; a rule in code does the same."""

BEYOND: dict[str, str] = {
    "JobSpec.selector": "made with the identity of the job",
    "NamespaceSpec.finalizers": "set once, when a namespace is created",
    "NodeSpec.taints": "admission: a new node is not ready",
    "PersistentVolumeStatus.lastPhaseTransitionTime": "the time",
    "PodSpec.preemptionPolicy": "admission: of the priority class",
    "PodSpec.priority": "admission: of the priority class",
    "PodSpec.tolerations": "admission: a lost node is tolerated for five minutes",
    "PodStatus.conditions": "set once, when a pod with scheduling gates is created",
    "PodStatus.phase": "set once, when a pod is created",
    "PodStatus.qosClass": "computed when a pod is created",
    "ServicePort.nodePort": "allocated",
    "ServiceSpec.clusterIP": "allocated",
    "ServiceSpec.clusterIPs": "allocated",
    "ServiceSpec.healthCheckNodePort": "allocated",
    "ServiceSpec.ipFamilies": "of the allocated addresses",
    "ServiceSpec.ipFamilyPolicy": "of the allocated addresses",
}
"""By field: why something that appears is no default; it is set elsewhere on the way of a write."""

ALIKE: dict[str, str] = {"io.k8s.api.core.v1.EphemeralContainer": "io.k8s.api.core.v1.Container"}
"""Definitions that cannot be probed, with those that they are like: ephemeral containers are added later."""
