"""Owns the words that tell which sign an amount has: losses and declines, costs and outflows.

Never: the sign itself (the number has it); a word only says whether a missing minus is honest.
"""

from __future__ import annotations

import re

_LOSS = re.compile(
    r"\b(?:loss(?:es)?|deficits?|negative|decreas\w*|declin\w*|fell|fall(?:s|en|ing)?|drop(?:s|ped)?|lower|reduc\w*|down"
    r"|shrank|shrunk|shortfall|below|\w*verlust\w*|\w*defizit\w*|fehlbetrag|rückgang|gesunken|sank|n[eé]gati[vf]\w*|minus"
    r"|\w*fehlbetr\w*|pertes?|déficits?|baiss\w*|recul\w*|diminu\w*|pérdidas?|descen\w*|perdit\w*)\b"
    r"|亏损|虧損|损失|下降|减少|減少|赤字|損失|下落",
    re.IGNORECASE,
)
_OUTFLOW = re.compile(
    r"\b(?:purchases?|purchased|payments?"
    r"|paid|pay(?:s|ing)?|repayments?|repurchases?d?|expenditures?|spend(?:ing)?|spent|costs?"
    r"|expenses?|outflows?|dividends?"
    r"|acquisitions?|acquired|taxes|tax|depreciation|amorti[sz]ation|impairments?|used (?:in|for)"
    r"|capex|capital (?:expenditures?|spending)"
    r"|additions to|investments? in|charges?|allowances?|treasury stock|contributions?"
    r"|investitionen|auszahlung\w*|\w*aufwand|\w*aufwendungen|\w*kosten|\w*ausgaben|\w*steuern|abschreibung\w*|dividende\w*"
    r"|frais|coûts?|dépenses|achats?|investissements?|impôts?|amortissements?|gastos?|costes?|costos?|pagos?|compras?"
    r"|inversiones|impuestos?|costi|spese|acquisti|inversión|dividendos?)\b"
    r"|支出|支付|费用|費用|成本|取得|配当|減価償却|折旧",
    re.IGNORECASE,
)
# What a statement of income takes away from its revenue, whether or not it calls the line an expense.
_EXPENSE = re.compile(
    r"\b(?:wages|salar(?:y|ies)|payroll|personnel|staff(?:ing)?|rents?|leases?|royalties|freight|fuel|utilities|insurance"
    r"|marketing|advertising|restructuring|write-?(?:downs?|offs?)|provisions?|research and development|r&d|materials?"
    r"|selling|administrative|administration|overheads?|distributions?|fees|interest paid|cost|löhne|gehälter|personal"
    r"|miete\w*|material|vertrieb|verwaltung|forschung und entwicklung|rückstellung\w*|zinsaufwendungen|salaires"
    r"|loyers?|charges de personnel|sueldos|salarios|alquiler\w*|personale|affitt\w*)\b",
    re.IGNORECASE,
)
_INCOME = re.compile(
    r"\b(?:income|revenues?|receipts?|proceeds|gains?|profits?|earnings|sales|received|net|balance|surplus|margin|assets?"
    r"|liabilit(?:y|ies)|\w*erträge?|\w*erlöse?|\w*gewinn\w*|\w*ergebnis\w*|produits?|recettes?|résultat|ingresos?"
    r"|resultado|ricavi|proventi)\b",
    re.IGNORECASE,
)


def names_loss(text: str) -> bool:
    """Whether ``text`` says that its amount is a loss, a deficit or a decline."""
    return _LOSS.search(text) is not None


def names_outflow(text: str) -> bool:
    """Whether ``text`` names something that is paid or charged, which statements show with either sign."""
    if _OUTFLOW.search(text) is not None:
        return True
    return _EXPENSE.search(text) is not None and _INCOME.search(text) is None
