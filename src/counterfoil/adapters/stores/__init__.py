"""Ledger stores."""
