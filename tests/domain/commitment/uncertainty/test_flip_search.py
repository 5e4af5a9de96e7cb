"""What terms hang on, and paths of prices: which layer is the largest, which mix is another, by hand."""

from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.demand.slicing import Slicing
from gpuplanner.domain.commitment.plan.ground import ground_of
from gpuplanner.domain.commitment.plan.row_plans import plan_of
from gpuplanner.domain.commitment.recursion.slice_policy import NOBODY
from gpuplanner.domain.commitment.recursion.ways import Ways
from gpuplanner.domain.commitment.uncertainty import flips
from gpuplanner.domain.commitment.uncertainty.flips import (
    FlipPoint,
    Largest,
    SignedTerm,
    cases_of,
    flip_points,
    flip_sentence,
    is_another_mix,
    price_paths,
    share_words,
    signed_now,
    terms_hang_on_prices,
)
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.plan.scenario import HandLayer, Scenario
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import MONTH_S
from tests.domain.commitment.conftest import Load, case, contract, offer

A = Scenario(name="A")


# --- The largest layer, and where it gives way


def planned_row(
    now: list[int], terms: list[int], widths: list[float], days: Any = (None, 90, None), **row: Any
) -> Any:
    offers = tuple(SimpleNamespace(term_days=each) for each in days)
    base = {
        "pool": Pool.TRAINING,
        "gpu_model": "H100",
        "offers": offers,
        "hand": None,
        "slices": len(now),
        "slicing": SimpleNamespace(widths=np.array(widths)),
    }
    return SimpleNamespace(
        row=SimpleNamespace(**(base | row)),
        signed=SimpleNamespace(now=np.array(now)),
        term_now=np.array(terms),
    )


@pytest.mark.parametrize(
    ("now", "terms", "widths", "largest"),
    [
        ([0, 0, 2, -1], [12, 12, 36, 0], [1, 1, 1, 9], Largest(12, 2.0)),
        ([0, 2, -1], [12, 36, 0], [1, 1, 1], Largest(36, 1.0)),  # of two alike the longer
        ([0, 2, 2], [12, 36, 36], [3, 1, 1], Largest(12, 3.0)),
        ([1, 1], [3, 3], [1, 1], Largest(3, 2.0, 90)),
        ([1, 0], [3, 3], [1, 1], Largest(3, 2.0)),  # not all of it is sold so
        ([-1, -1], [0, 0], [1, 1], Largest(0, 0.0)),
        ([NOBODY, -1], [24, 0], [2, 1], Largest(24, 2.0)),
    ],
)
def test_the_largest_layer_is_the_term_with_most_gpus(
    now: Any, terms: Any, widths: Any, largest: Largest
) -> None:
    row = planned_row(now, terms, widths)
    assert flips.find_largest_layers(SimpleNamespace(rows=[row])) == {(Pool.TRAINING, "H100"): largest}  # type: ignore[arg-type]
    for out in ({"hand": ()}, {"slices": 0}):
        gone = planned_row(now, terms, widths, **out)
        assert flips.find_largest_layers(SimpleNamespace(rows=[gone])) == {}  # type: ignore[arg-type]


def flip(limit: float, now: float, steps: list[float], is_cancelled: Any = lambda: False) -> Any:
    """12 months up to a limit, 3 beyond it."""
    return flips.find_flip(12, now, steps, lambda at: Largest(12 if at <= limit else 3, at), is_cancelled)


def test_a_flip_is_known_to_a_thirtieth_of_the_gap_between_two_probes() -> None:
    """From 0.02 to 0.04 it flips beyond 0.03: 32 parts of 0.000625 each."""
    at, there = flip(0.03, 0.0, [0.01, 0.02, 0.04, 0.08])
    assert at == pytest.approx(0.03 + 0.02 / 32) and there == Largest(3, at)
    first, _ = flip(0.001, 0.0, [0.01])
    assert first == pytest.approx(0.00125)
    assert flip(1.0, 0.0, [0.01, 0.02]) is None
    assert flip(0.03, 0.0, [0.04], lambda: True) is None
    exactly, _ = flip(0.01, 0.0, [0.01, 0.02])
    assert exactly == pytest.approx(0.01 + 0.01 / 32)


def test_flips_of_a_plan_come_by_assumption_and_distance(monkeypatch: pytest.MonkeyPatch) -> None:
    """A year at $3 is $36 a GPU and hour; a month at $3.50 and then a year, less a fall of d, 3.5 + 33 (1 - d).

    Both are alike at d = 0.5 / 33, which is 0.01515; of the halves between 0.02 and 0.01 that is first below 0.0153.
    """
    monkeypatch.setattr(flips, "PROBES", {"delta": (0.0, 0.01, 0.02), "lambda": (0.0, 0.5)})
    offers = [offer("od", 0, 6.0), offer("m1", 1, 3.5), offer("y1", 12, 3.0)]
    calm = {"sigma": 0.0, "lambda_": 0.0, "wacc": 0.0, "horizon_months": 12}
    made = case([Load(pool=Pool.TRAINING, gpus=[4.0] * 400)], (), offers, delta=0.02, **calm)
    (point,) = (each for each in flip_points(made.project, A, made.pools) if each.assumption == "delta")
    month, year = Largest(1, 4.0), Largest(12, 4.0)
    assert point == FlipPoint(
        assumption="delta",
        pool=Pool.TRAINING,
        gpu_model="H100",
        value=0.02,
        at=pytest.approx(0.015),
        today=month,
        there=year,
    )
    less = case([Load(pool=Pool.TRAINING, gpus=[4.0] * 400)], (), offers, delta=0.0, **calm)
    points = flip_points(less.project, A, less.pools)
    (above,) = (each for each in points if each.assumption == "delta")
    # from 0.01 up to 0.02: the first beyond it is 0.0153125
    assert (above.value, above.at, above.today, above.there) == (0.0, pytest.approx(0.0153125), year, month)
    assert [each.assumption for each in points] == sorted(each.assumption for each in points)
    assert flip_points(made.project, A, made.pools, is_cancelled=lambda: True) == ()
    held = Scenario(name="A", hand_layers={(Pool.TRAINING, "H100"): (HandLayer(12, 1),)})
    assert flip_points(made.project, held, made.pools) == ()


@pytest.mark.parametrize(
    ("at", "value", "words"),
    [(0.031, 0.02, "3.1%"), (0.0203, 0.02, "2.03%"), (0.02003, 0.02, "2.003%"), (0.0206, 0.02, "2.1%")],
)
def test_a_point_has_as_many_decimals_as_tell_it(at: float, value: float, words: str) -> None:
    point = FlipPoint(
        assumption="delta",
        pool=Pool.TRAINING,
        gpu_model="H100",
        value=value,
        at=at,
        today=Largest(12, 17.0),
        there=Largest(3, 14.0),
    )
    assert str(share_words(point)) == words
    assert words in str(flip_sentence(point))


def test_a_flip_says_what_gives_way_to_what() -> None:
    point = FlipPoint(
        assumption="delta",
        pool=Pool.TRAINING,
        gpu_model="H100",
        value=0.02,
        at=0.031,
        today=Largest(12, 17.0),
        there=Largest(3, 1.0, 90),
    )
    full = str(flip_sentence(point))
    assert all(text in full for text in ("H100", "90-day", "1 GPU)", "12-month", "(17)"))
    assert "H100" not in str(flip_sentence(point, is_named=False))
    begins = str(flip_sentence(replace(point, today=Largest(0, 0.0))))
    ends = str(flip_sentence(replace(point, there=Largest(0, 0.0))))
    assert "90-day" in begins and "12-month" not in begins and "becomes" in begins
    assert "12-month" in ends and "17 GPUs" in ends and "no longer" in ends
    assert "unknown" in str(flip_sentence(replace(point, gpu_model=None)))


# --- The mix of terms


def test_what_is_signed_now_is_summed_by_term() -> None:
    """2 GPUs for 10 h at $3 with $5 upfront: 2 x 35; what starts later or nobody sells does not count."""
    offers = (SimpleNamespace(term_months=12, term_days=None), SimpleNamespace(term_months=3, term_days=90))

    def listed(place: int, gpus: float, start_s: int = 0, rate: float | None = 3.0) -> Any:
        return SimpleNamespace(
            place=place, paid_gpus=gpus, start_s=start_s, rate=rate, hours=10.0, upfront=5.0
        )

    orders = [listed(0, 2), listed(0, 1), listed(1, 4), listed(0, 9, MONTH_S), listed(-2, 9, 0, None)]
    row = SimpleNamespace(row=SimpleNamespace(offers=offers), listed=SimpleNamespace(orders=orders))
    found = signed_now(SimpleNamespace(rows=[row, row]))  # type: ignore[arg-type]
    assert found == {(12, None): (6.0, 210.0), (3, 90): (8.0, 280.0)}
    edge = SimpleNamespace(row=row.row, listed=SimpleNamespace(orders=[listed(0, 2, MONTH_S - 1)]))
    assert signed_now(SimpleNamespace(rows=[edge])) == {(12, None): (2.0, 70.0)}  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("here", "then", "is_other"),
    [
        ({12: 100.0}, {12: 100.0}, False),
        ({12: 100.0}, {12: 50.0}, False),  # half of 50 is a quarter of 100
        ({12: 100.0}, {12: 49.9}, True),
        ({12: 49.9}, {12: 100.0}, True),
        ({12: 100.0}, {12: 76.0, 36: 24.0}, False),
        ({12: 100.0}, {12: 74.0, 36: 26.0}, True),
        ({}, {12: 0.01}, False),
        ({}, {12: 0.1}, True),
    ],
)
def test_a_mix_is_another_where_over_a_quarter_of_it_moves(here: Any, then: Any, is_other: bool) -> None:
    signed = [{(term, None): SignedTerm(1.0, usd) for term, usd in mix.items()} for mix in (here, then)]
    assert is_another_mix(*signed) is is_other


def test_cases_are_none_and_a_point_more() -> None:
    """What holds already is not tried; without churn anywhere a point more is."""
    none = {"lambda": 0.0, "lambda_training": 0.0, "lambda_inference": 0.0, "lambda_burst": 0.0}
    more = ("lambda_more", 0.01, {"lambda_more": 0.01})
    assert cases_of(Assumptions(delta=0.02)) == [
        ("delta", 0.0, {"delta": 0.0}),
        ("delta", pytest.approx(0.03), {"delta": pytest.approx(0.03)}),
        ("lambda", 0.0, none),
        more,
    ]
    still = Assumptions(delta=0.0).with_values(none)
    assert cases_of(still) == [("delta", 0.01, {"delta": 0.01}), more]
    assert [value for name, value, _ in cases_of(Assumptions(delta=0.5)) if name == "delta"] == [0.0]


def test_terms_that_hang_on_prices_are_told_with_each_case() -> None:
    """As assumed 3 GPUs for a year; without a fall 2 for 3 years and 1 for 90 days; all else as it is."""

    def plan(*signs: tuple[int, int | None, float]) -> Any:
        offers = tuple(SimpleNamespace(term_months=months, term_days=days) for months, days, _ in signs)
        orders = [
            SimpleNamespace(place=at, paid_gpus=gpus, start_s=0, rate=1.0, hours=730.0 * months, upfront=0.0)
            for at, (months, _, gpus) in enumerate(signs)
        ]
        return SimpleNamespace(
            rows=[SimpleNamespace(row=SimpleNamespace(offers=offers), listed=SimpleNamespace(orders=orders))]
        )

    here, other = plan((12, None, 3.0)), plan((3, None, 1.0), (3, 90, 1.5), (36, None, 2.0))
    (check,) = terms_hang_on_prices(
        Assumptions(), here, lambda tried: other if tried == {"delta": 0.0} else here
    )
    words = str(check.message)
    assert (check.code, check.severity) == ("terms_hang_on_prices", "amber")
    assert "3 GPUs for 12 months" in words
    assert "2 GPUs for 36 months, 1.5 GPUs for 90 days, 1 GPU for 3 months" in words
    assert words.count(";") == 1
    assert terms_hang_on_prices(Assumptions(), here, lambda _: here) == ()
    both = str(terms_hang_on_prices(Assumptions(delta=0.02, lambda_=0.01), here, lambda _: plan())[0].message)
    assert both.count(";") == 4
    # shares are told as percentages: 2% of fall and 1% of churn as assumed, 3% and 1% more as tried
    assert [both.count(f"{share}%") for share in (1, 2, 3)] == [2, 1, 1]


# --- Paths of prices


def paths(offers: Any, contracts: Any = (), gpus: float = 2.0, **values: Any) -> Any:
    assumed = {"sigma": 0.0, "lambda_": 0.0, "wacc": 0.0, "delta": 0.0, "horizon_months": 24} | values
    made = case([Load(pool=Pool.TRAINING, gpus=[gpus] * 400)], contracts, offers, **assumed)
    ground = ground_of(made.project, A, made.pools, AdviceCache())
    return {cost.path: cost for cost in price_paths(ground, plan_of(ground, AdviceCache()), AdviceCache())}


OFFERS = [offer("od", 0, 6.0), offer("y1", 12, 3.0), offer("y2", 24, 2.5)]


def test_signing_short_as_advised_and_long_on_flat_prices() -> None:
    """Two GPUs for 24 months: a year at $3 twice, or two years at $2.50, which the advice signs."""
    flat = paths(OFFERS)["flat"]
    assert flat.shorter_only_usd == pytest.approx(2 * 24 * 730 * 3.0)
    assert flat.advice_usd == flat.longer_only_usd == pytest.approx(2 * 24 * 730 * 2.5)
    assert (flat.best_usd, flat.regret_usd) == (pytest.approx(2 * 24 * 730 * 2.5), pytest.approx(0.0))
    (row,) = flat.rows
    assert (row.pool, row.gpu_model, row.advice_usd) == (Pool.TRAINING, "H100", flat.advice_usd)


def test_signing_short_pays_where_prices_are_cut() -> None:
    """The second year is signed at $3 less 36%, or two years at $2.50 less 36%, of which one counts."""
    cut = paths(OFFERS)["cut"]
    assert cut.shorter_only_usd == pytest.approx(2 * 12 * 730 * (3.0 + 1.92))
    assert cut.advice_usd == pytest.approx(2 * 24 * 730 * 2.5)
    assert cut.best_usd == pytest.approx(2 * 12 * 730 * (3.0 + 1.6))
    assert cut.regret_usd == pytest.approx(2 * 12 * 730 * (5.0 - 4.6))
    assert cut.delta is None and paths(OFFERS)["flat"].delta == 0.0


def test_paths_have_what_contracts_are_paid() -> None:
    """A contract of one GPU at $1 for six months, discounted by a tenth a year."""
    held = [contract("k", 1, 1.0, 6, 400)]
    cost = paths(OFFERS, held, wacc=0.1)["flat"]
    expected = sum(730 * 1.1 ** (-month / 12) for month in range(6))
    assert cost.contracts_usd == pytest.approx(expected)
    assert cost.advice_usd == pytest.approx(expected + (cost.rows[0].advice_usd or 0.0))
    unknown = paths(OFFERS, [contract("k", 1, None, 6, 400)])["flat"]
    assert (unknown.contracts_usd, unknown.advice_usd) == (None, None)


def test_paths_without_a_rate_are_unknown() -> None:
    cost = paths([offer("m1", 1, 2.0)])["flat"]
    assert cost.advice_usd is None or cost.advice_usd > 0
    limited = paths([offer("od", 0, 6.0, max_gpus=1), offer("y1", 12, 9.0)], training_never_by_use=False)
    assert limited["flat"].advice_usd is None or limited["flat"].advice_usd > 0


@pytest.mark.parametrize(
    ("now", "rate", "is_unknown"),
    [
        ([0, -1], None, False),
        ([0, NOBODY], None, True),
        ([0, -1], [[6.0, 6.0], [6.0, 6.0], [6.0, 6.0]], False),
        ([0, -1], [[6.0, 6.0], [np.nan, 6.0], [6.0, 6.0]], True),
        ([0, -1], [[6.0, np.nan], [6.0, 6.0], [6.0, 6.0]], False),  # nobody wants it in month 0
        ([0, -1], [[6.0, 6.0], [6.0, np.nan], [6.0, 6.0]], True),
        ([0, -1], [[6.0, 6.0], [6.0, 6.0], [np.nan, np.nan]], False),  # after the horizon of two months
    ],
)
def test_a_row_is_unknown_where_nobody_sells_what_it_wants(
    now: list[int], rate: Any, is_unknown: bool
) -> None:
    """The second slice is busy from month 1 on, in one of two states of its demand."""
    busy = SimpleNamespace(shares=np.array([[[1.0, 0.0]], [[0.5, 0.1]]]), state_of_month=np.array([0, 1, 1]))
    use = None if rate is None else SimpleNamespace(rate=np.array(rate))
    row = SimpleNamespace(use=use, busy=busy, market=SimpleNamespace(horizon_months=2))
    planned: Any = SimpleNamespace(row=row, signed=SimpleNamespace(now=np.array(now)))
    assert flips.is_unknown(planned) is is_unknown


def ways_of(lengths: list[int], is_open: list[bool]) -> Ways:
    """Terms of so many months at places 5, 6 …, open in month 0 or not and in month 1 all."""
    count = len(lengths)
    begin = np.array([[0] * count, [MONTH_S] * count], dtype=np.int64)
    return Ways(
        place=np.arange(5, 5 + count),
        length_s=MONTH_S * np.array(lengths, dtype=np.int64),
        is_block=np.zeros(count, np.bool_),
        terms=np.array(lengths, dtype=np.int64),
        upfront=np.zeros(count),
        is_open=np.array([is_open, [True] * count]),
        begin_s=begin,
        rate=np.full((2, count), 2.0),
        lead_s=np.zeros(count, dtype=np.int64),
        last_start_s=np.full(count, 60 * MONTH_S, dtype=np.int64),
    )


def test_terms_over_a_year_are_closed_to_who_signs_short() -> None:
    ways = ways_of([6, 12, 13, 24], [True, False, True, True])
    short = flips.drop_long_terms(ways)
    assert short is not None
    assert short.is_open.tolist() == [[True, False, False, False], [True, True, False, False]]
    assert flips.drop_long_terms(ways_of([6, 12], [True, True])) is None
    assert flips.drop_long_terms(ways_of([], [])) is None


def test_what_is_signed_is_a_way_that_is_open_now() -> None:
    ways = ways_of([6, 12, 24], [True, False, True])
    assert flips.find_columns(ways, np.array([5, 6, 7, -1, NOBODY, 9])).tolist() == [0, -1, 2, -1, -1, -1]


@pytest.mark.parametrize(
    ("lengths", "is_open", "longest"),
    [
        ([6, 12, 24], [True, True, True], [-1, 2, 2]),
        ([6, 12, 24], [True, True, False], [-1, 1, 1]),
        ([6, 12, 12], [True, True, True], [-1, 1, 1]),  # the cheaper of two
        ([6, 6, 3], [True, True, True], [-1, 0, 1]),  # none is longer than it is
        ([6, 12], [False, False], [-1, 0, 1]),
    ],
)
def test_who_signs_long_takes_the_longest_that_is_open(
    lengths: list[int], is_open: list[bool], longest: list[int]
) -> None:
    """The first slice waits, the others sign the first way and the second."""
    piece: Any = SimpleNamespace(ways=ways_of(lengths, is_open), begin=0)
    row: Any = SimpleNamespace(lived=None)
    assert flips.choose_longest_terms(row, piece, np.array([-1, 0, 1])).tolist() == longest
    closed = np.zeros((2, len(lengths), 4), np.bool_)
    closed[0, :, 2] = True  # the third slice is too young for any; the fourth is of another piece
    row.lived = SimpleNamespace(closed=lambda *_: closed)
    assert flips.choose_longest_terms(row, piece, np.array([-1, 0, 1])).tolist() == [*longest[:2], 1]
    nothing: Any = SimpleNamespace(ways=ways_of([], []), begin=0)
    assert flips.choose_longest_terms(row, nothing, np.array([-1, -1])).tolist() == [-1, -1]


@pytest.mark.parametrize(
    ("rate", "usd"),
    [
        (6.0, [730 * 2 * 0.5 * 6.0 * 0.9, 0.0]),
        (None, [None, 0.0]),
        (np.array([[4.0, 5.0], [9.0, 9.0]]), [730 * 2 * 0.5 * 4.0 * 0.9, 0.0]),
        (np.array([[np.nan, np.nan], [9.0, 9.0]]), [None, 0.0]),
    ],
)
def test_month_0_by_use_is_of_busy_slices(rate: Any, usd: list[float | None]) -> None:
    """Slices of 2 GPUs, of which the second is busy half of month 0 and the third never; prices are at 90%."""
    row: Any = SimpleNamespace(
        left=SimpleNamespace(today=lambda _: np.array([1.0, 0.5, 0.0])),
        use_rate=lambda begin, keep: rate if (begin, keep) == (1, 2) else 99.0,
        slicing=Slicing(2, 3),
        market=SimpleNamespace(use_prices=(0.9, 0.8)),
    )
    found = flips.compute_use_cost(row, SimpleNamespace(begin=1, keep=2)).tolist()  # type: ignore[arg-type]
    assert found == [pytest.approx(np.nan if each is None else each, nan_ok=True) for each in usd]


def test_paths_with_a_lead_are_paid_by_use_until_then() -> None:
    """Two GPUs for 24 months by use at $6, or from half of a month on at $2, which is longer than a year."""
    flat = paths([offer("od", 0, 6.0), offer("y2", 24, 2.0, lead_time_hours=365.0)])["flat"]
    assert flat.advice_usd == pytest.approx(2 * 730 * (0.5 * 6.0 + 23.5 * 2.0))
    assert flat.shorter_only_usd == pytest.approx(2 * 24 * 730 * 6.0)
    assert flat.longer_only_usd == flat.advice_usd and flat.regret_usd == pytest.approx(0.0)


@pytest.mark.parametrize(
    ("name", "lowest", "highest", "widest_gap"),
    [
        ("delta", -0.02, 0.12, 0.04),
        ("lambda", 0.0, 0.2, 0.08),
        ("growth", -0.1, 0.1, 0.05),
        ("sigma", 0.0, 0.4, 0.1),
    ],
)
def test_probes_reach_over_a_planners_range_in_small_steps(
    name: str, lowest: float, highest: float, widest_gap: float
) -> None:
    """A gap grows with the distance from the smallest step, so no flip near the usual values is stepped over."""
    probes = flips.PROBES[name]
    gaps = [round(after - before, 6) for before, after in pairwise(probes)]
    assert (probes[0], probes[-1], max(gaps)) == (lowest, highest, widest_gap)
    assert min(gaps) > 0
    from_zero = [gap for before, gap in zip(probes, gaps, strict=False) if before >= 0]
    assert from_zero == sorted(from_zero)
