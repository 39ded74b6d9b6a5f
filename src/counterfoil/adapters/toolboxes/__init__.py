"""Tools that others wrote, one kind of origin a file."""
