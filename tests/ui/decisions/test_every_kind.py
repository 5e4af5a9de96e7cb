"""All that a plan said of what to do before it had a page: each kind of row is on the page or beside its decision."""

import csv
from dataclasses import replace
from pathlib import Path

import pytest

from gpuplanner.domain.audit.result import Check
from gpuplanner.domain.commitment.listed_order import ListedOrder
from gpuplanner.domain.commitment.next_decision import NextDecision
from gpuplanner.domain.commitment.order_days import seen_in
from gpuplanner.domain.commitment.outlook_result import SpotAdvice
from gpuplanner.domain.commitment.plan.orders import with_order_figures, with_rows
from gpuplanner.domain.commitment.result import Layer, Order
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.plan.spells import Spell
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import DAY_S, MONTH_S
from gpuplanner.ui.decisions.detail import detail_of
from gpuplanner.ui.decisions.page_rows import decisions_of, page_rows
from gpuplanner.ui.state.view_state import ViewState, next_view_state
from tests.ui.sample_world import evaluation_of, sample_project

PROJECT = sample_project()
END_S = PROJECT.window.end_s
NOW_S = END_S + 6 * DAY_S
HELD = next(one for one in PROJECT.contracts if one.is_committed)


def order(gpus: float, days: int, reason: str) -> Order:
    """An order of 12 months that is due so many days after the log."""
    start_s = END_S + (days + 2) * DAY_S
    made = Order(
        pool=Pool.TRAINING,
        gpu_model="H100",
        offer_id="vela-12",
        term_months=12,
        gpus=gpus,
        start_s=start_s,
        end_s=start_s + 12 * MONTH_S,
        order_by_s=END_S + days * DAY_S,
        reason=reason,
        rate=2.5,
        provider="Vela",
    )
    return with_order_figures([made])[0]


NOW, LATER, AGAIN, LASTING = with_rows(
    [
        order(8, 7, "now"),
        order(16, 60, "contract_end"),
        order(24, 80, "follows"),
        order(32, 90, "if_it_lasts"),
    ]
)


def decision(name: str, kind: str, **facts: object) -> NextDecision:
    return NextDecision(decision_id=name, kind=kind, subject=name, **facts)  # type: ignore[arg-type]


DECISIONS = (
    decision("8 H100", "order", by_s=END_S + 6 * DAY_S, is_now=True, orders=(NOW,), order_numbers=(1,)),
    decision(
        HELD.contract_id,
        "replace",
        by_s=END_S + 59 * DAY_S,
        order_by_s=END_S + 59 * DAY_S,
        notice_by_s=END_S + 70 * DAY_S,
        contract_id=HELD.contract_id,
        orders=(LATER, AGAIN),
        order_numbers=(2, 3),
    ),
    decision("asked-about", "question", is_in_plan=False),
    decision("right-sizing", "saving", is_in_plan=False),
    decision("declined", "end", is_in_plan=False),
)
LISTED = tuple(
    ListedOrder(
        number=at,
        orders=(one,),
        order_ids=(str(at),),
        decision=of,
        quote_valid_until="2026-12-21" if at == 2 else None,
    )
    for at, (one, of) in enumerate(((NOW, 1), (LATER, 2), (AGAIN, 2), (LASTING, None)), 1)
)
BY_SPOT = Layer(
    existing=False,
    pricing_category=PricingCategory.DYNAMIC,
    term_months=0,
    offer_id="spot",
    gpus=10.0,
    busy_gpus=10.0,
    rate=2.0,
    spot_share=1.0,
    cost_per_month=14_600.0,
    beside_on_demand=-29_200.0,
)
CHECKPOINTS = SpotAdvice(
    key=PROJECT.workloads[0].key,
    pool=Pool.BURST,
    gpu_model="H100",
    nodes=1,
    longest_job_hours=100.0,
    interval_hours=4.0,
    lost_share=0.1146,
    best_interval_hours=2.0,
    best_lost_share=0.0938,
    on_spot=True,
    on_spot_at_best=True,
    saves_usd_per_month=123.4,
)
BETTER = Check(code="better_size", severity="amber", subject="H100", message=worded("16 GPUs wait less."))
TABLE = Path(__file__).with_name("every_kind.csv")
"""Kinds of rows that the panel Recommendations and the order calendar had, and what each says."""


def kinds() -> dict[str, str]:
    """Words of each kind of row, with the contract of this plan."""
    with TABLE.open(encoding="utf-8", newline="") as table:
        named = {"contract": HELD.contract_id, "gpus": f"{HELD.gpus:.0f}"}
        return {row["kind"]: row["words"].format(**named) for row in csv.DictReader(table)}


@pytest.fixture(scope="module")
def said() -> str:
    """All that the page says of a plan with everything."""
    made = next_view_state(None, evaluation_of(PROJECT, PROJECT.scenarios[0].name))
    shown = replace(made, **with_everything(made))
    decisions = decisions_of(shown, NOW_S)
    rows = page_rows(shown, decisions, NOW_S)
    texts = [f"{row.title} {row.note} {row.more} {row.amount} {row.tip}" for row in rows]
    for one in decisions:
        detail = detail_of(one, shown, seen_in(shown.evaluation.project, NOW_S))
        texts += [f"{fact.name} {fact.words}" for fact in detail.facts]
        texts += [f"{row.title} {row.note} {row.more} {row.amount} {row.tip}" for row in detail.orders]
    return "\n".join(texts)


def with_everything(made: ViewState) -> dict[str, object]:
    """Parts of a state whose plan has something of each kind to say."""
    assert made.advice is not None and made.outlook is not None
    offer = next(one for one in made.offers if one.pricing_category is PricingCategory.STANDARD)
    ways = ((offer.gpu_model, (offer.offer_id,), 730 * 69.0),)
    months = [
        replace(month, contracts_usd=5_000.0, orders_usd=0.0, use_usd=5_000.0, use_hours=ways)
        for month in made.advice.comparison
    ]
    first, *others = made.advice.pools
    pools = (replace(first, layers=(*first.layers, BY_SPOT), note="one word"), *others)
    advice = replace(
        made.advice,
        orders=(NOW, LATER, AGAIN, LASTING),
        comparison=tuple(months),
        pools=pools,
        totals=replace(made.advice.totals, on_demand_equivalent=900.0, today=1_000.0, liability=9e5),
    )
    outlook = replace(made.outlook, next_decisions=DECISIONS, listed_orders=LISTED, spot=(CHECKPOINTS,))
    key = PROJECT.workloads[0].key
    basis = made.evaluation.figures.basis
    plan = replace(basis.plan, spells={key: Spell(None, END_S + 30 * DAY_S)})
    figures = replace(made.evaluation.figures, basis=replace(basis, plan=plan))
    window = replace(PROJECT.window, start_s=END_S - 168 * 3600, hours=168)
    project = replace(made.evaluation.project, window=window)
    evaluation = replace(
        made.evaluation, project=project, advice=advice, outlook=outlook, figures=figures, waits=(BETTER,)
    )
    return {"evaluation": evaluation, "advice": advice, "outlook": outlook}


@pytest.mark.parametrize("kind", kinds())
def test_the_page_has_every_kind_of_row(said: str, kind: str) -> None:
    assert kinds()[kind].lower() in said.lower()
