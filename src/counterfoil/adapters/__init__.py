"""Implementations of ports; each vendor library is named in one file."""
