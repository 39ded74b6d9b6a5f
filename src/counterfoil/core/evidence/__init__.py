"""What was read and what it supports: sources, passages, facts, calculations."""
