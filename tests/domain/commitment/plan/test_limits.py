"""Limits are limits: fewest GPUs, units of sale, the longest term, the share of one provider."""

from dataclasses import replace

import pytest

from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.fit.needs import less_quoted
from gpuplanner.domain.model.book.quote_source import quote_source
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import iso_utc
from tests.domain.commitment.conftest import START_S
from tests.domain.commitment.plan.order_months import usd_in

HOURS = 192
QUIET = {"lambda_": 0.0, "delta": 0.0, "sigma": 0.0, "wacc": 0.0, "horizon_months": 12}


@pytest.fixture
def planned(make_case, make_load, make_audit):  # type: ignore[no-untyped-def]
    def of(offers, gpus=4.0, contracts=(), **values) -> Advice:  # type: ignore[no-untyped-def]
        made = make_case([make_load(Pool.TRAINING, [gpus] * HOURS)], contracts, offers, **(QUIET | values))
        audit: Audit = make_audit()
        return advise(made.project, made.project.scenarios[0], made.pools, audit)

    return of


def signed(advice: Advice) -> dict[str | None, float]:
    (plan,) = advice.pools
    return {layer.offer_id: layer.gpus for layer in plan.layers if layer.term_months}


@pytest.mark.parametrize(("least", "expected"), [(4, {"c3": 4.0}), (5, {"c1": 4.0})])
def test_an_offer_that_is_sold_from_so_many_on_is_closed_below(planned, make_offer, least, expected) -> None:  # type: ignore[no-untyped-def]
    offers = [make_offer("od", 0, 5.0), make_offer("c1", 1, 4.0), make_offer("c3", 3, 2.0, min_gpus=least)]
    advice = planned(offers)
    assert signed(advice) == expected
    starts = {order.start_s for order in advice.orders if order.offer_id == "c3"}
    assert bool(starts) == (least == 4)  # 4 GPUs never come to 5


@pytest.mark.parametrize(("least", "bought"), [(14, 14), (16, 16), (27, 27), (29, None)])
def test_a_quote_is_taken_with_idle_gpus_where_that_costs_less(planned, make_offer, least, bought) -> None:  # type: ignore[no-untyped-def]
    """14 GPUs for a month cost 14 x 4 an hour without it: 27 at 2 cost less, 29 cost more."""
    source = quote_source("RFQ-20251201-000000", "R1", "", iso_utc(START_S + 3600 * HOURS)[:10])
    quote = replace(make_offer("q1", 1, 2.0, min_gpus=least), source=source)
    offers = [make_offer("od", 0, 5.0), make_offer("c1", 1, 4.0), quote]
    advice = planned(offers, 14.0)
    (order,) = [order for order in advice.orders if order.start_s == advice.comparison[0].start_s]
    assert (order.offer_id, order.bought_gpus) == (("q1", bought) if bought else ("c1", 14))
    paid = 730 * (2.0 * bought if bought else 4.0 * 14)
    assert advice.totals.plan == pytest.approx(paid) == advice.comparison[0].orders_usd
    assert order.liability == pytest.approx(paid)


def test_a_list_of_so_many_gpus_has_no_more_of_them_once_they_are_quoted(
    make_case, make_load, make_offer
) -> None:  # type: ignore[no-untyped-def]
    """Whoever quotes them for the row that asked for them, at its rate or less; a dearer or another term is beside."""

    def quoted(offer_id: str, term: int, rate: float, row: str, most: int):  # type: ignore[no-untyped-def]
        source = quote_source("RFQ-20251201-000000", row, "", "2026-01-09")
        return replace(make_offer(offer_id, term, rate, max_gpus=most), source=source)

    listed, free = make_offer("c12", 12, 2.0, max_gpus=24), make_offer("d12", 12, 1.9)
    for quotes, left in (
        ((), 24),
        ((quoted("q1", 12, 2.0, "R1", 8), quoted("q2", 12, 1.8, "R1", 16)), 8),
        ((quoted("q1", 12, 2.0, "R1", 8), quoted("q2", 12, 1.8, "R2", 16)), None),
        ((quoted("q1", 12, 2.1, "R1", 8), quoted("q2", 6, 1.8, "R2", 16)), 24),
    ):
        project = make_case([make_load(Pool.TRAINING, [1.0] * HOURS)], (), (listed, free, *quotes)).project
        found = {one.offer_id: one.max_gpus for one in less_quoted(project).offers}
        assert quotes or less_quoted(project) is project
        kept = {one.offer_id: one.max_gpus for one in (free, *quotes)}
        assert found == kept | ({} if left is None else {"c12": left})


def test_minima_are_closed_one_by_one_in_the_order_of_their_names(planned, make_offer) -> None:  # type: ignore[no-untyped-def]
    offers = [
        make_offer("od", 0, 5.0),
        make_offer("a", 3, 2.0, min_gpus=9),
        make_offer("b", 3, 2.1, min_gpus=9),
        make_offer("c", 3, 2.2, min_gpus=4),
    ]
    assert signed(planned(offers)) == {"c": 4.0}


@pytest.mark.parametrize("names", ["ab", "ba"])
def test_the_first_by_name_is_closed_and_the_other_may_have_enough_then(planned, make_offer, names) -> None:  # type: ignore[no-untyped-def]
    """4 GPUs, of which the cheaper has 2 at most and is sold from 3 on; the other is sold from 3 on too."""
    cheap, other = names
    offers = [
        make_offer("od", 0, 5.0),
        make_offer(cheap, 3, 2.0, min_gpus=3, max_gpus=2),
        make_offer(other, 3, 2.5, min_gpus=3),
    ]
    # where the cheaper one is closed first the other has all four; closed itself it is gone, and so is the cheaper
    assert signed(planned(offers)) == ({other: 4.0} if names == "ab" else {})


def test_nodes_are_signed_whole(planned, make_offer) -> None:  # type: ignore[no-untyped-def]
    offers = [make_offer("od", 0, 5.0), make_offer("c3", 3, 2.0, unit_gpus=8)]
    advice = planned(offers, 12.0)
    assert signed(advice) == {"c3": 16.0}
    assert {order.offer_gpus for order in advice.orders} == {16.0}
    assert signed(planned(offers, 12.0, unit=1)) == {"c3": 12.0}
    assert signed(planned(offers, 12.0, unit=4)) == {"c3": 12.0}
    assert signed(planned(offers, 5.0, unit=3)) == {"c3": 6.0}


def test_where_slices_are_finer_than_a_node_whole_nodes_are_paid_for(planned, make_offer) -> None:  # type: ignore[no-untyped-def]
    offers = [make_offer("od", 0, 5.0), make_offer("c3", 3, 2.0, unit_gpus=8)]
    advice = planned(offers, 12.0, block=1)
    (layer,) = advice.pools[0].layers
    assert (layer.gpus, layer.offer_gpus, layer.cost_per_month) == (12.0, 16.0, pytest.approx(730 * 16 * 2.0))
    for row in advice.comparison:
        ordered = sum(
            usd_in(order, advice.comparison[0].start_s, row.month) or 0.0 for order in advice.orders
        )
        assert ordered == pytest.approx(row.orders_usd) == pytest.approx(730 * 16 * 2.0)


def test_terms_over_the_longest_are_closed(planned, make_offer) -> None:  # type: ignore[no-untyped-def]
    offers = [make_offer("od", 0, 5.0), make_offer("c3", 3, 2.0), make_offer("c12", 12, 1.0)]
    assert signed(planned(offers)) == {"c12": 4.0}
    advice = planned(offers, max_term_months=3)
    assert signed(advice) == {"c3": 4.0}
    assert [one.term_months for one in advice.pools[0].break_even] == [3]
    assert max(order.term_months for order in advice.orders) == 3


def shared_out(make_offer, make_contract):  # type: ignore[no-untyped-def]
    offers = [
        make_offer("od", 0, 5.0),
        make_offer("one", 3, 2.0, provider="one"),
        make_offer("two", 3, 3.0, provider="two"),
    ]
    return offers, [make_contract("k", 2, 2.0, None, HOURS, provider="one")]


def test_one_provider_gets_no_more_than_its_share(planned, make_offer, make_contract) -> None:  # type: ignore[no-untyped-def]
    offers, contracts = shared_out(make_offer, make_contract)
    assert signed(planned(offers, 10.0, contracts)) == {"one": 8.0}
    # half of 20 x 730 $: 4 are the contract's, so that three GPUs at 2 fit, then three at 3; the rest is used
    advice = planned(offers, 10.0, contracts, max_provider_share=0.5)
    assert signed(advice) == {"one": 3.0, "two": 3.0}
    assert not [check for check in advice.checks if check.code == "over_provider_share"]
    both = planned(offers, 10.0, contracts, max_provider_share=1.0)
    assert signed(both) == {"one": 8.0}


def test_contracts_that_are_over_the_share_by_themselves_are_said(planned, make_offer, make_contract) -> None:  # type: ignore[no-untyped-def]
    offers, contracts = shared_out(make_offer, make_contract)
    advice = planned(offers, 10.0, contracts, max_provider_share=0.15)
    (check,) = [check for check in advice.checks if check.code == "over_provider_share"]
    assert (check.severity, check.subject) == ("amber", "one")
    # a GPU of two at 3, seven by use at 5 beside its 4 $: 4 of 42
    assert "10%" in str(check.message)
    assert "one" not in signed(advice)


def test_use_counts_for_no_provider(planned, make_offer) -> None:  # type: ignore[no-untyped-def]
    offers = [make_offer("od", 0, 5.0, provider="one", pricing_category=PricingCategory.STANDARD)]
    offers.append(replace(make_offer("c3", 3, 2.0), provider="one"))
    assert signed(planned(offers, max_provider_share=0.5)) == {"c3": 2.0}


# ---------------------------------------------------------------- use that is limited


@pytest.fixture
def wavy(make_case, make_load, make_audit):  # type: ignore[no-untyped-def]
    def of(offers, demand=(2.0, 6.0), **values) -> Advice:  # type: ignore[no-untyped-def]
        hourly = list(demand) * (HOURS // len(demand))
        made = make_case(
            [make_load(Pool.INFERENCE, hourly)], (), offers, **(QUIET | {"horizon_months": 2} | values)
        )
        return advise(made.project, made.project.scenarios[0], made.pools, make_audit())

    return of


def test_what_no_offer_serves_is_unserved_and_red(wavy, make_offer) -> None:  # type: ignore[no-untyped-def]
    advice = wavy([make_offer("od", 0, 5.0, max_gpus=3)])
    month = advice.comparison[0]
    # slices 6, 5 and 4 take the three GPUs; 1, 2 and 3 find nobody: busy 1, 1 and half of the hours
    assert month.use_usd == pytest.approx(730 * 5 * 1.5)
    assert month.unserved_gpu_hours == pytest.approx(730 * 2.5)
    (row,) = advice.unserved
    assert (row.pool, row.gpu_model, row.usd_per_month) == (Pool.INFERENCE, "H100", None)
    assert row.gpu_hours == pytest.approx(2 * 730 * 2.5)  # of the horizon
    # doing nothing serves hour by hour at most 3: 2 of 2 and 3 of 6
    assert month.do_nothing_usd == pytest.approx(730 * 5 * 2.5)
    assert month.do_nothing_unserved_gpu_hours == pytest.approx(730 * 1.5)
    totals = advice.totals
    assert totals.savings is totals.savings_vs_do_nothing is None
    assert totals.savings_percent is totals.effective_savings_rate is None
    (check,) = [check for check in advice.checks if check.code == "unserved"]
    assert check.severity == "red" and "savings" in str(check.message)
    (layer,) = advice.pools[0].layers
    assert (layer.gpus, layer.cost_per_month) == (3.0, pytest.approx(730 * 5 * 1.5))


def test_slices_below_the_limit_cannot_wait(wavy, make_offer) -> None:  # type: ignore[no-untyped-def]
    offers = [make_offer("od", 0, 5.0, max_gpus=3), make_offer("c1", 1, 4.9)]
    advice = wavy(offers, horizon_months=12)
    assert signed(advice) == {"c1": 3.0}
    assert not advice.unserved
    # doing nothing leaves half an hour of three GPUs unserved, the plan none: they do not do the same work
    assert advice.totals.savings_vs_do_nothing is None


def test_the_next_cheapest_offer_serves_what_is_above_a_limit(wavy, make_offer) -> None:  # type: ignore[no-untyped-def]
    offers = [make_offer("od", 0, 5.0, max_gpus=3), make_offer("od2", 0, 6.0), make_offer("c1", 1, 4.9)]
    advice = wavy(offers)
    assert signed(advice) == {"c1": 2.0}
    month = advice.comparison[0]
    assert month.use_usd == pytest.approx(730 * (5 * 1.5 + 6 * 0.5))
    assert month.do_nothing_usd == pytest.approx(730 * (5 * 2.5 + 6 * 1.5))
    layer = advice.pools[0].layers[-1]
    assert (layer.offer_id, layer.gpus) == (None, 4.0)
    assert layer.rate == pytest.approx((5 * 1.5 + 6 * 0.5) / 2)
    assert advice.totals.plan == pytest.approx(month.plan_usd)


def test_a_maximum_that_is_never_reached_changes_nothing(wavy, make_offer) -> None:  # type: ignore[no-untyped-def]
    commitments = [make_offer("c1", 1, 4.0), make_offer("c3", 3, 3.0)]
    free = wavy([make_offer("od", 0, 5.0), *commitments], horizon_months=12, sigma=0.1)
    limited = wavy([make_offer("od", 0, 5.0, max_gpus=6), *commitments], horizon_months=12, sigma=0.1)
    assert [row.plan_usd for row in limited.comparison] == pytest.approx(
        [row.plan_usd for row in free.comparison]
    )
    assert signed(limited) == signed(free)
    assert limited.totals.plan == pytest.approx(free.totals.plan)


def test_capacity_by_use_that_ends_is_gone_from_the_month_on(wavy, make_offer) -> None:  # type: ignore[no-untyped-def]
    advice = wavy([make_offer("od", 0, 5.0, ends="2026-02-20")], demand=(2.0, 2.0), horizon_months=4)
    served = [row.unserved_gpu_hours == 0 for row in advice.comparison[:3]]
    assert served == [True, False, False]  # the plan begins on 9 January: month 1 ends on 10 March


# ---------------------------------------------------------------- a budget


def test_a_budget_gives_up_the_highest_slices_of_burst_first(
    make_case, make_load, make_offer, make_audit
) -> None:  # type: ignore[no-untyped-def]
    loads = [make_load(Pool.INFERENCE, [2.0] * HOURS), make_load(Pool.BURST, [2.0, 4.0] * (HOURS // 2))]

    def of(budget_usd: float) -> Advice:
        made = make_case(loads, (), [make_offer("od", 0, 5.0)], **QUIET, budget_usd_per_month=budget_usd)
        return advise(made.project, made.project.scenarios[0], made.pools, make_audit())

    advice = of(730 * 5 * 4 + 1)
    assert [row.plan_usd for row in advice.comparison] == pytest.approx([730 * 5 * 4] * 12)
    (row,) = advice.unserved
    assert (row.pool, str(row.reason)) == (Pool.BURST, "over the budget")
    assert row.gpu_hours == pytest.approx(12 * 730)
    assert row.usd_per_month == pytest.approx(730 * 5)
    assert {check.code for check in advice.checks if check.severity == "red"} == {"unserved"}
    tight = of(730 * 5 * 1.9)
    assert [row.plan_usd for row in tight.comparison] == pytest.approx([730 * 5] * 12)
    assert sum(row.gpu_hours for row in tight.unserved) == pytest.approx(12 * 730 * 4)
    assert {row.pool for row in tight.unserved} == {Pool.BURST, Pool.INFERENCE}
    wide = of(730 * 5 * 5)
    assert not wide.unserved and wide.totals.savings is not None


def test_a_budget_that_contracts_alone_are_over_is_said(planned, make_offer, make_contract) -> None:  # type: ignore[no-untyped-def]
    contract = make_contract("k", 4, 3.0, None, HOURS)
    advice = planned([make_offer("od", 0, 5.0)], 6.0, [contract], budget_usd_per_month=5000.0)
    (check,) = [check for check in advice.checks if check.code == "over_budget"]
    assert "$8,760" in str(check.message) and check.severity == "red"
    assert "9 Jan 2026" in str(check.message)  # not *month 0*
    assert all(row.use_usd == row.orders_usd == 0 for row in advice.comparison)


def test_what_is_given_up_is_not_ordered(planned, make_offer) -> None:  # type: ignore[no-untyped-def]
    offers = [make_offer("od", 0, 5.0), make_offer("c3", 3, 2.0)]
    advice = planned(offers, 10.0, budget_usd_per_month=730 * 2.0 * 6)
    assert signed(advice) == {"c3": 6.0}
    for row in advice.comparison:
        ordered = sum(
            usd_in(order, advice.comparison[0].start_s, row.month) or 0.0 for order in advice.orders
        )
        assert ordered == pytest.approx(row.orders_usd) == pytest.approx(730 * 2.0 * 6)
        assert row.unserved_gpu_hours == pytest.approx(730 * 4)


@pytest.mark.parametrize("gpus", [3.0, 10.0])
@pytest.mark.parametrize("growth", [0.0, 0.03])
def test_limits_that_bind_nothing_change_nothing(planned, make_offer, make_contract, gpus, growth) -> None:  # type: ignore[no-untyped-def]
    """A budget of the plan's most expensive month or more; a share of all of it, where nothing comes later."""
    offers, contracts = shared_out(make_offer, make_contract)
    free = planned(offers, gpus, contracts, growth=growth)
    most = max(row.plan_usd for row in free.comparison)
    limits = [{"budget_usd_per_month": most}, {"budget_usd_per_month": 2 * most}]
    for limit in (*limits, *([] if growth else [{"max_provider_share": 1.0}])):
        kept = planned(offers, gpus, contracts, growth=growth, **limit)
        assert (kept.totals, kept.comparison, kept.orders) == (free.totals, free.comparison, free.orders)
    tight = planned(offers, gpus, contracts, growth=growth, budget_usd_per_month=0.9 * most)
    assert max(row.plan_usd for row in tight.comparison) <= 0.9 * most and tight.unserved
