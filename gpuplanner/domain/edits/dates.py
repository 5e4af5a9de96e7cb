"""What a planner says of time: days, steps of demand and prices, planned work; and the same in words."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Final

from gpuplanner.domain.edits import find
from gpuplanner.domain.edits.model_mappings import spelled
from gpuplanner.domain.figures.typed import significant
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.calendar_months import month_bounds, month_of
from gpuplanner.domain.model.errors import PlannerError, refusal
from gpuplanner.domain.model.gpu_family import Families
from gpuplanner.domain.model.plan.changes import (
    DemandChange,
    PriceChange,
    check_demand_change,
    check_price_change,
)
from gpuplanner.domain.model.plan.planned_work import PlannedWork, check_planned
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.plan.spells import NO_SPELL, Spell, check_spell
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S, HOUR_S, has_calendar, instant_s, iso_utc, months_after
from gpuplanner.lazy_dataclass import dataclass, replace
from gpuplanner.lazy_re import lazy_re

# --- What a planner says of time: first and last days, steps of demand and prices, and work that no log has yet

ALL = "all"
"""What a step of demand is of that is of everything."""


def date_workloads(
    project: Project, scenario: str, keys: Collection[str], begins_s: int | None, ends_s: int | None
) -> Project:
    """Workloads of a plan, or work planned in it, given a first and a last moment (epoch seconds); None takes one back.

    Errors: PlannerError for Today, an unknown plan or workload, an end before the beginning, or the end of planned work
    whose length says when it ends.
    """
    return dated(project, scenario, dict.fromkeys(keys, Spell(begins_s, ends_s)))


def end_workloads(project: Project, scenario: str, keys: Collection[str], ends_s: int) -> Project:
    """Workloads that are over from a moment on (epoch seconds); each begins when it did before.

    Errors: as for `date_workloads`.
    """
    own = spells_of(project, find.plan_named(project, scenario), keys)
    return dated(project, scenario, {key: replace(spell, ends_s=ends_s) for key, spell in own.items()})


def begin_workloads(project: Project, scenario: str, keys: Collection[str], begins_s: int) -> Project:
    """Workloads that are there from a moment on (epoch seconds); each ends when it did before.

    Errors: as for `date_workloads`.
    """
    own = spells_of(project, find.plan_named(project, scenario), keys)
    return dated(project, scenario, {key: replace(spell, begins_s=begins_s) for key, spell in own.items()})


def spells_of(project: Project, plan: Scenario, keys: Collection[str]) -> dict[str, Spell]:
    """What a planner said of when workloads, or work that no log has, are there in a plan, by key.

    Keys of which nothing was said have NO_SPELL. Planned work that the log has by now counts as a workload.
    """
    works = {work.key: Spell(work.begins_s, work.ends_s) for work in plan.planned}
    logged = frozenset(works) - find.planned_keys(project, plan)
    return {
        key: works[key] if key in works and key not in logged else plan.spells.get(key, NO_SPELL)
        for key in keys
    }


def dated(project: Project, scenario: str, dates: Mapping[str, Spell]) -> Project:
    """The plan with these spells, of planned work in the work itself. The project itself where nothing
    changes.
    """
    plan = find.plan_named(project, scenario)
    works = find.planned_keys(project, plan)
    planned = {work.key: work for work in plan.planned}
    find.require_workloads(project, (key for key in dates if key not in works))
    spells = dict(plan.spells)
    for key, spell in dates.items():
        check_spell(key, spell)
        if key in works:
            if spell.ends_s is not None and planned[key].length_hours is not None:
                problem = worded("length defines the end")
                raise refusal(planned[key].name, problem, worded("change its length or start"))
            planned[key] = replace(planned[key], begins_s=spell.begins_s, ends_s=spell.ends_s)
        elif spell == NO_SPELL:
            spells.pop(key, None)
        else:
            spells[key] = spell
    after = replace(plan, spells=spells, planned=tuple(planned[key] for key in sorted(planned)))
    return find.with_plan(project, plan, after)


def stop_workloads(
    project: Project, scenario: str, keys: Collection[str], from_s: int | None = None
) -> Project:
    """Workloads that are over from a moment on, epoch seconds (None: when the plan begins); their beginning is let go.

    Errors: as for `date_workloads`.
    """
    return date_workloads(
        project, scenario, keys, None, project.plan_window.end_s if from_s is None else from_s
    )


def bring_back(project: Project, scenario: str, keys: Collection[str]) -> Project:
    """Workloads that are there again when the plan begins, for good: that they stopped is no fall of demand.

    Errors: as for `date_workloads`.
    """
    return date_workloads(project, scenario, keys, project.plan_window.end_s, None)


def plan_work(project: Project, scenario: str, works: Iterable[PlannedWork]) -> Project:
    """Work that no log has, in a plan; what has the key of some that is there takes its place.

    Errors: PlannerError for Today, an unknown plan, a key that the log has, or what `check_planned` refuses.
    """
    plan = find.plan_named(project, scenario)
    planned = {work.key: work for work in plan.planned}
    for work in works:
        if find.workload_of(project, work.key) is not None:
            problem = worded("the log has this workload key")
            raise refusal(work.key, problem, worded("enter another name, team or cluster"))
        planned[work.key] = check_planned(work)
    after = tuple(planned[key] for key in sorted(planned))
    return find.with_plan(project, plan, replace(plan, planned=after))


def plan_as_sized(project: Project, scenario: str, key: str, works: Iterable[PlannedWork]) -> Project:
    """A plan in which what an endpoint is sized to hold stands in place of what the log has of it; key empty: of none.

    Errors: as for `plan_work` and `end_workloads`.
    """
    keys = (key,) if key else ()
    return plan_work(end_workloads(project, scenario, keys, project.plan_window.end_s), scenario, works)


def change_planned(project: Project, scenario: str, key: str, work: PlannedWork) -> Project:
    """Planned work of a key, as it is said now; it may have another name. Errors: as for `plan_work`.

    Errors: PlannerError, too, where other planned work has its new key.
    """
    without = drop_planned(project, scenario, () if work.key == key else (key,))
    plan = find.plan_named(without, scenario)
    if work.key != key and any(other.key == work.key for other in plan.planned):
        problem = worded("other planned work has that key")
        raise refusal(work.name, problem, worded("enter another name, team or cluster"))
    return plan_work(without, scenario, (work,))


def drop_planned(project: Project, scenario: str, keys: Collection[str]) -> Project:
    """Planned work taken out of a plan. Errors: PlannerError for Today or an unknown plan.

    Keys that no planned work has are passed over.
    """
    plan = find.plan_named(project, scenario)
    after = tuple(work for work in plan.planned if work.key not in set(keys))
    return find.with_plan(project, plan, replace(plan, planned=after))


def demand_change(
    project: Project,
    scenario: str,
    target: str,
    factor: float,
    from_s: int,
    classes: Mapping[str, Pool],
    by: bool = False,
) -> DemandChange:
    """A step of demand of `target`: a workload's key, a class or TEAM and a name (the workloads of it now), or ALL.

    classes: of the log's workloads, by key. by: it gets there evenly, up to that moment.
    Errors: PlannerError where no workload is of the class or team.
    """
    if target == ALL:
        return DemandChange(target=target, keys=(), factor=factor, from_s=from_s, by=by)
    plan = find.plan_named(project, scenario)
    if target.startswith(find.TEAM) and find.workload_of(project, target) is None:
        name, teams = target.removeprefix(find.TEAM), find.teams_of(project, plan)
        keys = [key for team in find.teams_called(project, plan, name) for key in teams[team]]
        nobody = worded("no workload of team {team}", team=name)
    elif target in set(Pool):
        keys = [key for key, pool in classes.items() if pool == target]
        keys += [work.key for work in plan.planned if work.pool == target]
        nobody = worded("no workload of class {of}", of=target)
    else:
        return DemandChange(target=target, keys=(target,), factor=factor, from_s=from_s, by=by)
    if not keys:
        raise refusal(target, nobody, worded("choose another"))
    return DemandChange(target=target, keys=tuple(sorted(set(keys))), factor=factor, from_s=from_s, by=by)


def change_demand(project: Project, scenario: str, changes: Iterable[DemandChange]) -> Project:
    """Steps of demand of a plan, in place of its own.

    Errors: PlannerError for Today, an unknown plan or workload, a factor below 0 or over 1,000, or a step that is added
    though it is there.
    """
    plan = find.plan_named(project, scenario)
    after = tuple(changes)
    _refuse_twice(len(plan.changes), after)
    for change in after:
        known = {work.key for work in plan.planned}
        find.require_workloads(project, (key for key in change.keys if key not in known))
        check_demand_change(change)
    return find.with_plan(project, plan, replace(plan, changes=after))


def change_prices(project: Project, scenario: str, changes: Iterable[PriceChange]) -> Project:
    """Steps of prices of a plan, in place of its own; models are spelled as the price list spells them.

    Errors: PlannerError for Today, an unknown plan, a model without offers, a factor of 0 or less or over 1,000, or a
    step that is added though it is there.
    """
    plan = find.plan_named(project, scenario)
    offered = {offer.gpu_model for offer in project.offers}
    after = []
    for change in changes:
        model = spelled(change.gpu_model, offered, worded("no offer has"))
        after.append(check_price_change(replace(change, gpu_model=model)))
    _refuse_twice(len(plan.price_changes), after)
    return find.with_plan(project, plan, replace(plan, price_changes=tuple(after)))


def _refuse_twice(before: int, after: Sequence[DemandChange | PriceChange]) -> None:
    """Steps multiply: one that is kept a second time would count twice without a word. before: how many there were.

    Errors: PlannerError for one behind these that is there already.
    """
    for at, change in enumerate(after[before:], before):
        if change in after[:at]:
            target = change.target if isinstance(change, DemandChange) else change.gpu_model
            remedy = worded("for both, use one factor: {both}", both=significant(change.factor**2))
            raise refusal(target, worded("the plan already has this change"), remedy)


# --- Dated changes in words: one grammar for the command line and the window, and the step of a plan that they say

DEMAND, PRICE, EITHER = "demand", "price", ""
BY: Final = "by"
MONTHS: Final = (
    *("january", "february", "march", "april", "may", "june", "july", "august"),
    *("september", "october", "november", "december"),
)
_NUMBER: Final = r"\d+(?:\.\d+)?(?:e[+-]?\d+)?"
_SAID: Final = lazy_re(
    r"(?is)\s*(?:(?P<kind>demand|price)s?\s*(?::|\s+of\s)\s*)?(?P<of>\S.*)"
    rf"(?:\s+[x\u00d7*]\s*(?P<times>{_NUMBER})|\s+(?P<sign>[+\u2212-])\s*(?P<percent>{_NUMBER})\s*%|\s*=\s*(?P<to>{_NUMBER}))"
    r"(?:\s*(?:@|\b(?P<how>by|from|on|within)\s)\s*(?P<day>[\w\s:+,-]+)|\s*)"
)
_TIMES: Final = {"double": 2.0, "triple": 3.0, "quadruple": 4.0, "halve": 0.5}
PERCENT: Final = "%|percent|per cent|pct"
_MORE: Final = "grows?|rises?|increases?|climbs?|goes up|go up|up"
_LESS: Final = "falls?|drops?|shrinks?|decreases?|declines?|goes down|go down|down"
_SPOKEN: Final = lazy_re(
    rf"(?is)\s*(?P<of>\S.*?)\s+(?:(?P<verb>{'|'.join(_TIMES)})[sd]?"
    rf"|(?:(?P<more>{_MORE})|(?P<less>{_LESS}))\s+(?:by\s+)?(?:(?P<percent>{_NUMBER})\s*(?:{PERCENT})|(?P<half>half)))"
    r"(?P<rest>\s+(?:by|from|on|within)\s.*|\s*)"
)
_MONEY: Final = lazy_re(r"(?is)(?P<of>\S.*?)\s+prices?")
_MONTHLY: Final = lazy_re(r"(?is).*\b(?:a|per|each|every)\s+month\s*|.*\bmonthly\s*")
_WEEK: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NEXT: Final = {"next month": 1, "next quarter": 3, "next year": 12}
_AHEAD: Final = lazy_re(r"(?:in )?(?P<many>\d{1,3}) (?P<of>day|week|month|year)s?(?: from now)?")
_QUARTER: Final = lazy_re(r"q(?P<of>[1-4])(?: (?P<year>\d{4}))?")
_MONTH: Final = lazy_re(
    r"(?:(?:the\s+)?(?P<day>\d{1,2})(?:st|nd|rd|th)?\s+(?:of\s+)?)?(?P<month>[a-z]{3,9})\.?"
    r"(?:\s+(?P<after>\d{1,2})(?:st|nd|rd|th)?)?(?:,?\s+(?P<year>\d{4}))?"
)
ALL_PRICES: Final = frozenset({"prices", "all prices", "every price"})
"""What people call the prices of every GPU model on offer, beside `price:all`."""
EXAMPLES: Final = ("inference x2 by 2027-03", "H100 -20% by May", "demand:all=2@2026-12-01")


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidChange:
    """A dated change as it was said. kind: DEMAND, PRICE, or EITHER where it was left to what `of` names.

    of: a workload, a class, `team:NAME`, ALL, or a GPU model. from_s: epoch seconds; by: evenly, up to then.
    """

    kind: str
    of: str
    factor: float
    from_s: int
    by: bool = False


def read_change(text: str, begins_s: int, year_starts: int = 1) -> SaidChange:
    """`WHAT xN by DAY`, `WHAT -N% from DAY`, `WHAT=N@DAY`, with `demand:` or `price:` before it where that is needed.

    Also as it is spoken: `WHAT doubles by DAY`, `H100 prices fall 20% from DAY`. Without a day it is so from the plan's
    first day on.

    DAY is a date, a whole hour, a month (its first day), or a month's name: the next one once plans begin (begins_s,
    epoch seconds); or as in `read_day_s`. Errors: PlannerError.

    >>> read_change("inference x2 by March", 1_796_083_200)  # 1 Dec 2026
    SaidChange(kind='', of='inference', factor=2.0, from_s=1803859200, by=True)
    >>> read_change("H100 prices fall 20% by 2026-12", 0)
    SaidChange(kind='price', of='H100', factor=0.8, from_s=1796083200, by=True)
    >>> read_change("price:H100=0.8@2026-12-01", 0)
    SaidChange(kind='price', of='H100', factor=0.8, from_s=1796083200, by=False)
    """
    match = _SAID.fullmatch(_as_written(text))
    if match is None and _MONTHLY.fullmatch(text):
        raise refusal(
            text.strip(),
            worded("a change needs one factor, not a monthly rate"),
            worded("set Growth or Price decline per month in What if, or --set growth=10% or delta=2%"),
        )
    if match is None:
        raise refusal(
            text.strip(),
            worded("no change specified"),
            worded(
                "write target, amount and time, such as {first} or {second}",
                first=EXAMPLES[0],
                second=EXAMPLES[1],
            ),
        )
    if match["percent"]:
        parts = float(match["percent"]) / 100
        factor = 1 + parts if match["sign"] == "+" else 1 - parts
    else:
        factor = float(match["times"] or match["to"])
    kind = (match["kind"] or EITHER).lower()
    is_by = (match["how"] or "").lower() in (BY, "within")
    at_s = begins_s if match["day"] is None else read_day_s(match["day"], begins_s, year_starts)
    return SaidChange(kind=kind, of=match["of"].strip(), factor=round(factor, 12), from_s=at_s, by=is_by)


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


def year_starts(project: Project, scenario: str) -> int:
    """The month in which the fiscal year of a plan does, 1 to 12. Errors: KeyError."""
    return project.assumptions_in(project.scenario(scenario)).fiscal_year_starts


def with_change(
    project: Project,
    scenario: str,
    change: SaidChange,
    classes: Callable[[], Mapping[str, Pool]],
    families: Families,
) -> Project:
    """The project with one step more in a plan, of demand or of prices.

    classes: of the log's workloads by key, asked for where a class is meant; families: how GPU models are spelled.
    Errors: PlannerError where nothing, or more than one thing, is called so, and as for the edits.
    """
    plan = find.plan_named(project, scenario)
    of, is_of_all = _demand_called(project, scenario, change.of), _is_of_all_prices(change)
    if is_of_all and (change.kind == PRICE or of is None):
        every = sorted({offer.gpu_model for offer in project.offers if offer.gpu_model})
        if not every:
            raise refusal(change.of, worded("no GPU model is on offer"), worded("import prices first"))
        steps = [PriceChange(model, change.factor, change.from_s, change.by) for model in every]
        return change_prices(project, scenario, (*plan.price_changes, *steps))
    model = known_model(change.of, {offer.gpu_model for offer in project.offers if offer.gpu_model}, families)
    if change.kind == PRICE or (change.kind == EITHER and of is None and model is not None):
        step = PriceChange(model or change.of, change.factor, change.from_s, change.by)
        return change_prices(project, scenario, (*plan.price_changes, step))
    if change.kind == EITHER and of is not None and (is_of_all or model is not None):
        raise refusal(
            change.of,
            worded("a workload and a price have this name")
            if is_of_all
            else worded("a workload and a GPU model have this name"),
            worded("write demand: or price: before it"),
        )
    if change.kind == EITHER and of is None:
        raise refusal(
            change.of,
            worded("no workload, class, team or GPU model has this name"),
            worded("use a workload, training, inference, burst, all, team:NAME, an offered model or prices"),
        )
    demand = demand_change(
        project,
        scenario,
        of or change.of,
        change.factor,
        change.from_s,
        classes() if of in set(Pool) else {},
        change.by,
    )
    return change_demand(project, scenario, (*plan.changes, demand))


def _is_of_all_prices(step: SaidChange) -> bool:
    """Whether the prices of every GPU model are meant: `prices +15%`, `prices of all +15%`."""
    of = " ".join(step.of.casefold().split())
    return step.kind != DEMAND and (of in ALL_PRICES or (step.kind == PRICE and of in (ALL, "everything")))


def known_model(name: str, known: Collection[str], families: Families) -> str | None:
    """A GPU model of some that a name means, as they spell it, of one or several; None where none of them is of it."""
    spellings = {model.casefold(): model for model in known}
    read = families.read(name)
    if read is None and name.casefold() not in spellings:
        name = name.casefold().removesuffix("s")
    ways = (name, *((read.full, read.family) if read is not None else ()))
    return next((spellings[key] for form in ways if (key := form.strip().casefold()) in spellings), None)


def _demand_called(project: Project, scenario: str, name: str) -> str | None:
    """What a step of demand is of, by a name; None where nothing is called so. Errors: PlannerError for several."""
    plain = name.strip().casefold()
    plain = re.sub(" (?:demand|traffic|load)$", "", plain)
    plain = re.sub(rf"^(?:the )?(?:pool )?({'|'.join(Pool)})(?: pool)?$", r"\1", plain)
    if plain in (ALL, "everything", "demand", *Pool):
        return ALL if plain in ("everything", "demand") else plain
    plan = find.plan_named(project, scenario)
    works = plan.planned
    keys = {workload.key for workload in project.workloads} | {work.key for work in works}
    if name in keys:
        return name
    team = re.fullmatch(r"team(?:\s*:\s*|\s+)(.+)", name.strip(), re.IGNORECASE)
    if team and (teams := find.teams_called(project, plan, team[1])):
        return find.TEAM + (teams[0] if len(teams) == 1 else team[1])
    named = {workload.key for workload in project.workloads if workload.name.casefold() == plain}
    named |= {work.key for work in works if work.name.casefold() == plain}
    if len(named) > 1:
        problem = worded("several workloads have this name")
        raise refusal(name, problem, worded("write its key, such as {key}", key=min(named)))
    return next(iter(named), None)


def read_day_s(text: str, begins_s: int, year_starts: int = 1) -> int:
    """Epoch seconds of a day, a whole hour, or the first day of a month or of a quarter of the fiscal year; of the next
    month, quarter or fiscal year; of a day so many months ahead.

    begins_s: when the plan does; year_starts: the month in which the fiscal year does. Errors: PlannerError, also for
    a day without a year where the log counts its time from 0.
    """
    day = " ".join(text.split())
    if not (has_calendar(begins_s) or re.search(r"\d{4}", day) or _AHEAD.fullmatch(day.lower())):
        problem = worded("the log has no dates or month names")
        raise refusal(day, problem, worded('write "in 3 months" or a day with its year'))
    if months := _NEXT.get(day.casefold()):
        month_s = month_bounds(month_of(begins_s))[1]
        while (int(month_of(month_s)[-2:]) - year_starts) % months:
            month_s = month_bounds(month_of(month_s))[1]
        return month_s
    if (called := day.casefold().replace("next week", "monday")) in _WEEK:
        first = begins_s // DAY_S + (day.casefold() not in _WEEK)
        return (first + (_WEEK.index(called) - first - 3) % 7) * DAY_S
    if ahead := _AHEAD.fullmatch(day.lower()):
        if days := {"day": 1, "week": 7}.get(ahead["of"]):
            return (begins_s // DAY_S + int(ahead["many"]) * days) * DAY_S
        months = int(ahead["many"]) * (12 if ahead["of"] == "year" else 1)
        return instant_s(months_after(iso_utc(begins_s), months) or day)
    if quarter := _QUARTER.fullmatch(day.lower()):
        first = (year_starts + 3 * int(quarter["of"]) - 4) % 12
        year = int(quarter["year"] or 0) - (first + 1 >= year_starts > 1)
        day = f"{MONTHS[first]} {year}" if quarter["year"] else MONTHS[first]
    month = _MONTH.fullmatch(day.lower())
    if month is not None:
        return _of_month(day, month, begins_s)
    try:
        at = datetime.fromisoformat(f"{day}-01-01"[:10] if re.fullmatch(r"\d{4}(?:-\d{2})?", day) else day)
    except ValueError:
        raise _no_day(day, worded("not a day")) from None
    at_s = (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp()
    if at_s % HOUR_S:
        raise _no_day(day, worded("not a whole hour"))
    return int(at_s)


def _of_month(text: str, month: re.Match[str], begins_s: int) -> int:
    """Epoch seconds of `March`, `1 March`, `March 1` or `Mar 2027`; without a year the next once plans begin."""
    named = [at for at, name in enumerate(MONTHS, 1) if name.startswith(month["month"])]
    if len(named) != 1:
        raise _no_day(text, worded("not a day"))
    begins = datetime.fromtimestamp(begins_s, UTC)
    years = (int(month["year"]),) if month["year"] else (begins.year, begins.year + 1)
    try:
        days = [
            datetime(year, named[0], int(month["day"] or month["after"] or 1), tzinfo=UTC) for year in years
        ]
    except ValueError:
        raise _no_day(text, worded("not a day")) from None
    return int(next((day for day in days if day.timestamp() >= begins_s), days[-1]).timestamp())


def _no_day(text: str, problem: Message) -> PlannerError:
    return refusal(text, problem, worded("write 2027-03-01, 2027-03 or March 2027"))
