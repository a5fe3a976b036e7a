"""Writes what follows from the code into the pages of the operators, below `docs/operators`.

A page has blocks between `<!-- name -->` and `<!-- /name -->`, which are made anew: the kinds with their
fields (`kind`), the settings (`setting`), the events (`telling`) and the metrics (`metric`). Everything else
is written by hand. `--check` only tells whether a page would change.
"""
