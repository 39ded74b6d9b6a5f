"""The pure heart: events, law, evidence, answers. No I/O, no clock, no dice."""
