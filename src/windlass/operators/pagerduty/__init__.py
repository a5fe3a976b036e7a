"""On-call from manifests: escalation policies, services and business services of PagerDuty."""
