"""Market data."""
