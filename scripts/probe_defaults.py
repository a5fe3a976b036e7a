"""Ask a real API server for the defaults of the built-in kinds: the program of the package `probe`."""

import runpy

runpy.run_module("probe", run_name="__main__")
