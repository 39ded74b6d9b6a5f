"""Owns reading PDF files. Never: other formats, OCR, network."""

from counterfoil.adapters.readers.pdf.reader import PdfReader

__all__ = ["PdfReader"]
