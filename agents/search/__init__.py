"""The play with all cards open, solved exactly: ``agents.search.solver``; in plain Python: ``agents.search.plain``."""
