"""Stands in for KMM where there are no kernels to load modules into: in tests, and in demonstrations.

`windlass run windlass.operators.ptemplate.simulator` serves Modules, whose definition and role come from
`windlass generate all windlass.operators.ptemplate.simulator`. Each node that a Module selects gets KMM's
labels, and the devices that the device plugin would advertise there.
"""

from windlass.operators.ptemplate.kmm import Module
from windlass.operators.ptemplate.simulator.controller import OPERATOR, ModuleSimulator, add_to

__all__ = ["OPERATOR", "Module", "ModuleSimulator", "add_to"]
