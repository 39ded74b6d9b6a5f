"""Protocols to the outside, one noun each."""
