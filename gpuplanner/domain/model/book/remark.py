"""What a vendor remarks beside a quote that changes what is offered: it waits until the buyer takes it as quoted."""

import re
from datetime import date
from functools import lru_cache
from typing import Final

from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.offer_fields import LONGEST_TEXT
from gpuplanner.domain.model.book.quote_source import TAKEN, answered_row, named_in, quoted_start, remark_on
from gpuplanner.domain.model.window import DAY_S, HOUR_S
from gpuplanner.lazy_dataclass import replace

_MODEL: Final = (
    r"(?i:(?:(?<![\w.,$€£-])|(?<=\d[x×])|(?<=[HD]GX-))(?:(?:NVIDIA|AMD|Quadro|GeForce|RTX|GTX)[\s-]?)*("
    r"(?:(?<=X )|(?<=X-)|(?<=X))(?:PRO[\s-]?)?A?\d{4}(?:[\s-]?(?:Ti|Ada))?"
    r"|G?[BH]\d{3}|H20|A(?:10{0,2}|16|2|30|40|800|[2456]\d{3})[GX]?|L(?:2|4|20|40)S?|[VP]100S?|T4G?|K80|P4|P40"
    r"|MI\s?\d{2,3}[AX]?|Gaudi\s?\d?|TPU\s?v?\d\w?|Trainium\s?\d?|Inferentia\s?\d?|[2-5]0[5-9]0(?:\s?Ti)?"
    r")s?(?:[\s-]?(?:SXM\d?|PCIe|NVL))?(?:[\s-]+(\d{2,3})\s?GB)?(?!\w|[.,]\d))"
)
"""Names of GPU models in a sentence, with the memory behind them: by their form, for no table has next year's.

These patterns are compiled where the first remark is read: files without one are checked a thirtieth sooner."""
ONE_OF: Final = "answers to its row:"
"""Stands before their number where there are several, each of which waits."""
_WHEN: Final = (
    r"(?:\d|\b(?:day|week|month|quarter|year|then|now|there|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec))"
)
_DATE: Final = (
    r"(?:(?:\d{1,2}\.? ?(?:st|nd|rd|th)? ?)?(?:early |mid[- ]?|late |end of |Anfang |Mitte |Ende )?(?:Q[1-4]|(?:Jan"
    r"|F[eé][bv]|M[aä]r(?!k)|A[pv]r|Jui?[nl]|A(?:ug|oû)|Sep|O[ck]t|Nov|D[eé][cz])[^\W\d_]*|Ma[iy](?= ?\d|\W*$))"
    r"|\d{4}-\d\d|\d{1,2}[./]\d{1,2}[./]|(?:next|\d+) (?:day|week|month|quarter)s?)"
)
_GPUS: Final = r"(?:[x×] ?)?(?:GPU|node|card|server|Knoten|Karte|carte)[ns]?"
_TAX: Final = r"(?:VAT|GST|tax\w*|MwSt|USt|TVA|Mehrwertsteuer)"
_EXTRA: Final = r"(?:fees?|surcharges?|deposits?|charges?|costs?|penalt\w+)"
_END: Final = r"(?=\W*(?:$|[.,;:!?)]|(?:and|or|but|please|we (?:can|could|help|are))\b))"
_HARMLESS: Final = (
    rf"(?i:\b(?:if|sofern) (?:needed|need be|required|requested|necessary|desired|wanted|helpful|useful|possible"
    r"|in doubt|nötig|gewünscht|erforderlich"
    rf"|you (?:like|wish|want|prefer|need (?:it|them|help|more|anything)|agree)){_END}"
    r"|\bif (?:you|there|any(?:thing|body|one)?|something|more|further)\b[^.;]{0,40}?"
    r"\b(?:questions?|queries|unclear|information|clarification|details|help|assistance|doubts?)\b"
    rf"|\b24 ?[/x×] ?7\b|\b(?:excl\w*\.?|without|ohne|hors) (?:of )?(?:(?:sales|any|all|local) ){{0,2}}{_TAX}"
    rf"|\b{_TAX} (?:is |are )?(?:not included|excluded)\b"
    rf"|\b(?:no|without|free of|keine?) (?:[\w-]+,? ){{0,2}}{_EXTRA}(?:,? (?:or|and|oder|und) {_EXTRA})*\b"
    rf"|\b{_EXTRA}-free\b"
    r"|\b(?:request|RFQ|RFP|e?-?mail|inquiry|enquiry|Anfrage)\b[^.;\d]{0,12}? (?:from|of|vom)\b"
    r"|\bprovided (?:by|with|in|at|from|through|to|as|on|for|24)\b"
    r"|\b(?:for|your|our)[^.;]{0,20} (?:information|reference) only"
    r"|\bthank\w*(?: you)?(?: very much)? in advance|\b(?:work\w*|put|get|come|discuss\w*) (?:it )?together"
    r"|\b(?:feel|toll|smoke)[ -]free|\b(?:within|under|in) \d+ min\."
    r"|\b\d+\+? (?:years?|months?) (?:of experience|experience|in (?:business|the market)|ago|warranty)"
    r"|\b(?:data ?sheets?|brochures?|certificates?|profile)\b[^.;]{0,15} (?:attached|enclosed)"
    r"|\b(?:attached|enclosed)\b[^.;]{0,15} (?:data ?sheets?|brochures?|certificates?|profile)\b)"
)
"""What a vendor says for courtesy with such words; it changes nothing."""
_AS_WRITTEN: Final = (
    r"(?<!no )(?<!not )(?<!without )(?<!any )(?<!never )(?<!non-)\b(?:"
    r"instead of|in (?:place|lieu) of|rather than|substitut\w+|alternativ\w+|equivalent|or similar|statt"
    r"|an ?stelle von|ersatzweise|au lieu|à la place|sous réserve|first[ -]come|valid (?:for|till|until)"
    r"|to be (?:agreed|confirmed|determined|discussed|negotiated)|TB[ACD]|à confirmer|on request"
    r"|not (?:yet )?(?:confirmed|final|firm|guaranteed)"
    r"|subject to|conditional\w*|contingent|provided|depend(?:s|ing) on|vorbehaltlich"
    r"|unless|if|pending|whil(?:e|st) [^.;]{0,40}?(?:last\w*|available|free|hold\w*|in stock)|option\w*|sofern"
    r"|non-?binding|indicativ\w*|estimat\w+|freibleibend|unverbindlich"
    rf"|(?:plus|zzgl\.?|zuzüglich|incl(?:uding|usive(?: of)?|\.)?|before) (?:[\d.,]+ ?% )?{_TAX}"
    rf"|{_TAX}\.? (?:is |are )?(?:extra|on top|not included|excluded|added|kommt hinzu)"
    r"|exclu(?!sive\b(?! of))\w+|not included|(?:is|are|at|as) extra|surcharge\w*|fees?|deposit"
    r"|down[ -]payment|discount\w*|indexation"
    r"|(?:billed|charged|invoiced) (?:at|extra|on top|separately)|[\d.,]+ ?% (?:at|on|upon|with) (?:order|sign\w+)"
    r"|auto\w*[ -]renew\w*|non-?refundable|not refundable|terminat\w+|penalt\w+|euros?|francs?|sterling"
    r"|refurbished|second-?hand|pre-?owned|pre-?empti\w+|interruptible|spot|best[ -]effort|VMs?|virtual machines?"
    r"|no (?:bare metal|InfiniBand|RoCE|SLA)|SLA (?:of )?\d[\d.,]*|\d+ ?% (?:SLA|uptime)"
    r"|(?:available|deliver\w*|starts?|starting|begins?|beginning|lead[ -]?time|earliest|not before|until|till|from"
    rf"|as of|lieferbar|Lieferung|ab|frühestens|à partir d[eu]|dès)\b[^.;\d]{{0,20}}?\b{_DATE}"
    rf"|(?:max(?:imum|\.)?|up to|at most|bis zu|höchstens) \d+ ?{_GPUS}|{_GPUS} per order"
    r"|(?:blocks?|racks?|lots?) of \d+|Mindest\w+|(?:plus|add) [\d.,]+ ?%|minimum|min\.|MOQ|at least"
    r"|no (?:less|fewer) than"
    rf"|from\b(?=[^;]{{0,60}}?{_WHEN})(?:[^.;]|\.(?=\d| ?\d)){{1,60}}?\bon(?:wards?)?\b"
    r"|only|nur|just \d+|remain(?:s|ing|der)"
    r"|together|bundl\w+|all[ -]or[ -]nothing|formula without"
    r"|\d+[\s-]*(?:months?|years?|yrs?|Monate?n?|Jahre?n?)|increas\w+|escalat\w+|rises?|adjust\w+|step[\s-]?up|indexed"
    r"|pre-?pa(?:y\w*|id)|in advance|upfront|(?:in|as) (?:EUR|GBP|CHF|JPY)|EUR|GBP|firm until|free"
    rf"|attach\w*|enclosed|{ONE_OF} \d+"
    # what is offered, and how much of it
    r"|similar|comparable|same class|newer|next[- ]gen\w*|replaced|swap\w*|discretion|no (?:NVLink|uptime)|rather"
    r"|PCIe (?:cards?|GPUs?|version|variant)|\d+ ?GB (?:version|variant|cards?)|reconditionn\w+|occasion|gebraucht\w*"
    r"|used (?:hardware|equipment|GPUs?|nodes?|cards?)|shared(?! (?:storage|file))|multi-?tenant"
    r"|oversubscri\w+|reclaim\w*|half|part(?:ly|ial\w*)|can cover|\d+ (?:pcs|pieces)"
    r"|we can (?:do|offer|provide|deliver|supply) \d+"
    rf"|(?:less|fewer) than|split|separate\w*|another|{_GPUS} (?:less|fewer)"
    # what its price is of, and what comes on top of it
    r"|(?:price|rate|quote|cost)[sd]?\b[^.;]{0,25}\bper (?:\d-GPU )?(?:node|server|system|chassis|rack)"
    r"|per (?:node|server|system)[- ](?:hour|month|year)|hour of (?:a )?(?:node|server)|thousands?|Tausend|milliers?"
    rf"|on top|at cost|{_TAX} (?:will|shall|to be|appl\w+)|lev(?:y|ies)|dut(?:y|ies)|customs|zzgl|zuzüglich|hors"
    r"|not (?:covered|part)|billed|to be paid|pa(?:id|yable) by (?:you|the|customer|buyer)|one-?(?:off|time)|acompte"
    r"|set-?up [$€]?\d[\d.,]*k?|(?:quarterly|yearly|annual\w*) (?:ahead|payment)|d'avance|rebate|promo\w*"
    r"|introductory|CPI|inflation|goes up|price reviews?|révisable|reserve the right|after(?![- ]sales)|afterwards"
    # when, for how long, and on which conditions
    r"|(?:one|two|three|four|five|six)[- ](?:months?|years?)|\d+[\s-]?(?:mos?|m|yrs?|y)|rolling|month[- ]to[- ]month"
    r"|cancel\w*|assum\w+|as long as|supplies|stock permitting|prior sale|Zwischenverkauf|solange|limite|sauf"
    r"|provisional|upon|requires|must|awaiting|once|slips?|ships?|ready (?:in|by|on|after)|laps\w+|expir\w+"
    r"|good (?:through|till|until)|Liefer(?:zeit|termin|frist)(?! (?:wie|ok|bestätigt))|Rücksprache|forecast"
    r"|(?:disponible|livraison) (?:en|sous|fin|mi|après)|endeavou?rs|reasonable efforts"
    r"|sign\w* (?:by|within|before)|broker\w*|via (?:an? )?partner|resell\w*|T&Cs?|AGB|CGV"
    r"|(?:our|own) (?:general )?terms|counter-?(?:proposal|offer)|see(?! you)|siehe|voir|annexe"
    r"|as (?:discussed|per our)"
    r"|floor|ramp\w*|tranches?|stagger\w+|phased|when (?:we|our|it|they|the)|first (?:box|node|batch|lot)"
    r"|next (?:spring|summer|autumn|winter)|bring your|w/o|excl|not incl|pass-?through|clause|reviewed|costs more"
    r"|more for|(?:add|\+) ?[\d.,]+|tier(?:s|ed)?\b(?! [1-4I])|sliding|bulk|teaser"
    r"|dies|by (?:Mon|Tues|Wednes|Thurs|Fri)day|credit (?:check|line|limit)|bank\w*|in front"
    r"|(?:billing|billed|invoic\w+) (?:starts|from|at)|rollover|evergreen"
    r"|renews|renewal|verlängert|Kaution|Anzahlung|Bonität|vorausgesetzt|sobald|Verfügbarkeit|ohne Gewähr|Richtpreis"
    r"|(?:pro|je|par) (?:Knoten|Server|nœud|noeud)|Teil(?:lieferung|menge)\w*|gemeinsam|vergleichbar\w*|Ersatz\w*"
    r"|indicatif|selon|caution|garantie|reconduction|révision|équivalente?|mutualisé\w*|pas de|no guarantee|pool"
    r"|to (?:follow|be announced)|before (?:you )?order\w*|sign-?off|approval|draft|preliminary|budgetary|ballpark"
    r"|rough"
    r")(?!\w)|[€£]|, ?not\b|\+ ?(?:[\d.,]+ ?% ?)?(?:VAT|GST|tax|MwSt)\b"
)
"""Words after which an offer is another one than the cells of its row say."""
_WORDS: Final = re.sub(r"(?<!\\)[A-Z]", lambda match: match[0].lower(), _AS_WRITTEN)
"""The same in lower case, to be looked for in such a text: four times as quick where none is found."""
_NO_BLANKS: Final = str.maketrans("", "", " -")
_CUT: Final = "\u2026"


def undecided(offer: Offer) -> Message | None:
    """Why a quote is not awarded before the buyer takes it as quoted; None where nothing that is remarked changes it.

    Source: docs/formulas/quotes.md, Quotes.

    >>> from gpuplanner.domain.model.tables import PricingCategory
    >>> quote = Offer(
    ...     offer_id="a",
    ...     gpu_model="H100",
    ...     pricing_category=PricingCategory.COMMITTED,
    ...     term_months=12,
    ...     rate_usd_per_gpu_hour=None,
    ...     source="Quote RFQ-1 R1; RTX 4090, not H100",
    ... )
    >>> str(undecided(quote)), undecided(taken_as_quoted(quote)) is None
    ('its remark names RTX 4090, but the RFQ asks for H100: accept the quote or ask', True)
    """
    remark, is_taken = remark_on(offer)
    if is_taken or not remark:
        return None
    return _changes(_without_repeats(remark, offer), offer.gpu_model, offer.gpu_memory_gb or 0)


_COUNTS: Final = {
    word: number for number, word in enumerate(["one", "two", "three", "four", "five", "six"], 1)
}
_COUNTED: Final = (
    rf"(?:order |quantity )?(?:of )?(\d{{1,5}}|{'|'.join(_COUNTS)})[ -](?:(GPUs?|cards?)|nodes?|servers?)\b"
)
_LEAST: Final = rf"(?i)\b(?:minimum|min\.?|at least|no(?:t)? (?:less|fewer) than) {_COUNTED}"
_MOST: Final = rf"(?i)\b(?:maximum|max\.?|at most|up to|no(?:t)? more than) {_COUNTED}"
_VALID: Final = r"(?i)\bvalid (?:till|until) (\d{4}-\d\d-\d\d|\d{1,2} \w{3,9} \d{4})\b"
_NODE_GPUS: Final = frozenset({1, 2, 4, 8, 16, 18, 36, 72})
"""GPUs that a node may have where an offer does not state how many."""


def _without_repeats(remark: str, offer: Offer) -> str:
    """A remark without what it says of its offer that the cells say too: that changes nothing.

    minimum two nodes, of an offer of 16 GPUs at least.
    """

    def is_as_many(match: "re.Match[str]", gpus: int | None) -> bool:
        count = _COUNTS.get(match[1].lower()) or int(match[1])
        if gpus is None or not count:
            return False
        if match[2]:
            return count == gpus
        nodes = _NODE_GPUS if offer.unit_gpus is None else {offer.unit_gpus}
        return gpus % count == 0 and gpus // count in nodes

    def is_same_day(match: "re.Match[str]") -> bool:
        if offer.valid_until is None:
            return False
        day = date.fromisoformat(offer.valid_until[:10])
        return match[1] == day.isoformat() or match[1] in (f"{day:{day.day} %b %Y}", f"{day:{day.day} %B %Y}")

    remark = re.sub(_LEAST, lambda match: " " if is_as_many(match, offer.min_gpus) else match[0], remark)
    remark = re.sub(_MOST, lambda match: " " if is_as_many(match, offer.max_gpus) else match[0], remark)
    return re.sub(_VALID, lambda match: " " if is_same_day(match) else match[0], remark)


def waits(offer: Offer) -> Message | None:
    """The same of what would be signed: what is paid by use is signed by nobody, and counts at its price."""
    return undecided(offer) if offer.pricing_category.is_commitment else None


@lru_cache(maxsize=4096)
def _changes(remark: str, gpu_model: str, memory_gb: float) -> Message | None:
    """The first thing in a remark that changes an offer of a GPU model with so much memory at least."""
    own = {_plain(match) for match in re.finditer(_MODEL, gpu_model)}
    for match in re.finditer(_MODEL, remark):
        name, size = _plain(match)
        is_less = float(size or memory_gb) < memory_gb
        if is_less or all(name != own_name or (size and gb and size != gb) for own_name, gb in own):
            return worded(
                "its remark names {model}, but the RFQ asks for {asked}: accept the quote or ask",
                model=match[0],
                asked=f"{gpu_model} {memory_gb:g} GB" if is_less else gpu_model,
            )
    rest = re.sub(_HARMLESS, " ", remark)
    lower = rest.lower()
    if words := re.search(_WORDS, lower):
        at = slice(*words.span()) if len(lower) == len(rest) else slice(0)  # a letter may become two
        return worded("its remark contains “{words}”: accept the quote or ask", words=rest[at] or words[0])
    if remark.endswith(_CUT):
        return worded("its remark was cut: read the file, then accept the quote or ask")
    return None


def _plain(match: "re.Match[str]") -> tuple[str, str]:
    """A GPU model in small letters, without blanks, maker and form, and the GB that it names."""
    return match[1].casefold().translate(_NO_BLANKS), match[2] or ""


def is_on_line_of(quote: Offer, offer: Offer) -> bool:
    """Whether two quotes answer one line of a request: a row, or those that renew it, whole terms apart."""
    answered, other = answered_row(offer), answered_row(quote)
    if quote == offer or answered is None or other is None:
        return quote == offer
    alike = replace(quote, offer_id=offer.offer_id, starts=offer.starts, source=offer.source) == offer
    if not alike or (answered.reference, answered.remark) != (other.reference, other.remark):
        return False
    days = [start.asked_s for each in (quote, offer) if (start := quoted_start(each)) is not None]
    apart_s, term_s = max(days, default=0) - min(days, default=0), offer.term_hours * HOUR_S
    terms = round(apart_s / term_s)
    return terms > 0 and abs(apart_s - terms * term_s) <= DAY_S


def taken_as_quoted(offer: Offer) -> Offer:
    """The same quote, which the buyer takes as it is; itself where nothing was to be decided."""
    if undecided(offer) is None or offer.source is None:
        return offer
    end = len(named_in(offer.source))
    return replace(offer, source=(offer.source[:end] + TAKEN + offer.source[end:])[:LONGEST_TEXT])
