"""Owns spotting text in read material that addresses an assistant instead of a reader.

Never: acting on it. A hit is shown to the user; what is read changes neither tools, budgets nor domains.
"""

from __future__ import annotations

import re
from functools import cache

from counterfoil.core.text.folding import space_folded

EXCERPT_CHARS = 200
HITS_MAX = 20

_RULES = r"(?:instructions?|prompts?|rules|guidelines|directions|context|messages?|commands?|constraints)"
_ASSISTANT = (
    r"(?:(?:an? |the |your |any )?"
    r"(?:ai|a\.i\.|llm|chatbot|chatgpt|claude|gpt-?\d?|gemini|copilot|language model|ai assistant"
    r"|ai agent|virtual assistant|assistant|research agent|agent))"
)
_PATTERNS = (
    # overriding what was said before
    rf"\b(?:ignore|disregard|forget|override|bypass|do not follow|stop following)\s+(?:\w+\s+){{0,3}}?"
    rf"(?:previous|prior|above|earlier|preceding|foregoing|existing|original|all|any|your|system|other)\s+"
    rf"(?:\w+\s+){{0,2}}?{_RULES}\b",
    r"\b(?:ignore|disregard|forget)\s+(?:everything|anything|all)\s+(?:\w+\s+){0,3}?(?:above|before|previous|told|said"
    r"|prior)\b",
    # handing text to an assistant
    rf"\b(?:paste|copy|enter|submit|give|feed|send)\s+(?:\w+\s+){{0,3}}?(?:this|these|the following)"
    rf"\s+(?:\w+\s+){{0,2}}?"
    rf"(?:{_RULES}|text)?\s*(?:in|into|to)\s+{_ASSISTANT}\b",
    rf"\b(?:if|when)\s+you(?:\s+are|['’]re)\s+{_ASSISTANT}\b",
    rf"\b(?:note|message|attention|instructions?|notice)\s+(?:to|for)\s+(?:all\s+)?{_ASSISTANT}s?\b\s*[:,.!-]",
    rf"\b(?:dear|hey|hello|attention)\s*,?\s+{_ASSISTANT}s?\s*[:,!]",
    # a new role, budget or permission
    rf"\byou\s+are\s+now\s+(?:{_ASSISTANT}|in\s+\w+\s+mode"
    r"|authori[sz]ed|allowed|permitted|free|unrestricted|dan\b"
    r"|a\s+\w+\s+(?:assistant|agent|bot|model)|acting)",
    r"\byour\s+(?:new\s+|current\s+|remaining\s+)?(?:\w+\s+)?"
    r"(?:budgets?|limits?|quotas?|allowance|permissions?|system prompt|instructions|role|task|goal)\s+"
    r"(?:is|are|has been|have been)\s+(?:now|hereby|changed|increased|raised|updated|reset|replaced|extended)\b",
    r"\byou\s+(?:now\s+)?have\s+(?:unlimited|\d[\d,]*)"
    r"\s+(?:more\s+)?(?:searches|requests|tool calls|reads|tokens|credits)\b",
    r"\b(?:your|the)\s+(?:new\s+)?system\s+prompt\b"
    r"|\b(?:reveal|print|show|repeat|output)\s+(?:\w+\s+){0,2}?(?:system|hidden|initial)\s+(?:prompt|instructions)\b",
    rf"\b(?:from now on|henceforth)\s*,?\s+(?:you|act|respond|answer|always|ignore)\b"
    rf"|\bnew\s+(?:system\s+)?{_RULES}\s*(?:for you\b|from (?:the )?(?:system|developer|operator)\b)",
    r"\b(?:do not|don['’]t|never)\s+(?:tell|inform|mention\s+(?:this\s+)?to|reveal\s+(?:this\s+)?to)"
    r"\s+the\s+user\b",
    # imitation of the protocol around a model
    r"^[ \t]{0,20}(?:#{1,4}[ \t]{0,4})?(?:system|assistant|developer)\s*(?:message|prompt)?\s*:\s*(?=\S)(?!\s*\d)"
    r"(?=.{0,80}?\b(?:you|your|ignore|must|do not|always|never|reply|respond|publish|search|call)\b)",
    r"<\|?(?:im_start|im_end|system|endoftext|assistant|tool_call|function_calls?)\|?>"
    r"|\[/?INST\]|<</?SYS>>|</?(?:tool_call|function_calls?|tool_result|system)>",
    r"[{\[]\s*\"(?:tool|tool_calls?|function|function_call|calls|name)\"\s*:\s*[\[{]?\s*\"?[\w{\"\s:]{0,40}"
    r"(?:search_public_sources|read_public_source|record_facts|run_python|publish_answer|finish_research|arguments|args)\b",
    r"\b(?:call|use|invoke|run|execute)\s+(?:the\s+)?(?:tool\s+)?[`'\"]?(?:search_public_sources|read_public_source|record_facts"
    r"|run_python|publish_answer|finish_research|request_connector)\b",
    # German
    r"\b(?:ignoriere|ignorieren\s+sie|vergiss|vergessen\s+sie|missachte|missachten\s+sie)"
    r"\s+(?:\w+\s+){0,3}?(?:vorherigen?|bisherigen?|obigen?|alle[ns]?|früheren?|vorangegangenen?)\s+"
    r"(?:\w+\s+){0,2}?(?:anweisungen?|instruktionen|befehle?|regeln|vorgaben)\b",
    r"\b(?:du\s+bist|sie\s+sind)\s+(?:jetzt|nun|ab\s+sofort)\s+(?:ein\s+|eine\s+|der\s+|die\s+)?(?:\w+\s+)?(?:ki|assistent|agent|modell|befugt|berechtigt)",
    r"\b(?:dein|ihr)\s+(?:neues\s+)?(?:budget|limit|kontingent|systemprompt)\s+(?:ist|beträgt|wurde)\s+(?:jetzt|nun|ab\s+sofort|geändert|erhöht)",
    r"\bfüge\s+(?:diese|folgende)\s+(?:\w+\s+)?(?:anweisungen?|text)\s+in\s+(?:deinen|ihren|den)\s+(?:ki-?)?assistenten\b",
    # Chinese and Japanese
    r"(?:忽略|无视|無視|忘记|忘記|不要理会)[^。！？\n]{0,12}(?:指令|指示|提示词|提示詞|提示|规则|規則|命令)",
    r"你(?:现在|現在)(?:是|已经?是)[^。！？\n]{0,12}(?:助手|助理|模型|代理|AI|机器人)|你的(?:预算|預算|权限|權限|限额|限額)(?:现在|現在|已)",
    r"(?:これまで|以前|上記|前|すべて|全て)の[^。！？\n]{0,10}(?:指示|命令|プロンプト|ルール)[^。！？\n]{0,6}(?:無視|忘れ|破棄)",
    r"あなたは(?:今|いま|これ)から[^。！？\n]{0,20}(?:です|として|AI|アシスタント)|あなたの(?:予算|権限|上限)は(?:今|現在)",
    r"(?:系统|系統|システム)(?:提示|消息|プロンプト|メッセージ)\s*[:：]",
)


@cache
def _compiled() -> tuple[re.Pattern[str], ...]:
    """The patterns, compiled when a text is first looked at."""
    return tuple(re.compile(pattern, re.IGNORECASE | re.MULTILINE) for pattern in _PATTERNS)


def find_instructions(text: str, excerpt_chars: int = EXCERPT_CHARS, hits_max: int = HITS_MAX) -> tuple[str, ...]:
    """Excerpts of ``text`` that read like instructions to an assistant, in order, without overlap.

    Each is at most ``excerpt_chars`` long, white space folded, beginning a little before the telling words.
    """
    spans = sorted((m.start(), m.end()) for pattern in _compiled() for m in pattern.finditer(text))
    out: list[str] = []
    covered = -1
    for start, end in spans:
        if start < covered or len(out) == hits_max:
            continue
        low = max(0, start - excerpt_chars // 5)
        while low > 0 and low < start and text[low - 1].isalnum() and text[low].isalnum():
            low += 1  # do not open in the middle of a word
        covered = max(end, low + excerpt_chars)
        out.append(space_folded(text[low:covered])[:excerpt_chars].strip())
    return tuple(out)
