"""Counterfoil: research that keeps its receipts."""

__version__ = "0.1.0"
__all__ = ["__version__"]
