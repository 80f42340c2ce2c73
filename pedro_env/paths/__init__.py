"""Rare paths through the rules: which there are, and how often play comes along each (``docs/rules/paths.md``).

A path is something that the rules page provides for and that seldom happens: the stock runs out, a seat holds all
point trumps, the lead passes. Whether a game took one is read from the batch's state between steps.

    python -m pedro_env paths pedro --matches 1000
"""
