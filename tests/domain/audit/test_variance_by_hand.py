"""Periods, burst on long contracts, means of rates, leaks' totals and months of the log, by hand."""

from dataclasses import replace
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest

from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.audit.cost_result import Period
from gpuplanner.domain.audit.leak_claims import Part
from gpuplanner.domain.audit.leak_list import (
    dismissed_leaks,
    leak_parts,
    most_expensive_first,
    totals_by_status,
    worth_of,
)
from gpuplanner.domain.audit.series import ClassMonth, MonthRow
from gpuplanner.domain.audit.unit_costs import _growth, past_of
from gpuplanner.domain.audit.use_leaks import _mean, _offer_words, permanent_burst
from gpuplanner.domain.audit.variance import _by_size, month_periods, period_between, used_gpu_hours, variance
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.plan_inputs import LeakDecision, LeakStatus, Scenario
from gpuplanner.domain.model.tables import POOLS, Pool
from gpuplanner.domain.model.window import Window
from tests.domain.audit.conftest import (
    GPU_HOUR,
    START_S,
    classified,
    make_contract,
    make_offer,
    make_project,
    make_workload,
)

H = 3600
TRAINING, INFERENCE, BURST = Pool.TRAINING, Pool.INFERENCE, Pool.BURST


# --- Periods


def test_months_of_a_log_are_cut_to_it_also_over_new_year() -> None:
    """From 30 November 2025, 12:00: half of that day and all of it after, December's 744 h, and 10 h of January."""
    start = datetime(2025, 11, 30, 12, tzinfo=UTC)
    periods = month_periods(Window(int(start.timestamp()), 12 + 744 + 10))
    firsts = [int(datetime(*day, 1, tzinfo=UTC).timestamp()) for day in ((2025, 11), (2025, 12), (2026, 1))]
    assert periods == (
        (firsts[0], Period(0, 12)),
        (firsts[1], Period(12, 756)),
        (firsts[2], Period(756, 766)),
    )
    assert len(month_periods(Window(firsts[1], 744))) == 1


@pytest.mark.parametrize(
    ("start_s", "end_s", "period"),
    [
        (0, 48 * H, (0, 48)),
        (-9, 99 * H, (0, 48)),
        (1, 3 * H, (1, 3)),
        (H, 2 * H, (1, 2)),
        (H, 2 * H + 3599, (1, 2)),
        (H + 1, 3 * H - 1, None),
        (47 * H, 60 * H, (47, 48)),
        (48 * H, 60 * H, None),
        (5 * H, 5 * H, None),
    ],
)
def test_a_period_has_whole_hours_of_the_window(
    start_s: int, end_s: int, period: tuple[int, int] | None
) -> None:
    window = Window(START_S, 48)
    if period is None:
        with pytest.raises(PlannerError):
            period_between(window, START_S + start_s, START_S + end_s)
    else:
        assert period_between(window, START_S + start_s, START_S + end_s) == Period(*period)


def changed() -> Any:
    """Four hours of 4 H100 at $2 and, in the last two, 2 A100 at $1: a has 4, 4, 1, 0 H100, b 0, 4, 0, 2 of A100."""
    works = [make_workload("a"), make_workload("b")]
    entries = [
        *((0, 0, hour, gpus * GPU_HOUR) for hour, gpus in enumerate((4, 4, 1, 0))),
        (1, 0, 1, 4 * GPU_HOUR),
        (1, 1, 3, 2 * GPU_HOUR),
    ]
    contracts = [
        make_contract("h", 4, "2"),
        make_contract("a", 2, "1", gpu_model="A100", start_s=START_S + 2 * H),
    ]
    project = make_project(4, works, entries, contracts, [make_offer("od", "4")])
    return past_of(project, audit(project, classified(BURST, BURST)))


def test_what_contracts_served_is_counted_by_period() -> None:
    """In the second hour 8 H100 are wanted of 4: each has half."""
    past = changed()
    used = used_gpu_hours(past, [Period(0, 2), Period(2, 4), Period(1, 2), Period(0, 4)])
    assert used.tolist() == [[6.0, 2.0], [1.0, 2.0], [2.0, 2.0], [7.0, 4.0]]


def test_a_change_is_volume_efficiency_and_price_per_month() -> None:
    """Two hours: $16 for 8 GPU-h used of 8; then $20 for 3 of 12, a month of 365 times that.

    Volume: 3 - 8 at $2; efficiency 4 - 1 paid for each used, 3 times, at $2; price 12 at 5/3 - 2.
    """
    past = changed()
    result = variance(past, Period(0, 2), Period(2, 4))
    (row,) = result.clusters
    parts = (row.change_per_month, row.volume_per_month, row.efficiency_per_month, row.price_per_month)
    assert parts == pytest.approx([365 * usd for usd in (4, -10, 18, -4)])
    assert (row.before.cost_per_month, row.after.cost_per_month) == pytest.approx((365 * 16, 365 * 20))
    assert row.before.overflow_cost == pytest.approx(16.0)  # 4 H100 at $4
    assert row.after.overflow_cost == 0.0
    # a used 6 and then 1, b 2 in each, which is no change
    (volume,) = row.workloads
    assert (volume.key, volume.gpu_hours_per_month) == ("atlas/team/a", pytest.approx(365 * -5.0))
    assert {part.contract_id for part in row.contracts} == {"a", "h"}
    assert sum(part.price_per_month or 0.0 for part in row.contracts) == pytest.approx(365 * -4)
    assert sum(part.efficiency_per_month or 0.0 for part in row.contracts) == pytest.approx(365 * 18)


@pytest.mark.parametrize(
    ("price", "efficiency", "size"),
    [(-3.0, 4.0, 7.0), (None, -4.0, 4.0), (3.0, None, 3.0), (None, None, 0.0)],
)
def test_parts_are_ordered_by_how_much_of_the_change_they_are(
    price: float | None, efficiency: float | None, size: float
) -> None:
    part: Any = SimpleNamespace(price_per_month=price, efficiency_per_month=efficiency, contract_id="k")
    assert _by_size(part) == (size, "k")


@pytest.mark.parametrize(
    ("before", "after", "growth"),
    [(4.0, 5.0, 0.25), (4.0, 0.0, -1.0), (0.0, 5.0, None), (None, 5.0, None), (4.0, None, None)],
)
def test_growth_is_of_what_is_known(before: float | None, after: float | None, growth: float | None) -> None:
    costs: list[Any] = [SimpleNamespace(cost_each=usd) for usd in (before, after)]
    assert _growth(*costs) == growth


# --- Leaks of use


@pytest.mark.parametrize(
    ("rates", "mean"),
    [
        ([(2.0, 5.0)], 2.0),
        ([(2.0, 1.0), (4.0, 3.0)], 3.5),
        ([(None, 1.0), (4.0, 3.0)], None),
        ([(None, 1.0), (None, 3.0)], None),
        ([(0.1, 1.0), (0.1, 3.0)], 0.1),
    ],
)
def test_a_mean_rate_is_by_gpu_hours(rates: list[tuple[float | None, float]], mean: float | None) -> None:
    assert _mean(rates) == mean


@pytest.mark.parametrize(
    ("name", "months", "has_term"), [("od", 0, False), ("y", 12, True), ("y for 12 months", 12, False)]
)
def test_an_offer_says_its_term_where_its_name_does_not(name: str, months: int, *, has_term: bool) -> None:
    text = _offer_words(make_offer(name, "2.5", term_months=months))
    values = text.values
    assert (str(values["offer"]), str(values["rate"])) == (name, "2.50")
    assert ("12" in str(values["term"])) is has_term


@pytest.mark.parametrize(
    ("ends_h", "category", "is_leak"),
    [
        (None, "COMMITTED", True),
        (731, "COMMITTED", True),
        (730, "COMMITTED", False),
        (None, "STANDARD", False),
    ],
)
def test_burst_is_on_contracts_of_over_a_month(ends_h: int | None, category: str, *, is_leak: bool) -> None:
    """3 hours of 2 H100 of burst, and of 2 that serve, at $2."""
    end_s = None if ends_h is None else START_S + ends_h * H
    contract = make_contract("k", 4, "2", start_s=START_S, end_s=end_s, pricing_category=category)
    entries = [(place, 0, hour, 2 * GPU_HOUR) for place in (0, 1) for hour in range(3)]
    works = [make_workload("sweep"), make_workload("chat")]
    project = make_project(3, works, entries, [contract])
    claims = permanent_burst(past_of(project, audit(project, classified(BURST, INFERENCE))))
    parts = [(part.of[1], part.gpu_hours, part.rate) for claim in claims for part in claim.parts]
    assert parts == ([("atlas/team/sweep", 6.0, 2.0)] if is_leak else [])


@pytest.mark.parametrize(("days", "gpu_hours"), [(19, 19 * 2.0), (20, 0.0)])
def test_burst_that_has_lived_long_enough_for_its_term_is_no_leak(days: int, gpu_hours: float) -> None:
    """A term of 2 months asks for 20 days: 2 GPUs have them, 2 more only where they ran on 20 days, too."""
    end_s = START_S + 2 * 730 * H
    contract = make_contract("k", 4, "2", start_s=START_S, end_s=end_s)
    hours = 24 * 21
    entries = [(0, 0, 24 * day, (4 if day < days else 2) * GPU_HOUR) for day in range(20)]
    project = make_project(hours, [make_workload("sweep")], entries, [contract])
    claims = permanent_burst(past_of(project, audit(project, classified(BURST))))
    leaked = sum(part.gpu_hours for claim in claims for part in claim.parts)
    assert leaked == gpu_hours


# --- Totals of leaks


def test_each_gpu_hour_counts_once_and_for_the_first() -> None:
    """Of 10 idle GPU-h the first part takes 6 and the second what is left; of 5 an unknown rate takes all."""
    left = {("contract", "k"): 10.0, ("workload", "w"): 5.0}
    (first,) = leak_parts([Part(("contract", "k"), 6.0, 2.0)], left, 0.5)
    assert (first.counted_gpu_hours, left["contract", "k"]) == (6.0, 4.0)
    second, unknown = leak_parts(
        [Part(("contract", "k"), 7.0, 2.0), Part(("workload", "w"), 9.0, None)], left, 0.5
    )
    assert (second.gpu_hours, second.counted_gpu_hours, unknown.counted_gpu_hours) == (7.0, 4.0, 5.0)
    assert (left["contract", "k"], left["workload", "w"]) == (0.0, 0.0)
    with pytest.raises(KeyError):
        leak_parts([Part(("contract", "z"), 1.0, 1.0)], left, 0.5)


def leak(name: str, usd: float | None, counted: float = 1.0) -> Any:
    return SimpleNamespace(
        leak_id=name, leaked_per_month=usd, counted_per_month=usd, counted_gpu_hours=counted
    )


def test_leaks_are_listed_by_dollars_and_added_up_by_what_was_decided() -> None:
    leaks = [leak("a", 3.0), leak("b", None), leak("c", 9.0, 4.0), leak("d", 3.0), leak("e", 0.0)]
    assert [item.leak_id for item in most_expensive_first(leaks)] == ["c", "a", "d", "e", "b"]
    decisions = (
        LeakDecision(leak_id="a", status=LeakStatus.ACCEPTED, at_s=START_S),
        LeakDecision(leak_id="c", status=LeakStatus.DISMISSED, at_s=START_S),
    )
    plan = Scenario(name="A", leak_decisions=decisions)
    totals = totals_by_status(leaks, plan, 0.5)
    assert {status: (row.leaks, row.counted_per_month) for status, row in totals.items()} == {
        "open": (3, None),
        str(LeakStatus.ACCEPTED): (1, 3.0),
        str(LeakStatus.DISMISSED): (1, 9.0),
    }
    assert totals[str(LeakStatus.DISMISSED)].counted_gpu_hours_per_month == pytest.approx(8.0)
    everything = totals_by_status(leaks, None, 0.5)
    assert (everything["open"].leaks, everything[str(LeakStatus.ACCEPTED)].leaks) == (5, 0)
    other = Scenario(
        name="B", leak_decisions=(LeakDecision(leak_id="c", status=LeakStatus.ACCEPTED, at_s=START_S),)
    )
    project = replace(make_project(365, [], []), scenarios=(plan, other))
    assert dismissed_leaks(project) == {"c"}
    worth = worth_of(project, SimpleNamespace(leaks=leaks))  # type: ignore[arg-type]
    assert (worth.all.leaks, worth.open.leaks, worth.dismissed.leaks) == (5, 4, 1)
    assert (worth.dismissed.counted_per_month, worth.open.counted_per_month) == (9.0, None)


# --- Months of the log


def month(*usd: float | None) -> MonthRow:
    """Half a month of 365 h: $ and GPU-hours (1, 2 and 5) of each class; $10 are paid."""
    hours = (1.0, 2.0, 5.0)
    classes = {pool: ClassMonth(used, cost) for pool, used, cost in zip(POOLS, hours, usd, strict=True)}
    return MonthRow(
        month="2026-07",
        is_cut=True,
        hours=365,
        gpu_hours=8.0,
        paid_in_window=10.0,
        utilization=0.5,
        stranded_audit=3.0,
        stranded_metered=4.0,
        classes=classes,
        experiments=0,
        found=None,
        counted=None,
        accepted=None,
        dismissed=None,
    )


def test_shares_of_a_month_are_of_all_its_classes() -> None:
    row = month(2.0, 5.0, 1.0)
    assert [row.usd_share(pool) for pool in POOLS] == pytest.approx([0.25, 0.625, 0.125])
    assert [row.gpu_hours_share(pool) for pool in POOLS] == pytest.approx([0.125, 0.25, 0.625])
    assert row.figures == {
        "paid_per_month": pytest.approx(20.0), "stranded_audit": 3.0, "stranded_metered": 4.0
    }  # fmt: skip
    assert month(None, 5.0, 1.0).usd_share(INFERENCE) is None
    assert month(0.0, 0.0, 0.0).usd_share(INFERENCE) is None
    assert replace(row, paid_in_window=None).figures["paid_per_month"] is None
