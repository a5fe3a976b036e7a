"""Objects of every kind that has a table of its own, by what is special about them."""

from table_cluster import CLUSTER, POLICY
from table_network import NETWORK, STORAGE
from table_workloads import AUTOSCALING, PODS, WORKLOADS

CASES = PODS | WORKLOADS | NETWORK | STORAGE | CLUSTER | POLICY | AUTOSCALING
