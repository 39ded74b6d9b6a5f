"""Owns what tokens cost: the packaged price list, read without a network.

Never: a guess. A model that the list does not know has no price. Only this file names the list's library.
"""

from __future__ import annotations

import importlib.util

import msgspec

from counterfoil.core.exchange import TokenUsage

PACKAGE = "genai_prices"


class Price(msgspec.Struct, frozen=True):
    """The price of ``model``, at ``provider`` or at the address ``url`` of one that the list knows.

    ``writes_cache``: what is not read from the provider's cache is written to it, which costs more than plain input.
    """

    model: str
    provider: str | None = None
    url: str | None = None
    writes_cache: bool = False

    def usd(self, usage: TokenUsage) -> float | None:
        """What ``usage`` costs in USD; None when the list does not know the model, or is not installed.

        An upper bound in one respect: a provider that is asked to cache is taken to have written all that it did not
        read from there.
        """
        if importlib.util.find_spec(PACKAGE) is None:
            return None
        from genai_prices import Usage, calc_price

        written = {"cache_write_tokens": usage.input - usage.cached} if self.writes_cache else {}
        tokens = Usage(input_tokens=usage.input, cache_read_tokens=usage.cached, output_tokens=usage.output, **written)
        try:
            if self.url is not None:
                found = calc_price(tokens, self.model, provider_api_url=self.url)
            else:
                found = calc_price(tokens, self.model, provider_id=self.provider)
        except (LookupError, ValueError):  # ValueError: counts that contradict one another have no price
            return None
        return float(found.total_price)
