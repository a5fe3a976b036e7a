"""Write what follows from the code into the pages of the operators: the program of `operator_pages`."""

import runpy

runpy.run_module("operator_pages", run_name="__main__")
