"""What a call says of money: rates of exchange, what amounts are reported in, and what they are counted in."""

import argparse
from collections.abc import Mapping

from gpuplanner.cli.arguments import UsageError, parse_exchange, reporting_currency
from gpuplanner.domain.edits.currency import OF_MONEY, counted_in, recounted, with_exchange
from gpuplanner.domain.model.book.exchange import USD, Currency, currency_from, exchange_between
from gpuplanner.domain.model.log.cube import empty_cube
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario.assumptions import AssumptionValue
from gpuplanner.domain.model.window import Window


def no_project() -> Project:
    """Where a call names none: what else it says of money holds.

    One empty hour, without offers: only assumptions and rates count.
    """
    return Project(Window(0, 1), empty_cube(1))


def with_money(project: Project, words: argparse.Namespace, *, in_dollars: bool) -> tuple[Project, Currency]:
    """The project at the rates that the call states, and the currency that it is reported in.

    in_dollars: count in US dollars, as JSON documents have it; else in that currency. Errors: UsageError.
    """
    stated = with_exchange(recounted(project), parse_exchange(words.fx))
    reported = currency_from(reporting_currency(words.set) or stated.currency, stated.exchange)
    return counted_in(stated, USD if in_dollars else reported.code), reported


def in_money_of(project: Project, settings: Mapping[str, AssumptionValue]) -> dict[str, AssumptionValue]:
    """Settings of a call, whose amounts are US dollars, in the money of a project.

    Errors: UsageError where the rate that this needs is not stated.
    """
    answer = dict(settings)
    for name in OF_MONEY:
        value = answer.get(name)
        if value is None or project.currency == USD:
            continue
        into = exchange_between(USD, project.currency, project.exchange)
        if into is None:
            code = project.currency
            raise UsageError(
                f"--set {name}: it is in US dollars; state the rate too, as in --fx {code}=1.08@2026-10-01"
            )
        answer[name] = float(value) * float(into)
    return answer
