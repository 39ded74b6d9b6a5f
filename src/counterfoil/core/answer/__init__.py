"""What was asked and what is answered: contract, candidate, findings."""
