"""What ``benchmarks/ledger.py`` runs, each in a process of its own: the stub, the runtimes, the measurements."""
