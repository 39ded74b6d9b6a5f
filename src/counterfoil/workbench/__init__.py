"""The Python workbench."""
