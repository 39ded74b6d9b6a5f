"""What text says: quantities, dates, instruction-like passages, vocabularies."""
