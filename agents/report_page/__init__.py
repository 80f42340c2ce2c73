"""A report that can be published: one self-contained HTML page, with the JSON, CSV and records behind it."""
