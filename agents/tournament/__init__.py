"""Many agents against each other on the same deals: cross table, ratings, cycles, partner cross-play."""
