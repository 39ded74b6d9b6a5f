"""What happened: events, the state they fold into, and what to do next."""
