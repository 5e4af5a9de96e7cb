"""Dated changes in words: one grammar for the command line and the window, and the step of a plan that they say."""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from gpuplanner.domain.edits.dates import ALL, change_demand, change_prices, demand_change
from gpuplanner.domain.edits.find import TEAM, plan_named, teams_called
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.gpu_family import Families
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario.dated import PriceChange
from gpuplanner.domain.model.window import HOUR_S

DEMAND, PRICE, EITHER = "demand", "price", ""
BY: Final = "by"
MONTHS: Final = (
    *("january", "february", "march", "april", "may", "june", "july", "august"),
    *("september", "october", "november", "december"),
)
_NUMBER: Final = r"\d+(?:\.\d+)?(?:e[+-]?\d+)?"
_SAID: Final = re.compile(
    r"\s*(?:(?P<kind>demand|price)s?\s*(?::|\s+of\s)\s*)?(?P<of>\S.*)"
    rf"(?:\s+[x\u00d7*]\s*(?P<times>{_NUMBER})|\s+(?P<sign>[+\u2212-])\s*(?P<percent>{_NUMBER})\s*%|\s*=\s*(?P<to>{_NUMBER}))"
    r"(?:\s*(?:@|\b(?P<how>by|from|on)\s)\s*(?P<day>[\w\s:+-]+)|\s*)",
    re.IGNORECASE | re.DOTALL,
)
_TIMES: Final = {"doubles": 2.0, "double": 2.0, "triples": 3.0, "triple": 3.0, "halves": 0.5, "halve": 0.5}
_MORE: Final = "grows|grow|rises|rise|increases|increase|up"
_LESS: Final = "falls|fall|drops|drop|shrinks|shrink|decreases|decrease|down"
_SPOKEN: Final = re.compile(
    rf"\s*(?P<of>\S.*?)\s+(?:(?P<verb>{'|'.join(_TIMES)})"
    rf"|(?:(?P<more>{_MORE})|(?P<less>{_LESS}))\s+(?:by\s+)?(?:(?P<percent>{_NUMBER})\s*(?:%|percent)|(?P<half>half)))"
    r"(?P<rest>\s+(?:by|from|on)\s.*|\s*)",
    re.IGNORECASE | re.DOTALL,
)
_MONEY: Final = re.compile(r"(?P<of>\S.*?)\s+prices?", re.IGNORECASE | re.DOTALL)
_MONTHLY: Final = re.compile(r".*\b(?:a|per|each|every)\s+month\s*|.*\bmonthly\s*", re.IGNORECASE | re.DOTALL)
_MONTH: Final = re.compile(r"(?:(?P<day>\d{1,2})\s+)?(?P<month>[a-z]{3,9})\.?(?:\s+(?P<year>\d{4}))?")
ALL_PRICES: Final = frozenset({"prices", "all prices", "every price"})
"""What people call the prices of every GPU model on offer, beside `price:all`."""
EXAMPLES: Final = ("inference x2 by 2027-03", "H100 -20% by May", "demand:all=2@2026-12-01")


@dataclass(frozen=True, slots=True)
class SaidChange:
    """A dated change as it was said. kind: DEMAND, PRICE, or EITHER where it was left to what `of` names.

    of: a workload, a class, `team:NAME`, ALL, or a GPU model. from_s: epoch seconds; by: evenly, up to then.
    """

    kind: str
    of: str
    factor: float
    from_s: int
    by: bool = False


def read_change(text: str, begins_s: int) -> SaidChange:
    """`WHAT xN by DAY`, `WHAT -N% from DAY`, `WHAT=N@DAY`, with `demand:` or `price:` before it where that is needed.

    Also as it is spoken: `WHAT doubles by DAY`, `H100 prices fall 20% from DAY`. Without a day it is so from the plan's
    first day on.

    DAY is a date, a whole hour, a month (its first day), or a month's name: the next one once plans begin (begins_s,
    epoch seconds). Errors: PlannerError.

    >>> read_change("inference x2 by March", 1_796_083_200)  # 1 Dec 2026
    SaidChange(kind='', of='inference', factor=2.0, from_s=1803859200, by=True)
    >>> read_change("H100 prices fall 20% by 2026-12", 0)
    SaidChange(kind='price', of='H100', factor=0.8, from_s=1796083200, by=True)
    >>> read_change("price:H100=0.8@2026-12-01", 0)
    SaidChange(kind='price', of='H100', factor=0.8, from_s=1796083200, by=False)
    """
    found = _SAID.fullmatch(_as_written(text))
    if found is None and _MONTHLY.fullmatch(text):
        raise PlannerError(
            text.strip(),
            "usage",
            worded("it says a rate per month, and a change has one factor"),
            worded(
                "set Growth per month or Price fall per month in What if, or use --set growth=10% or delta=2%"
            ),
        )
    if found is None:
        raise PlannerError(
            text.strip(),
            "usage",
            worded("it says no change"),
            worded(
                "write what, how much and when, such as {first} or {second}",
                first=EXAMPLES[0],
                second=EXAMPLES[1],
            ),
        )
    if found["percent"]:
        parts = float(found["percent"]) / 100
        factor = 1 + parts if found["sign"] == "+" else 1 - parts
    else:
        factor = float(found["times"] or found["to"])
    kind = (found["kind"] or EITHER).lower()
    is_by = (found["how"] or "").lower() == BY
    at_s = begins_s if found["day"] is None else _day_s(found["day"], begins_s)
    return SaidChange(kind, found["of"].strip(), round(factor, 12), at_s, is_by)


def _as_written(text: str) -> str:
    """`inference x2 by March` of "inference doubles by March", and so on.

    What is written so already, and what says no change, stays as it is.
    """
    spoken = None if _SAID.fullmatch(text) else _SPOKEN.fullmatch(text)
    if spoken is None:
        return text
    money = _MONEY.fullmatch(spoken["of"])
    is_of_all = " ".join(spoken["of"].casefold().split()) in ALL_PRICES
    of = f"{PRICE}:{money['of']}" if money and not is_of_all else spoken["of"]
    if spoken["verb"]:
        amount = f"x{_TIMES[spoken['verb'].lower()]:g}"
    else:
        amount = f"{'+' if spoken['more'] else '-'}{spoken['percent'] or 50}%"
    return f"{of} {amount}{spoken['rest']}"


def with_change(
    project: Project,
    scenario: str,
    said: SaidChange,
    classes: Callable[[], Mapping[str, Pool]],
    families: Families,
) -> Project:
    """The project with one step more in a plan, of demand or of prices.

    classes: of the log's workloads by key, asked for where a class is meant; families: how GPU models are spelled.
    Errors: PlannerError where nothing, or more than one thing, is called so, and as for the edits.
    """
    plan = plan_named(project, scenario)
    of, is_of_all = _demand_called(project, scenario, said.of), _is_of_all_prices(said)
    if is_of_all and (said.kind == PRICE or of is None):
        every = sorted({offer.gpu_model for offer in project.offers if offer.gpu_model})
        if not every:
            raise PlannerError(
                said.of, "usage", worded("no GPU model is on offer"), worded("import prices first")
            )
        steps = [PriceChange(model, said.factor, said.from_s, said.by) for model in every]
        return change_prices(project, scenario, (*plan.price_changes, *steps))
    model = _model_called(project, said.of, families)
    if said.kind == PRICE or (said.kind == EITHER and of is None and model is not None):
        step = PriceChange(model or said.of, said.factor, said.from_s, said.by)
        return change_prices(project, scenario, (*plan.price_changes, step))
    if said.kind == EITHER and of is not None and (is_of_all or model is not None):
        raise PlannerError(
            said.of,
            "usage",
            worded("both a workload and prices are called so")
            if is_of_all
            else worded("both a workload and a GPU model are called so"),
            worded("write demand: or price: before it"),
        )
    if said.kind == EITHER and of is None:
        raise PlannerError(
            said.of,
            "usage",
            worded("no workload, class, team or GPU model is called so"),
            worded(
                "use a workload's name, training, inference, burst, all, team:NAME, a model that is on offer, or prices"
            ),
        )
    found = demand_change(
        project,
        scenario,
        of or said.of,
        said.factor,
        said.from_s,
        classes() if of in set(Pool) else {},
        said.by,
    )
    return change_demand(project, scenario, (*plan.changes, found))


def _is_of_all_prices(said: SaidChange) -> bool:
    """Whether the prices of every GPU model are meant: `prices +15%`, `prices of all +15%`."""
    of = " ".join(said.of.casefold().split())
    return said.kind != DEMAND and (of in ALL_PRICES or (said.kind == PRICE and of in (ALL, "everything")))


def _model_called(project: Project, name: str, families: Families) -> str | None:
    """The GPU model on offer that a name means, however it is written; None where there is none."""
    return known_model(name, {offer.gpu_model for offer in project.offers if offer.gpu_model}, families)


def known_model(name: str, known: Collection[str], families: Families) -> str | None:
    """A GPU model of some that a name means, as they spell it; None where none of them is of it."""
    there = {model.casefold(): model for model in known}
    read = families.read(name)
    ways = (name, *((read.full, read.family) if read is not None else ()))
    return next((there[key] for way in ways if (key := way.strip().casefold()) in there), None)


def _demand_called(project: Project, scenario: str, name: str) -> str | None:
    """What a step of demand is of, by a name; None where nothing is called so. Errors: PlannerError for several."""
    plain = name.strip().casefold()
    plain = plain.removesuffix(" demand") or plain
    if plain in (ALL, "everything", "demand", *Pool):
        return ALL if plain in ("everything", "demand") else plain
    plan = plan_named(project, scenario)
    works = plan.planned
    keys = {workload.key for workload in project.workloads} | {work.key for work in works}
    if name in keys:
        return name
    team = re.fullmatch(r"team(?:\s*:\s*|\s+)(.+)", name.strip(), re.IGNORECASE)
    if team and (teams := teams_called(project, plan, team[1])):
        return TEAM + (teams[0] if len(teams) == 1 else team[1])
    named = {workload.key for workload in project.workloads if workload.name.casefold() == plain}
    named |= {work.key for work in works if work.name.casefold() == plain}
    if len(named) > 1:
        raise PlannerError(
            name,
            "usage",
            worded("more than one workload is called so"),
            worded("write its key, such as {key}", key=min(named)),
        )
    return next(iter(named), None)


def _day_s(text: str, begins_s: int) -> int:
    """Epoch seconds of a day, a whole hour, or the first day of a month."""
    said = text.strip()
    month = _MONTH.fullmatch(said.lower())
    if month is not None:
        return _of_month(said, month, begins_s)
    try:
        at = datetime.fromisoformat(f"{said}-01" if re.fullmatch(r"\d{4}-\d{2}", said) else said)
    except ValueError:
        raise _no_day(said, worded("it is no day")) from None
    at_s = (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp()
    if at_s % HOUR_S:
        raise _no_day(said, worded("it is not on a whole hour"))
    return int(at_s)


def _of_month(said: str, month: re.Match[str], begins_s: int) -> int:
    """Epoch seconds of `March`, `1 March` or `Mar 2027`; without a year the next once plans begin."""
    named = [at for at, name in enumerate(MONTHS, 1) if name.startswith(month["month"])]
    if len(named) != 1:
        raise _no_day(said, worded("it is no day"))
    begins = datetime.fromtimestamp(begins_s, UTC)
    years = (int(month["year"]),) if month["year"] else (begins.year, begins.year + 1)
    try:
        days = [datetime(year, named[0], int(month["day"] or 1), tzinfo=UTC) for year in years]
    except ValueError:
        raise _no_day(said, worded("it is no day")) from None
    return int(next((day for day in days if day.timestamp() >= begins_s), days[-1]).timestamp())


def _no_day(said: str, what: Message) -> PlannerError:
    return PlannerError(said, "usage", what, worded("write 2027-03-01, 2027-03 or March 2027"))
