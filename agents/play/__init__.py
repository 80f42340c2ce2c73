"""Play in the terminal against agents: ``python -m agents.play``; see ``agents.play.command``."""
