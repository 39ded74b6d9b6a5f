"""One file per tool that a model can call."""
