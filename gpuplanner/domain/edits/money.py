"""What a planner says of money: currency and exchange, the price book, budgets, figures of the business."""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Final

from gpuplanner.domain.edits.find import with_values
from gpuplanner.domain.edits.offers import with_offers
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.assumptions import Assumptions, AssumptionSpec, AssumptionValue
from gpuplanner.domain.model.book.exchange import (
    USD,
    ExchangeRate,
    check_code,
    check_rate,
    counted_rows,
    exchange_between,
    with_code,
)
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.offer_fields import OfferValue, check_offer, with_value
from gpuplanner.domain.model.book.price_history import is_dated, with_earlier
from gpuplanner.domain.model.book.remark import is_on_line_of, taken_as_quoted
from gpuplanner.domain.model.budgets import check_budget
from gpuplanner.domain.model.business_figures import BusinessFigure, check_business
from gpuplanner.domain.model.errors import refusal
from gpuplanner.domain.model.places import Places, sites_in
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.lazy_dataclass import replace

# --- The money of a project: what it is reported in, and the dated rates of exchange that the planner states

OF_MONEY: Final = (
    "budget_usd_per_month",
    "egress_usd_per_gb",
    "egress_far_usd_per_gb",
    "serving_usd_per_request",
    "serving_api_usd_in",
    "serving_api_usd_out",
)
"""Assumptions that are amounts: they stand in the money of the project."""


def with_exchange(project: Project, stated: Iterable[ExchangeRate]) -> Project:
    """The project with what one unit of each currency is in US dollars, as of a day, in place of an earlier one.

    Of two of one currency the later day counts, of one day the last that is said. Errors: PlannerError for no
    currency, no positive rate, no date.
    """
    latest: dict[str, ExchangeRate] = {}
    for rate in map(check_rate, stated):
        if rate.code not in latest or latest[rate.code].as_of <= rate.as_of:
            latest[rate.code] = rate
    return _with_rates(project, {rate.code: rate for rate in project.exchange} | latest)


def replace_exchange(project: Project, stated: Iterable[ExchangeRate]) -> Project:
    """The project with these rates in place of those of the same currencies, of whichever day they were."""
    rates = tuple(map(check_rate, stated))
    return _with_rates(project, {rate.code: rate for rate in (*project.exchange, *rates)})


def forget_exchange(project: Project, code: str) -> Project:
    """The project without a rate: what is quoted in that currency is unknown again.

    A code without a stated rate changes nothing.
    """
    return _with_rates(project, {rate.code: rate for rate in project.exchange if rate.code != code})


def report_in(project: Project, code: str) -> Project:
    """The project with all its money in another currency.

    Errors: PlannerError where it is no currency; where amounts that the planner entered cannot be converted, since a
    rate that they need is not stated.
    """
    counted = check_code(code)
    if exchange_between(project.currency, counted, project.exchange) is None and _has_amounts(project):
        stated = {"USD", *(rate.code for rate in project.exchange)}
        lacking = next(currency for currency in (counted, project.currency) if currency not in stated)
        raise refusal(
            counted,
            worded("no {lacking} rate for amounts in {code}", code=project.currency, lacking=lacking),
            worded("first enter {lacking} per US dollar", lacking=lacking),
        )
    return counted_in(project, counted)


def counted_in(project: Project, code: str) -> Project:
    """The project with all its money in a currency; the very same where it is. What cannot be converted is unknown.

    Rows count at their quoted amount x exchange; amounts that the planner entered are converted, an egress price
    whose rate of exchange is not known stays as it is (it has to be some number).
    Source: docs/formulas/basics.md, Money and currencies.
    """
    if code == project.currency:
        return project
    into = exchange_between(project.currency, code, project.exchange)
    return recounted(
        replace(
            project,
            currency=code,
            assumptions=_assumptions_in(project.assumptions, into),
            scenarios=tuple(_scenario_in(plan, into, project.currency) for plan in project.scenarios),
            places=_places_in(project.places, into),
            budgets={team: _converted(usd, into) for team, usd in project.budgets.items()},
        )
    )


def recounted(project: Project) -> Project:
    """The project whose contracts and offers count at its rates of exchange; the very same where they do.

    Amounts that the planner entered are left alone: they stand in the money of the project.
    """
    return with_values(
        project,
        contracts=counted_rows(project.contracts, project.currency, project.exchange),
        offers=counted_rows(project.offers, project.currency, project.exchange),
        earlier_offers=counted_rows(project.earlier_offers, project.currency, project.exchange),
    )


def default_in_money(spec: AssumptionSpec, project: Project) -> AssumptionValue:
    """The default of an assumption in the money of a project; as it is where the rate that this needs is not stated."""
    if spec.name not in OF_MONEY or spec.default is None:
        return spec.default
    default = _converted(spec.default, exchange_between(USD, project.currency, project.exchange))
    return spec.default if default is None else default


def _with_rates(project: Project, rates: Mapping[str, ExchangeRate]) -> Project:
    """The project with these rates and no others, its rows counted anew; itself where they are the same."""
    exchange = tuple(rates[code] for code in sorted(rates))
    return project if exchange == project.exchange else recounted(replace(project, exchange=exchange))


def _has_amounts(project: Project) -> bool:
    """Whether the planner entered amounts, which stand in the money of the project."""
    sites = project.places.sites
    settings: list[object] = [s.usd_per_month for s in sites]
    settings += [getattr(project.assumptions, name) for name in OF_MONEY if name != "egress_usd_per_gb"]
    settings += [plan.assumptions.get(name) for plan in project.scenarios for name in OF_MONEY]
    settings += project.budgets.values()
    settings += [row.usd_per_month for plan in project.scenarios for row in plan.leak_decisions]
    is_own = project.assumptions.egress_usd_per_gb != Assumptions().egress_usd_per_gb
    return is_own or any(value is not None for value in settings)


def _converted(value: AssumptionValue, into: Decimal | None) -> float | None:
    """An amount in another money; None where it or the rate is unknown."""
    return None if value is None or into is None else float(value) * float(into)


def _assumptions_in(values: Assumptions, into: Decimal | None) -> Assumptions:
    """The assumptions with their amounts in another money. An egress price that cannot be converted stays,
    since it must be a number.
    """
    amounts = {name: _converted(getattr(values, name), into) for name in OF_MONEY}
    if amounts["egress_usd_per_gb"] is None:
        del amounts["egress_usd_per_gb"]
    return replace(values, **amounts)  # type: ignore[arg-type]


def _scenario_in(plan: Scenario, into: Decimal | None, code: str) -> Scenario:
    """code: of the money before: what was noted in it is said in it for good."""
    amounts = {
        name: _converted(plan.assumptions[name], into) for name in OF_MONEY if name in plan.assumptions
    }
    if amounts.get("egress_usd_per_gb", 0.0) is None:
        del amounts["egress_usd_per_gb"]
    leaks = tuple(
        replace(row, usd_per_month=_converted(row.usd_per_month, into)) for row in plan.leak_decisions
    )
    noted = tuple(replace(decision, text=with_code(decision.text, code)) for decision in plan.decisions)
    return replace(plan, assumptions={**plan.assumptions, **amounts}, leak_decisions=leaks, decisions=noted)


def _places_in(places: Places, into: Decimal | None) -> Places:
    """Places with the prices of their sites in another money; the very same where nothing changes."""
    sites = sites_in(places.sites, into)
    return places if sites == places.sites else replace(places, sites=sites)


# --- What a planner does with the price book: offers added, changed field by field, duplicated and removed


def add_offer(project: Project, offer: Offer) -> Project:
    """An offer more in the price book. Errors: PlannerError where its id is taken, or it cannot be.

    Its rate is of the day that it says, if it says any.
    """
    _require_free_id(project, offer.offer_id)
    return with_offers(project, (*project.offers, check_offer(offer)))


def change_offer(
    project: Project, offer_id: str, field: str, value: OfferValue, today: str | None = None
) -> Project:
    """One field of an offer (a name in model/book/offer_fields.py) as the planner knows it; None: unknown.

    today: ISO date: a rate that is entered is of that day, and the dated one before it is kept as an earlier one.
    Errors: PlannerError for an unknown offer or field, a value that it cannot have, or an id that is taken.
    """
    before = _offer(project, offer_id)
    after = with_value(before, field, value)
    gone: tuple[Offer, ...] = ()
    if field == "rate_usd_per_gpu_hour" and after.rate != before.rate and after.rate and today:
        after = replace(after, as_of=today)
        gone = (before,) if is_dated(before) and before.as_of != today else ()
    if after.offer_id != offer_id:
        _require_free_id(project, after.offer_id)
        renamed = (
            replace(row, offer_id=after.offer_id) if row.offer_id == offer_id else row
            for row in project.earlier_offers
        )
        project = replace(project, earlier_offers=with_earlier((), renamed, ()))
    return with_offers(project, (*(offer for offer in project.offers if offer is not before), after), gone)


def take_as_quoted(project: Project, offer_id: str) -> Project:
    """A quote taken as it is, whatever its vendor's remark says, and with it those that renew it on its line.

    Errors: PlannerError for an unknown offer.
    """
    chosen = _offer(project, offer_id)
    if taken_as_quoted(chosen) is chosen:
        return project
    return with_offers(
        project, (taken_as_quoted(row) if is_on_line_of(row, chosen) else row for row in project.offers)
    )


def duplicate_offer(project: Project, offer_id: str) -> Project:
    """A copy of an offer under the id that `copied_offer_id` gives.

    Errors: PlannerError for an unknown offer.
    """
    offer = _offer(project, offer_id)
    return with_offers(
        project, (*project.offers, replace(offer, offer_id=copied_offer_id(project, offer_id)))
    )


def remove_offer(project: Project, offer_id: str) -> Project:
    """The price book without an offer. Errors: PlannerError for an unknown one.

    Earlier dated rates of it stay.
    """
    gone = _offer(project, offer_id)
    return with_offers(project, (offer for offer in project.offers if offer is not gone))


def copied_offer_id(project: Project, offer_id: str) -> str:
    """The first of `x copy`, `x copy 2`, `x copy 3`, ... that no offer has.

    offer_id need not be there itself.
    """
    taken = {offer.offer_id for offer in project.offers}
    names = (
        str(
            worded("{offer} copy {number}", offer=offer_id, number=whole(number))
            if number > 1
            else worded("{offer} copy", offer=offer_id)
        )
        for number in range(1, len(taken) + 2)
    )
    return next(name for name in names if name not in taken)


def _offer(project: Project, offer_id: str) -> Offer:
    """Errors: PlannerError where no offer has that id."""
    for offer in project.offers:
        if offer.offer_id == offer_id:
            return offer
    raise refusal(offer_id, worded("no such offer"), worded("use an offer listed in Prices"))


def _require_free_id(project: Project, offer_id: str) -> None:
    """Errors: PlannerError where an offer has that id."""
    if any(offer.offer_id == offer_id for offer in project.offers):
        raise refusal(offer_id, worded("an offer has this id"), worded("enter another id"))


# --- What a planner does with budgets of teams: give, change, take away --------------------------


def add_budgets(project: Project, budgets: Mapping[str, float]) -> Project:
    """The project with these budgets too, $ a month by team; one of a team that has one already takes its place.

    Errors: PlannerError for a budget that cannot be (`check_budget`).
    """
    stated = {team.strip(): check_budget(team, usd) for team, usd in budgets.items()}
    both = {**project.budgets, **stated}
    return with_values(project, budgets=dict(sorted(both.items())))


def add_dollar_budgets(project: Project, budgets: Mapping[str, float]) -> Project:
    """`add_budgets` of budgets in US dollars, in the money of the project.

    Errors: PlannerError as there, and where the rate of exchange that this needs is not stated.
    """
    into = exchange_between(USD, project.currency, project.exchange)
    if into is None:
        code = project.currency
        problem = worded("budgets are in US dollars; {code} has no rate", code=code)
        raise refusal(code, problem, worded("enter the US dollar exchange rate of {code} first", code=code))
    return add_budgets(project, {team: usd * float(into) for team, usd in budgets.items()})


def set_budget(project: Project, team: str, usd_per_month: float | None) -> Project:
    """The project with the budget of a team; None takes it away. Errors: PlannerError as for `add_budgets`."""
    if usd_per_month is not None:
        return add_budgets(project, {team: usd_per_month})
    return with_values(project, budgets={name: usd for name, usd in project.budgets.items() if name != team})


# --- What a planner does with figures of the business: give them, by month -----------------------


def add_business(project: Project, figures: Iterable[BusinessFigure]) -> Project:
    """The project with these figures too; one of a name and month that is there already takes its place.

    Errors: PlannerError for a figure that cannot be (`check_business`).
    """
    both = {figure.identity: figure for figure in (*project.business, *map(check_business, figures))}
    return with_values(project, business=tuple(both[each] for each in sorted(both)))
