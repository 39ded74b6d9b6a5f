"""Owns ``python -m counterfoil``: the console script under another name.

Never: anything of its own.
"""

from counterfoil.entrypoints.cli.main import main

if __name__ == "__main__":
    main()
