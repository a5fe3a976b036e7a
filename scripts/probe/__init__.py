"""Asks a real API server for the defaults of the built-in kinds, and writes them down as a table.

For each kind and each structure that an object of it may have, a manifest is sent as a dry run that has this
structure, and nothing else that the server does not insist on (`manifest`, grown from `seed`); and again with
each of the structure's plain fields set (`vary`). What an answer has and its manifest had not is a default
(`observe`). One that is the same wherever its structure stands, or always in one place, goes into the table
(`derive`). One that depends on other fields is a rule in `windlass.apiserver.defaulting.rules`, and must be
named in `exception`, as must be what is no default at all.
"""
