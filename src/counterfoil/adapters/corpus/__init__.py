"""Searchable collections of documents: a folder on disk, or a few texts in memory."""
