"""Owns the limits of the Python workbench: what one execution takes in, uses and gives out.

Never: running anything.
"""

from __future__ import annotations

from counterfoil.core.law import budget as ids
from counterfoil.core.law.policy import Derivation, Policy

CONSUMER = "run_python, which this version does not have"

POLICIES = (
    Policy(
        id="workbench/inputs",
        owner="workbench",
        unit="inputs",
        default=8,
        hard_maximum=32,
        scope="call",
        refusal_code="INPUTS_TOO_MANY",
        counts="named inputs of one execution",
        stops="an execution with more",
        consumer=CONSUMER,
    ),
    Policy(
        id="workbench/input-bytes",
        owner="workbench",
        unit="bytes",
        default=524_288,
        hard_maximum=16_777_216,
        scope="call",
        refusal_code="INPUTS_TOO_LARGE",
        counts="bytes of all inputs of one execution",
        stops="an execution with more; nothing is cut",
        consumer=CONSUMER,
    ),
    Policy(
        id="workbench/output-bytes",
        owner="workbench",
        unit="bytes",
        default=8192,
        hard_maximum=65_536,
        scope="call",
        refusal_code="OUTPUT_CUT",
        counts="bytes of stdout and stderr together that one execution returns",
        stops="further output, with a mark where it was cut",
        consumer=CONSUMER,
    ),
    Policy(
        id="workbench/seconds",
        owner="workbench",
        unit="seconds",
        default=60,
        hard_maximum=600,
        scope="call",
        refusal_code="EXECUTION_TIMEOUT",
        counts="time of one execution",
        stops="that execution",
        derived=Derivation("at_most", (ids.ACTIVE_SECONDS,)),
        consumer=CONSUMER,
    ),
    Policy(
        id="workbench/memory-bytes",
        owner="workbench",
        unit="bytes",
        default=1_073_741_824,
        hard_maximum=8_589_934_592,
        scope="call",
        refusal_code="EXECUTION_OUT_OF_MEMORY",
        counts="memory of one execution",
        stops="that execution",
        consumer=CONSUMER,
    ),
    Policy(
        id="workbench/workspace-bytes",
        owner="workbench",
        unit="bytes",
        default=268_435_456,
        hard_maximum=4_294_967_296,
        refusal_code="WORKSPACE_FULL",
        counts="bytes of a Run's workspace",
        stops="further writing",
        consumer=CONSUMER,
    ),
    Policy(
        id="workbench/executions",
        owner="workbench",
        unit="calls",
        default=20,
        hard_maximum=200,
        refusal_code="EXECUTIONS_EXHAUSTED",
        counts="executions started",
        stops="new executions",
        settable_by="caller",
        consumer=CONSUMER,
    ),
    Policy(
        id="workbench/exports",
        owner="workbench",
        unit="files",
        default=10,
        hard_maximum=100,
        refusal_code="EXPORTS_EXHAUSTED",
        counts="files exported",
        stops="further exports",
        settable_by="caller",
        consumer="export_file, which this version does not have",
    ),
)
