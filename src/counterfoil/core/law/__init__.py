"""What is allowed: policies, budgets, phases, the tool projection, the path proof."""
