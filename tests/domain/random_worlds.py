"""Random and crafted worlds of the oracle, and what each comes to: its past, advice and outlook.

A world is named by its maker and seed, such as `edge 4`, or by its name alone, such as `two_clusters`. With the word
`stated` behind it its contracts and offers state more terms. Golden tables of rooms show it as lines of `class_lines`.
"""

import random
from dataclasses import replace
from decimal import Decimal
from functools import cache
from typing import Any, Final

from gpuplanner.domain.audit import mix, model_rates, series
from gpuplanner.domain.audit.chargeback import charged, idle_shares
from gpuplanner.domain.audit.quarter import quarter
from gpuplanner.domain.audit.unit_costs.audited_past import past_of
from gpuplanner.domain.audit.unit_costs.unit_costs import unit_costs
from gpuplanner.domain.audit.variance import halves, variance
from gpuplanner.domain.commitment.outlook_result import Outlook
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.commitment.uncertainty.outlook import outlook
from gpuplanner.domain.evaluation import Evaluation, advise_plan, evaluate_audit
from gpuplanner.domain.model.window import DAY_S, iso_day
from gpuplanner.files.system.resources import read_tables
from tests.oracle.crafted import CRAFTED
from tests.oracle.new_worlds import new_world
from tests.oracle.projects import Case, edge_case, random_case
from tests.shown import class_lines

STATED: Final = " stated"
MAKERS: Final = {"new": new_world, "edge": edge_case, "random": random_case}


def world(name: str) -> Case:
    """Return the world of a name."""
    plain = name.removesuffix(STATED)
    maker, _, seed = plain.partition(" ")
    case = MAKERS[maker](int(seed)) if seed else CRAFTED[plain]()
    return with_terms(case, random.Random(name)) if plain != name else case


def with_terms(case: Case, chance: random.Random) -> Case:
    """Return a world whose contracts and offers state terms that most others leave out, each now and then."""

    def maybe(*values: Any) -> Any:
        return chance.choice((None, *values))

    case.contracts = [
        replace(
            contract,
            provider=maybe("Ada", "Bo"),
            region=maybe("us-east-1", "Frankfurt"),
            take_or_pay_percent=maybe(50.0, 80.0, 0.0),
            prepaid_usd=maybe(Decimal(20_000)),
            deposit_usd=maybe(Decimal(5000)),
            cancel_fee_usd=maybe(Decimal(900)),
            renews_months=maybe(0, 1, 12),
            notice_days=maybe(0, 30, 90),
            sla_percent=maybe(99.0, 99.9),
            owner=maybe("ops"),
            support_percent=maybe(5.0),
            storage_usd_per_gpu_month=maybe(Decimal(20)),
        )
        for contract in case.contracts
    ]
    case.offers = [
        replace(
            offer,
            provider=maybe("Ada", "Bo", "Cy"),
            region=maybe("us-east-1", "Frankfurt"),
            max_gpus=maybe(4, 16),
            min_gpus=maybe(2),
            unit_gpus=maybe(2, 8),
            upfront_usd=maybe(Decimal(200)) if offer.pricing_category.is_commitment else None,
            setup_usd=maybe(Decimal(50)),
            sla_percent=maybe(99.0, 99.9),
            starts=maybe(iso_day(case.end_s + 40 * DAY_S)),
            ends=maybe(iso_day(case.end_s + 500 * DAY_S)),
            valid_until=maybe(iso_day(case.end_s + 60 * DAY_S)),
            egress_usd_per_gb=maybe(Decimal("0.09")),
        )
        for offer in case.offers
    ]
    return case


def advice_of(case: Case) -> Advice:
    """Return the advice on a world's plan."""
    project, pools, audit = case.on_board
    return advise(project, case.plan, pools, audit)


def outlook_of(case: Case) -> Outlook:
    """Return the outlook of a world's plan."""
    project, pools, audit = case.on_board
    return outlook(project, case.plan, pools, advise(project, case.plan, pools, audit))


@cache
def evaluation_of(name: str) -> Evaluation:
    """Return the evaluation of a world, without advice; its workloads are classified by the rules."""
    case = world(name)
    return evaluate_audit(case.project, case.scenario.name, read_tables())


def past_figures(name: str) -> tuple[Any, ...]:
    """Return a world's audit, unit costs, changes between the halves of its log, and charges."""
    evaluation = evaluation_of(name)
    past = past_of(evaluation.project, evaluation.audit)
    return (
        evaluation.audit,
        unit_costs(past),
        variance(past, *halves(evaluation.project.window)),
        charged(past, evaluation.audit),
    )


def past_reports(name: str) -> tuple[Any, ...]:
    """Return what reports of the past show beside the audit: mixes, nights, weeks, days, rates of models."""
    evaluation = evaluation_of(name)
    project, audit = evaluation.project, evaluation.audit
    past = past_of(project, audit)
    return (
        mix.cluster_mixes(past),
        mix.runs_by_kind(past),
        mix.most_expensive(past),
        mix.idle_nights(past),
        mix.billed(past),
        mix.published_beside(past),
        series.series([(project, audit)], evaluation.plan),
        series.weeks(past),
        series.days(past),
        quarter(project, audit),
        model_rates.h100_equivalents(past),
        model_rates.model_premiums(past),
        model_rates.price_gaps(past),
        idle_shares(past, audit),
    )


def figures_text(name: str) -> str:
    return class_lines(past_figures(name))


def reports_text(name: str) -> str:
    return class_lines(past_reports(name))


def advice_text(name: str) -> str:
    return class_lines(advice_of(world(name)))


def outlook_text(name: str) -> str:
    return class_lines(outlook_of(world(name)))


def decided_text(name: str) -> str:
    """Return the advice with its decisions as a whole, on a world whose workloads are classified by the rules."""
    evaluation = evaluation_of(name)
    return class_lines(advise_plan(evaluation.project, evaluation.figures))


def decisions_text(name: str) -> str:
    """Return the decisions as a whole of such a world, and what its plan comes to."""
    evaluation = evaluation_of(name)
    advice = advise_plan(evaluation.project, evaluation.figures)
    return class_lines((advice.whole_decisions, advice.totals, advice.orders))
