"""Owns the readers: one package or module for each family of file formats."""
