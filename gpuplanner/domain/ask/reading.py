"""What is asked, read: the form that a question or change has, and what the names, amounts and days in it mean.

Nothing is guessed: words have a form as a whole, names match whole and without case, of two alike it is asked which.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from typing import Any, Final, NamedTuple

from gpuplanner.domain.edits import find
from gpuplanner.domain.edits.dates import MONTHS, PERCENT, known_model, read_day_s, year_starts
from gpuplanner.domain.edits.model_mappings import demand_models
from gpuplanner.domain.edits.seller_limits import sellers_in
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model import cube, errors, gpu_family, places
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Form, Pool, PricingCategory
from gpuplanner.domain.model.window import DAY_S, instant_s, iso_utc, months_after
from gpuplanner.lazy_dataclass import dataclass, field
from gpuplanner.lazy_re import lazy_re

_WORDS: Final = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
NUMBERS: Final = {word: at for at, word in enumerate(_WORDS.split("|"), 1)}
"""Numbers in words; `a` and `an` are one."""
_WHOLE: Final = r"(?:\d{1,3}(?:,\d{3})+|\d+)"
"""Digits, in groups of three or in none: `1,5` is no number here, as nobody knows which it is."""
_DECIMAL: Final = rf"{_WHOLE}(?:\.\d+)?"
_COUNT: Final = rf"{_WHOLE}|an?|{_WORDS}"
_MONTH: Final = rf"(?:{'|'.join(f'{name[:3]}(?:{name[3:]})?' for name in MONTHS)})(?: \d{{4}})?"
KINDS: Final = {
    "who": ("provider", "region"),
    **dict.fromkeys(("seller", "vendor"), ("provider", "region", "country")),
    "provider": ("provider",),
    "scope": ("pool", "team", "workload"),
    "ends": ("team", "workload", "provider"),
    "begins": ("team", "workload"),
    "costs": ("team", "workload", "pool"),
    "contract": ("contract",),
    "party": ("contract", "provider", "cluster"),
    "cluster": ("cluster",),
    "team": ("team",),
    "offer": ("offer",),
    "plan": ("plan",),
}
"""What a name may be of, by its place."""
_CURRENCIES: Final = {
    **dict.fromkeys(("usd", "us dollars", "dollars", "$"), "USD"),
    **dict.fromkeys(("eur", "euros", "euro", "€"), "EUR"),
    **dict.fromkeys(("gbp", "pounds", "£"), "GBP"),
}
PLACES: Final = {
    "whole": _WHOLE,
    "money": rf"(?P<money>[$\u20ac\u00a3]? ?{_DECIMAL} ?(?:k|m|thousand|million)?"
    rf"(?: ?(?:{'|'.join(map(re.escape, _CURRENCIES))}))?)",
    "percent": rf"(?P<percent>\d+(?:\.\d+)? ?(?:{PERCENT})|half)",
    "months": rf"(?P<months>(?:{_COUNT})[ -](?:months?|quarters?|years?))",
    "span": rf"(?P<span>(?:{_COUNT})[ -](?:hours?|days?|weeks?|months?|years?))",
    "count": rf"(?P<count>{_COUNT})",
    "kw": rf"(?P<kw>{_DECIMAL} ?(?:kw|mw))",
    "grid": rf"(?P<grid>{_DECIMAL} ?k?g) ?(?:(?:of )?co2(?:e|eq)? ?)?(?:/|per|a) ?kwh",
    "ratio": r"(?P<ratio>\d+(?:\.\d+)?)",
    "pool": "(?P<pool>training|inference|burst)",
    "all_or_pool": "(?P<all_or_pool>everything|all|demand|training|inference|burst)",
    "monthly": "(?:(?:a|per|each|every) month|monthly)",
    "quarter": r"(?P<quarter>q[1-4](?: \d{4})?|(?:this|next) quarter)",
    "month": rf"(?:the )?(?P<month>next month|{_MONTH}|\d{{4}}-\d{{2}})",
    "past": rf"(?P<past>{_MONTH}|\d{{4}}-\d{{2}})",
    "longest": "(?P<longest>longest|maximum|max|worst|biggest)",
    "way": "(?P<way>on[- ]demand|by the hour|spot)",
    "fill": "the|our|my|your|an?|any|all|us|we|i|you|it|is|are|be|been|being|do|does|will|would|can|could|shall|should|"
    "must|need|want|have|has|got|get|to|of|for|on|in|at|with|from|what|which|how|much|many|who|when|where|there|that|"
    "this|these|those|me|and|now|today|currently|right|exactly|actually|really|roughly|about|per|each|see|find|list",
    "now": "(?: today| now| (?:a|per|each|every|this) month| right now| currently| at the moment)*",
    "ahead": "(?: (?:a|next|per) month| in (?:twelve|12) months| (?:a|in a|next) year| us"
    "| over the (?:next )?(?:year|twelve months|12 months))*",
    "since": r"(?:from|(?:starting|beginning)(?: on| in)?|on|as of|(?=in \d)) ?(?P<day>\S(?:.*?\S)?)",
    "when": r"(?: (?:(?:from|on|as of|in) |(?=next |\d{4}-|\d{1,2} [a-z]{3}))(?P<day>\S(?:.*?\S)?))?",
    **{name: rf"(?P<{name}>\S(?:.*?\S)?)" for name in ("model", "offered", "day", "until", "period", *KINDS)},
}
"""What may stand in the places of a pattern."""
_LEGAL: Final = lazy_re(r"(?i),? (?:inc|llc|ltd|gmbh|corp|plc)\.?$| \(.*")
"""What of the name of a provider nobody says."""
_LITERALS: Final = lazy_re(r"\{\w+\}|\(\?P<term>[^)]*|\(\?P<\w+>|[^\w$%-]+")
"""What of an example or a pattern is no word."""
_ANY_PROVIDER: Final = "(?:(?:any|one|a|single) )*(?:provider|vendor|supplier|cloud)"
LONGEST_NAME: Final = 3
"""Words of a name: what has more and is like no name is none."""


NO_FORM: Final = worded("No matching question or change")
BEFORE_PLAN: Final = worded("before the plan begins")


def ambiguous(name: str) -> Message:
    """Of a name that several things have."""
    return worded("{name} has several meanings: choose one", name=name)


class Named(NamedTuple):
    """Something by its name, as the project spells it: a workload by its key. kind: one of those of KINDS."""

    kind: str
    name: str

    @property
    def as_word(self) -> str:
        """As options name it."""
        return self.name if self.kind in ("workload", "contract") else f"{self.kind}:{self.name}"


class NotUnderstoodError(Exception):
    """What fits no form, or has a place that cannot be read. instead: the three nearest questions."""

    def __init__(self, problem: Message, instead: Sequence[str] = ()) -> None:
        super().__init__(str(problem))
        self.what, self.instead = problem, tuple(instead)


class UnreadError(Exception):
    """A place that cannot be read. instead: what could stand there."""

    def __init__(self, problem: Message, part: str = "", instead: Sequence[str] = ()) -> None:
        super().__init__(str(problem))
        self.what, self.part, self.instead = problem, part, instead


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Asked:
    """What a question is asked of: a plan of a project. classes: of the log's
    workloads, pools: where they stand in the plan, by key; node_gpus: by model; ordered: GPUs that it orders, by
    offer_id; cloud: the provider that a name is of, by whichever of its names; empty where it is none."""

    project: Project
    plan: str
    families: gpu_family.Families
    classes: Mapping[str, Pool]
    pools: Mapping[str, Pool]
    node_gpus: Mapping[str, int]
    ordered: Mapping[str, float] = field(default_factory=dict)
    cloud: Callable[[str], str] = lambda name: ""

    @property
    def begins_s(self) -> int:
        """When the plan does, epoch seconds."""
        return self.project.plan_window.end_s

    def names(self, kind: str) -> Collection[tuple[str, str]]:
        """What something of a kind may be called, and its name as the project has it."""
        plan, project = self.project.scenario(self.plan), self.project
        if kind == "workload":
            both: tuple[cube.Workload | PlannedWork, ...] = (*project.workloads, *plan.planned)
            return {pair for work in both for pair in ((work.name, work.key), (work.key, work.key))}
        if kind == "plan":  # `plan B` of the demo is called by the first part of its name, too
            plans = [scenario.name for scenario in project.scenarios if not scenario.scratch_of]
            return {(called, plan) for plan in plans for called in (plan, plan.partition(" \u00b7 ")[0])}
        sellers = sellers_in(project)
        if kind == "provider":  # `Vela Metal (illustrative)` is `vela` where no other begins so
            first = Counter(name.split()[0].casefold() for name in sellers.providers)
            return {
                (called, name)
                for name in sellers.providers
                for called in (name, _LEGAL.sub("", name), name.split()[0])
                if called != name.split()[0] or called == name or first[called.casefold()] == 1
            }
        names: Mapping[str, Collection[str]] = {
            "team": [team for team in find.teams_of(project, plan) if team],
            "region": sellers.regions,
            "country": sellers.countries,
            "contract": [contract.contract_id for contract in project.contracts],
            "cluster": {contract.cluster for contract in project.contracts}
            | {workload.cluster for workload in project.workloads},
            "offer": [offer.offer_id for offer in project.offers],
            "pool": [pool.value for pool in Pool],
        }
        return {(name, name) for name in names[kind]}

    def spellings(self, provider: str) -> list[str]:
        """All names that the project has for a provider, in order."""
        cloud = self.cloud(_LEGAL.sub("", provider))
        same = {
            own for _, own in self.names("provider") if cloud and cloud == self.cloud(_LEGAL.sub("", own))
        }
        return sorted(same | {provider})


def bare_question(text: str, forms: Sequence[Form]) -> str:
    """What was typed, without case, polite words and the sign at its end, with one of several words that say the same.

    So rows without a form have them: a pattern, and what is written in its place.
    """
    plain = " ".join(text.casefold().replace("\u2019", "'").split()).strip(" ?!.")
    for form in forms:
        plain = plain if form.form else _pattern(form.pattern).sub(form.page, plain)
    return plain


LOOSE: Final = "~"
"""What a pattern begins with that is of words in any order: `~ends?|expires? & contracts? & {party} + soon`."""


@cache
def _pattern(text: str) -> re.Pattern[str]:
    """A pattern of the table. A loose one has each part between `&`, a place last, and else only words behind `+` and
    those of `fill`: a word that nobody expects keeps a question from being read.
    """
    if not text.startswith(LOOSE):
        return lazy_re(text.format_map(PLACES))
    needed, _, others = text.removeprefix(LOOSE).partition(" + ")
    parts = needed.split(" & ")
    place = parts.pop() if parts[-1].startswith("{") else ""
    words = "|".join(filter(None, (*parts, others, "{fill}")))
    some = "".join(f"(?=(?:.* )?(?:{part})(?:,? |$))" for part in parts)
    run = f"(?:(?:{words})(?:,? |$))"
    return lazy_re(f"{some}{run}*{place}(?:,? {run}*)?".format_map(PLACES))


def places_of(text: str, forms: Sequence[Form], asked: Asked) -> list[tuple[str, dict[str, Any]]]:
    """Every form that some words have, with what stands in its places.

    Errors: NotUnderstoodError where they have one and a place cannot be read.
    """
    plain = bare_question(text, forms)
    readings, faults = list[tuple[str, dict[str, Any]]](), list[UnreadError]()
    for form in sorted(forms, key=lambda form: form.pattern.startswith(LOOSE)):
        is_loose = form.pattern.startswith(LOOSE)
        is_tried = form.form and form.pattern and not (is_loose and readings)
        match = _pattern(form.pattern).fullmatch(plain) if is_tried else None
        if match is None:
            continue
        parts = {name: part for name, part in match.groupdict().items() if part is not None}
        try:
            readings.append(
                (form.form, {name: read_place(name, part, asked) for name, part in parts.items()})
            )
        except UnreadError as fault:
            faults += [] if is_loose else [fault]
        except errors.PlannerError as error:
            faults.append(UnreadError(worded("{where}: {name}", where=error.where, name=error.what)))
    if not readings and faults:
        worst = max(faults, key=lambda fault: (len(fault.instead), -len(fault.part)))
        again = [plain.replace(worst.part, text_again) for text_again in worst.instead] if worst.part else []
        raise NotUnderstoodError(worst.what, again)
    return readings


@cache
def _told(forms: tuple[Form, ...]) -> Mapping[str, set[str]]:
    """The words in the wordings of each form."""
    words_of = defaultdict[str, set[str]](set)
    for form in forms:
        words_of[form.form] |= set(_LITERALS.sub(" ", f"{form.example} {form.pattern}".casefold()).split())
    return words_of


def respelled(plain: str, forms: tuple[Form, ...], asked: Asked) -> str:
    """A question with each word that nothing has in place of which one that looks like it may be meant."""
    names = [
        called for kind in ("team", "contract", "provider", "workload") for called, _ in asked.names(kind)
    ]
    known = {*" ".join(names).casefold().split()}.union(*_told(forms).values())
    near = {
        word: get_close_matches(word, [other for other in known if abs(len(other) - len(word)) < 2], 1, 0.75)
        for word in {*plain.split()} - known
        if word.isalpha()
    }
    return " ".join(next(iter(near.get(word, ())), word) for word in plain.split())


def nearest(plain: str, forms: tuple[Form, ...]) -> tuple[str, ...]:
    """Examples, first those of forms in whose wordings the rarest words are that were typed, or that look most like it.

    A word counts by how few forms have it: `we` and `the` are in most.
    """
    words_of = _told(forms)
    shared, words = Counter(word for each in words_of.values() for word in each), set(plain.split())
    examples = {form.example: form.form for form in forms if form.example}
    alike = get_close_matches(plain, [example.casefold() for example in examples], len(examples), 0.0)

    def rank(example: str) -> tuple[float, int]:
        """What its form shares, each word by how few have it; then how much it looks like it."""
        both = words & words_of[examples[example]]
        return -sum(1 / shared[word] for word in sorted(both)), alike.index(example.casefold())

    return tuple(sorted(examples, key=rank))


def read_place(name: str, part: str, asked: Asked) -> Any:
    """Return what the text of a place means.

    Raises UnreadError where it means nothing, or several things.
    """
    if name in KINDS:
        named = _named(name, part, asked)
        spelled = asked.spellings(named.name) if named.kind == "provider" else [named.name]
        return frozenset(spelled) if name == "party" else named
    read = _READERS.get(name)
    return part if read is None else read(part, asked)


def _named(place: str, part: str, asked: Asked) -> Named:
    """What is called so among what a place may name; `team chat` and `the chat team` are a team.

    A name that is that of a pool, too, is asked about even where no pool may stand.
    """
    kinds, name = KINDS[place], re.sub("^(?:the|our) ", "", part)
    if place == "who" and re.fullmatch(_ANY_PROVIDER, part):
        return Named("provider", "")
    known = {(kind, *pair) for kind in kinds for pair in asked.names(kind)}
    pools = {("pool", *pair) for pair in asked.names("pool")}
    matches = sorted(
        {
            Named(kind, own)
            for kind, called, own in known | pools
            if called.casefold() in (part, name, name.removeprefix(f"{kind} "), name.removesuffix(f" {kind}"))
            or (kind == "country" and called.casefold() == places.country_name(name))
            or (kind == "provider" and asked.cloud(name) and asked.cloud(name) == asked.cloud(called))
        }
    )
    is_all = place in ("ends", "party") and {hit.kind for hit in matches} == {"provider"}  # of any spelling
    if matches and (len(matches) == 1 or is_all) and matches[0].kind in kinds:
        return matches[0]
    if len(matches) > 1:
        which = [hit.name if hit.kind == "workload" else f"{hit.kind} {hit.name}" for hit in matches]
        raise UnreadError(ambiguous(name), part, which)
    called = {pair[1].casefold(): pair[1] for pair in known}
    near = [own for low, own in sorted(called.items()) if set(name.split()) <= set(low.split())]
    near += [called[low] for low in get_close_matches(name, called)]
    if not near and len(name.split()) > LONGEST_NAME:
        raise UnreadError(NO_FORM)
    raise UnreadError(worded("No match for {name} here", name=name), part, list(dict.fromkeys(near)))


def _number(text: str) -> float:
    return float(NUMBERS.get(text, 1 if text in ("a", "an") else 0) or text.replace(",", ""))


_TIMES: Final = {"k": 1e3, "thousand": 1e3, "m": 1e6, "million": 1e6}
_LEAST_BARE: Final = 1000.0
"""Less than this without a sign may as well be so many thousands."""


def _money(part: str, asked: Asked) -> float:
    """An amount in the money of the project."""
    amount = re.fullmatch(r"([^\d]?) ?([\d,.]+) ?(thousand|million|k|m)?(?: ?([^\d ].*))?", part)
    assert amount is not None
    sign, number, times, name = amount.groups()
    stated = {_CURRENCIES[unit] for unit in (sign, name) if unit}
    if stated - {asked.project.currency}:
        raise UnreadError(worded("Amounts are in {currency} here", currency=asked.project.currency))
    value = float(number.replace(",", ""))
    if not times and (re.search(r"\.\d{3}$", number) or (not stated and value < _LEAST_BARE)):
        problem = worded("{amount} is ambiguous", amount=part)
        raise UnreadError(problem, part, [f"{value:g}k {asked.project.currency}"])
    return round(value * _TIMES.get(times, 1.0), 2)


def _months(part: str, asked: Asked) -> int:
    number, unit = re.split("[ -]", part)
    return int(_number(number)) * {"year": 12, "quarter": 3}.get(unit.rstrip("s"), 1)


def _span(part: str, asked: Asked) -> tuple[int, str]:
    """How many of which: hours, or months of the calendar."""
    number, unit = re.split("[ -]", part)
    hours = {"hour": 1, "day": 24, "week": 168}.get(unit.rstrip("s"))
    return (int(_number(number)) * hours, "hours") if hours else (_months(part, asked), "months")


def _kw(part: str, asked: Asked) -> float:
    if re.search(r"\.\d{3}\D", part):
        raise UnreadError(worded("{amount} is ambiguous", amount=part))
    return float(part[:-2].replace(",", "")) * (1000 if part.endswith("mw") else 1)


def _grid(part: str, asked: Asked) -> float:
    """kg of CO2 of a kWh."""
    if re.match(r"[1-9]\d*\.\d{3}\b", part):
        raise UnreadError(worded("{amount} is ambiguous", amount=part))
    return float(part.rstrip("kg ").replace(",", "")) / (1 if part.endswith("kg") else 1000)


def _model(known: Callable[[Project], Collection[str]], is_offered: bool) -> Callable[[str, Asked], str]:
    def read(part: str, asked: Asked) -> str:
        model = known_model(part, known(asked.project), asked.families)
        longer = [name for name in known(asked.project) if name.casefold().startswith(f"{part} ")]
        model = model or (longer[0] if len(longer) == 1 else None)  # `A100` of what is A100 80GB alone
        if model is None and longer:
            raise UnreadError(ambiguous(part), part, longer)
        if model is None and (len(part.split()) > LONGEST_NAME or not re.search(r"\d(?![\d%])", part)):
            raise UnreadError(NO_FORM)
        if model is None:
            nobody = worded("No offer is called {name}", name=part)
            problem = nobody if is_offered else worded("No GPU model is called {name}", name=part)
            alike = sorted(known(asked.project), key=lambda name: (name.casefold() not in part, name))
            raise UnreadError(problem, part, alike)
        return model

    return read


def offered_models(project: Project) -> set[str]:
    """GPU models that are on offer."""
    return {offer.gpu_model for offer in project.offers if offer.gpu_model}


def _day(part: str, asked: Asked) -> int:
    at_s = read_day_s(part, asked.begins_s, year_starts(asked.project, asked.plan))
    if at_s < asked.begins_s:
        raise UnreadError(worded("{where}: {name}", where=part, name=BEFORE_PLAN))
    return at_s


_PERIOD: Final = lazy_re(
    r"(?:(?P<upto>by|before|until|till)|in|during|within|over|for|on)? ?(?:the )?(?:(?:next )?"
    r"(?P<span>\d+ (?:day|week|month|year)s?)|(?P<near>this|next) (?P<unit>week|month|quarter|year)"
    rf"|(?P<year>\d{{4}})|(?P<quarter>q[1-4](?: \d{{4}})?)|(?P<month>{_MONTH}|\d{{4}}-\d\d)"
    rf"|(?P<day>\w+day|\d{{4}}-\d\d-\d\d|\d+(?:st|nd|rd|th)? (?:of )?{_MONTH}"
    r"|[a-z]+ \d+(?:st|nd|rd|th)?(?:,? \d{4})?))"
)


def _period(part: str, asked: Asked) -> tuple[int, int]:
    """When a time begins, and when it is over, epoch seconds; what is up to a day begins with all that is overdue."""
    match = _PERIOD.fullmatch(part)
    if match is None:
        raise UnreadError(NO_FORM)
    kind = str(match["unit"] or match.lastgroup)
    at = f"next {kind}" if match["unit"] else match[kind]
    from_s = read_day_s(at, asked.begins_s, year_starts(asked.project, asked.plan))
    if kind == "span" or match["near"] == "this":
        return 0, from_s
    if match["upto"]:
        return 0, from_s + DAY_S * (kind == "day" and match["upto"] != "before")
    months = {"month": 1, "quarter": 3, "year": 12}.get(kind, 0)
    to = months_after(iso_utc(from_s), months) if months else None
    return from_s, instant_s(to) if to else from_s + (7 if kind == "week" else 1) * DAY_S


def _past(part: str, asked: Asked) -> str:
    """A month that was, by its year and number or by its number alone: 2026-10, -10."""
    name, _, year = part.partition(" ")
    numbers = (f"{year}-{at:02d}" for at, month in enumerate(MONTHS, 1) if month.startswith(name[:3]))
    return next(numbers, part)


_READERS: Final[Mapping[str, Callable[[str, Asked], Any]]] = {
    "money": _money,
    "percent": lambda part, asked: 0.5 if part == "half" else float(part.rstrip("percnt% ")) / 100,
    "months": _months,
    "span": _span,
    "count": lambda part, asked: int(_number(part)),
    "kw": _kw,
    "grid": _grid,
    "ratio": lambda part, asked: float(part),
    "model": _model(lambda project: {*demand_models(project), *offered_models(project)}, is_offered=False),
    "offered": _model(offered_models, is_offered=True),
    **dict.fromkeys(("day", "month"), _day),
    "period": _period,
    "past": _past,
    "until": lambda part, asked: _period(f"in {part}", asked)[1],
    "pool": lambda part, asked: Pool(part),
    "term": lambda part, asked: part.replace("-", " "),
    "way": lambda part, asked: PricingCategory.DYNAMIC if part == "spot" else PricingCategory.STANDARD,
}
