"""An agent that asks a model again and again until its budget ends, and knows that from a provider's own limit.

    counterfoil proxy --upstream https://api.openai.com/v1 --run-budget run/model-requests=5

prints a base URL and a token; then, in another terminal (pip install openai):

    OPENAI_BASE_URL=http://127.0.0.1:8642/v1 OPENAI_API_KEY=… python examples/agent_on_a_budget.py gpt-5-mini
"""

from __future__ import annotations

import sys

import openai

STEPS_MAX = 100


def run(model: str) -> int:
    """Take steps until the budget ends; returns how many were answered."""
    with openai.OpenAI() as client:
        for step in range(STEPS_MAX):
            try:
                reply = client.chat.completions.create(
                    model=model,
                    messages=[{"role": "user", "content": f"Step {step + 1}: name a prime number in one word."}],
                    max_completion_tokens=200,  # the less a request may spend, the less it holds while it is under way
                )
            except openai.RateLimitError as refused:
                if refused.response.headers.get("x-counterfoil-origin") != "local":
                    raise  # the provider's own limit: waiting may help
                error = refused.body if isinstance(refused.body, dict) else {}
                print(f"the budget ended: {error.get('policy')}, {error.get('spent')} of {error.get('limit')} spent")
                return step
            print(f"step {step + 1}: {reply.choices[0].message.content}")
    return STEPS_MAX


if __name__ == "__main__":
    run(sys.argv[1] if len(sys.argv) > 1 else "gpt-5-mini")
