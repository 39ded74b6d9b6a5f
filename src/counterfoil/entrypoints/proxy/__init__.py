"""An OpenAI-compatible endpoint that meters other people's agents."""
