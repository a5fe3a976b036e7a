# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import Annotated, TYPE_CHECKING

from windlass.api import Field, IntOrString, LabelSelector, Model, ObjectMeta, Quantity, Wire

if TYPE_CHECKING:
    from windlass.kinds.core.v1.aws_elastic_block_store_volume_source import AWSElasticBlockStoreVolumeSource
    from windlass.kinds.core.v1.azure_disk_volume_source import AzureDiskVolumeSource
    from windlass.kinds.core.v1.fc_volume_source import FCVolumeSource
    from windlass.kinds.core.v1.flocker_volume_source import FlockerVolumeSource
    from windlass.kinds.core.v1.gce_persistent_disk_volume_source import GCEPersistentDiskVolumeSource
    from windlass.kinds.core.v1.host_path_volume_source import HostPathVolumeSource
    from windlass.kinds.core.v1.local_object_reference import LocalObjectReference
    from windlass.kinds.core.v1.nfs_volume_source import NFSVolumeSource
    from windlass.kinds.core.v1.node_selector import NodeSelector
    from windlass.kinds.core.v1.node_selector_term import NodeSelectorTerm
    from windlass.kinds.core.v1.persistent_volume_claim_spec import PersistentVolumeClaimSpec
    from windlass.kinds.core.v1.photon_persistent_disk_volume_source import PhotonPersistentDiskVolumeSource
    from windlass.kinds.core.v1.portworx_volume_source import PortworxVolumeSource
    from windlass.kinds.core.v1.quobyte_volume_source import QuobyteVolumeSource
    from windlass.kinds.core.v1.resource_requirements import ResourceRequirements
    from windlass.kinds.core.v1.toleration import Toleration
    from windlass.kinds.core.v1.vsphere_virtual_disk_volume_source import VsphereVirtualDiskVolumeSource

__lazy__ = {
    "AWSElasticBlockStoreVolumeSource": "windlass.kinds.core.v1.aws_elastic_block_store_volume_source",
    "AzureDiskVolumeSource": "windlass.kinds.core.v1.azure_disk_volume_source",
    "FCVolumeSource": "windlass.kinds.core.v1.fc_volume_source",
    "FlockerVolumeSource": "windlass.kinds.core.v1.flocker_volume_source",
    "GCEPersistentDiskVolumeSource": "windlass.kinds.core.v1.gce_persistent_disk_volume_source",
    "HostPathVolumeSource": "windlass.kinds.core.v1.host_path_volume_source",
    "LocalObjectReference": "windlass.kinds.core.v1.local_object_reference",
    "NFSVolumeSource": "windlass.kinds.core.v1.nfs_volume_source",
    "NodeSelector": "windlass.kinds.core.v1.node_selector",
    "NodeSelectorTerm": "windlass.kinds.core.v1.node_selector_term",
    "PersistentVolumeClaimSpec": "windlass.kinds.core.v1.persistent_volume_claim_spec",
    "PhotonPersistentDiskVolumeSource": "windlass.kinds.core.v1.photon_persistent_disk_volume_source",
    "PortworxVolumeSource": "windlass.kinds.core.v1.portworx_volume_source",
    "QuobyteVolumeSource": "windlass.kinds.core.v1.quobyte_volume_source",
    "ResourceRequirements": "windlass.kinds.core.v1.resource_requirements",
    "Toleration": "windlass.kinds.core.v1.toleration",
    "VsphereVirtualDiskVolumeSource": "windlass.kinds.core.v1.vsphere_virtual_disk_volume_source",
}


class PreferredSchedulingTerm(Model):
    preference: "NodeSelectorTerm"
    weight: int


class NodeAffinity(Model):
    preferred_during_scheduling_ignored_during_execution: list[PreferredSchedulingTerm] = []
    required_during_scheduling_ignored_during_execution: "NodeSelector | None" = None


class PodAffinityTerm(Model):
    label_selector: LabelSelector | None = None
    match_label_keys: list[str] = []
    mismatch_label_keys: list[str] = []
    namespace_selector: LabelSelector | None = None
    namespaces: list[str] = []
    topology_key: str


class WeightedPodAffinityTerm(Model):
    pod_affinity_term: PodAffinityTerm
    weight: int


class PodAffinity(Model):
    preferred_during_scheduling_ignored_during_execution: list[WeightedPodAffinityTerm] = []
    required_during_scheduling_ignored_during_execution: list[PodAffinityTerm] = []


class PodAntiAffinity(Model):
    preferred_during_scheduling_ignored_during_execution: list[WeightedPodAffinityTerm] = []
    required_during_scheduling_ignored_during_execution: list[PodAffinityTerm] = []


class Affinity(Model):
    node_affinity: NodeAffinity | None = None
    pod_affinity: PodAffinity | None = None
    pod_anti_affinity: PodAntiAffinity | None = None


class AppArmorProfile(Model):
    localhost_profile: str | None = None
    type: str


class AzureFileVolumeSource(Model):
    read_only: bool | None = None
    secret_name: str
    share_name: str


class CSIVolumeSource(Model):
    driver: str
    fs_type: str | None = None
    node_publish_secret_ref: "LocalObjectReference | None" = None
    read_only: bool | None = None
    volume_attributes: dict[str, str] = {}


class Capabilities(Model):
    add: list[str] = []
    drop: list[str] = []


class CephFSVolumeSource(Model):
    monitors: list[str]
    path: str | None = None
    read_only: bool | None = None
    secret_file: str | None = None
    secret_ref: "LocalObjectReference | None" = None
    user: str | None = None


class CinderVolumeSource(Model):
    fs_type: str | None = None
    read_only: bool | None = None
    secret_ref: "LocalObjectReference | None" = None
    volume_id: Annotated[str, Wire("volumeID")]


class ClusterTrustBundleProjection(Model):
    label_selector: LabelSelector | None = None
    name: str | None = None
    optional: bool | None = None
    path: str
    signer_name: str | None = None


class ConfigMapEnvSource(Model):
    name: str | None = None
    optional: bool | None = None


class ConfigMapKeySelector(Model):
    key: str
    name: str | None = None
    optional: bool | None = None


class KeyToPath(Model):
    key: str
    mode: int | None = None
    path: str


class ConfigMapProjection(Model):
    items: list[KeyToPath] = []
    name: str | None = None
    optional: bool | None = None


class ConfigMapVolumeSource(Model):
    default_mode: int | None = None
    items: list[KeyToPath] = []
    name: str | None = None
    optional: bool | None = None


class ContainerPort(Model):
    container_port: int
    host_ip: Annotated[str | None, Wire("hostIP")] = None
    host_port: int | None = None
    name: str | None = None
    protocol: str | None = None


class ContainerResizePolicy(Model):
    resource_name: str
    restart_policy: str


class ContainerRestartRuleOnExitCodes(Model):
    operator: str
    values: list[int] = []


class ContainerRestartRule(Model):
    action: str
    exit_codes: ContainerRestartRuleOnExitCodes | None = None


class SecretEnvSource(Model):
    name: str | None = None
    optional: bool | None = None


class EnvFromSource(Model):
    config_map_ref: ConfigMapEnvSource | None = None
    prefix: str | None = None
    secret_ref: SecretEnvSource | None = None


class FileKeySelector(Model):
    key: str
    optional: bool | None = None
    path: str
    volume_name: str


class ObjectFieldSelector(Model):
    api_version: str | None = None
    field_path: str


class ResourceFieldSelector(Model):
    container_name: str | None = None
    divisor: Quantity | None = None
    resource: str


class SecretKeySelector(Model):
    key: str
    name: str | None = None
    optional: bool | None = None


class EnvVarSource(Model):
    config_map_key_ref: ConfigMapKeySelector | None = None
    field_ref: ObjectFieldSelector | None = None
    file_key_ref: FileKeySelector | None = None
    resource_field_ref: ResourceFieldSelector | None = None
    secret_key_ref: SecretKeySelector | None = None


class EnvVar(Model):
    name: str
    value: str | None = None
    value_from: EnvVarSource | None = None


class ExecAction(Model):
    command: list[str] = []


class HTTPHeader(Model):
    name: str
    value: str


class HTTPGetAction(Model):
    host: str | None = None
    http_headers: list[HTTPHeader] = []
    path: str | None = None
    port: IntOrString
    scheme: str | None = None


class SleepAction(Model):
    seconds: int


class TCPSocketAction(Model):
    host: str | None = None
    port: IntOrString


class LifecycleHandler(Model):
    exec: ExecAction | None = None
    http_get: HTTPGetAction | None = None
    sleep: SleepAction | None = None
    tcp_socket: TCPSocketAction | None = None


class Lifecycle(Model):
    post_start: LifecycleHandler | None = None
    pre_stop: LifecycleHandler | None = None
    stop_signal: str | None = None


class GRPCAction(Model):
    port: int
    service: str | None = None


class Probe(Model):
    exec: ExecAction | None = None
    failure_threshold: int | None = None
    grpc: GRPCAction | None = None
    http_get: HTTPGetAction | None = None
    initial_delay_seconds: int | None = None
    period_seconds: int | None = None
    success_threshold: int | None = None
    tcp_socket: TCPSocketAction | None = None
    termination_grace_period_seconds: int | None = None
    timeout_seconds: int | None = None


class SELinuxOptions(Model):
    level: str | None = None
    role: str | None = None
    type: str | None = None
    user: str | None = None


class SeccompProfile(Model):
    localhost_profile: str | None = None
    type: str


class WindowsSecurityContextOptions(Model):
    gmsa_credential_spec: str | None = None
    gmsa_credential_spec_name: str | None = None
    host_process: bool | None = None
    run_as_user_name: str | None = None


class SecurityContext(Model):
    allow_privilege_escalation: bool | None = None
    app_armor_profile: AppArmorProfile | None = None
    capabilities: Capabilities | None = None
    privileged: bool | None = None
    proc_mount: str | None = None
    read_only_root_filesystem: bool | None = None
    run_as_group: int | None = None
    run_as_non_root: bool | None = None
    run_as_user: int | None = None
    se_linux_options: SELinuxOptions | None = None
    seccomp_profile: SeccompProfile | None = None
    windows_options: WindowsSecurityContextOptions | None = None


class VolumeDevice(Model):
    device_path: str
    name: str


class VolumeMount(Model):
    mount_path: str
    mount_propagation: str | None = None
    name: str
    read_only: bool | None = None
    recursive_read_only: str | None = None
    sub_path: str | None = None
    sub_path_expr: str | None = None


class Container(Model):
    args: list[str] = []
    command: list[str] = []
    env: list[EnvVar] = []
    env_from: list[EnvFromSource] = []
    image: str | None = None
    image_pull_policy: str | None = None
    lifecycle: Lifecycle | None = None
    liveness_probe: Probe | None = None
    name: str
    ports: list[ContainerPort] = []
    readiness_probe: Probe | None = None
    resize_policy: list[ContainerResizePolicy] = []
    resources: "ResourceRequirements | None" = None
    restart_policy: str | None = None
    restart_policy_rules: list[ContainerRestartRule] = []
    security_context: SecurityContext | None = None
    startup_probe: Probe | None = None
    stdin: bool | None = None
    stdin_once: bool | None = None
    termination_message_path: str | None = None
    termination_message_policy: str | None = None
    tty: bool | None = None
    volume_devices: list[VolumeDevice] = []
    volume_mounts: list[VolumeMount] = []
    working_dir: str | None = None


class DownwardAPIVolumeFile(Model):
    field_ref: ObjectFieldSelector | None = None
    mode: int | None = None
    path: str
    resource_field_ref: ResourceFieldSelector | None = None


class DownwardAPIProjection(Model):
    items: list[DownwardAPIVolumeFile] = []


class DownwardAPIVolumeSource(Model):
    default_mode: int | None = None
    items: list[DownwardAPIVolumeFile] = []


class EmptyDirVolumeSource(Model):
    medium: str | None = None
    size_limit: Quantity | None = None


class EphemeralContainer(Model):
    args: list[str] = []
    command: list[str] = []
    env: list[EnvVar] = []
    env_from: list[EnvFromSource] = []
    image: str | None = None
    image_pull_policy: str | None = None
    lifecycle: Lifecycle | None = None
    liveness_probe: Probe | None = None
    name: str
    ports: list[ContainerPort] = []
    readiness_probe: Probe | None = None
    resize_policy: list[ContainerResizePolicy] = []
    resources: "ResourceRequirements | None" = None
    restart_policy: str | None = None
    restart_policy_rules: list[ContainerRestartRule] = []
    security_context: SecurityContext | None = None
    startup_probe: Probe | None = None
    stdin: bool | None = None
    stdin_once: bool | None = None
    target_container_name: str | None = None
    termination_message_path: str | None = None
    termination_message_policy: str | None = None
    tty: bool | None = None
    volume_devices: list[VolumeDevice] = []
    volume_mounts: list[VolumeMount] = []
    working_dir: str | None = None


class PersistentVolumeClaimTemplate(Model):
    metadata: ObjectMeta = Field(default_factory=ObjectMeta)
    spec: "PersistentVolumeClaimSpec"


class EphemeralVolumeSource(Model):
    volume_claim_template: PersistentVolumeClaimTemplate | None = None


class FlexVolumeSource(Model):
    driver: str
    fs_type: str | None = None
    options: dict[str, str] = {}
    read_only: bool | None = None
    secret_ref: "LocalObjectReference | None" = None


class GitRepoVolumeSource(Model):
    directory: str | None = None
    repository: str
    revision: str | None = None


class GlusterfsVolumeSource(Model):
    endpoints: str
    path: str
    read_only: bool | None = None


class HostAlias(Model):
    hostnames: list[str] = []
    ip: str


class ISCSIVolumeSource(Model):
    chap_auth_discovery: bool | None = None
    chap_auth_session: bool | None = None
    fs_type: str | None = None
    initiator_name: str | None = None
    iqn: str
    iscsi_interface: str | None = None
    lun: int
    portals: list[str] = []
    read_only: bool | None = None
    secret_ref: "LocalObjectReference | None" = None
    target_portal: str


class ImageVolumeSource(Model):
    pull_policy: str | None = None
    reference: str | None = None


class PersistentVolumeClaimVolumeSource(Model):
    claim_name: str
    read_only: bool | None = None


class PodCertificateProjection(Model):
    certificate_chain_path: str | None = None
    credential_bundle_path: str | None = None
    key_path: str | None = None
    key_type: str
    max_expiration_seconds: int | None = None
    signer_name: str
    user_annotations: dict[str, str] = {}


class PodDNSConfigOption(Model):
    name: str | None = None
    value: str | None = None


class PodDNSConfig(Model):
    nameservers: list[str] = []
    options: list[PodDNSConfigOption] = []
    searches: list[str] = []


class PodOS(Model):
    name: str


class PodReadinessGate(Model):
    condition_type: str


class PodResourceClaim(Model):
    name: str
    resource_claim_name: str | None = None
    resource_claim_template_name: str | None = None


class PodSchedulingGate(Model):
    name: str


class PodSchedulingGroup(Model):
    pod_group_name: str | None = None


class Sysctl(Model):
    name: str
    value: str


class PodSecurityContext(Model):
    app_armor_profile: AppArmorProfile | None = None
    fs_group: int | None = None
    fs_group_change_policy: str | None = None
    run_as_group: int | None = None
    run_as_non_root: bool | None = None
    run_as_user: int | None = None
    se_linux_change_policy: str | None = None
    se_linux_options: SELinuxOptions | None = None
    seccomp_profile: SeccompProfile | None = None
    supplemental_groups: list[int] = []
    supplemental_groups_policy: str | None = None
    sysctls: list[Sysctl] = []
    windows_options: WindowsSecurityContextOptions | None = None


class TopologySpreadConstraint(Model):
    label_selector: LabelSelector | None = None
    match_label_keys: list[str] = []
    max_skew: int
    min_domains: int | None = None
    node_affinity_policy: str | None = None
    node_taints_policy: str | None = None
    topology_key: str
    when_unsatisfiable: str


class SecretProjection(Model):
    items: list[KeyToPath] = []
    name: str | None = None
    optional: bool | None = None


class ServiceAccountTokenProjection(Model):
    audience: str | None = None
    expiration_seconds: int | None = None
    path: str


class VolumeProjection(Model):
    cluster_trust_bundle: ClusterTrustBundleProjection | None = None
    config_map: ConfigMapProjection | None = None
    downward_api: Annotated[DownwardAPIProjection | None, Wire("downwardAPI")] = None
    pod_certificate: PodCertificateProjection | None = None
    secret: SecretProjection | None = None
    service_account_token: ServiceAccountTokenProjection | None = None


class ProjectedVolumeSource(Model):
    default_mode: int | None = None
    sources: list[VolumeProjection] = []


class RBDVolumeSource(Model):
    fs_type: str | None = None
    image: str
    keyring: str | None = None
    monitors: list[str]
    pool: str | None = None
    read_only: bool | None = None
    secret_ref: "LocalObjectReference | None" = None
    user: str | None = None


class ScaleIOVolumeSource(Model):
    fs_type: str | None = None
    gateway: str
    protection_domain: str | None = None
    read_only: bool | None = None
    secret_ref: "LocalObjectReference"
    ssl_enabled: bool | None = None
    storage_mode: str | None = None
    storage_pool: str | None = None
    system: str
    volume_name: str | None = None


class SecretVolumeSource(Model):
    default_mode: int | None = None
    items: list[KeyToPath] = []
    optional: bool | None = None
    secret_name: str | None = None


class StorageOSVolumeSource(Model):
    fs_type: str | None = None
    read_only: bool | None = None
    secret_ref: "LocalObjectReference | None" = None
    volume_name: str | None = None
    volume_namespace: str | None = None


class Volume(Model):
    aws_elastic_block_store: "AWSElasticBlockStoreVolumeSource | None" = None
    azure_disk: "AzureDiskVolumeSource | None" = None
    azure_file: AzureFileVolumeSource | None = None
    cephfs: CephFSVolumeSource | None = None
    cinder: CinderVolumeSource | None = None
    config_map: ConfigMapVolumeSource | None = None
    csi: CSIVolumeSource | None = None
    downward_api: Annotated[DownwardAPIVolumeSource | None, Wire("downwardAPI")] = None
    empty_dir: EmptyDirVolumeSource | None = None
    ephemeral: EphemeralVolumeSource | None = None
    fc: "FCVolumeSource | None" = None
    flex_volume: FlexVolumeSource | None = None
    flocker: "FlockerVolumeSource | None" = None
    gce_persistent_disk: "GCEPersistentDiskVolumeSource | None" = None
    git_repo: GitRepoVolumeSource | None = None
    glusterfs: GlusterfsVolumeSource | None = None
    host_path: "HostPathVolumeSource | None" = None
    image: ImageVolumeSource | None = None
    iscsi: ISCSIVolumeSource | None = None
    name: str
    nfs: "NFSVolumeSource | None" = None
    persistent_volume_claim: PersistentVolumeClaimVolumeSource | None = None
    photon_persistent_disk: "PhotonPersistentDiskVolumeSource | None" = None
    portworx_volume: "PortworxVolumeSource | None" = None
    projected: ProjectedVolumeSource | None = None
    quobyte: "QuobyteVolumeSource | None" = None
    rbd: RBDVolumeSource | None = None
    scale_io: Annotated[ScaleIOVolumeSource | None, Wire("scaleIO")] = None
    secret: SecretVolumeSource | None = None
    storageos: StorageOSVolumeSource | None = None
    vsphere_volume: "VsphereVirtualDiskVolumeSource | None" = None


class PodSpec(Model):
    active_deadline_seconds: int | None = None
    affinity: Affinity | None = None
    automount_service_account_token: bool | None = None
    containers: list[Container]
    dns_config: PodDNSConfig | None = None
    dns_policy: str | None = None
    enable_service_links: bool | None = None
    ephemeral_containers: list[EphemeralContainer] = []
    host_aliases: list[HostAlias] = []
    host_ipc: Annotated[bool | None, Wire("hostIPC")] = None
    host_network: bool | None = None
    host_pid: Annotated[bool | None, Wire("hostPID")] = None
    host_users: bool | None = None
    hostname: str | None = None
    hostname_override: str | None = None
    image_pull_secrets: "list[LocalObjectReference]" = []
    init_containers: list[Container] = []
    node_name: str | None = None
    node_selector: dict[str, str] = {}
    os: PodOS | None = None
    overhead: dict[str, Quantity] = {}
    preemption_policy: str | None = None
    priority: int | None = None
    priority_class_name: str | None = None
    readiness_gates: list[PodReadinessGate] = []
    resource_claims: list[PodResourceClaim] = []
    resources: "ResourceRequirements | None" = None
    restart_policy: str | None = None
    runtime_class_name: str | None = None
    scheduler_name: str | None = None
    scheduling_gates: list[PodSchedulingGate] = []
    scheduling_group: PodSchedulingGroup | None = None
    security_context: PodSecurityContext | None = None
    service_account: str | None = None
    service_account_name: str | None = None
    set_hostname_as_fqdn: Annotated[bool | None, Wire("setHostnameAsFQDN")] = None
    share_process_namespace: bool | None = None
    subdomain: str | None = None
    termination_grace_period_seconds: int | None = None
    tolerations: "list[Toleration]" = []
    topology_spread_constraints: list[TopologySpreadConstraint] = []
    volumes: list[Volume] = []
