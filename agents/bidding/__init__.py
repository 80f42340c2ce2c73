"""What an agent's bidding means: ``python -m agents.bidding AGENT``."""
