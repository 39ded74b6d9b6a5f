"""The guarded way to the network."""
