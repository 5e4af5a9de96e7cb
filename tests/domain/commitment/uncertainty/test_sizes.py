"""Sizes beside the advice: what each costs, and its regret."""

from dataclasses import replace
from math import exp
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.demand.slicing import Slicing
from gpuplanner.domain.commitment.recursion.calendar import ANY_TIME
from gpuplanner.domain.commitment.result import Flex
from gpuplanner.domain.commitment.uncertainty.bands import Band, Draws
from gpuplanner.domain.commitment.uncertainty.level_costs import level_values
from gpuplanner.domain.commitment.uncertainty.sizes import (
    Size,
    compute_size_bands,
    list_waiting_sizes,
    regrets_of,
    sizes_beside,
)
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.tables import PricingCategory
from tests.domain.commitment.conftest import offer
from tests.domain.commitment.uncertainty.calm_world import OFFERS, world


def sizes(gpus: list[float], offers: Any, **values: Any) -> list[tuple[Any, ...]]:
    _, planned = world(gpus, offers, **values)
    found = sizes_beside(planned.rows, level_values(planned, len(gpus), AdviceCache()))
    return [(item.name, item.sign, item.share.tolist(), item.term_months, item.month_usd) for item in found]


def test_sizes_are_a_unit_and_a_quarter_of_the_shortest_term_beside_it() -> None:
    """Eight GPUs at all hours and two half of them, for a year at $3: seven or six of them, nine or ten."""
    gpus = [8.0, 10.0] * 200
    found = sizes(gpus, OFFERS)
    year = 730 * 3.0
    assert found == [
        ("one_less", -1, [0.0] * 7 + [1.0, 0.0, 0.0], 12, year),
        ("quarter_less", -1, [0.0] * 6 + [1.0, 1.0, 0.0, 0.0], 12, 2 * year),
        ("one_more", 1, [0.0] * 8 + [1.0, 0.0], 12, year),
        ("quarter_more", 1, [0.0] * 8 + [1.0, 1.0], 12, 2 * year),
    ]
    nodes = [offer("od", 0, 4.0), offer("y1", 12, 3.0, unit_gpus=2)]
    assert [item[:2] for item in sizes(gpus, nodes, block=1)] == [
        ("one_less", -1),
        ("one_more", 1),
    ]  # both are two
    few = sizes([2.0, 3.0] * 200, OFFERS)
    assert [(item[0], sum(item[2])) for item in few] == [("one_less", 1.0), ("one_more", 1.0)]


def test_sizes_where_nothing_is_signed_or_on_offer() -> None:
    """One GPU by use; a month that can begin now is the shortest, and its layer is none."""
    offers = [*OFFERS, offer("m1", 1, 3.9), offer("late", 1, 0.1, lead_time_hours=800.0)]
    found = sizes([0.0, 1.0] * 200, offers)
    assert [(item[0], item[3], item[4]) for item in found] == [("one_more", 1, pytest.approx(730 * 3.9))]
    assert sizes([0.0, 1.0] * 200, OFFERS[:1]) == []
    assert sizes([5.0] * 400, [offer("od", 0, 4.0), offer("d", 1, 1.0, term_days=10)]) != []
    assert sizes([0.0] * 400, OFFERS) == []


def test_sizes_are_expected_to_cost_what_the_horizon_says() -> None:
    """A year less of one GPU of 24 months costs a month by use more, and a month of its own if never used."""
    gpus = [8.0, 10.0] * 200
    _, planned = world(gpus, OFFERS, horizon_months=24)
    values = level_values(planned, 400, AdviceCache())
    by_name = {item.name: item.expected_usd for item in sizes_beside(planned.rows, values)}
    assert by_name["one_less"] == pytest.approx(730 * (4.0 - 3.0))  # signed a month later
    # half busy for a year: $3 where $2 would do
    assert by_name["one_more"] == pytest.approx(12 * 730 * (3.0 - 2.0))
    assert by_name["quarter_more"] == pytest.approx(2 * by_name["one_more"])
    alone = {item.name: item.expected_usd for item in sizes_beside(planned.rows, ())}
    assert alone["one_less"] == pytest.approx(730.0) and alone["one_more"] == pytest.approx(730.0)


def regrets(
    sign: int, month_usd: float, use: float, churn: float = 0.0, term: int = 2
) -> tuple[float, float]:
    """Of one size whose slices cost so much by use in every draw; no level moves."""
    row = SimpleNamespace(row=SimpleNamespace(market=SimpleNamespace(churn=churn)))
    size: Any = Size(
        name="one",
        row=row,
        sign=sign,
        share=np.ones(1),
        term_months=term,
        month_usd=month_usd,
        expected_usd=0.0,
    )  # type: ignore[arg-type]
    cost = SimpleNamespace(at=lambda level, weeks: np.full(len(level), use))
    costs: Any = SimpleNamespace(of_slices=lambda *_: cost)
    drawn = Draws(np.zeros((360, 1, 5), np.int64), np.zeros(360))
    return regrets_of([size], costs, drawn, 0.0, Assumptions(wacc=0.0))


def test_regret_is_what_a_size_saves_on_each_path_and_churn() -> None:
    """Use of 100 beside 80 signed for one month: letting it go saves nothing, signing it 20 a month."""
    assert regrets(1, 80.0, 100.0, term=1) == (20.0, 20.0)
    assert regrets(-1, 80.0, 100.0, term=1) == (0.0, 0.0)
    assert regrets(-1, 100.0, 80.0, term=1) == (20.0, 20.0)
    # over two months prices by use are 0.988 or 1 or 1.029 of what they were, 0.994, 1 and 1.0145 on average
    middle, high = regrets(1, 80.0, 100.0)
    assert (middle, high) == (pytest.approx(20.0), pytest.approx(101.45 - 80))
    # a churn of 10% leaves 1, 0.9 or 0.8 of the second month
    _, worst = regrets(-1, 100.0, 100.0, churn=0.1)
    assert worst == pytest.approx(100 - 100 * (1 + 0.8) / 2)


@pytest.mark.parametrize(
    ("draw", "factor"),
    [
        (0, 1 + 0.988 * 10 / 11),  # half of the volatility, prices that fall, nobody leaves
        (4, exp(-1) * (1 + 10 / 11)),  # cut, but not in the second month
        (13, exp(-1) * (1 + 0.988 * 0.9 * 10 / 11)),  # 10% leave
        (29, exp(-6) * (1 + 0.8 * 10 / 11)),  # twice the volatility, 20% leave
        (33, 1 + 1.029 * 0.8 * 10 / 11),  # prices that rise
    ],
)
def test_regret_of_a_draw_is_by_its_own_volatility_path_and_churn(draw: int, factor: float) -> None:
    """Of 37 draws 18 use nothing and 18 very much, so that the middle is the one that is asked about.

    Its level is e^(s - 2 s^2) for the variance 4 and 0.5 standard deviations: 1, e^-1 and e^-6. A month is discounted
    by 10 / 11 (interest of 1.1^12 a year), and what is signed is paid for 1 + 10 / 11 of them.
    """
    use = np.full(36, 1e9)
    use[:18] = 0.0
    use = np.insert(use, draw, 1000.0)
    row = SimpleNamespace(row=SimpleNamespace(market=SimpleNamespace(churn=0.1)))
    size: Any = Size(
        name="one", row=row, sign=1, share=np.ones(1), term_months=2, month_usd=1.0, expected_usd=0.0
    )  # type: ignore[arg-type]
    costs: Any = SimpleNamespace(of_slices=lambda *_: SimpleNamespace(at=lambda level, weeks: use * level))
    drawn = Draws(np.zeros((37, 1, 5), np.int64), np.full(37, 0.5))
    middle, _ = regrets_of([size], costs, drawn, 4.0, Assumptions(wacc=1.1**12 - 1))
    assert middle == pytest.approx(1000 * factor / (1 + 10 / 11) - 1.0)


@pytest.mark.parametrize(
    ("sign", "use", "factor", "band"),
    [
        (1, 40.0, 1.0, (120.0, 160.0, 200.0)),
        (1, 40.0, 2.0, (100.0, 160.0, 220.0)),  # 90 to 250, but no further than 10 above 90 and 210
        (-1, 40.0, 1.0, (120.0, 160.0, 200.0)),
        (1, None, 1.0, (160.0, 160.0, 160.0)),
        (-1, None, 1.0, (80.0, 160.0, 240.0)),
    ],
)
def test_the_band_of_a_size_lies_as_far_apart_as_it_is_expected_to(
    sign: int, use: float | None, factor: float, band: tuple[float, float, float]
) -> None:
    """The month is 100 to 200, evenly. A size that is expected to cost $10 more takes its use off, or adds it: so much
    in every draw, or (None) what the month is over 100.
    """
    month = np.arange(101.0) + 100
    size: Any = Size(
        name="one_more",
        row=None,
        sign=sign,
        share=np.ones(1),
        term_months=12,
        month_usd=1.0,
        expected_usd=10.0,
    )  # type: ignore[arg-type]
    as_drawn = Band(low=110.0, middle=150.0, high=190.0, least=90.0, most=210.0)
    _, beside = compute_size_bands(
        month, as_drawn, [size], lambda _: month - 100 if use is None else np.full(101, use), factor
    )
    assert beside.size == "one_more"
    assert (beside.p10_usd_per_month, beside.p50_usd_per_month, beside.p90_usd_per_month) == pytest.approx(
        band
    )
    assert compute_size_bands(month, as_drawn, [], lambda _: month, factor) == ()


@pytest.mark.parametrize(
    ("busy", "terms", "share"),
    [
        ([0.0, 0.5], [0, 0], [0.0, 1.0]),  # nobody wants the lower now
        ([0.5, 0.5], [12, 0], [0.0, 1.0]),
        ([0.5, 0.5], [0, 0], [1.0, 0.0]),
        ([0.0, 0.0], [0, 0], None),
        ([0.5, 0.5], [12, 12], None),
    ],
)
def test_more_is_signed_of_slices_that_are_busy_and_have_no_term(
    busy: list[float], terms: list[int], share: list[float] | None
) -> None:
    row = SimpleNamespace(
        busy=SimpleNamespace(today=lambda _: np.array(busy)),
        offers=(offer("y1", 12, 3.0),),
        calendar=ANY_TIME,
        slicing=Slicing(1, 2),
        slices=2,
        flex=Flex(rate=4.0, category=PricingCategory.STANDARD, offer_id="od", spot_share=0.0),
        hand=(),
        gpus=lambda chosen: float(np.count_nonzero(chosen)),
    )
    planned: Any = SimpleNamespace(row=row, term_now=np.array(terms))
    found = list_waiting_sizes(planned, None)
    assert [size.share.tolist() for size in found] == ([] if share is None else [share])
    row.offers = (offer("d", 0, 3.0, term_days=30), offer("late", 12, 3.0, lead_time_hours=900.0))
    assert list_waiting_sizes(planned, None) == []


def test_bands_of_sizes_lie_as_far_apart_as_the_advice_expects() -> None:
    """Month of 0 to 100; a size that lets go 10 by use is expected to cost 7 more: its middle is 57."""
    month, band = np.arange(101.0), Band(low=10.0, middle=50.0, high=90.0)
    row: Any = None
    size = Size(
        name="one_less", row=row, sign=-1, share=np.ones(1), term_months=12, month_usd=5.0, expected_usd=7.0
    )
    advice, less = compute_size_bands(month, band, [size], lambda _: np.full(101, 10.0), 1.0)
    assert (advice.size, advice.p10_usd_per_month, advice.p90_usd_per_month) == ("advice", 10.0, 90.0)
    assert (less.p10_usd_per_month, less.p50_usd_per_month, less.p90_usd_per_month) == (17.0, 57.0, 97.0)
    assert compute_size_bands(month, band, [], lambda _: month, 1.0) == ()
    wide = compute_size_bands(month, replace(band, most=1000.0), [size], lambda _: month, 2.0)
    assert wide[0].p90_usd_per_month == pytest.approx(50 * (90 / 50) ** 2)


@pytest.mark.parametrize("block", [2, 4, 8])
def test_sizes_of_wide_slices_are_blocks(block: int) -> None:
    """Four blocks at all hours and two half of them: one less or one more of them costs $1 an hour."""
    gpus = [4.0 * block, 6.0 * block] * 200
    sold = [offer("od", 0, 4.0), offer("y1", 12, 3.0, unit_gpus=block)]
    _, planned = world(gpus, sold, block=block, horizon_months=24)
    found = {item.name: item for item in sizes_beside(planned.rows, ())}
    assert {name: item.share.tolist() for name, item in found.items()} == {
        "one_less": [0.0, 0.0, 0.0, 1.0, 0.0, 0.0],
        "one_more": [0.0, 0.0, 0.0, 0.0, 1.0, 0.0],
    }
    assert [item.month_usd for item in found.values()] == [730 * 3.0 * block] * 2
    assert [item.expected_usd for item in found.values()] == pytest.approx([730.0 * block] * 2)
    values = level_values(planned, 400, AdviceCache())
    over = {item.name: item.expected_usd for item in sizes_beside(planned.rows, values)}
    assert over == {"one_less": pytest.approx(730.0 * block), "one_more": pytest.approx(12 * 730.0 * block)}
