"""Bidding tables: what a kind of hand can expect to make, from solved and from played deals."""
