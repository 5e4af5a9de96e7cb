"""The money of a project: what it is reported in, and the dated rates of exchange that the planner states."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Final

from gpuplanner.domain.edits.find import with_values
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.book.exchange import (
    USD,
    ExchangeRate,
    check_code,
    check_rate,
    counted_rows,
    exchange_between,
)
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.money_signs import with_code
from gpuplanner.domain.model.places import Places, Site
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario.assumptions import Assumptions, AssumptionSpec, AssumptionValue
from gpuplanner.domain.model.scenario.plan_inputs import Scenario

OF_MONEY: Final = ("budget_usd_per_month", "egress_usd_per_gb")
"""Assumptions that are amounts: they stand in the money of the project."""


def with_exchange(project: Project, stated: Iterable[ExchangeRate]) -> Project:
    """The project with what one unit of each currency is in US dollars, as of a day, in place of an earlier one.

    Of two of one currency the later day counts, of one day the last that is said. Errors: PlannerError for no
    currency, no positive rate, no date.
    """
    said: dict[str, ExchangeRate] = {}
    for one in map(check_rate, stated):
        if one.code not in said or said[one.code].as_of <= one.as_of:
            said[one.code] = one
    return _with_rates(project, {one.code: one for one in project.exchange} | said)


def replace_exchange(project: Project, stated: Iterable[ExchangeRate]) -> Project:
    """The project with these rates in place of those of the same currencies, of whichever day they were."""
    rates = tuple(map(check_rate, stated))
    return _with_rates(project, {one.code: one for one in (*project.exchange, *rates)})


def forget_exchange(project: Project, code: str) -> Project:
    """The project without a rate: what is quoted in that currency is unknown again.

    A code without a stated rate changes nothing.
    """
    return _with_rates(project, {one.code: one for one in project.exchange if one.code != code})


def report_in(project: Project, code: str) -> Project:
    """The project with all its money in another currency.

    Errors: PlannerError where it is no currency; where amounts that the planner entered cannot be converted, since a
    rate that they need is not stated.
    """
    counted = check_code(code)
    if exchange_between(project.currency, counted, project.exchange) is None and _has_amounts(project):
        lacking = next(one for one in (counted, project.currency) if one not in _known(project))
        raise PlannerError(
            counted,
            "usage",
            worded(
                "amounts that you entered are in {code}, and no rate of {lacking} is stated",
                code=project.currency,
                lacking=lacking,
            ),
            worded("state what one {lacking} is in US dollars first", lacking=lacking),
        )
    return counted_in(project, counted)


def counted_in(project: Project, code: str) -> Project:
    """The project with all its money in a currency; the very same where it is. What cannot be converted is unknown.

    Rows count at their quoted amount x exchange; amounts that the planner entered are converted, an egress price
    whose rate of exchange is not known stays as it is (it has to be some number).
    Source: docs/formulas.md, Money and currencies.
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


def _known(project: Project) -> set[str]:
    """Currencies that amounts can be converted to and from."""
    return {"USD", *(one.code for one in project.exchange)}


def _has_amounts(project: Project) -> bool:
    """Whether the planner entered amounts, which stand in the money of the project."""
    sites = project.places.sites
    settings: list[object] = [project.assumptions.budget_usd_per_month, *(s.usd_per_month for s in sites)]
    settings += [plan.assumptions.get(name) for plan in project.scenarios for name in OF_MONEY]
    settings += project.budgets.values()
    settings += [one.usd_per_month for plan in project.scenarios for one in plan.leak_decisions]
    is_own = project.assumptions.egress_usd_per_gb != Assumptions().egress_usd_per_gb
    return is_own or any(value is not None for value in settings)


def _converted(value: AssumptionValue, into: Decimal | None) -> float | None:
    """An amount in another money; None where it or the rate is unknown."""
    return None if value is None or into is None else float(value) * float(into)


def _assumptions_in(values: Assumptions, into: Decimal | None) -> Assumptions:
    """The assumptions with their amounts in another money. An egress price that cannot be converted stays,
    since it must be a number.
    """
    egress = _converted(values.egress_usd_per_gb, into)
    return replace(
        values,
        budget_usd_per_month=_converted(values.budget_usd_per_month, into),
        egress_usd_per_gb=values.egress_usd_per_gb if egress is None else egress,
    )


def _scenario_in(plan: Scenario, into: Decimal | None, code: str) -> Scenario:
    """code: of the money before: what was noted in it is said in it for good."""
    amounts = {
        name: _converted(plan.assumptions[name], into) for name in OF_MONEY if name in plan.assumptions
    }
    if amounts.get("egress_usd_per_gb", 0.0) is None:
        del amounts["egress_usd_per_gb"]
    leaks = tuple(
        replace(one, usd_per_month=_converted(one.usd_per_month, into)) for one in plan.leak_decisions
    )
    noted = tuple(replace(one, what=with_code(one.what, code)) for one in plan.decisions)
    return replace(plan, assumptions={**plan.assumptions, **amounts}, leak_decisions=leaks, decisions=noted)


def _places_in(places: Places, into: Decimal | None) -> Places:
    """Places with the prices of their sites in another money; the very same where nothing changes."""
    sites = sites_in(places.sites, into)
    return places if sites == places.sites else replace(places, sites=sites)


def sites_in(sites: Iterable[Site], into: Decimal | None) -> tuple[Site, ...]:
    """Sites with their prices in another money, of which `into` is one unit of theirs; None: they are unknown.

    In order; the very same objects at a rate of 1.
    """
    return tuple(
        one
        if one.usd_per_month is None or into == 1
        else replace(one, usd_per_month=None if into is None else one.usd_per_month * into)
        for one in sites
    )
