"""The imperative shell: admits, runs, performs, settles."""
