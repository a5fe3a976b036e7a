"""The kinds of core/v1 and their parts, each loaded when first asked for."""

# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass._lazy import attributes

if TYPE_CHECKING:
    from windlass.kinds.core.v1.aws_elastic_block_store_volume_source import AWSElasticBlockStoreVolumeSource as AWSElasticBlockStoreVolumeSource
    from windlass.kinds.core.v1.pod_spec import Affinity as Affinity
    from windlass.kinds.core.v1.pod_spec import AppArmorProfile as AppArmorProfile
    from windlass.kinds.core.v1.node import AttachedVolume as AttachedVolume
    from windlass.kinds.core.v1.azure_disk_volume_source import AzureDiskVolumeSource as AzureDiskVolumeSource
    from windlass.kinds.core.v1.persistent_volume_spec import AzureFilePersistentVolumeSource as AzureFilePersistentVolumeSource
    from windlass.kinds.core.v1.pod_spec import AzureFileVolumeSource as AzureFileVolumeSource
    from windlass.kinds.core.v1.binding import Binding as Binding
    from windlass.kinds.core.v1.persistent_volume_spec import CSIPersistentVolumeSource as CSIPersistentVolumeSource
    from windlass.kinds.core.v1.pod_spec import CSIVolumeSource as CSIVolumeSource
    from windlass.kinds.core.v1.pod_spec import Capabilities as Capabilities
    from windlass.kinds.core.v1.persistent_volume_spec import CephFSPersistentVolumeSource as CephFSPersistentVolumeSource
    from windlass.kinds.core.v1.pod_spec import CephFSVolumeSource as CephFSVolumeSource
    from windlass.kinds.core.v1.persistent_volume_spec import CinderPersistentVolumeSource as CinderPersistentVolumeSource
    from windlass.kinds.core.v1.pod_spec import CinderVolumeSource as CinderVolumeSource
    from windlass.kinds.core.v1.service import ClientIPConfig as ClientIPConfig
    from windlass.kinds.core.v1.pod_spec import ClusterTrustBundleProjection as ClusterTrustBundleProjection
    from windlass.kinds.core.v1.component_status import ComponentCondition as ComponentCondition
    from windlass.kinds.core.v1.component_status import ComponentStatus as ComponentStatus
    from windlass.kinds.core.v1.config_map import ConfigMap as ConfigMap
    from windlass.kinds.core.v1.pod_spec import ConfigMapEnvSource as ConfigMapEnvSource
    from windlass.kinds.core.v1.pod_spec import ConfigMapKeySelector as ConfigMapKeySelector
    from windlass.kinds.core.v1.node import ConfigMapNodeConfigSource as ConfigMapNodeConfigSource
    from windlass.kinds.core.v1.pod_spec import ConfigMapProjection as ConfigMapProjection
    from windlass.kinds.core.v1.pod_spec import ConfigMapVolumeSource as ConfigMapVolumeSource
    from windlass.kinds.core.v1.pod_spec import Container as Container
    from windlass.kinds.core.v1.pod import ContainerExtendedResourceRequest as ContainerExtendedResourceRequest
    from windlass.kinds.core.v1.node import ContainerImage as ContainerImage
    from windlass.kinds.core.v1.pod_spec import ContainerPort as ContainerPort
    from windlass.kinds.core.v1.pod_spec import ContainerResizePolicy as ContainerResizePolicy
    from windlass.kinds.core.v1.pod_spec import ContainerRestartRule as ContainerRestartRule
    from windlass.kinds.core.v1.pod_spec import ContainerRestartRuleOnExitCodes as ContainerRestartRuleOnExitCodes
    from windlass.kinds.core.v1.pod import ContainerState as ContainerState
    from windlass.kinds.core.v1.pod import ContainerStateRunning as ContainerStateRunning
    from windlass.kinds.core.v1.pod import ContainerStateTerminated as ContainerStateTerminated
    from windlass.kinds.core.v1.pod import ContainerStateWaiting as ContainerStateWaiting
    from windlass.kinds.core.v1.pod import ContainerStatus as ContainerStatus
    from windlass.kinds.core.v1.pod import ContainerUser as ContainerUser
    from windlass.kinds.core.v1.node import DaemonEndpoint as DaemonEndpoint
    from windlass.kinds.core.v1.pod_spec import DownwardAPIProjection as DownwardAPIProjection
    from windlass.kinds.core.v1.pod_spec import DownwardAPIVolumeFile as DownwardAPIVolumeFile
    from windlass.kinds.core.v1.pod_spec import DownwardAPIVolumeSource as DownwardAPIVolumeSource
    from windlass.kinds.core.v1.pod_spec import EmptyDirVolumeSource as EmptyDirVolumeSource
    from windlass.kinds.core.v1.endpoints import EndpointAddress as EndpointAddress
    from windlass.kinds.core.v1.endpoints import EndpointPort as EndpointPort
    from windlass.kinds.core.v1.endpoints import EndpointSubset as EndpointSubset
    from windlass.kinds.core.v1.endpoints import Endpoints as Endpoints
    from windlass.kinds.core.v1.pod_spec import EnvFromSource as EnvFromSource
    from windlass.kinds.core.v1.pod_spec import EnvVar as EnvVar
    from windlass.kinds.core.v1.pod_spec import EnvVarSource as EnvVarSource
    from windlass.kinds.core.v1.pod_spec import EphemeralContainer as EphemeralContainer
    from windlass.kinds.core.v1.pod_spec import EphemeralVolumeSource as EphemeralVolumeSource
    from windlass.kinds.core.v1.event import Event as Event
    from windlass.kinds.core.v1.event import EventSeries as EventSeries
    from windlass.kinds.core.v1.event_source import EventSource as EventSource
    from windlass.kinds.core.v1.pod_spec import ExecAction as ExecAction
    from windlass.kinds.core.v1.fc_volume_source import FCVolumeSource as FCVolumeSource
    from windlass.kinds.core.v1.pod_spec import FileKeySelector as FileKeySelector
    from windlass.kinds.core.v1.persistent_volume_spec import FlexPersistentVolumeSource as FlexPersistentVolumeSource
    from windlass.kinds.core.v1.pod_spec import FlexVolumeSource as FlexVolumeSource
    from windlass.kinds.core.v1.flocker_volume_source import FlockerVolumeSource as FlockerVolumeSource
    from windlass.kinds.core.v1.gce_persistent_disk_volume_source import GCEPersistentDiskVolumeSource as GCEPersistentDiskVolumeSource
    from windlass.kinds.core.v1.pod_spec import GRPCAction as GRPCAction
    from windlass.kinds.core.v1.pod_spec import GitRepoVolumeSource as GitRepoVolumeSource
    from windlass.kinds.core.v1.persistent_volume_spec import GlusterfsPersistentVolumeSource as GlusterfsPersistentVolumeSource
    from windlass.kinds.core.v1.pod_spec import GlusterfsVolumeSource as GlusterfsVolumeSource
    from windlass.kinds.core.v1.pod_spec import HTTPGetAction as HTTPGetAction
    from windlass.kinds.core.v1.pod_spec import HTTPHeader as HTTPHeader
    from windlass.kinds.core.v1.pod_spec import HostAlias as HostAlias
    from windlass.kinds.core.v1.pod import HostIP as HostIP
    from windlass.kinds.core.v1.host_path_volume_source import HostPathVolumeSource as HostPathVolumeSource
    from windlass.kinds.core.v1.persistent_volume_spec import ISCSIPersistentVolumeSource as ISCSIPersistentVolumeSource
    from windlass.kinds.core.v1.pod_spec import ISCSIVolumeSource as ISCSIVolumeSource
    from windlass.kinds.core.v1.pod_spec import ImageVolumeSource as ImageVolumeSource
    from windlass.kinds.core.v1.pod import ImageVolumeStatus as ImageVolumeStatus
    from windlass.kinds.core.v1.pod_spec import KeyToPath as KeyToPath
    from windlass.kinds.core.v1.pod_spec import Lifecycle as Lifecycle
    from windlass.kinds.core.v1.pod_spec import LifecycleHandler as LifecycleHandler
    from windlass.kinds.core.v1.limit_range import LimitRange as LimitRange
    from windlass.kinds.core.v1.limit_range import LimitRangeItem as LimitRangeItem
    from windlass.kinds.core.v1.limit_range import LimitRangeSpec as LimitRangeSpec
    from windlass.kinds.core.v1.pod import LinuxContainerUser as LinuxContainerUser
    from windlass.kinds.core.v1.service import LoadBalancerIngress as LoadBalancerIngress
    from windlass.kinds.core.v1.service import LoadBalancerStatus as LoadBalancerStatus
    from windlass.kinds.core.v1.local_object_reference import LocalObjectReference as LocalObjectReference
    from windlass.kinds.core.v1.persistent_volume_spec import LocalVolumeSource as LocalVolumeSource
    from windlass.kinds.core.v1.persistent_volume_claim import ModifyVolumeStatus as ModifyVolumeStatus
    from windlass.kinds.core.v1.nfs_volume_source import NFSVolumeSource as NFSVolumeSource
    from windlass.kinds.core.v1.namespace import Namespace as Namespace
    from windlass.kinds.core.v1.namespace import NamespaceCondition as NamespaceCondition
    from windlass.kinds.core.v1.namespace import NamespaceSpec as NamespaceSpec
    from windlass.kinds.core.v1.namespace import NamespaceStatus as NamespaceStatus
    from windlass.kinds.core.v1.node import Node as Node
    from windlass.kinds.core.v1.node import NodeAddress as NodeAddress
    from windlass.kinds.core.v1.pod_spec import NodeAffinity as NodeAffinity
    from windlass.kinds.core.v1.pod import NodeAllocatableResourceClaimStatus as NodeAllocatableResourceClaimStatus
    from windlass.kinds.core.v1.node import NodeCondition as NodeCondition
    from windlass.kinds.core.v1.node import NodeConfigSource as NodeConfigSource
    from windlass.kinds.core.v1.node import NodeConfigStatus as NodeConfigStatus
    from windlass.kinds.core.v1.node import NodeDaemonEndpoints as NodeDaemonEndpoints
    from windlass.kinds.core.v1.node import NodeFeatures as NodeFeatures
    from windlass.kinds.core.v1.node import NodeRuntimeHandler as NodeRuntimeHandler
    from windlass.kinds.core.v1.node import NodeRuntimeHandlerFeatures as NodeRuntimeHandlerFeatures
    from windlass.kinds.core.v1.node_selector import NodeSelector as NodeSelector
    from windlass.kinds.core.v1.node_selector_term import NodeSelectorRequirement as NodeSelectorRequirement
    from windlass.kinds.core.v1.node_selector_term import NodeSelectorTerm as NodeSelectorTerm
    from windlass.kinds.core.v1.node import NodeSpec as NodeSpec
    from windlass.kinds.core.v1.node import NodeStatus as NodeStatus
    from windlass.kinds.core.v1.node import NodeSwapStatus as NodeSwapStatus
    from windlass.kinds.core.v1.node import NodeSystemInfo as NodeSystemInfo
    from windlass.kinds.core.v1.pod_spec import ObjectFieldSelector as ObjectFieldSelector
    from windlass.kinds.core.v1.object_reference import ObjectReference as ObjectReference
    from windlass.kinds.core.v1.persistent_volume import PersistentVolume as PersistentVolume
    from windlass.kinds.core.v1.persistent_volume_claim import PersistentVolumeClaim as PersistentVolumeClaim
    from windlass.kinds.core.v1.persistent_volume_claim import PersistentVolumeClaimCondition as PersistentVolumeClaimCondition
    from windlass.kinds.core.v1.persistent_volume_claim_spec import PersistentVolumeClaimSpec as PersistentVolumeClaimSpec
    from windlass.kinds.core.v1.persistent_volume_claim import PersistentVolumeClaimStatus as PersistentVolumeClaimStatus
    from windlass.kinds.core.v1.pod_spec import PersistentVolumeClaimTemplate as PersistentVolumeClaimTemplate
    from windlass.kinds.core.v1.pod_spec import PersistentVolumeClaimVolumeSource as PersistentVolumeClaimVolumeSource
    from windlass.kinds.core.v1.persistent_volume_spec import PersistentVolumeSpec as PersistentVolumeSpec
    from windlass.kinds.core.v1.persistent_volume import PersistentVolumeStatus as PersistentVolumeStatus
    from windlass.kinds.core.v1.photon_persistent_disk_volume_source import PhotonPersistentDiskVolumeSource as PhotonPersistentDiskVolumeSource
    from windlass.kinds.core.v1.pod import Pod as Pod
    from windlass.kinds.core.v1.pod_spec import PodAffinity as PodAffinity
    from windlass.kinds.core.v1.pod_spec import PodAffinityTerm as PodAffinityTerm
    from windlass.kinds.core.v1.pod_spec import PodAntiAffinity as PodAntiAffinity
    from windlass.kinds.core.v1.pod_spec import PodCertificateProjection as PodCertificateProjection
    from windlass.kinds.core.v1.pod import PodCondition as PodCondition
    from windlass.kinds.core.v1.pod_spec import PodDNSConfig as PodDNSConfig
    from windlass.kinds.core.v1.pod_spec import PodDNSConfigOption as PodDNSConfigOption
    from windlass.kinds.core.v1.pod import PodExtendedResourceClaimStatus as PodExtendedResourceClaimStatus
    from windlass.kinds.core.v1.pod import PodIP as PodIP
    from windlass.kinds.core.v1.pod_spec import PodOS as PodOS
    from windlass.kinds.core.v1.pod_spec import PodReadinessGate as PodReadinessGate
    from windlass.kinds.core.v1.pod_spec import PodResourceClaim as PodResourceClaim
    from windlass.kinds.core.v1.pod import PodResourceClaimStatus as PodResourceClaimStatus
    from windlass.kinds.core.v1.pod_spec import PodSchedulingGate as PodSchedulingGate
    from windlass.kinds.core.v1.pod_spec import PodSchedulingGroup as PodSchedulingGroup
    from windlass.kinds.core.v1.pod_spec import PodSecurityContext as PodSecurityContext
    from windlass.kinds.core.v1.pod_spec import PodSpec as PodSpec
    from windlass.kinds.core.v1.pod import PodStatus as PodStatus
    from windlass.kinds.core.v1.pod_template import PodTemplate as PodTemplate
    from windlass.kinds.core.v1.pod_template_spec import PodTemplateSpec as PodTemplateSpec
    from windlass.kinds.core.v1.service import PortStatus as PortStatus
    from windlass.kinds.core.v1.portworx_volume_source import PortworxVolumeSource as PortworxVolumeSource
    from windlass.kinds.core.v1.pod_spec import PreferredSchedulingTerm as PreferredSchedulingTerm
    from windlass.kinds.core.v1.pod_spec import Probe as Probe
    from windlass.kinds.core.v1.pod_spec import ProjectedVolumeSource as ProjectedVolumeSource
    from windlass.kinds.core.v1.quobyte_volume_source import QuobyteVolumeSource as QuobyteVolumeSource
    from windlass.kinds.core.v1.persistent_volume_spec import RBDPersistentVolumeSource as RBDPersistentVolumeSource
    from windlass.kinds.core.v1.pod_spec import RBDVolumeSource as RBDVolumeSource
    from windlass.kinds.core.v1.replication_controller import ReplicationController as ReplicationController
    from windlass.kinds.core.v1.replication_controller import ReplicationControllerCondition as ReplicationControllerCondition
    from windlass.kinds.core.v1.replication_controller import ReplicationControllerSpec as ReplicationControllerSpec
    from windlass.kinds.core.v1.replication_controller import ReplicationControllerStatus as ReplicationControllerStatus
    from windlass.kinds.core.v1.resource_requirements import ResourceClaim as ResourceClaim
    from windlass.kinds.core.v1.pod_spec import ResourceFieldSelector as ResourceFieldSelector
    from windlass.kinds.core.v1.pod import ResourceHealth as ResourceHealth
    from windlass.kinds.core.v1.resource_quota import ResourceQuota as ResourceQuota
    from windlass.kinds.core.v1.resource_quota import ResourceQuotaSpec as ResourceQuotaSpec
    from windlass.kinds.core.v1.resource_quota import ResourceQuotaStatus as ResourceQuotaStatus
    from windlass.kinds.core.v1.resource_requirements import ResourceRequirements as ResourceRequirements
    from windlass.kinds.core.v1.pod import ResourceStatus as ResourceStatus
    from windlass.kinds.core.v1.pod_spec import SELinuxOptions as SELinuxOptions
    from windlass.kinds.core.v1.persistent_volume_spec import ScaleIOPersistentVolumeSource as ScaleIOPersistentVolumeSource
    from windlass.kinds.core.v1.pod_spec import ScaleIOVolumeSource as ScaleIOVolumeSource
    from windlass.kinds.core.v1.resource_quota import ScopeSelector as ScopeSelector
    from windlass.kinds.core.v1.resource_quota import ScopedResourceSelectorRequirement as ScopedResourceSelectorRequirement
    from windlass.kinds.core.v1.pod_spec import SeccompProfile as SeccompProfile
    from windlass.kinds.core.v1.secret import Secret as Secret
    from windlass.kinds.core.v1.pod_spec import SecretEnvSource as SecretEnvSource
    from windlass.kinds.core.v1.pod_spec import SecretKeySelector as SecretKeySelector
    from windlass.kinds.core.v1.pod_spec import SecretProjection as SecretProjection
    from windlass.kinds.core.v1.persistent_volume_spec import SecretReference as SecretReference
    from windlass.kinds.core.v1.pod_spec import SecretVolumeSource as SecretVolumeSource
    from windlass.kinds.core.v1.pod_spec import SecurityContext as SecurityContext
    from windlass.kinds.core.v1.service import Service as Service
    from windlass.kinds.core.v1.service_account import ServiceAccount as ServiceAccount
    from windlass.kinds.core.v1.pod_spec import ServiceAccountTokenProjection as ServiceAccountTokenProjection
    from windlass.kinds.core.v1.service import ServicePort as ServicePort
    from windlass.kinds.core.v1.service import ServiceSpec as ServiceSpec
    from windlass.kinds.core.v1.service import ServiceStatus as ServiceStatus
    from windlass.kinds.core.v1.service import SessionAffinityConfig as SessionAffinityConfig
    from windlass.kinds.core.v1.pod_spec import SleepAction as SleepAction
    from windlass.kinds.core.v1.persistent_volume_spec import StorageOSPersistentVolumeSource as StorageOSPersistentVolumeSource
    from windlass.kinds.core.v1.pod_spec import StorageOSVolumeSource as StorageOSVolumeSource
    from windlass.kinds.core.v1.pod_spec import Sysctl as Sysctl
    from windlass.kinds.core.v1.pod_spec import TCPSocketAction as TCPSocketAction
    from windlass.kinds.core.v1.node import Taint as Taint
    from windlass.kinds.core.v1.toleration import Toleration as Toleration
    from windlass.kinds.storage.v1.storage_class import TopologySelectorLabelRequirement as TopologySelectorLabelRequirement
    from windlass.kinds.storage.v1.storage_class import TopologySelectorTerm as TopologySelectorTerm
    from windlass.kinds.core.v1.pod_spec import TopologySpreadConstraint as TopologySpreadConstraint
    from windlass.kinds.core.v1.typed_local_object_reference import TypedLocalObjectReference as TypedLocalObjectReference
    from windlass.kinds.core.v1.persistent_volume_claim_spec import TypedObjectReference as TypedObjectReference
    from windlass.kinds.core.v1.pod_spec import Volume as Volume
    from windlass.kinds.core.v1.pod_spec import VolumeDevice as VolumeDevice
    from windlass.kinds.core.v1.pod_spec import VolumeMount as VolumeMount
    from windlass.kinds.core.v1.pod import VolumeMountStatus as VolumeMountStatus
    from windlass.kinds.core.v1.persistent_volume_spec import VolumeNodeAffinity as VolumeNodeAffinity
    from windlass.kinds.core.v1.pod_spec import VolumeProjection as VolumeProjection
    from windlass.kinds.core.v1.persistent_volume_claim_spec import VolumeResourceRequirements as VolumeResourceRequirements
    from windlass.kinds.core.v1.pod import VolumeStatus as VolumeStatus
    from windlass.kinds.core.v1.vsphere_virtual_disk_volume_source import VsphereVirtualDiskVolumeSource as VsphereVirtualDiskVolumeSource
    from windlass.kinds.core.v1.pod_spec import WeightedPodAffinityTerm as WeightedPodAffinityTerm
    from windlass.kinds.core.v1.pod_spec import WindowsSecurityContextOptions as WindowsSecurityContextOptions

__lazy__ = {
    "AWSElasticBlockStoreVolumeSource": "windlass.kinds.core.v1.aws_elastic_block_store_volume_source",
    "Affinity": "windlass.kinds.core.v1.pod_spec",
    "AppArmorProfile": "windlass.kinds.core.v1.pod_spec",
    "AttachedVolume": "windlass.kinds.core.v1.node",
    "AzureDiskVolumeSource": "windlass.kinds.core.v1.azure_disk_volume_source",
    "AzureFilePersistentVolumeSource": "windlass.kinds.core.v1.persistent_volume_spec",
    "AzureFileVolumeSource": "windlass.kinds.core.v1.pod_spec",
    "Binding": "windlass.kinds.core.v1.binding",
    "CSIPersistentVolumeSource": "windlass.kinds.core.v1.persistent_volume_spec",
    "CSIVolumeSource": "windlass.kinds.core.v1.pod_spec",
    "Capabilities": "windlass.kinds.core.v1.pod_spec",
    "CephFSPersistentVolumeSource": "windlass.kinds.core.v1.persistent_volume_spec",
    "CephFSVolumeSource": "windlass.kinds.core.v1.pod_spec",
    "CinderPersistentVolumeSource": "windlass.kinds.core.v1.persistent_volume_spec",
    "CinderVolumeSource": "windlass.kinds.core.v1.pod_spec",
    "ClientIPConfig": "windlass.kinds.core.v1.service",
    "ClusterTrustBundleProjection": "windlass.kinds.core.v1.pod_spec",
    "ComponentCondition": "windlass.kinds.core.v1.component_status",
    "ComponentStatus": "windlass.kinds.core.v1.component_status",
    "ConfigMap": "windlass.kinds.core.v1.config_map",
    "ConfigMapEnvSource": "windlass.kinds.core.v1.pod_spec",
    "ConfigMapKeySelector": "windlass.kinds.core.v1.pod_spec",
    "ConfigMapNodeConfigSource": "windlass.kinds.core.v1.node",
    "ConfigMapProjection": "windlass.kinds.core.v1.pod_spec",
    "ConfigMapVolumeSource": "windlass.kinds.core.v1.pod_spec",
    "Container": "windlass.kinds.core.v1.pod_spec",
    "ContainerExtendedResourceRequest": "windlass.kinds.core.v1.pod",
    "ContainerImage": "windlass.kinds.core.v1.node",
    "ContainerPort": "windlass.kinds.core.v1.pod_spec",
    "ContainerResizePolicy": "windlass.kinds.core.v1.pod_spec",
    "ContainerRestartRule": "windlass.kinds.core.v1.pod_spec",
    "ContainerRestartRuleOnExitCodes": "windlass.kinds.core.v1.pod_spec",
    "ContainerState": "windlass.kinds.core.v1.pod",
    "ContainerStateRunning": "windlass.kinds.core.v1.pod",
    "ContainerStateTerminated": "windlass.kinds.core.v1.pod",
    "ContainerStateWaiting": "windlass.kinds.core.v1.pod",
    "ContainerStatus": "windlass.kinds.core.v1.pod",
    "ContainerUser": "windlass.kinds.core.v1.pod",
    "DaemonEndpoint": "windlass.kinds.core.v1.node",
    "DownwardAPIProjection": "windlass.kinds.core.v1.pod_spec",
    "DownwardAPIVolumeFile": "windlass.kinds.core.v1.pod_spec",
    "DownwardAPIVolumeSource": "windlass.kinds.core.v1.pod_spec",
    "EmptyDirVolumeSource": "windlass.kinds.core.v1.pod_spec",
    "EndpointAddress": "windlass.kinds.core.v1.endpoints",
    "EndpointPort": "windlass.kinds.core.v1.endpoints",
    "EndpointSubset": "windlass.kinds.core.v1.endpoints",
    "Endpoints": "windlass.kinds.core.v1.endpoints",
    "EnvFromSource": "windlass.kinds.core.v1.pod_spec",
    "EnvVar": "windlass.kinds.core.v1.pod_spec",
    "EnvVarSource": "windlass.kinds.core.v1.pod_spec",
    "EphemeralContainer": "windlass.kinds.core.v1.pod_spec",
    "EphemeralVolumeSource": "windlass.kinds.core.v1.pod_spec",
    "Event": "windlass.kinds.core.v1.event",
    "EventSeries": "windlass.kinds.core.v1.event",
    "EventSource": "windlass.kinds.core.v1.event_source",
    "ExecAction": "windlass.kinds.core.v1.pod_spec",
    "FCVolumeSource": "windlass.kinds.core.v1.fc_volume_source",
    "FileKeySelector": "windlass.kinds.core.v1.pod_spec",
    "FlexPersistentVolumeSource": "windlass.kinds.core.v1.persistent_volume_spec",
    "FlexVolumeSource": "windlass.kinds.core.v1.pod_spec",
    "FlockerVolumeSource": "windlass.kinds.core.v1.flocker_volume_source",
    "GCEPersistentDiskVolumeSource": "windlass.kinds.core.v1.gce_persistent_disk_volume_source",
    "GRPCAction": "windlass.kinds.core.v1.pod_spec",
    "GitRepoVolumeSource": "windlass.kinds.core.v1.pod_spec",
    "GlusterfsPersistentVolumeSource": "windlass.kinds.core.v1.persistent_volume_spec",
    "GlusterfsVolumeSource": "windlass.kinds.core.v1.pod_spec",
    "HTTPGetAction": "windlass.kinds.core.v1.pod_spec",
    "HTTPHeader": "windlass.kinds.core.v1.pod_spec",
    "HostAlias": "windlass.kinds.core.v1.pod_spec",
    "HostIP": "windlass.kinds.core.v1.pod",
    "HostPathVolumeSource": "windlass.kinds.core.v1.host_path_volume_source",
    "ISCSIPersistentVolumeSource": "windlass.kinds.core.v1.persistent_volume_spec",
    "ISCSIVolumeSource": "windlass.kinds.core.v1.pod_spec",
    "ImageVolumeSource": "windlass.kinds.core.v1.pod_spec",
    "ImageVolumeStatus": "windlass.kinds.core.v1.pod",
    "KeyToPath": "windlass.kinds.core.v1.pod_spec",
    "Lifecycle": "windlass.kinds.core.v1.pod_spec",
    "LifecycleHandler": "windlass.kinds.core.v1.pod_spec",
    "LimitRange": "windlass.kinds.core.v1.limit_range",
    "LimitRangeItem": "windlass.kinds.core.v1.limit_range",
    "LimitRangeSpec": "windlass.kinds.core.v1.limit_range",
    "LinuxContainerUser": "windlass.kinds.core.v1.pod",
    "LoadBalancerIngress": "windlass.kinds.core.v1.service",
    "LoadBalancerStatus": "windlass.kinds.core.v1.service",
    "LocalObjectReference": "windlass.kinds.core.v1.local_object_reference",
    "LocalVolumeSource": "windlass.kinds.core.v1.persistent_volume_spec",
    "ModifyVolumeStatus": "windlass.kinds.core.v1.persistent_volume_claim",
    "NFSVolumeSource": "windlass.kinds.core.v1.nfs_volume_source",
    "Namespace": "windlass.kinds.core.v1.namespace",
    "NamespaceCondition": "windlass.kinds.core.v1.namespace",
    "NamespaceSpec": "windlass.kinds.core.v1.namespace",
    "NamespaceStatus": "windlass.kinds.core.v1.namespace",
    "Node": "windlass.kinds.core.v1.node",
    "NodeAddress": "windlass.kinds.core.v1.node",
    "NodeAffinity": "windlass.kinds.core.v1.pod_spec",
    "NodeAllocatableResourceClaimStatus": "windlass.kinds.core.v1.pod",
    "NodeCondition": "windlass.kinds.core.v1.node",
    "NodeConfigSource": "windlass.kinds.core.v1.node",
    "NodeConfigStatus": "windlass.kinds.core.v1.node",
    "NodeDaemonEndpoints": "windlass.kinds.core.v1.node",
    "NodeFeatures": "windlass.kinds.core.v1.node",
    "NodeRuntimeHandler": "windlass.kinds.core.v1.node",
    "NodeRuntimeHandlerFeatures": "windlass.kinds.core.v1.node",
    "NodeSelector": "windlass.kinds.core.v1.node_selector",
    "NodeSelectorRequirement": "windlass.kinds.core.v1.node_selector_term",
    "NodeSelectorTerm": "windlass.kinds.core.v1.node_selector_term",
    "NodeSpec": "windlass.kinds.core.v1.node",
    "NodeStatus": "windlass.kinds.core.v1.node",
    "NodeSwapStatus": "windlass.kinds.core.v1.node",
    "NodeSystemInfo": "windlass.kinds.core.v1.node",
    "ObjectFieldSelector": "windlass.kinds.core.v1.pod_spec",
    "ObjectReference": "windlass.kinds.core.v1.object_reference",
    "PersistentVolume": "windlass.kinds.core.v1.persistent_volume",
    "PersistentVolumeClaim": "windlass.kinds.core.v1.persistent_volume_claim",
    "PersistentVolumeClaimCondition": "windlass.kinds.core.v1.persistent_volume_claim",
    "PersistentVolumeClaimSpec": "windlass.kinds.core.v1.persistent_volume_claim_spec",
    "PersistentVolumeClaimStatus": "windlass.kinds.core.v1.persistent_volume_claim",
    "PersistentVolumeClaimTemplate": "windlass.kinds.core.v1.pod_spec",
    "PersistentVolumeClaimVolumeSource": "windlass.kinds.core.v1.pod_spec",
    "PersistentVolumeSpec": "windlass.kinds.core.v1.persistent_volume_spec",
    "PersistentVolumeStatus": "windlass.kinds.core.v1.persistent_volume",
    "PhotonPersistentDiskVolumeSource": "windlass.kinds.core.v1.photon_persistent_disk_volume_source",
    "Pod": "windlass.kinds.core.v1.pod",
    "PodAffinity": "windlass.kinds.core.v1.pod_spec",
    "PodAffinityTerm": "windlass.kinds.core.v1.pod_spec",
    "PodAntiAffinity": "windlass.kinds.core.v1.pod_spec",
    "PodCertificateProjection": "windlass.kinds.core.v1.pod_spec",
    "PodCondition": "windlass.kinds.core.v1.pod",
    "PodDNSConfig": "windlass.kinds.core.v1.pod_spec",
    "PodDNSConfigOption": "windlass.kinds.core.v1.pod_spec",
    "PodExtendedResourceClaimStatus": "windlass.kinds.core.v1.pod",
    "PodIP": "windlass.kinds.core.v1.pod",
    "PodOS": "windlass.kinds.core.v1.pod_spec",
    "PodReadinessGate": "windlass.kinds.core.v1.pod_spec",
    "PodResourceClaim": "windlass.kinds.core.v1.pod_spec",
    "PodResourceClaimStatus": "windlass.kinds.core.v1.pod",
    "PodSchedulingGate": "windlass.kinds.core.v1.pod_spec",
    "PodSchedulingGroup": "windlass.kinds.core.v1.pod_spec",
    "PodSecurityContext": "windlass.kinds.core.v1.pod_spec",
    "PodSpec": "windlass.kinds.core.v1.pod_spec",
    "PodStatus": "windlass.kinds.core.v1.pod",
    "PodTemplate": "windlass.kinds.core.v1.pod_template",
    "PodTemplateSpec": "windlass.kinds.core.v1.pod_template_spec",
    "PortStatus": "windlass.kinds.core.v1.service",
    "PortworxVolumeSource": "windlass.kinds.core.v1.portworx_volume_source",
    "PreferredSchedulingTerm": "windlass.kinds.core.v1.pod_spec",
    "Probe": "windlass.kinds.core.v1.pod_spec",
    "ProjectedVolumeSource": "windlass.kinds.core.v1.pod_spec",
    "QuobyteVolumeSource": "windlass.kinds.core.v1.quobyte_volume_source",
    "RBDPersistentVolumeSource": "windlass.kinds.core.v1.persistent_volume_spec",
    "RBDVolumeSource": "windlass.kinds.core.v1.pod_spec",
    "ReplicationController": "windlass.kinds.core.v1.replication_controller",
    "ReplicationControllerCondition": "windlass.kinds.core.v1.replication_controller",
    "ReplicationControllerSpec": "windlass.kinds.core.v1.replication_controller",
    "ReplicationControllerStatus": "windlass.kinds.core.v1.replication_controller",
    "ResourceClaim": "windlass.kinds.core.v1.resource_requirements",
    "ResourceFieldSelector": "windlass.kinds.core.v1.pod_spec",
    "ResourceHealth": "windlass.kinds.core.v1.pod",
    "ResourceQuota": "windlass.kinds.core.v1.resource_quota",
    "ResourceQuotaSpec": "windlass.kinds.core.v1.resource_quota",
    "ResourceQuotaStatus": "windlass.kinds.core.v1.resource_quota",
    "ResourceRequirements": "windlass.kinds.core.v1.resource_requirements",
    "ResourceStatus": "windlass.kinds.core.v1.pod",
    "SELinuxOptions": "windlass.kinds.core.v1.pod_spec",
    "ScaleIOPersistentVolumeSource": "windlass.kinds.core.v1.persistent_volume_spec",
    "ScaleIOVolumeSource": "windlass.kinds.core.v1.pod_spec",
    "ScopeSelector": "windlass.kinds.core.v1.resource_quota",
    "ScopedResourceSelectorRequirement": "windlass.kinds.core.v1.resource_quota",
    "SeccompProfile": "windlass.kinds.core.v1.pod_spec",
    "Secret": "windlass.kinds.core.v1.secret",
    "SecretEnvSource": "windlass.kinds.core.v1.pod_spec",
    "SecretKeySelector": "windlass.kinds.core.v1.pod_spec",
    "SecretProjection": "windlass.kinds.core.v1.pod_spec",
    "SecretReference": "windlass.kinds.core.v1.persistent_volume_spec",
    "SecretVolumeSource": "windlass.kinds.core.v1.pod_spec",
    "SecurityContext": "windlass.kinds.core.v1.pod_spec",
    "Service": "windlass.kinds.core.v1.service",
    "ServiceAccount": "windlass.kinds.core.v1.service_account",
    "ServiceAccountTokenProjection": "windlass.kinds.core.v1.pod_spec",
    "ServicePort": "windlass.kinds.core.v1.service",
    "ServiceSpec": "windlass.kinds.core.v1.service",
    "ServiceStatus": "windlass.kinds.core.v1.service",
    "SessionAffinityConfig": "windlass.kinds.core.v1.service",
    "SleepAction": "windlass.kinds.core.v1.pod_spec",
    "StorageOSPersistentVolumeSource": "windlass.kinds.core.v1.persistent_volume_spec",
    "StorageOSVolumeSource": "windlass.kinds.core.v1.pod_spec",
    "Sysctl": "windlass.kinds.core.v1.pod_spec",
    "TCPSocketAction": "windlass.kinds.core.v1.pod_spec",
    "Taint": "windlass.kinds.core.v1.node",
    "Toleration": "windlass.kinds.core.v1.toleration",
    "TopologySelectorLabelRequirement": "windlass.kinds.storage.v1.storage_class",
    "TopologySelectorTerm": "windlass.kinds.storage.v1.storage_class",
    "TopologySpreadConstraint": "windlass.kinds.core.v1.pod_spec",
    "TypedLocalObjectReference": "windlass.kinds.core.v1.typed_local_object_reference",
    "TypedObjectReference": "windlass.kinds.core.v1.persistent_volume_claim_spec",
    "Volume": "windlass.kinds.core.v1.pod_spec",
    "VolumeDevice": "windlass.kinds.core.v1.pod_spec",
    "VolumeMount": "windlass.kinds.core.v1.pod_spec",
    "VolumeMountStatus": "windlass.kinds.core.v1.pod",
    "VolumeNodeAffinity": "windlass.kinds.core.v1.persistent_volume_spec",
    "VolumeProjection": "windlass.kinds.core.v1.pod_spec",
    "VolumeResourceRequirements": "windlass.kinds.core.v1.persistent_volume_claim_spec",
    "VolumeStatus": "windlass.kinds.core.v1.pod",
    "VsphereVirtualDiskVolumeSource": "windlass.kinds.core.v1.vsphere_virtual_disk_volume_source",
    "WeightedPodAffinityTerm": "windlass.kinds.core.v1.pod_spec",
    "WindowsSecurityContextOptions": "windlass.kinds.core.v1.pod_spec",
}
__all__ = list(__lazy__)
__getattr__, __dir__ = attributes(__name__, __lazy__)
