"""The versions of admissionregistration."""
