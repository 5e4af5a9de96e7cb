"""Published figures beside a fleet's, and what stands beside GPUs on bills."""

from dataclasses import replace
from decimal import Decimal
from types import SimpleNamespace

import numpy as np
import pytest

from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.audit.cost_result import RunCost
from gpuplanner.domain.audit.mix import (
    billed,
    cluster_mixes,
    held_rows,
    idle_nights,
    is_night,
    most_expensive,
    published_beside,
    runs_by_kind,
    spread,
)
from gpuplanner.domain.audit.model_rates import h100_equivalents, model_premiums, price_gaps
from gpuplanner.domain.audit.series import days, weeks
from gpuplanner.domain.audit.unit_costs.audited_past import past_of
from gpuplanner.domain.evidence.past import WHY
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.model.book.exchange import ExchangeRate
from gpuplanner.domain.model.book.only import ModelMapping
from gpuplanner.domain.model.intake import BILLED, LEFT_OUT, FileIntake, LoggedRun
from gpuplanner.domain.model.tables import POOLS, Pool, PricingCategory
from gpuplanner.domain.model.window import Window, instant_s
from gpuplanner.domain.reports.mix import OF_PAST
from gpuplanner.domain.reports.report import Medium
from tests.arrived import arrived

GPU_HOUR = 3_600_000


def answered(past, *reports):
    """How many figures of reports the window shows; each that is known has an answer that arrives at it."""
    count = 0
    for report in (OF_PAST[name] for name in reports):
        for row in report.rows(past):
            for column in report.columns_in(Medium.WINDOW):
                if column.figure is not None and column.of(row) is not None:
                    one = column.figure
                    trace = WHY.answer(past, figure(one.why, report.key(row), one.why_scope or report.scope))
                    assert trace.value == pytest.approx(column.of(row)), (str(one.title), trace)
                    assert arrived(trace) == pytest.approx(trace.value), trace
                    for part in trace.rows:
                        if part.opens.split(":")[0] in WHY:
                            value = WHY.answer(past, part.opens).value
                            assert value == pytest.approx(getattr(part.values[0], "value", part.values[0]))
                    assert trace.unit == one.unit.key or trace.unit == "milli_gpu_seconds"
                    count += 1
    return count


@pytest.fixture
def past(world):
    """8 GPUs train and 2 serve for ten hours, at $2 each."""
    rows = [(place, 0, hour, gpus * GPU_HOUR) for place, gpus in enumerate((8, 2)) for hour in range(10)]
    workloads = [world.workload("sft"), replace(world.workload("chat"), activity=0.5)]
    project = world.project(10, workloads, rows, [world.contract("k", 10, "2")])
    return past_of(project, audit(project, world.classified(Pool.TRAINING, Pool.INFERENCE)))


def bill(by_currency, *left_out):
    return FileIntake(
        path="bill.csv",
        kind="jobs",
        format="focus",
        rows_read=0,
        rows_accepted=0,
        rows_rejected=0,
        rows_duplicate=0,
        rows_ignored=0,
        facts=((BILLED, by_currency), (LEFT_OUT, left_out)),
    )


def with_bills(past, *files, exchange=()):
    return replace(past, project=replace(past.project, intake=files, exchange=exchange))


def test_80_to_20_is_inference_of_four_times_training(past):
    now, long_run, use, hidden = published_beside(past)
    assert now.figures["at_long_run"] is None
    assert now.own == long_run.own == pytest.approx(0.2)
    assert long_run.figures["at_long_run"] == pytest.approx(4 * 8 * 2 * 730)
    assert long_run.figures["to_long_run"] == pytest.approx((32 - 2) * 2 * 730)
    assert (use.own, hidden.own) == (0.5, None)
    assert all(one.low <= one.high and str(one.source) for one in (now, long_run, use, hidden))
    assert answered(past, "published_figures") == 5


def test_80_to_20_of_a_fleet_that_trains_nothing_is_unknown(world):
    project = world.project(
        10, [world.workload("chat")], [(0, 0, 1, GPU_HOUR)], [world.contract("k", 10, "2")]
    )
    _, long_run, *_ = published_beside(past_of(project, audit(project, world.classified(Pool.INFERENCE))))
    assert long_run.figures["at_long_run"] is long_run.figures["to_long_run"] is None


def test_bills_add_up_and_what_is_of_no_kind_is_named_once(past):
    files = [
        bill({"USD": {"gpu": 60.0, "egress": 6.0}}, "tax"),
        bill({"USD": {"gpu": 40.0, "storage": 21.0}}, "tax"),
    ]
    (row,) = billed(with_bills(past, *files))
    assert row.figures["hidden_share"] == pytest.approx(0.27)
    assert (row.figures["network_billed"], row.left_out) == (0.0, ("tax",))
    assert billed(past) == ()


def test_a_currency_without_a_rate_makes_the_share_unknown(past):
    file = bill({"EUR": {"gpu": 100.0, "support": 10.0}})
    (unknown,) = billed(with_bills(past, file))
    assert (unknown.figures["gpu_billed"], unknown.figures["hidden_share"]) == (None, None)
    (known,) = billed(with_bills(past, file, exchange=(ExchangeRate("EUR", Decimal("1.5"), "2026-01-01"),)))
    assert (known.figures["gpu_billed"], known.figures["hidden_share"]) == (150.0, pytest.approx(0.1))
    exchange = (ExchangeRate("EUR", Decimal("1.5"), "2026-01-01"),)
    twice = with_bills(past, file, bill({"USD": {"gpu": 50.0}}), exchange=exchange)
    assert answered(twice, "hidden_share", "published_figures") == 6 + 6


def test_a_cluster_holds_all_three_classes_or_not(world, past):
    (row,) = cluster_mixes(past)
    assert [one.gpu_hours for one in row.classes.values()] == [80, 20, 0]
    assert [one.cost_per_month for one in row.classes.values()] == pytest.approx([8 * 1460, 2 * 1460, 0])
    assert not row.holds_all_three
    rows = [(place, 0, 0, GPU_HOUR) for place in range(3)]
    workloads = [world.workload(name) for name in ("sft", "chat", "sweep")]
    project = world.project(1, workloads, rows, [world.contract("k", 10, "2")])
    found = audit(project, world.classified(Pool.TRAINING, Pool.INFERENCE, Pool.BURST))
    (row,) = cluster_mixes(past_of(project, found))
    assert row.holds_all_three
    assert answered(past_of(project, found), "cluster_classes") == 6


@pytest.fixture
def newer(world):
    """48 B200 at 7.90 beside H100 on offer at 2.75."""
    contract = replace(world.contract("k", 48, "7.90"), gpu_model="B200")
    project = world.project(10, [world.workload("chat")], [(0, 0, 0, GPU_HOUR)], [contract])
    offers = (world.offer("y1", "2.75"), world.offer("spot", "1", pricing_category=PricingCategory.DYNAMIC))
    project = replace(project, offers=offers)
    return past_of(project, audit(project, world.classified(Pool.INFERENCE)))


def mapped(past, *mappings):
    return replace(past, project=replace(past.project, mappings=mappings))


@pytest.mark.parametrize(
    "mapping", [("B200", "H100", 0.45), ("H100", "B200", 1 / 0.45), ("B200", "H100", 0.45, Pool.INFERENCE)]
)
def test_a_newer_model_beside_a_cheaper_one_at_the_stated_ratio(newer, mapping):
    past = mapped(newer, ModelMapping(*mapping))
    (premium,) = model_premiums(past)
    assert (premium.gpu_model, premium.against, str(premium.source)) == ("B200", "H100", "stated")
    assert premium.figures["premium"] == pytest.approx(48 * 730 * (7.90 - 2.75 / 0.45))
    assert round(premium.figures["premium"]) == 62_683
    (row,) = h100_equivalents(past)
    assert row.figures["h100_rate"] == pytest.approx(3.555)
    assert row.figures["h100_gpu_hours"] == pytest.approx(480 / 0.45)
    assert answered(past, "model_premiums", "h100_equivalents") == 5 + 5


@pytest.mark.parametrize(("offered", "premiums"), [("2.9995", [0.365]), ("3", []), ("3.01", [])])
def test_a_premium_of_cents_is_one_and_none_is_none(world, offered, premiums):
    """One B200 at $3 does the work of one H100: 730 h of the difference a month."""
    contract = replace(world.contract("k", 1, "3"), gpu_model="B200")
    project = world.project(10, [world.workload("chat")], [(0, 0, 0, GPU_HOUR)], [contract])
    project = replace(project, offers=(world.offer("y1", offered),))
    past = past_of(project, audit(project, world.classified(Pool.INFERENCE)))
    rows = model_premiums(mapped(past, ModelMapping("B200", "H100", 1.0)))
    assert [row.figures["premium"] for row in rows] == pytest.approx(premiums)


def test_pools_that_state_different_ratios_leave_that_of_all_pools_or_none(newer):
    differ = [
        ModelMapping("B200", "H100", ratio, pool) for ratio, pool in zip((0.4, 0.5), POOLS, strict=False)
    ]
    assert [row.ratio for row in h100_equivalents(mapped(newer, *differ))] == [None]
    of_all = ModelMapping("B200", "H100", 0.45)
    assert [row.ratio for row in h100_equivalents(mapped(newer, *differ, of_all))] == [0.45]


def test_without_a_ratio_nothing_is_guessed(newer):
    assert model_premiums(newer) == ()
    (row,) = h100_equivalents(newer)
    assert (row.ratio, row.source, row.figures["h100_rate"]) == (None, "", None)
    assert row.figures["rate"] == pytest.approx(7.90)


def test_runs_by_kind_of_model_with_their_middle_and_their_spread(world):
    """Five runs of llama of 1, 2, 3, 4 and 10 hours on 2 GPUs at $5, two idle hours and more between them."""
    lengths, rows, hour = (1, 2, 3, 4, 10), [], 0
    for length in lengths:
        rows += [(0, 0, at, 2 * GPU_HOUR) for at in range(hour, hour + length)]
        hour += length + 30
    project = world.project(hour, [world.workload("llama-sft")], rows, [world.contract("k", 2, "5")])
    trained = past_of(project, audit(project, world.classified(Pool.TRAINING)))
    (row,) = runs_by_kind(trained)
    assert row.kind == "llama" and row.figures["runs"] == 5
    assert [row.figures[f"{at}_hours"] for at in ("low", "median", "high")] == [1, 3, 10]
    assert [row.figures[f"{at}_usd"] for at in ("low", "median", "high")] == pytest.approx([10, 30, 100])
    assert answered(trained, "runs_by_kind") == 7


def test_the_gap_of_two_models_by_month_is_of_their_cheapest_dated_rates(newer, world):
    """B200 from 7.90 to 7.00, H100 from 2.75 to 2.50 and then no more: 5.15, 4.40, 4.50."""

    def dated(name, model, rate, day, **more):
        return replace(world.offer(name, rate, **more), gpu_model=model, as_of=day, source="list")

    earlier = (dated("b", "B200", "7.90", "2026-01-05"), dated("h", "H100", "2.75", "2026-01-09"))
    later = (
        dated("b", "B200", "7.00", "2026-03-01"),
        dated("h", "H100", "2.50", "2026-03-02"),
        dated("spot", "H100", "0.50", "2026-01-02", pricing_category=PricingCategory.DYNAMIC),
        dated("a", "A100", "1.00", "2026-03-03"),  # a month alone has no gap to follow
    )
    middle = dated("b", "B200", "7.15", "2026-02-20")
    project = replace(newer.project, offers=later, earlier_offers=(*earlier, middle))
    found = price_gaps(replace(newer, project=project))
    assert [(one.month, one.gpu_model, one.against) for one in found] == [
        (f"2026-0{month}", "B200", "H100") for month in (1, 2, 3)
    ]
    assert [one.figures["gap"] for one in found] == pytest.approx([5.15, 4.40, 4.50])
    assert {one.source for one in found} == {"list"}
    assert answered(replace(newer, project=project), "price_gaps") == 3


def test_use_by_hour_of_the_week_of_classes_teams_and_endpoints(past):
    """8 train and 2 serve of 10 paid, in the first ten hours; where nothing is paid it is unknown."""
    found = {(one.by, one.name): one for one in weeks(past)}
    assert [by for by, _ in found] == ["class", "class", "team", "workload"]
    chat = next(one for (by, _), one in found.items() if by == "workload")
    known = [share for day in chat.by_hour for share in day if share is not None]
    assert known == [pytest.approx(0.2)] * 10
    assert np.nansum(found["class", "training"].hours.utilization) == pytest.approx(8)
    # 2 GPUs in ten hours of the week: each cell is a mean over the hours that the lookback period has of it
    assert np.nansum(chat.hours.mean_gpus) == pytest.approx(2 * 10)
    assert int(chat.hours.hours.sum()) == past.project.window.hours
    assert len(days(past)) == 3 * 7
    assert answered(past, "hours_of_week_by") == 3 * 10


def test_every_figure_of_a_run_of_the_log_has_an_answer(world):
    """Two runs of 30 hours on 4 GPUs, idle hours between them; in ten of the second an endpoint asks for 2."""
    rows = [(0, 0, hour, 4 * GPU_HOUR) for hour in (*range(30), *range(60, 90))]
    rows += [(1, 0, hour, 2 * GPU_HOUR) for hour in range(60, 70)]
    workloads = [world.workload("sft"), world.workload("eval")]
    project = world.project(120, workloads, rows, [world.contract("k", 4, "2")])
    start_s, key = project.window.start_s, workloads[0].key
    runs = tuple(
        LoggedRun(
            key=key,
            gpu_model="H100",
            job_id=name,
            milli_gpus=4000,
            start_s=start_s + at * 3600,
            end_s=start_s + (at + 30) * 3600,
            state="COMPLETED",
        )
        for name, at in (("one", 0), ("two", 60))
    )
    project = replace(project, jobs=replace(project.jobs, runs=runs))
    found = past_of(project, audit(project, world.classified(Pool.TRAINING, Pool.INFERENCE)))
    assert answered(found, "contended_runs") == 5
    assert answered(found, "long_runs") == 2 * 3
    assert answered(found, "idle_tails") == 2 * 3


def run_of(hours: int, usd: float | None) -> RunCost:
    return RunCost(
        key="k",
        name="run",
        cluster="c1",
        owner="team",
        start_s=0,
        end_s=hours * 3600,
        gpu_hours=1.0,
        cost=usd,
        mean_gpus=1.0,
        mean_rate=None,
    )


def test_ten_runs_are_spread_from_the_first_to_the_ninth() -> None:
    """1 to 10 hours at $2 an hour: one in ten is at most 1 h, nine in ten are at most 9 h."""
    runs = [run_of(hours, 2.0 * hours) for hours in range(10, 0, -1)]
    assert spread(runs) == {
        "runs": 10.0, "median_hours": 5.5, "low_hours": 1.0, "high_hours": 9.0,
        "median_usd": 11.0, "low_usd": 2.0, "high_usd": 18.0,
    }  # fmt: skip
    unknown = spread([*runs, run_of(5, None)])
    assert (unknown["median_usd"], unknown["low_usd"], unknown["high_usd"]) == (None, None, None)
    assert (unknown["median_hours"], unknown["runs"]) == (5, 11.0)


@pytest.mark.parametrize(("zone", "begins", "ends"), [("UTC", 6, 20), ("Europe/Berlin", 5, 19)])
def test_nights_and_weekends_are_told_in_the_zone_of_the_window(zone: str, begins: int, ends: int) -> None:
    """Monday, 5 January 2026, 0:00 UTC, and seven days: Berlin is an hour ahead."""
    night = is_night(Window(instant_s("2026-01-05"), 168, zone)).reshape(7, 24)
    assert [hour for hour in range(24) if not night[0][hour]] == list(range(begins, ends))
    assert (~night).sum(axis=1).tolist() == [14] * 5 + [0, 0]


def test_gpus_held_at_night_are_counted_for_their_team(world) -> None:
    """Wednesday, 1 July 2026: 2 GPUs for 24 hours, 10 of them at night, and 3 for one hour of the day."""
    entries = [(0, 0, hour, 2 * GPU_HOUR) for hour in range(24)] + [(1, 0, 12, 3 * GPU_HOUR)]
    project = world.project(
        24, [world.workload("a"), world.workload("b")], entries, [world.contract("k", 5, "2")]
    )
    past = past_of(project, audit(project, world.classified(*[Pool.TRAINING] * 2)))
    months = 24 / 730
    rows = held_rows(past)
    assert [row.figures["night_gpu_hours"] for row in rows] == pytest.approx([20 / months, 0])
    assert [row.figures["gpu_hours_per_month"] for row in rows] == pytest.approx([48 / months, 3 / months])
    (team,) = idle_nights(past)
    assert (team.key, team.figures["night_gpu_hours"]) == ("team", pytest.approx(20 / months))
    assert (team.figures["idle_nights"], team.figures["known_idle_nights"]) == (None, None)


def test_the_five_of_which_a_useful_hour_costs_most(monkeypatch):
    """The highest first, of equals by key; one of unknown activity has no rate and is left out."""
    rates = {"a": 1.0, "b": 0.0, "d": 3.0, "c": 3.0, "e": None, "f": 2.0, "g": 5.0}
    rows = [SimpleNamespace(key=key, figures={"useful_rate": rate}) for key, rate in rates.items()]
    monkeypatch.setattr("gpuplanner.domain.audit.mix.held_rows", lambda past: rows)
    assert [row.key for row in most_expensive(None)] == ["g", "c", "d", "f", "a"]
    rows.pop()
    assert [row.key for row in most_expensive(None)] == ["c", "d", "f", "a", "b"]
