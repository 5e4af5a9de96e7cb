"""Headings: what one heading of a table means, by its words; the cells below decide where words do not."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from gpuplanner.domain.message import NO_WORDS, Message, worded
from gpuplanner.files.tables import column_words as words
from gpuplanner.files.tables.fields import FIELDS, HOLDS, Holds
from gpuplanner.files.tables.table_mapping import (
    CENTS,
    GPU_HOUR,
    RATE,
    RATE_ON_DEMAND,
    RATE_SPOT,
    STATED_PER_GPU,
    committed_rate,
)
from gpuplanner.files.values.amounts import NO_AMOUNT, currency_of, read_amount
from gpuplanner.files.values.unit_words import term_words
from gpuplanner.files.values.written_dates import read_date
from gpuplanner.files.values.written_terms import MONTHS, YEARS, read_term

EXACT, SYNONYM, GUESS = 1.0, 0.9, 0.6
"""How sure: our own name, a known word, a known word that has several meanings."""

_BRACKETS: Final = re.compile(r"[(\[{].*?[)\]}]")
_LONGEST_HEADING: Final = 1000  # of what is longer the pattern of brackets takes the square of the time
_NO_WORD: Final = re.compile(r"[^\w#$€£]+|_+")
_MODEL: Final = re.compile(
    r"\b(?:[ABHLPTVK]\d{1,3}[A-Z]?|GB?H?\d{3}|MI\d{3}[A-Z]?|RTX|GTX|GH200|Gaudi|TPU|L40S?|\d{4}\s?Ti)\b", re.I
)
_GPUS_PER: Final = re.compile(
    r"^(?:# )?(?:(?:number|no) )?(?:of )?gpus? (?:per|pro|je) (?!hour|hr|h\b|mo|stunde)"
)
COUNT_OF: Final = re.compile(r"^\s*(\d+)\s*[x×*]\s*(.+)$", re.I)
_GPU_MACHINE: Final = re.compile(r"\bgpu[ -]((?:node|server|instance|machine|host|vm)s?\b)")
"""A machine with GPUs: what is for one of these is not for one GPU."""

_SEVERAL_GPUS: Final = re.compile(r"\b((?:[2-9]|\d{2,3})) ?[x×]?[ -]?gpus?\b")
"""So many GPUs are a machine: what is for `8 GPUs` is not for one."""
_OTHER_QUANTITIES: Final = frozenset(
    ["token", "tokens", "tflops", "flops", "throughput", "ms", "watts", "samples"]
)
"""What is counted per GPU and is no price."""
_GPUS_IN_HEADING: Final = re.compile(
    r"(?<![\w.])(\d{1,3}) ?[x×]?[ -]?gpus?\b"
    r"|(?<![\w.])(\d{1,3}) ?[x×][ -]?(?:gpu|node|server|nvidia|[abh]\d{2,3}|mi\d)",
    re.I,
)
_DAYS_IN_HEADING: Final = re.compile(r"\b\d{1,3}[ -]?days?\b")
_TERM_IN_HEADING: Final = re.compile(
    rf"\b(\d{{1,2}})\s*-?\s*(?:({'|'.join(term_words('year'))})|({'|'.join(term_words('month'))}))\b"
)


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a heading seems to mean; see ColumnReading. is_weak: only if the cells agree."""

    field: str
    unit: str = ""
    currency: str = ""
    confidence: float = SYNONYM
    why: Message = NO_WORDS
    is_weak: bool = False


def plain_words(heading: str) -> str:
    """A heading without brackets and signs, in small letters.

    >>> plain_words("# GPUs (8 per node)"), plain_words("Start_Date*")
    ('# gpus', 'start date')
    """
    return " ".join(
        _NO_WORD.sub(" ", _BRACKETS.sub(" ", heading[:_LONGEST_HEADING]).replace("#", "# ").lower()).split()
    )


@lru_cache(maxsize=8)
def _fields_by_word(kind: str) -> Mapping[str, tuple[str, ...]]:
    """For each word of a heading the fields it may mean, in the order of the fields."""
    found: dict[str, tuple[str, ...]] = {}
    for field in FIELDS[kind]:
        for word in filter(None, field.words.split("|")):
            found[word] = (*found.get(word, ()), field.name)
    return found


@lru_cache(maxsize=4096)
def meanings(heading: str, kind: str) -> tuple[Meaning, ...]:
    """What a heading may mean, the likeliest first; several where the cells have to decide.

    kind: contracts or prices. None for a heading that says nothing known, or is too long to be one.

    >>> meanings("Preis (EUR/GPU/h)", "contracts")[0].currency, meanings("colour", "contracts")
    ('EUR', ())
    """
    if not heading.strip() or len(heading) > 120:
        return ()
    if heading.strip().lower() == RATE:
        return (Meaning(RATE, GPU_HOUR, "", EXACT, worded("it is named so")),)
    known = _fields_by_word(kind)
    plain = plain_words(heading)
    found = [
        Meaning(
            field,
            _term_unit(heading) if field.endswith("term_months") else "",
            confidence=EXACT
            if heading.strip().lower() == field
            else GUESS
            if plain in words.WEAK_WORDS
            else SYNONYM,
            why=worded("it is named so")
            if heading.strip().lower() == field
            else worded("“{heading}” means it", heading=heading.strip()),
            is_weak=plain in words.WEAK_WORDS,
        )
        for field in known.get(plain, ())
    ]
    price = _price(heading, kind)
    return (*found, *((price,) if price is not None and not found else ()))


def _term_unit(heading: str) -> str:
    """Months or years, by the words of the heading; empty where it says neither."""
    tokens = set(_tokens(heading))
    if tokens & words.YEAR_TOKENS:
        return YEARS
    return MONTHS if tokens & words.MONTH_TOKENS else ""


def _tokens(heading: str) -> list[str]:
    """The words of a heading in small letters, signs of currencies as words of their own."""
    text = _SEVERAL_GPUS.sub(r"\1 node", heading.lower())
    spaced = re.sub(r"([#$€£¢])", r" \1 ", _GPU_MACHINE.sub(r"\1", text))
    return [token for token in re.split(r"[^\w#$€£¢]+|_", spaced) if token]


def _price(heading: str, kind: str) -> Meaning | None:
    """What a heading means as a price: the way to pay, per what, the currency.

    None if it is no price of machines.
    """
    tokens = _tokens(heading)
    text, seen = " ".join(tokens), set(tokens)
    currency = currency_of(heading) or ""
    if seen & words.CENT_TOKENS and currency in ("", "USD"):
        currency = CENTS
    is_price = bool(seen & words.PRICE_TOKENS) or bool(currency)
    is_other = bool(seen & {"egress", "memory"}) or (not is_price and bool(seen & _OTHER_QUANTITIES))
    if len(tokens) > 12 or is_other or _GPUS_PER.match(text):
        return None
    per = _per(set(_tokens(_DAYS_IN_HEADING.sub(" ", _TERM_IN_HEADING.sub(" ", text)))))
    category = _category(text) if kind == "prices" else RATE
    if seen & words.TOTAL_TOKENS and not seen & (words.MONTH_TOKENS | words.HOUR_TOKENS):
        return None
    if kind == "prices":
        if "per gpu" in text and not is_price and category == RATE:
            return Meaning(
                STATED_PER_GPU,
                GPU_HOUR,
                "",
                SYNONYM,
                worded("“{heading}”: of one GPU", heading=heading.strip()),
            )
        if not is_price and category == RATE and not (per in ("hour", GPU_HOUR) and "per" in seen):
            return None
    elif not is_price:
        return None
    if not per and not is_price and category == RATE:
        return None
    is_open = not per
    if (
        is_open
        and tokens
        and not seen & {"rate", "price", "preis", "tarif", "satz", "prix"}
        and category == RATE
    ):
        return None  # a cost of who knows what
    said = worded("“{heading}” is a price", heading=heading.strip()) + (
        worded(" per {units}", units=per.replace("_", " and ")) if per else ""
    )
    return Meaning(category, per, currency, GUESS if is_open else SYNONYM, said, is_open)


def gpus_in_heading(text: str) -> int:
    """How many GPUs the machine has that a heading speaks of; 0 where it does not say.

    >>> gpus_in_heading("Price per 8-GPU node hour"), gpus_in_heading("$/h (8x H100 node)"), gpus_in_heading("$/GPU-h")
    (8, 8, 0)
    """
    found = _GPUS_IN_HEADING.search(text)
    return int(found[1] or found[2]) if found else 0


def price_unit(text: str) -> str:
    """What a price is for, from what stands after it: `/hr`, `pro GPU-Stunde`; empty where nothing does.

    >>> price_unit("/gpu/hr"), price_unit("per month"), price_unit("")
    ('gpu_hour', 'month', '')
    """
    return _per(set(_tokens(text)))


def price_period(text: str) -> str:
    """The same of a cell that says nothing else; empty where it names no time: GPUs may be what is counted.

    >>> price_period("per instance-hour"), price_period("GPU"), price_period("GPU-Hrs")
    ('hour', '', 'gpu_hour')
    """
    seen = set(_tokens(text))
    times = words.HOUR_TOKENS | words.MONTH_TOKENS | words.YEAR_TOKENS | {"gpuh", "gpuhr", "gpuhour"}
    times = times.union(*words.OTHER_PERIODS.values())
    return _per(seen) if seen & times else ""


def is_spot_heading(heading: str) -> bool:
    """Whether a heading speaks of spot: its cells are prices, or whether a price is one of spot.

    >>> is_spot_heading("Spot price"), is_spot_heading("Price")
    (True, False)
    """
    return any(phrase in plain_words(heading) for phrase in words.SPOT_PHRASES)


def names_machine(text: str) -> bool:
    """Whether a text speaks of machines with GPUs, and not of GPUs: `/node-hr`, `8 servers`.

    >>> names_machine("/node-hr"), names_machine("/gpu-hr")
    (True, False)
    """
    return not words.MACHINE_TOKENS.isdisjoint(_tokens(text))


def _per(seen: set[str]) -> str:
    """What a price is per: hour, month, year or another period, of a GPU or of the machine.

    Empty where that is open.
    """
    has_gpu = bool(seen & words.GPU_TOKENS)
    if seen & words.MONTH_TOKENS and not seen & words.HOUR_TOKENS:
        return "gpu_month" if has_gpu else "month"
    if seen & words.HOUR_TOKENS or "gpuh" in seen or "gpuhr" in seen or "gpuhour" in seen:
        return GPU_HOUR if has_gpu or seen & {"gpuh", "gpuhr", "gpuhour"} else "hour"
    if seen & words.YEAR_TOKENS:
        return "gpu_year" if has_gpu else "year"
    for period, tokens in words.OTHER_PERIODS.items():
        if seen & tokens:
            return f"gpu_{period}" if has_gpu else period
    return GPU_HOUR if has_gpu else ""


def _category(text: str) -> str:
    """Which of the rates a heading means: spot, on demand, committed for some months, or just the rate."""
    found = _TERM_IN_HEADING.search(text)
    if any(phrase in text for phrase in words.SPOT_PHRASES):
        return RATE_SPOT
    if any(phrase in text for phrase in words.ON_DEMAND_PHRASES):
        return RATE_ON_DEMAND
    if found:
        return committed_rate(int(found[1]) * (12 if found[2] else 1))
    return RATE


def cells_agree(field: str, samples: Sequence[str]) -> bool:
    """Whether most of the cells of a column can be a field; without any cell they can.

    Words for no amount do not count. A field of which nothing is known takes any cell.
    """
    texts = [text.strip() for text in samples if text.strip() and text.strip().lower() not in NO_AMOUNT]
    looks = _LOOKS.get(HOLDS.get(field, Holds.WAY))
    return not texts or looks is None or sum(map(looks, texts)) * 2 >= len(texts)


def is_gpu_name(text: str) -> bool:
    """Whether a text seems to name a GPU model.

    >>> is_gpu_name("8x H100 SXM"), is_gpu_name("Frankfurt")
    (True, False)
    """
    return _MODEL.search(text) is not None


def count_in_model(text: str) -> int:
    """How many GPUs a cell of the model says: 8 of `8 x H100`; 1 where it says nothing.

    >>> count_in_model("8 x H100"), count_in_model("H100")
    (8, 1)
    """
    found = COUNT_OF.match(text)
    return int(found[1][:6]) if found else 1


def category_of(text: str) -> str | None:
    """What a cell says of how a GPU is paid: committed, standard or dynamic.

    None where it says nothing known.

    A term alone is a commitment; a bare number is none.

    >>> category_of("On-Demand"), category_of("1 year reserved"), category_of("Spot"), category_of("12")
    ('standard', 'committed', 'dynamic', None)
    """
    plain = " ".join(_tokens(text))
    for phrases, category in words.CATEGORY_PHRASES:
        if plain in {"standard", "committed", "dynamic", "owned"}:
            return plain
        if any(re.search(rf"\b{re.escape(phrase)}\b", plain) for phrase in phrases):
            return category
    return "committed" if read_term(text) is not None and not text.strip().isdecimal() else None


def _is_count(text: str) -> bool:
    """Whether a text begins with a count, such as `8 x`."""
    number = read_amount(text).number
    return number is not None or re.match(r"^\d+\s*[x×]", text.lower()) is not None


def _is_date(text: str) -> bool:
    """Whether a text is a date, or one of the years that stand for no end."""
    return read_date(text) is not None or text.startswith("9999")


_LOOKS: Final[Mapping[Holds, Callable[[str], bool]]] = {
    **dict.fromkeys((Holds.COUNT, Holds.NUMBER, Holds.PLAIN_NUMBER, Holds.RATE), _is_count),
    **dict.fromkeys((Holds.DATE, Holds.PLAIN_DATE), _is_date),
    Holds.MODEL: is_gpu_name,
    Holds.CATEGORY: lambda text: category_of(text) is not None,
    Holds.TERM: lambda text: read_term(text) is not None,
    Holds.UNIT: lambda text: bool(price_period(text)),
    Holds.ID: lambda text: not _is_date(text),
}
"""How the cells of a field look; those of others may be anything."""
