"""One module a phase of the deal, each with ``legal`` and ``apply``; the engine says which comes when.

All of them work in place on the rows they are given, without randomness. ``apply`` returns the rows in which its
phase is over.
"""
