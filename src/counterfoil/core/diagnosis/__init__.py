"""Why a Run ended as it did: rules over its ledger, one file a stage."""
