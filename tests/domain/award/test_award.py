"""Laws of an award: whole nodes, least and most, shares, and what a quote saves."""

import re
from collections.abc import Iterable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuplanner.domain.award.award import Award, award_of, plan_rate
from gpuplanner.domain.award.qualifying import Conditions
from gpuplanner.domain.commitment.asked_rows import AskedRow
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import ModelMapping, Only
from gpuplanner.domain.model.book.remark import taken_as_quoted, undecided
from gpuplanner.domain.model.window import MONTH_S
from tests.domain.award.conftest import CONDITIONS, TODAY_S, order, quote, row
from tests.some_of import examples

CENT = 0.02


# --- Laws of an award: whole nodes, least and most, shares, and what a quote saves


def awarded(rows: list[AskedRow], offers: list[Offer], conditions: Conditions = CONDITIONS) -> Award:
    found = award_of(rows, offers, conditions)
    assert found is not None
    return found


@st.composite
def markets(draw: st.DrawFn) -> tuple[list[AskedRow], list[Offer], Conditions]:
    """A few rows of two terms, and quotes of three vendors with limits of their own."""
    rows = [
        row(f"R{number}", 8 * draw(st.integers(1, 5)), term_months=draw(st.sampled_from((12, 24))))
        for number in range(1, 1 + draw(st.integers(1, 3)))
    ]
    offers = []
    for number in range(draw(st.integers(0, 6))):
        least = draw(st.sampled_from((None, None, 16, 40)))
        most = draw(st.sampled_from((None, None, 8, 24, 30)))
        if least and most and most < least:
            least = None
        offers.append(
            quote(
                f"q{number}",
                draw(st.integers(150, 400)) / 100,
                draw(st.sampled_from((12, 24))),
                provider=draw(st.sampled_from(("P", "Q", "S"))),
                min_gpus=least,
                max_gpus=most,
                upfront_usd=draw(st.sampled_from((None, 500))),
            )
        )
    share = draw(st.sampled_from((None, None, 0.5, 0.8)))
    prepaid = draw(st.sampled_from((None, None, 8000.0)))
    return rows, offers, replace(CONDITIONS, max_share=share, max_prepaid=prepaid)


@pytest.mark.long
@given(markets())
@settings(max_examples=examples(15), deadline=None)
def test_laws(market: tuple[list[AskedRow], list[Offer], Conditions]) -> None:
    rows, offers, conditions = market
    award = awarded(rows, offers, conditions)
    for one in award.rows:
        gpus = sum(line.gpus for line in award.awarded if line.row is one)
        left = sum(line.gpus for line in award.open if line.row is one)
        assert gpus + left == one.gpus and gpus % one.node_gpus == 0
    for quoted in offers:
        bought = sum(line.bought_gpus for line in award.awarded if line.offer is quoted)
        assert not bought or (quoted.min_gpus or 0) <= bought <= (quoted.max_gpus or bought)
    assert award.prepaid <= (conditions.max_prepaid or award.prepaid) + CENT
    assert sum(one.awarded for one in award.vendors) == pytest.approx(award.liability)
    free = awarded(rows, offers, replace(conditions, max_share=None))
    assert award.shared is None or award.shared == pytest.approx(free.liability)
    for vendor in award.vendors:
        assert vendor.awarded <= (conditions.max_share or 1) * (award.shared or award.liability) + CENT
        if conditions.max_share is not None and not award.open:
            assert vendor.awarded <= conditions.max_share * award.liability + CENT  # of what is awarded, too
        assert vendor.awarded_share is not None and vendor.awarded_share <= (conditions.max_share or 1) + 1e-9
    for one in award.quotes:
        assert one.saves is None or one.saves >= 0
        assert one.saves is None or one.cost_with == pytest.approx(award.liability)
        assert (one.saves is None) == (not one.rows or one.opens_gpus > 0)
        assert bool(one.rows) != bool(one.against)


@pytest.mark.long
@given(markets())
@settings(max_examples=examples(15), deadline=None)
def test_it_costs_no_more_than_any_vendor_alone_and_does_not_hang_on_the_order(
    market: tuple[list[AskedRow], list[Offer], Conditions],
) -> None:
    rows, offers, conditions = market
    free = replace(conditions, max_share=None)
    award = awarded(rows, offers, free)
    for provider in ("P", "Q", "S"):
        alone = awarded(rows, [one for one in offers if one.provider == provider], free)
        assert alone.open_gpus >= award.open_gpus
        if alone.open_gpus == award.open_gpus:
            assert award.liability <= alone.liability + CENT
    again = awarded(rows, offers[::-1], free)
    assert [(one.row.name, one.offer.offer_id, one.nodes) for one in again.awarded] == [
        (one.row.name, one.offer.offer_id, one.nodes) for one in award.awarded
    ]


def test_by_hand() -> None:
    cheap = quote("a", 2.0, max_gpus=8, upfront_usd=100)
    award = awarded([row()], [cheap, quote("b", 2.5)])
    a, b = award.awarded
    assert (a.offer.offer_id, a.nodes, a.liability, a.prepaid) == ("a", 1, 8 * (8760 * 2.0 + 100), 800.0)
    assert (b.offer.offer_id, b.nodes, b.liability) == ("b", 1, 8 * 8760 * 2.5)
    assert (a.saves_beside_plan, b.saves_beside_plan) == (8 * 8760 * 3.0 - a.liability, 8 * 8760 * 0.5)
    of_a, of_b = award.quotes
    assert of_a.saves == pytest.approx(16 * 8760 * 2.5 - award.liability)
    assert (of_b.saves, of_b.opens_gpus) == (None, 8.0)  # a has no more than 8


def test_what_a_vendor_saves_is_that_of_all_its_quotes() -> None:
    """By quote neither saves: each has the other to take its place."""
    one, other = quote("a", 2.0), quote("b", 2.0, provider="Vendor a")
    award = awarded([row()], [one, other, quote("c", 2.5)])
    assert [found.saves for found in award.quotes if found.awarded_gpus] == [0.0]
    (vendor,) = award.vendors
    assert vendor.saves == pytest.approx(16 * 8760 * 0.5) and vendor.opens_gpus == 0
    (alone,) = awarded([row()], [one, other]).vendors
    assert (alone.saves, alone.opens_gpus) == (None, 16.0)


def test_a_list_stands_beside_todays_lists_and_a_quote_beside_the_price_of_its_month() -> None:
    """The plan signs its own offer of $3 a year on, at its weight for then."""
    own = quote("own", 3.0, provider="Own")
    later = row(orders=(order(16.0, start_s=TODAY_S + 11 * MONTH_S, rate=2.7, spread_rate=2.7),))
    (listed,) = awarded([later], [own]).awarded
    assert (listed.plan_rate, listed.saves_beside_plan) == (3.0, 0.0)
    firm = quote("a", 2.5, source="Quote RFQ-20260901-AAAA R1")
    (quoted,) = awarded([later], [own, firm]).awarded
    assert (quoted.plan_rate, quoted.saves_beside_plan) == (2.7, pytest.approx(16 * 8760 * 0.2))


def limited(award: Award) -> int:
    """GPUs that stay open although offers qualify for them."""
    return sum(left.gpus for left in award.open if left.is_quoted)


def test_a_row_without_a_quote_stays_open_and_is_never_nothing() -> None:
    award = awarded([row(), row("R2", term_months=24)], [quote("a", 2.0)])
    (left,) = award.open
    assert (left.row.name, left.gpus, left.is_quoted) == ("R2", 16, False)
    assert (award.open_gpus, [line.is_quoted for line in award.open]) == (16, [False])
    award = awarded([row()], [quote("a", 2.0, max_gpus=8)])
    assert [(one.gpus, one.is_quoted) for one in award.open] == [(8, True)] and limited(award) == 8
    (quote_a,) = award.quotes
    assert (quote_a.opens_gpus, award.vendors[0].opens_gpus) == (8.0, 8.0)  # 16 without it, 8 are open anyway


def test_one_vendor_alone_gets_its_share_and_the_rest_stays_open() -> None:
    award = awarded([row(gpus=800)], [quote("a", 2.0)], replace(CONDITIONS, max_share=0.4))
    assert (award.shared, award.liability, limited(award)) == (800 * 8760 * 2.0, 320 * 8760 * 2.0, 480)
    assert [one.awarded_share for one in award.vendors] == [0.4]


def test_a_share_of_one_who_is_named_is_of_the_award_without_that_limit() -> None:
    """Of 100 nodes all would be of a: 40 may be, to the node, and b has none but the rest."""
    a, b = quote("a", 2.0), quote("b", 2.5)
    award = awarded([row(gpus=800)], [a, b], replace(CONDITIONS, shares={Only("Vendor a"): 0.4}))
    assert award.shared == 800 * 8760 * 2.0
    assert {one.offer.offer_id: one.nodes for one in award.awarded} == {"a": 40, "b": 60}
    assert [one.awarded_share for one in award.vendors] == pytest.approx([0.4, 0.75])  # at $2.50, of $2
    by_none = awarded([row(gpus=800)], [a, b], replace(CONDITIONS, shares={Only("Vendor b"): 0.4}))
    assert {one.offer.offer_id: one.nodes for one in by_none.awarded} == {"a": 100}
    alone = awarded([row(gpus=800)], [a], replace(CONDITIONS, shares={Only("Vendor a"): 0.4}))
    assert (alone.liability, limited(alone)) == (40 * 8 * 8760 * 2.0, 480)


def test_a_region_has_a_share_of_all_that_is_sold_in_it() -> None:
    """Two vendors of a region share its 30 nodes; a share on any provider holds beside it."""
    here = [quote("a", 2.0, region="eu-1", max_gpus=160), quote("b", 2.2, region="eu-1")]
    offers, conditions = [*here, quote("c", 2.5)], replace(CONDITIONS, shares={Only(region="eu-1"): 0.3})
    award = awarded([row(gpus=800)], offers, conditions)
    in_all = (20 * 2.0 + 80 * 2.2) * 8 * 8760
    assert award.shared == pytest.approx(in_all)  # a has 20 nodes, b would have 80
    # 0.3 of $216 a node and hour are $64.80: after 20 nodes of a 11 of b at $2.20 are 24.2, 12 were 26.4
    assert {one.offer.offer_id: one.nodes for one in award.awarded} == {"a": 20, "b": 11, "c": 69}
    both = awarded([row(gpus=800)], offers, replace(conditions, max_share=0.5))
    assert {one.offer.offer_id: one.nodes for one in both.awarded} == {"a": 20, "b": 11, "c": 43}  # of $108


def test_options_are_listed_and_not_awarded() -> None:
    option = row("R2", is_option=True)
    award = awarded([row(), option], [quote("a", 2.0)])
    assert award.options == (option,) and award.rows == (row(),)
    assert sum(one.gpus for one in award.awarded) == 16


def test_gpus_of_a_mapped_model_do_the_work_of_more() -> None:
    offer = replace(quote("a", 4.0, unit_gpus=1), gpu_model="H200")
    mapped = replace(CONDITIONS, mappings=(ModelMapping("H100", "H200", 1.6),))
    (one,) = awarded([row(gpus=24)], [offer], mapped).awarded
    assert (one.gpus, one.bought_gpus, one.liability) == (24.0, 15.0, 15 * 8760 * 4.0)


def figures(reasons: Iterable[object]) -> list[list[str]]:
    return [re.findall(r"\d[\d.,]*\b%?", str(reason)) for reason in reasons]


def test_who_is_sold_for_more_than_all_rows_ask_says_so() -> None:
    one, two = row(), row("R2")
    award = awarded([one, two], [quote("a", 2.0, min_gpus=32), quote("b", 2.0, min_gpus=33)])
    reasons = {of.offer.offer_id: figures(of.against) for of in award.quotes}
    assert reasons == {"a": [], "b": [["33", "32"]]}


def test_what_a_vendor_is_asked_for_is_in_its_own_gpus_and_the_last_unit_may_be_the_whole() -> None:
    """24 GPUs at 1.6 are 15 of the other model; bought by 8 they are 16, so that 23 are within a unit, 24 are not."""
    mapped = replace(CONDITIONS, mappings=(ModelMapping("H100", "H200", 1.6),))
    sold_from = [replace(quote(str(least), 4.0, min_gpus=least), gpu_model="H200") for least in (23, 24)]
    quotes = awarded([row(gpus=24)], sold_from, mapped).quotes
    against = {one.offer.offer_id: figures(one.against) for one in quotes}
    assert against == {"23": [], "24": [["24", "15"]]}


def test_the_rate_in_the_plan_is_the_mean_of_its_orders() -> None:
    assert plan_rate(row(orders=(order(12.0), order(4.0, spread_rate=5.0)))) == 3.5
    assert plan_rate(row(orders=(order(12.0), order(4.0, spread_rate=None)))) is None


def test_nothing_is_told_once_it_is_cancelled() -> None:
    assert award_of([row()], [quote("a", 2.0)], CONDITIONS, lambda: True) is None


def test_why_not_is_that_of_the_nearest_row() -> None:
    award = awarded([row(), row("R2", term_months=24)], [quote("a", 2.0, sla_percent=99.0)])
    assert figures(award.quotes[0].against) == [["99%", "99.9%"]]
    rows = [row("R1", term_months=36), row("R2", 16)]  # one reason each: that of its own term tells more
    (large,) = awarded(rows, [quote("a", 2.0, min_gpus=64)]).quotes
    assert figures(large.against) == [["64", "16"]]
    (other,) = awarded([row()], [replace(quote("a", 2.0), gpu_model="B200")]).quotes
    assert len(other.against) == 1 and "GPU model" in str(other.against[0])


def test_what_has_expired_says_so_before_all_else() -> None:
    over = quote("a", 2.0, 24, valid_until="2026-09-15")
    (term,) = awarded([row()], [over]).quotes
    assert figures(term.against) == [["15", "2026"], ["24", "12"]]
    (gone,) = awarded([row()], [replace(over, gpu_model="B200")]).quotes
    assert len(gone.against) == 2
    assert "15 Sep 2026" in str(gone.against[0]) and "GPU model" in str(gone.against[1])


# --- The rate found is signed, one a little higher is not; and so says the engine itself


def test_an_undecided_quote_gets_nothing_and_says_what_it_would_get() -> None:
    """Law: once it is taken it gets just that."""
    for_r1 = "Quote RFQ-20261001-7C1E R1 for 2026-10-31"
    trap = quote(
        "trap", 0.5, max_gpus=8, source=f"{for_r1}; RTX 4090 nodes instead of H100", starts="2026-10-31"
    )
    offers = [quote("plain", 2.5), trap]
    award = award_of([row()], offers, CONDITIONS)
    assert award is not None and {one.offer.offer_id for one in award.awarded} == {"plain"}
    (said,) = [one for one in award.quotes if undecided(one.offer) is not None]
    assert (said.offer, said.awarded_gpus, said.rows) == (trap, 0.0, ())
    assert said.if_taken == pytest.approx(8 * 8760 * 0.5) and said.if_taken_gpus == 8
    taken = award_of([row()], [offers[0], taken_as_quoted(trap)], CONDITIONS)
    assert taken is not None and all(
        undecided(one.offer) is None and one.if_taken is None for one in taken.quotes
    )
    (given,) = [one for one in taken.awarded if one.offer.offer_id == "trap"]
    assert (given.liability, given.bought_gpus) == (said.if_taken, said.if_taken_gpus)
    gone = replace(trap, term_months=24)  # nobody asks for it here: the plan with it taken may
    award = award_of([row()], [offers[0], gone], CONDITIONS)
    assert award is not None
    (unknown,) = [one for one in award.quotes if undecided(one.offer) is not None]
    assert unknown.if_taken is None and unknown.if_taken_gpus is None
