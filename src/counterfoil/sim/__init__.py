"""The real Host against seeded worlds: adversarial models, providers, clocks and crashes, with invariants."""
