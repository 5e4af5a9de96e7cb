"""An award of an evaluated plan: its rows are those of its request, its assumptions and market hold."""

from dataclasses import replace
from decimal import Decimal

import pytest

from gpuplanner.domain.award.award import Award, award_of, line_key
from gpuplanner.domain.award.deciding import decide
from gpuplanner.domain.award.offer_worths import offer_worths
from gpuplanner.domain.award.quote_worths import with_worth
from gpuplanner.domain.award.worth_signing import worth_signing
from gpuplanner.domain.commitment.asked_rows import asked_in, rows_quoted_for
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.plan.ground import ground_of
from gpuplanner.domain.edits.plans import set_assumption
from gpuplanner.domain.evidence.award import OF_AWARD
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.figures.award import OF_VENDOR, QUOTE
from gpuplanner.domain.model.book.exchange import ExchangeRate
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import DAY_S, MONTH_S
from tests.arrived import arrived
from tests.domain.award.conftest import CONDITIONS, quote, row
from tests.domain.award.decided_awards import as_asked, at_market, awarded, evaluated
from tests.domain.commitment.conftest import Load, offer
from tests.domain.track.conftest import MONTH, planned
from tests.some_of import one_in
from tests.ui.priced_world import plan, priced_project

# --- An award of an evaluated plan: its rows are those of its request, its assumptions and market hold


@pytest.mark.long
def test_rows_are_those_of_the_request_and_nothing_is_ordered_before_today() -> None:
    evaluation = plan().evaluation
    award = awarded(evaluation)
    planned, figures, advice = evaluation.in_parts, evaluation.figures, evaluation.advice
    assert advice is not None
    end_s = evaluation.project.plan_window.end_s
    ground = ground_of(
        planned.project, figures.basis.plan, figures.workload_pools, AdviceCache(), advice.classes
    )
    assert (*award.rows, *award.options) == asked_in(ground, evaluation.listed_orders, end_s)
    assert award.rows
    assert award.conditions.order_day_s == end_s - end_s % 86_400
    late = decide(evaluation, end_s + 40 * 86_400, at_market)
    assert late is not None and late.conditions.order_day_s >= end_s + 39 * 86_400
    with pytest.raises(ValueError, match="advice"):
        decide(replace(evaluation, advice=None), 0, at_market)


def test_an_award_of_a_plan_that_waits_is_ordered_once_it_has_waited() -> None:
    award = awarded(evaluated(set_assumption(priced_project(), None, "wait_months", 2)))
    from_s = plan().evaluation.project.plan_window.end_s + 2 * MONTH_S
    assert award.conditions.order_day_s == from_s - from_s % 86_400
    assert award.rows and all(row.start_s >= from_s - 86_400 for row in award.rows)


def test_assumptions_and_the_call_set_the_limits() -> None:
    project = set_assumption(priced_project(), None, "max_provider_share", 0.7)
    project = set_assumption(project, None, "unit", 4)
    quoted = tuple(replace(offer, valid_until="2030-01-01") for offer in project.offers)
    project = replace(project, offers=quoted)
    award = awarded(evaluated(project), max_prepaid=1000.0)
    assert (award.conditions.max_share, award.conditions.max_prepaid) == (0.7, 1000.0)
    assert {row.node_gpus for row in award.rows} == {4}
    assert {quote.offer.unit_gpus for quote in award.quotes} == {4}


def test_far_from_the_market_is_told_in_the_money_of_the_project() -> None:
    cheap = Offer(
        offer_id="cheap",
        gpu_model="H100",
        pricing_category=PricingCategory.COMMITTED,
        term_months=6,
        rate_usd_per_gpu_hour=Decimal("0.50"),
    )
    quoted = (replace(one, valid_until="2030-01-01") for one in (*priced_project().offers, cheap))
    project = replace(priced_project(), offers=tuple(quoted))
    evaluation = evaluated(project)
    far = {quote.offer.offer_id: quote.is_far_from_market for quote in awarded(evaluation).quotes}
    assert far["cheap"] is True and far["cloud-h100-06"] is False
    unknown = replace(evaluation, project=replace(evaluation.project, currency="CHF", exchange=()))
    assert {quote.is_far_from_market for quote in awarded(unknown).quotes} == {None}
    stated = replace(
        evaluation,
        project=replace(
            evaluation.project, currency="CHF", exchange=(ExchangeRate("CHF", Decimal("1.25"), "2026-10-01"),)
        ),
    )
    assert awarded(stated).quotes[0].market == pytest.approx((2.4, 2.8))


@pytest.mark.parametrize("shortest_months", [6, 1])
@pytest.mark.parametrize("lead_days", one_in(4, [0, 14, 30, 45]))
def test_a_quote_as_asked_answers_its_row(lead_days: int, shortest_months: int) -> None:
    """Law: over all rows whose orders start on the day that is asked for; what follows a term that began inside its
    month is asked for by the calendar, later than the plan's own month."""
    lead_hours = 24.0 * lead_days
    project = priced_project()
    offers = tuple(
        replace(
            offer,
            lead_time_hours=lead_hours,
            term_months=shortest_months if offer.term_months == 6 else offer.term_months,
        )
        if offer.term_months
        else offer
        for offer in project.offers
    )
    award = awarded(evaluated(replace(project, offers=offers)))
    tried = 0
    for asked in (*award.rows, *award.options):
        if all(order.start_s // DAY_S == asked.start_s // DAY_S for order in asked.orders):
            quote = as_asked(asked, "quote", lead_time_hours=lead_hours)
            assert rows_quoted_for(quote, [asked], award.conditions.calendar) == (0,)
            tried += 1
    assert tried >= 5


# --- Why of an award: the formula comes to the figure that is kept, to the bit, from what went in


@pytest.fixture(scope="module")
def award() -> Award:
    rows = [row(), row("R2", 40, term_months=24)]
    offers = [
        quote("a", 2.0, max_gpus=8, upfront_usd=100),
        quote("b", 2.5),
        quote("c", 1.9, 24, provider="Vendor b"),
        quote("d", 2.2, 24, provider=None),
    ]
    found = award_of(rows, offers, CONDITIONS)
    assert found is not None and len(found.awarded) == 3
    return found


def test_lines_quotes_and_vendors_are_arrived_at(award: Award) -> None:
    asked = set()
    expected = {
        **{figure("award_cost", line_key(one)): one.liability for one in award.awarded},
        **{figure("award_saves", one.offer.offer_id): one.saves for one in award.quotes if one.rows},
        **{figure("award_saves", one.provider or "", OF_VENDOR): one.saves for one in award.vendors},
        **{figure("award_share", one.provider or ""): one.awarded_share for one in award.vendors},
    }
    for figure_id, value in expected.items():
        trace = OF_AWARD.answer(award, figure_id)
        assert (trace.value, trace.figure_id) == (value, figure_id)
        assert arrived(trace) == value
        asked.add(figure_id.split(":")[0])
    assert asked == set(OF_AWARD) - {"award_worth"}


def test_what_a_quote_is_worth_is_the_highest_rate_tried_that_is_signed(award: Award) -> None:
    worth = worth_signing(2.0, lambda rate: rate <= 2.3)
    quotes = tuple(replace(one, worth_rate=worth.rate, tried=worth.tried) for one in award.quotes)
    trace = OF_AWARD.answer(replace(award, quotes=quotes), figure("award_worth", "a"))
    rates = {row.values[0].value: str(row.values[1]) for row in trace.rows}  # type: ignore[union-attr]
    signed = {rate for rate, said in rates.items() if said == "signs it"}
    assert trace.value == arrived(trace) == worth.rate == max(signed) and signed < set(rates)
    assert [str(row.name) for row in trace.rows].count("as quoted") == 1 and list(rates) == sorted(rates)
    assert QUOTE["worth_rate"].why == "award_worth"


def test_operands_are_what_went_in(award: Award) -> None:
    one = award.awarded[0]
    trace = OF_AWARD.answer(award, figure("award_cost", line_key(one)))
    shown = [str(traced.name) for traced in trace.rows]
    assert len(shown) == 4 and "R1, a" in str(trace.title)


def test_what_there_is_not_is_refused(award: Award) -> None:
    with pytest.raises(StopIteration):
        OF_AWARD.answer(award, figure("award_saves", "nobody's"))
    with pytest.raises(KeyError):
        OF_AWARD.answer(award, figure("award_nothing", "a"))


# --- A plan of four GPUs, by hand


def test_a_term_is_worth_what_is_paid_by_use_instead() -> None:
    """Four GPUs all year: at $5 by use, a year at $2 is signed up to about $5, which is 150% over its rate."""
    evaluation = planned(
        [Load(pool=Pool.TRAINING, gpus=[4.0] * MONTH)], (), [offer("od", 0, 5.0), offer("y1", 12, 2.0)]
    )
    worths = offer_worths(evaluation)
    assert worths is not None
    (year,) = worths
    assert (year.offer.offer_id, year.rate) == ("y1", 2.0)
    assert year.worth_rate == pytest.approx(5.0, rel=0.02)
    assert year.margin_share == pytest.approx(1.5, abs=0.05)


def test_an_award_without_quotes_is_worth_nothing_and_a_cancelled_one_is_none() -> None:
    evaluation = planned([Load(pool=Pool.TRAINING, gpus=[4.0] * MONTH)], (), [offer("od", 0, 5.0)])
    award = awarded(evaluation)
    assert award.quotes == ()
    assert with_worth(award, evaluation) == award
    assert with_worth(award, evaluation, lambda: True) is None
