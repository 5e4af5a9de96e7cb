"""Headings: the words of columns and cells, and what one heading means."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from itertools import takewhile
from typing import Final, NamedTuple

from gpuplanner.domain.message import NO_WORDS, Message, worded
from gpuplanner.files.system.resources import rows_of
from gpuplanner.files.tables import column_mapping, contract_days
from gpuplanner.files.tables.fields import FIELD_NAMES, FIELDS, HOLDS, IN_FULL, WORDS, Holds
from gpuplanner.files.values.amounts import NO_AMOUNT, currency_of, read_amount, with_kilohours
from gpuplanner.files.values.gpu_instances import find_instance
from gpuplanner.files.values.gpu_ranges import read_range
from gpuplanner.files.values.terms import MONTHS, YEARS, read_term, term_within
from gpuplanner.files.values.unit_words import HOURS_OF_PERIOD, price_words, term_words
from gpuplanner.files.values.word_lists import in_words, phrases, words
from gpuplanner.files.values.written_dates import lacks_year, read_date
from gpuplanner.lazy_dataclass import dataclass, replace
from gpuplanner.lazy_re import lazy_re

# --- Words in headings and cells of contracts and price lists -------------------------------------

LISTS: Final = {row["name"]: row["words"] for row in rows_of("heading_words.csv")}
"""Words of headings that are no field by themselves, by what they tell."""

WEAK_WORDS: Final = words(LISTS["weak_words"])
"""Headings that mean this only where the cells below agree."""

_OF_PARTS: Final = words(LISTS["of_parts"])
"""Headings of what a vendor calls by a number."""

NAMES: Final = phrases("contract_id|purchase_order|provider|cluster|gpu_model|instance|region|owner|pool")
"""Fields whose cells are names, whatever words are in them."""

RUN_WORDS: Final = words("job|jobid|job id|job name|run id|task|experiment|pod|pod name")
"""Headings by one of which a table is of what ran, whatever it says of money beside."""

JOB_WORDS: Final = words(LISTS["job_words"])
"""Headings of logs and bills: two of them, and it is no table of contracts."""

ORDER_WORDS: Final = words(LISTS["order_words"])
"""Headings of what was ordered, which no price list has."""

_OF_BILLS: Final = tuple(words(text) for name, text in LISTS.items() if name.startswith("bill_"))
"""Words in the headings of bills: that it is one, sums, days, what was billed, and how much of it."""

PRICE_TOKENS: Final = words(LISTS["price_tokens"])
PAID_TOKENS: Final = words(LISTS["paid_tokens"])
"""Of the price of a contract, beside which there may be that of the list."""
HOUR_TOKENS, MONTH_TOKENS, YEAR_TOKENS = map(price_words, ("hour", "month", "year"))
_GPU_HOURS: Final = frozenset(("gpuh", "gpuhr", "gpuhour"))
_PERIODS: Final = {
    "kilohour": price_words("kilohour"),
    "hour": HOUR_TOKENS | _GPU_HOURS,
    **{unit: price_words(unit) for unit in HOURS_OF_PERIOD if "hour" not in unit},
}
"""What a price may be for, the likelier of two that are named first."""
CENT_TOKENS: Final = frozenset(["cent", "cents", "¢", "cts"])
MACHINE_TOKENS: Final = words(LISTS["machine_tokens"])
_GROUP: Final = WORDS["group"]
"""Of which nobody knows how many GPUs each has, whatever their model is."""
GPU_TOKENS: Final = frozenset(["gpu", "gpus", "accelerator", "card"])
TOTAL_TOKENS: Final = words("total|sum|gesamt|upfront|tcv|deposit|value|summe|extended|subtotal")
EXTENDED: Final = "extended"
"""Of a price: that of all GPUs of its row."""
ON_DEMAND_PHRASES: Final = phrases(LISTS["on_demand_phrases"])
SPOT_PHRASES: Final = ("spot", "preemptible", "interruptible", "low priority")
COMMITTED_PHRASES: Final = phrases(LISTS["committed_phrases"])

CATEGORY_PHRASES: Final = (
    (SPOT_PHRASES, "dynamic"),
    (("on demand", "ondemand", "payg", "pay as you go", "uncommitted", "hourly", "flex"), "standard"),
    ((*COMMITTED_PHRASES, *phrases(LISTS["committed_words"])), "committed"),
)
"""What a cell of the pricing category says, in the order in which it is looked for."""
_CATEGORIES: Final = tuple(
    (lazy_re(rf"\b(?:{'|'.join(map(re.escape, sorted(texts, key=len, reverse=True)))})\b"), category)
    for texts, category in CATEGORY_PHRASES
)

TOTAL_ROWS: Final = phrases(LISTS["total_rows"])
"""How a row begins that adds up others."""

DAY_WORDS: Final = words(LISTS["day_words"])
"""Headings of a column of days in a table of prices by day."""

# --- Headings: what one heading of a table means, by its words; the cells below decide where words do not

EXACT, SYNONYM, GUESS = 1.0, 0.9, 0.6
"""How sure: our own name, a known word, a known word that has several meanings."""

_BRACKETS: Final = lazy_re(r"[(\[{].*?[)\]}]")
_LONGEST_HEADING: Final = 1000  # of what is longer the pattern of brackets takes the square of the time
_NO_WORD: Final = lazy_re(r"[^\w#$€£]+|_+")
_MODEL: Final = lazy_re(LISTS["gpu_name"])
RULER: Final = lazy_re(r"^:?[-=_+]{2,}:?$")
"""What stands in the cells of a line between headings and rows."""
OF_ONE_PRICE: Final = ("rate", "price", "preis", "preise", "tarif", "satz", "prix", "unit")
"""How a word ends that makes a price of what has no period: other costs are of who knows what."""
_EACH: Final = WORDS["each"]
_GPUS_PER: Final = WORDS["gpus_per"]
COUNT_OF: Final = lazy_re(r"^\s*(\d+)\s*[x×*]\s*(.+)$", re.I)
_GPU_MACHINE: Final = lazy_re(r"\bgpu[ -]((?:node|server|instance|machine|host|vm)s?\b)")
"""A machine with GPUs: what is for one of these is not for one GPU."""

_SEVERAL_GPUS: Final = lazy_re(r"\b((?:[2-9]|\d{2,3})) ?[x×]?[ -]?gpus?\b")
"""So many GPUs are a machine: what is for `8 GPUs` is not for one."""
_OTHER_QUANTITIES: Final = words(LISTS["other_quantities"])
"""What is counted per GPU, or taken off, and is no price."""
_NO_PRICES: Final = words(LISTS["no_prices"])
"""Of which a price is none of GPUs."""
_OF_BEFORE: Final = words(LISTS["of_before"])
"""A price of before, which another counts before."""
_OF_NOW: Final = words(LISTS["of_now"])
_COMES_BESIDE: Final = words(LISTS["comes_beside"])
_INCLUDING: Final = words("incl|including|included|inkl|inklusive|with|mit|avec|all")
_LEAVING_OUT: Final = words("excl|excluding|without|w|ex|exkl|exklusive|ohne|hors|sans|before|vor|plus|zzgl")
"""A price of what comes beside that of GPUs, unless it is one of GPUs with it, or without what follows."""

_GPUS_IN_HEADING: Final = WORDS["gpus_in_heading"]
_OF_A_SET: Final = lazy_re(r"(?i)\(\d{1,3} ?[x×]\)")
"""How a heading says that its prices are of several GPUs."""
_DAYS_IN_HEADING: Final = WORDS["days_in_heading"]
"""Days, and which year or month of a term: a price of these is for none of them."""
TERM_IN_HEADING: Final = lazy_re(
    rf"\b(\d{{1,2}})\s*-?\s*(?:({'|'.join(term_words('year'))})|({'|'.join(term_words('month'))}))\b"
)


_SIZES: Final = {
    "percent": words("percent|prozent|pourcent|pct"),
    "tb": words("tb|tib"),
    "gb": words("gb|gib"),
}
_ONE: Final = Decimal(1)
_A_GPU_MONTH: Final = {"gpu_month": _ONE, "gpu_hour": Decimal(730), "gpu_year": _ONE / 12}
BESIDE: Final[Mapping[str, Mapping[str, Decimal]]] = {
    "egress_usd_per_gb": {"": _ONE, "gb": _ONE, "tb": _ONE / 1000},
    "setup_usd": {"gpu": _ONE},
    "support_percent": {"percent": _ONE},
    **{f"{name}_usd_per_gpu_month": _A_GPU_MONTH for name in ("storage", "network", "staff")},
    **{f"{name}_percent": {"percent": _ONE, "": _ONE} for name in ("take_or_pay", "sla")},
    **{f"{name}_usd": {"": _ONE} for name in ("prepaid", "deposit", "cancel_fee")},
}
"""Amounts beside a price -> what they may be said to be for, and by what each is in the unit of its field."""
_OF_AMOUNTS: Final = words(LISTS["of_amounts"]).union(
    GPU_TOKENS, MACHINE_TOKENS, HOUR_TOKENS, MONTH_TOKENS, YEAR_TOKENS, *_SIZES.values()
)
"""Words of a heading that say how much or for what, and not what is paid."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """What a heading seems to mean; see ColumnReading. is_weak: only if the cells agree."""

    field: str
    unit: str = ""
    currency: str = ""
    confidence: float = SYNONYM
    why: Message = NO_WORDS
    is_weak: bool = False
    rank: int = 0


class Statistic(NamedTuple):
    """The field that a statistic of prices is, and its rank among those of the field."""

    field: str
    rank: int


STATISTICS: Final[Mapping[str, Statistic]] = {
    word: Statistic(field=field, rank=rank)
    for field, ranked in (
        (column_mapping.RATE, ("", "median|p50", "mean|avg|average|typical")),
        ("rate_low", ("min|minimum|lowest|low", "p25|q1", "p10|p05|p5")),
        ("rate_high", ("max|maximum|highest|high", "p75|q3", "p90|p95")),
    )
    for rank, names in enumerate(ranked)
    for word in filter(None, names.split("|"))
}
"""Statistics of prices by the word that names each."""


OF_BEST: Final = lazy_re(LISTS["of_best"])
"""How a heading begins that is of the cheapest of several sellers."""


class NamedStatistic(NamedTuple):
    """Statistic that a heading names (may be empty), and the rest of the heading."""

    statistic: str
    rest: str


def parted_statistic(heading: str) -> NamedStatistic:
    """The statistic that a heading names and the rest of it; empty and the heading where it names none.

    >>> parted_statistic("price_median")
    NamedStatistic(statistic='median', rest='price')
    >>> parted_statistic("low priority").rest, parted_statistic("H100").rest
    ('low priority', 'H100')
    """
    parts = [word for word in re.split(r"[\s_-]+", heading) if word]
    found = [word for word in parts if word.lower() in STATISTICS]
    if len(found) != 1 or any(phrase in plain_words(heading) for phrase in SPOT_PHRASES[3:]):
        return NamedStatistic(statistic="", rest=heading)
    return NamedStatistic(
        statistic=found[0].lower(), rest=" ".join(word for word in parts if word != found[0])
    )


@lru_cache(maxsize=4096)
def plain_words(heading: str) -> str:
    """A heading without brackets and signs, in small letters.

    >>> plain_words("# GPUs (8 per node)"), plain_words("Start_Date*"), plain_words("ContractEnd")
    ('# gpus', 'start date', 'contract end')
    """
    text = (
        _BRACKETS.sub(" ", in_words(heading[:_LONGEST_HEADING])).replace("#", "# ").replace("%", " percent")
    )
    return " ".join(_NO_WORD.sub(" ", text.lower()).split())


@lru_cache(maxsize=8)
def _fields_by_word(kind: str) -> Mapping[str, tuple[str, ...]]:
    """For each word of a heading the fields it may mean, in the order of the fields."""
    fields: dict[str, tuple[str, ...]] = {}
    for field in FIELDS[kind]:
        for word in filter(None, field.words.split("|")):
            fields[word] = (*fields.get(word, ()), field.name)
    return fields


@lru_cache(maxsize=4096)
def meanings(heading: str, kind: str) -> tuple[Meaning, ...]:
    """What a heading may mean, the likeliest first; several where the cells have to decide.

    kind: contracts or prices. None for a heading that says nothing known, or is too long to be one.

    >>> meanings("Preis (EUR/GPU/h)", "contracts")[0].currency, meanings("Duration (h)", "contracts")
    ('EUR', ())
    """
    if not heading.strip() or len(heading) > 120:
        return ()
    if heading.strip().lower() == column_mapping.RATE:
        return (
            Meaning(
                field=column_mapping.RATE,
                unit=column_mapping.GPU_HOUR,
                currency="",
                confidence=EXACT,
                why=worded("matching name"),
            ),
        )
    known = _fields_by_word(kind)
    plain, said = plain_words(heading), unit_for(heading)
    beside = _named_beside(heading)
    fits = [field for field in FIELD_NAMES[kind] if field in beside and said in ("", *BESIDE[field])]
    sure = [field for field in fits if said in BESIDE[field] or heading.strip().lower() == field]
    is_of_a_run = said == "hour"  # no contract is for hours, as a job is
    others = [
        field
        for field in known.get(plain, ())
        if field not in BESIDE and not (is_of_a_run and field.endswith("term_months"))
    ]
    confidence_of_word = SYNONYM
    if plain in WEAK_WORDS:  # before and behind a name of anything
        confidence_of_word = GUESS + 0.05 * ("gpu" in plain) - 0.05 * (plain in _OF_PARTS)
    meant = []
    fields = sure or [*others, *fits] or _counted_fields(plain, kind)
    by_core = [] if fields else _fields_by_core(heading, plain, kind)
    for field in fields or by_core:
        is_name = heading.strip().lower() == field
        meant.append(
            Meaning(
                field=field,
                unit=_term_unit(heading) if field.endswith("term_months") else "",
                confidence=EXACT if is_name else confidence_of_word,
                why=worded("matching name")
                if is_name
                else worded("“{heading}” means it", heading=heading.strip()),
                is_weak=plain in WEAK_WORDS or field in by_core or (field in fits and field not in sure),
            )
        )
    if kind == "prices" and "setup_usd" in beside and not sure:  # of whoever the row is of
        why = worded("“{heading}”: one-time payment", heading=heading.strip())
        meant = [Meaning(field="one_time_fee", why=why), *meant]
    price = None if beside - {"prepaid_usd"} else _price(heading, kind)
    if kind == "prices" and not meant and (statistic := parted_statistic(heading)).statistic:
        price = _statistic(*statistic)
    return (*meant, *((price,) if price is not None and not meant else ()))


def _statistic(word: str, rest: str) -> Meaning | None:
    """What a statistic of prices means: the rate itself, or an end of its range; None where it is of no price."""
    price = (
        _price(rest, "prices") if rest else Meaning(field=column_mapping.RATE, is_weak=True, confidence=GUESS)
    )
    field, rank = STATISTICS[word]
    if price is None or column_mapping.RATE not in (field, price.field):
        return None
    is_rate = field == column_mapping.RATE
    message = worded("“{word}” of prices", word=word)
    confidence = price.confidence if is_rate else price.confidence - rank / 20
    return replace(
        price, field=price.field if is_rate else field, rank=rank, why=message, confidence=confidence
    )


def _fields_by_core(heading: str, plain: str, kind: str) -> list[str]:
    """What a heading of contracts means but for words that any of them has: of a first or a last day, `agreement finish
    date`; or by its brackets, `Used by (cluster)`.
    """
    if kind != "contracts":
        return []
    known = _fields_by_word(kind)
    core = " ".join(word for word in plain.split() if word not in _OF_ANY_CONTRACT)
    days = [field for field in known.get(core, ()) if field in ("start", "end", "notice_days")]
    within = " ".join(plain_words(text[1:-1]) for text in _BRACKETS.findall(heading))
    named = (*known.get(plain.removesuffix(" name"), ()), *known.get(within, ()))
    return days or [field for field in named if field in _NAMED_IN_BRACKETS][:1]


_OF_ANY_CONTRACT: Final = words(LISTS["of_any_contract"])
"""Words of a heading of days that say of which contract, and not which day."""
_NAMED_IN_BRACKETS: Final = words("cluster|region|provider|owner|gpu_model|purchase_order|contract_id")


def _counted_fields(plain: str, kind: str) -> tuple[str, ...]:
    """What a heading means but for the word of what it counts: `notice months`, `min term (in years)`."""
    fields = _fields_by_word(kind).get(contract_days.without_unit(plain), ())
    known = (*contract_days.COUNTED, "min_term_months", *(("term_months",) if _term_unit(plain) else ()))
    return tuple(field for field in fields if field in known)


def unit_for(text: str) -> str:
    """What an amount beside a price is for, by its heading or what follows it: percent, gb, tb, node, gpu_month, gpu.

    Empty where it says nothing.

    >>> unit_for("Storage ($/GPU/month)"), unit_for("/TB"), unit_for("5%"), unit_for("Deposit")
    ('gpu_month', 'tb', 'percent', '')
    """
    seen = set(_tokens(text.replace("%", " percent")))
    known = {**_SIZES, "node": MACHINE_TOKENS}
    size = next((unit for unit, names in known.items() if seen & names), "")
    return size or price_period(text) or ("gpu" if seen & GPU_TOKENS else "")


@lru_cache(maxsize=4096)
def _named_beside(heading: str) -> frozenset[str]:
    """The fields of BESIDE that a heading names, whatever it says that its amounts are for."""
    name = " ".join(token for token in _tokens(heading) if token not in _OF_AMOUNTS)
    names = (name, plain_words(heading))
    known = (_fields_by_word(kind).get(name, ()) for kind in FIELDS for name in names)
    return frozenset(field for fields in known for field in fields if field in BESIDE)


def _term_unit(heading: str) -> str:
    """Months or years, by the words of the heading; empty where it says neither."""
    tokens = set(_tokens(heading))
    if tokens & {*YEAR_TOKENS, *term_words("year")}:
        return YEARS
    return MONTHS if tokens & {*MONTH_TOKENS, *term_words("month")} else ""


def _tokens(heading: str) -> list[str]:
    """The words of a heading in small letters, signs of currencies as words of their own."""
    text = with_kilohours(in_words(heading).lower())
    for name, full in IN_FULL.items():
        text = WORDS[name].sub(full, text)
    text = _SEVERAL_GPUS.sub(r"\1 node", text)
    spaced = re.sub(r"([#$€£¢])", r" \1 ", _GPU_MACHINE.sub(r"\1", text))
    return [token for token in re.split(r"[^\w#$€£¢]+|_", spaced) if token]


def _price(heading: str, kind: str) -> Meaning | None:
    """What a heading means as a price: the way to pay, per what, the currency.

    None if it is no price of machines.
    """
    tokens = _tokens(heading)
    text, seen = " ".join(tokens), set(tokens)
    currency = currency_of(heading) or ""
    if seen & CENT_TOKENS and currency in ("", "USD"):
        currency = column_mapping.CENTS
    is_per_period = any(map(seen.intersection, _PERIODS.values()))
    is_sum = kind == "contracts" and is_per_period and WORDS["sum"].search(text)
    is_price = bool(seen & PRICE_TOKENS) or bool(currency) or bool(is_sum)
    no_prices = _NO_PRICES if is_price else _NO_PRICES | _OTHER_QUANTITIES
    own = set[str]() if seen & _INCLUDING else {*takewhile(lambda token: token not in _LEAVING_OUT, tokens)}
    is_other = bool(
        seen & no_prices or own & _COMES_BESIDE or (kind == "contracts" and WORDS["of_paying"].search(text))
    )
    if (
        len(tokens) > 12
        or is_other
        or _GPUS_PER.match(text)
        or (kind == "prices" and is_never_a_rate(heading))
    ):
        return None
    per = _per(set(_tokens(_DAYS_IN_HEADING.sub(" ", TERM_IN_HEADING.sub(" ", text)))))
    category = _category(text) if kind == "prices" else column_mapping.RATE
    is_extended = kind == "prices" and seen & TOTAL_TOKENS == {EXTENDED}
    if seen & TOTAL_TOKENS and not is_per_period and "no upfront" not in text and not is_extended:
        return None
    if kind == "prices":
        if "per gpu" in text and not is_price and category == column_mapping.RATE:
            return Meaning(
                field=column_mapping.STATED_PER_GPU,
                unit=column_mapping.GPU_HOUR,
                currency="",
                confidence=SYNONYM,
                why=worded("“{heading}”: per GPU", heading=heading.strip()),
            )
        if (
            not is_price
            and category == column_mapping.RATE
            and not (per in ("hour", column_mapping.GPU_HOUR) and "per" in seen)
        ):
            return None
    elif not is_price:
        return None
    if not per and not is_price and category == column_mapping.RATE:
        return None
    per = per.removeprefix("gpu_") or "hour" if is_extended else per
    is_open = not per
    if (
        is_open
        and tokens
        and not any(token.endswith(OF_ONE_PRICE) for token in tokens)
        and category == column_mapping.RATE
    ):
        return None  # a cost of who knows what
    why, units = worded("“{heading}”: price", heading=heading.strip()), per.replace("_", " and ")
    if per:
        why = worded("“{heading}”: price per {units}", heading=heading.strip(), units=units)
    is_paid, is_list = (
        bool(seen & PAID_TOKENS and (seen & PRICE_TOKENS or currency)),
        bool(seen & {"list", "listenpreis"}),
    )
    is_before, is_now = bool(seen & _OF_BEFORE), bool(seen & _OF_NOW)
    rank = is_list + is_before - is_paid - is_now if kind == "contracts" else int(is_extended or is_before)
    return Meaning(
        field=category,
        unit=per,
        currency=currency,
        confidence=GUESS if is_open else SYNONYM,
        why=why,
        is_weak=is_open,
        rank=rank,
    )


_NEVER_A_RATE: Final = WORDS["never_a_rate"]
_OF_TOKENS: Final = WORDS["per_other_use"]
_ONLY_HOURS: Final = WORDS["only_hours"]
_OF_SALE: Final = WORDS["of_sale"]
_SHARE: Final = lazy_re(r"(?i)(?<!\d)(?<!\d )%|(?:\b|_)(?:pct|percent|prozent|pourcent)(?:\b|_)")


def is_never_a_rate(heading: str) -> bool:
    """Whether a heading says that its numbers are no rate of GPUs: the unit of a heading binds.

    Savings, coverage, dispersion, a score, spend, hours without money, prices of tokens, used or retail prices.

    >>> [is_never_a_rate(text) for text in ("On Demand Hours", "monthlySavingsAmount", "Input price per 1M tokens")]
    [True, True, True]
    >>> [is_never_a_rate(text) for text in ("Savings plan 1 yr", "On demand ($/GPU hours)", "Price after discount")]
    [False, False, False]
    """
    text = heading_text(heading)
    is_money = not PRICE_TOKENS.isdisjoint(text.split()) or currency_of(heading) is not None
    is_of_sale = _OF_SALE.search(text) is not None and not price_period(text)
    is_hours = (
        _ONLY_HOURS.search(text) is not None
        and not is_money
        and "per" not in text.split()
        and "/" not in heading
    )
    is_share = _SHARE.search(heading) is not None
    return (
        is_hours
        or is_of_sale
        or is_share
        or any(words_of.search(text) for words_of in (_NEVER_A_RATE, _OF_TOKENS))
    )


def heading_text(heading: str) -> str:
    """The words of a heading in small letters, also of CamelCase.

    >>> heading_text("EstimatedMonthlySavingsAmount")
    'estimated monthly savings amount'
    """
    return " ".join(_tokens(heading))


@lru_cache(maxsize=4096)
def gpus_in_heading(text: str) -> int:
    """How many GPUs the machine has that a heading speaks of; 0 where it does not say.

    >>> [gpus_in_heading(text) for text in ("Price per 8-GPU node hour", "4 nodes x 8", "4 nodes x 12 months")]
    [8, 8, 0]
    >>> [gpus_in_heading(text) for text in ("H100 8-way", "A100 80GB x8", "p5.48xlarge x 4", "H100 x 8 months")]
    [8, 8, 0, 0]
    """
    match = _GPUS_IN_HEADING.search(text)
    return int(next(filter(None, match.groups()))) if match else 0


@lru_cache(maxsize=4096)
def may_be_machine(item: str) -> bool:
    """Whether what is ordered may be a machine of several GPUs: a node, `DGX H100`, `H100 8-way`, an instance type.

    >>> [may_be_machine(item) for item in ("HGX H100", "H100 x8", "H100 SXM5 80GB", "p5.4xlarge")]
    [True, True, False, False]
    """
    if (instance := find_instance(item)) is not None:
        return instance.gpus is not None and instance.gpus > 1
    names = (WORDS["machine"], WORDS["machine_or_part"])
    return gpus_in_heading(item) > 1 or any(pattern.search(item) for pattern in names)


@lru_cache(maxsize=4096)
def price_unit(text: str) -> str:
    """What a price is for, from what stands after it: `/hr`, `pro GPU-Stunde`; empty where nothing does.

    >>> price_unit("/gpu/hr"), price_unit("per month"), price_unit("")
    ('gpu_hour', 'month', '')
    """
    return _per(set(_tokens(text)))


@lru_cache(maxsize=4096)
def price_period(text: str) -> str:
    """The same of a cell that says nothing else; empty where it names no time: GPUs may be what is counted.

    >>> price_period("per instance-hour"), price_period("GPU"), price_period("GPU-Hrs")
    ('hour', '', 'gpu_hour')
    """
    seen = set(_tokens(text))
    return _per(seen) if any(map(seen.intersection, _PERIODS.values())) else ""


def is_spot_heading(heading: str) -> bool:
    """Whether a heading speaks of spot: its cells are prices, or whether a price is one of spot.

    >>> is_spot_heading("Spot price"), is_spot_heading("Price")
    (True, False)
    """
    return any(phrase in plain_words(heading) for phrase in SPOT_PHRASES)


@lru_cache(maxsize=4096)
def names_machine(text: str) -> bool:
    """Whether a text speaks of machines with GPUs, and not of GPUs: `/node-hr`, `8 servers`, `$/hr (8x)`.

    >>> names_machine("/node-hr"), names_machine("/gpu-hr")
    (True, False)
    """
    return not MACHINE_TOKENS.isdisjoint(_tokens(text)) or _OF_A_SET.search(text) is not None


def counts_gpus(heading: str) -> bool:
    """Whether a heading says that its numbers are GPUs, and not machines with so many.

    >>> [counts_gpus(text) for text in ("Qty (GPUs)", "# GPUs", "GPU nodes", "Qty (8-GPU nodes)", "Qty")]
    [True, True, False, False, False]
    """
    return not GPU_TOKENS.isdisjoint(_tokens(heading)) and not names_machine(heading)


def counts_no_gpus(heading: str) -> bool:
    """Whether a heading says that its numbers are of another quantity: vCPUs, GB, percent, score.

    >>> counts_no_gpus("vCPUs"), counts_no_gpus("RAM (GB)"), counts_no_gpus("Commit size")
    (True, True, False)
    """
    return not _OTHER_QUANTITIES.isdisjoint(_tokens(heading.replace("%", " percent")))


def is_of_others(text: str) -> bool:
    """Whether what stands behind a number says that it counts no GPUs: nodes, racks, hours.

    >>> is_of_others("racks"), is_of_others("GPU-hours"), is_of_others("nodes"), is_of_others("GPUs")
    (True, True, True, False)
    """
    return names_machine(text) or names_group(text) or bool(price_period(text))


def names_group(text: str) -> bool:
    """Whether a text speaks of sets of machines, which have who knows how many GPUs."""
    return _GROUP.search(text) is not None


def is_of_commitment(heading: str) -> bool:
    """Whether a heading is of prices for who commits.

    >>> is_of_commitment("Reserved ($/GPU-h)"), is_of_commitment("Price without commitment")
    (True, False)
    """
    plain = plain_words(heading)
    return any(phrase in plain for phrase in COMMITTED_PHRASES) and not _UNCOMMITTED.search(plain)


_UNCOMMITTED: Final = lazy_re(r"\b(?:uncommitted|no|non|not|without|ohne|keine|sans)\b")


class BillHeadings(NamedTuple):
    """Whether headings may be of a bill in sums, and whether they are surely of no price list."""

    may_be_bill: bool
    are_no_prices: bool


def are_of_bill(texts: Iterable[str]) -> BillHeadings:
    """Whether headings may be those of a bill in sums, and whether they are surely of no price list.

    >>> are_of_bill(["Date", "Service", "Amount"])
    BillHeadings(may_be_bill=True, are_no_prices=False)
    >>> are_of_bill(["Invoice", "Item", "Unit price", "Amount"])
    BillHeadings(may_be_bill=True, are_no_prices=True)
    """
    seen = {token for text in texts for token in _tokens(text)}
    is_named, has_sum, has_day, has_item, has_use = (not seen.isdisjoint(some) for some in _OF_BILLS)
    is_bill = has_sum and (is_named or (has_day and has_item))
    is_of_held = has_sum and not seen.isdisjoint(("renewal", "seats"))
    return BillHeadings(
        may_be_bill=is_bill and seen.isdisjoint(("start", "end", "job")),
        are_no_prices=is_of_held or (is_bill and (is_named or has_use)),
    )


def is_each(heading: str) -> bool:
    """Whether a price is of one of what its row counts.

    >>> is_each("Unit price (USD/hr)"), is_each("Price (USD/hr)")
    (True, False)
    """
    return _EACH.search(heading) is not None


def is_bare(heading: str) -> bool:
    """Whether a heading says that it is a price and nothing else: of one of what a row's unit says.

    >>> is_bare("Price (USD)"), is_bare("Total price"), is_bare("Monthly cost")
    (True, False, False)
    """
    return plain_words(heading) in OF_ONE_PRICE


def _per(seen: set[str]) -> str:
    """What a price is per: hour, month, year or another period, of a GPU or of the machine.

    Empty where that is open.
    """
    has_gpu = bool(seen & (GPU_TOKENS | _GPU_HOURS))
    for period, tokens in _PERIODS.items():
        if seen & tokens:
            return f"gpu_{period}" if has_gpu else period
    return column_mapping.GPU_HOUR if has_gpu else ""


def _category(text: str) -> str:
    """Which of the rates a heading means: spot, on demand, committed for some months, or just the rate."""
    match = TERM_IN_HEADING.search(text)
    if any(phrase in text for phrase in SPOT_PHRASES):
        return column_mapping.RATE_SPOT
    if any(phrase in text for phrase in ON_DEMAND_PHRASES):
        return column_mapping.RATE_ON_DEMAND
    if match:
        return column_mapping.committed_rate(int(match[1]) * (12 if match[2] else 1))
    return column_mapping.RATE


def has_readable(field: str, texts: Sequence[str]) -> bool:
    """Whether some cell of a column can be read as a field; of what takes any text, whether one states something."""
    looks = _LOOKS.get(HOLDS.get(field, Holds.WAY), bool)
    return any(looks(text.strip()) for text in texts if text.strip().lower() not in ("", *NO_AMOUNT))


def cells_agree(field: str, samples: Sequence[str]) -> bool:
    """Whether most of the cells of a column can be a field; without any cell they can.

    Words for no amount do not count. A field of which nothing is known takes any cell.
    """
    texts = [text.strip() for text in samples if text.strip() and text.strip().lower() not in NO_AMOUNT]
    texts = [text for text in texts if not RULER.match(text)]
    looks = _LOOKS.get(HOLDS.get(field, Holds.WAY))
    if (units := BESIDE.get(field)) is not None:
        return any(
            said and said in units for said in map(unit_for, texts)
        )  # a bare number may be of anything
    return not texts or looks is None or sum(map(looks, texts)) * 2 >= len(texts)


@lru_cache(maxsize=4096)
def is_gpu_name(text: str) -> bool:
    """Whether a text seems to name a GPU model, or a cloud's machine with GPUs.

    >>> is_gpu_name("8x H100 SXM"), is_gpu_name("g5.12xlarge"), is_gpu_name("Frankfurt")
    (True, True, False)
    """
    return _MODEL.search(text) is not None or find_instance(text) is not None


def count_in_model(text: str) -> int:
    """How many GPUs a cell of the model says: 8 of `8 x H100`; 1 where it says nothing.

    >>> count_in_model("8 x H100"), count_in_model("H100")
    (8, 1)
    """
    match = COUNT_OF.match(text)
    return int(match[1][:6]) if match else 1


@lru_cache(maxsize=4096)
def category_of(text: str) -> str | None:
    """What a cell says of how a GPU is paid: committed, standard or dynamic.

    None where it says nothing known.

    A term alone is a commitment; a bare number is none.

    >>> category_of("On-Demand"), category_of("1 year reserved"), category_of("Spot"), category_of("12")
    ('standard', 'committed', 'dynamic', None)
    """
    plain = " ".join(_tokens(text))
    if plain in {"standard", "committed", "dynamic", "owned"}:
        return plain
    for pattern, category in _CATEGORIES:
        if pattern.search(plain):
            return category
    return "committed" if read_term(text) is not None and not text.strip().isdecimal() else None


@dataclass(frozen=True, slots=True)
class WayOfCell:
    """A cell that says how is paid and nothing else. months: of a term, None where it names none.

    variant: what it says beside, which is part of the offer's name.
    """

    category: str
    months: int | None = None
    variant: str = ""


@lru_cache(maxsize=4096)
def way_of_cell(text: str) -> WayOfCell | None:
    """The way to pay that a cell is all about; None where it says anything else, or nothing.

    >>> way_of_cell("reserved_36mo"), way_of_cell("US East")
    (WayOfCell(category='committed', months=36, variant=''), None)
    """
    plain = " ".join(_tokens(re.sub(r"(?<=[a-z])(?=\d)", " ", text[:80])))
    if plain in _NO_TERM:
        return WayOfCell("standard")
    months = term_within(plain)
    left = plain if months is None else TERM_IN_HEADING.sub(" ", plain)
    for pattern, _ in _CATEGORIES:
        left = pattern.sub(" ", left)
    rest = left.split()
    category = category_of(plain) or ("standard" if OFFERED_AS & set(rest) else None)
    if category is None or not set(rest) <= _BESIDE_A_WAY:
        return None
    words_left = [
        word
        for word in re.split(r"[\W_]+", text)
        if word.lower() in rest and word.lower() not in _SAYS_NOTHING
    ]
    return WayOfCell(category, months if category == "committed" else None, " ".join(words_left))


OFFERED_AS: Final = words("community|secure")
"""Kinds of hosts, both on demand."""
_NO_TERM: Final = words(LISTS["no_term"])
_SAYS_NOTHING: Final = words(LISTS["says_nothing"])
_BESIDE_A_WAY: Final = (
    OFFERED_AS
    | _SAYS_NOTHING
    | words("no|all|partial|upfront|up|front|convertible|savings|plan|plans|year|month")
)


OTHER_UNITS: Final = lazy_re(LISTS["other_units"])
"""Units in which no GPUs are sold, whatever the item names, maybe behind a number."""


def _is_count(text: str) -> bool:
    """Whether a text begins with a count, such as `8 x`."""
    number = read_amount(text).number
    return number is not None or re.match(r"^\d+\s*[x×]", text.lower()) is not None


_NEVER_ENDS: Final = contract_days.MONTHLY | words(LISTS["never_ends"])


def never_ends(text: str) -> bool:
    """Whether what stands in place of an end says that there is none."""
    return text.strip().lower().rstrip(".") in _NEVER_ENDS


def _is_date(text: str) -> bool:
    """Whether a text is a date, or stands for no end."""
    return read_date(text) is not None or lacks_year(text) or text.startswith("9999") or never_ends(text)


_LOOKS: Final[Mapping[Holds, Callable[[str], bool]]] = {
    Holds.COUNT: lambda text: _is_count(text) and not OTHER_UNITS.match(text),
    **dict.fromkeys((Holds.NUMBER, Holds.PLAIN_NUMBER, Holds.RATE), _is_count),
    **dict.fromkeys((Holds.DATE, Holds.PLAIN_DATE), _is_date),
    Holds.RANGE: lambda text: _is_count(text) or read_range(text) is not None,
    Holds.MODEL: is_gpu_name,
    Holds.CATEGORY: lambda text: category_of(text) is not None,
    Holds.TERM: lambda text: bool(read_term(text) or way_of_cell(text)) or never_ends(text),
    Holds.RENEWAL: lambda text: (
        contract_days.renewal_text(text) is not None or contract_days.is_open_renewal(text)
    ),
    Holds.DAYS: lambda text: contract_days.notice_days(text, "", "").days.isdecimal() or _is_date(text),
    Holds.UNIT: lambda text: bool(price_period(text)),
    Holds.ID: lambda text: not _is_date(text),
}
"""How the cells of a field look; those of others may be anything."""
