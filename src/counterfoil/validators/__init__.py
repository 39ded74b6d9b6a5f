"""One file per publication check, each a pure function."""
