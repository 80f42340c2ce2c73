"""What decisions of recorded deals cost, and what the deals were worth: ``losses`` and ``par``; docs/analysis.md."""
