"""The demo: for a day the same bytes, moved with the day, and every situation it promises is found."""

import csv
from datetime import date, datetime, timedelta
from functools import cache
from itertools import groupby, pairwise
from pathlib import Path

import pytest

from gpuplanner.domain.commitment.advice_backtest import Backtest, backtest_history
from gpuplanner.domain.commitment.result import Order, PoolPlan
from gpuplanner.domain.edits.plans import add_plan, set_plan_from
from gpuplanner.domain.evaluation import Evaluation, evaluate, history_in
from gpuplanner.domain.model.plan.scenario import AS_TODAY
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.files.demo.days import DAYS as DEMO_DAYS
from gpuplanner.files.demo.days import GOLDEN_DAY, ending, ending_yesterday
from gpuplanner.files.demo.demo_files import DAY_COLUMNS, DEMO_FILES, write_demo
from gpuplanner.files.demo.runs import Run, runs_of
from gpuplanner.files.importing.intake import read_inputs
from gpuplanner.files.system.resources import read_tables, resource_path
from gpuplanner.files.values.lookback_period import WindowRequest
from tests.files.conftest import INPUTS
from tests.some_of import some_of

NAMES = ["jobs.csv", "contracts.csv", "prices.csv", "users.csv", "sites.csv", "traffic.csv"]
LEAP_DAY, LAST_SUNDAY = date(2028, 2, 29), date(2028, 12, 31)


@pytest.fixture
def folder_of_demo_inputs(golden_demo: Path) -> Path:
    return golden_demo


def _evaluated(path: Path) -> Evaluation:
    project = read_inputs(*([str(path / name)] for name in INPUTS)).project()
    return evaluate(project, project.scenarios[0].name, read_tables())


@cache
def _walked(path: Path) -> Backtest:
    read = read_inputs(*([str(path / name)] for name in INPUTS), window_request=WindowRequest(whole_log=True))
    project = read.project()
    return backtest_history(history_in(project, project.scenarios[0].name, read_tables()))


@pytest.fixture
def world(golden_world: Evaluation) -> Evaluation:
    return golden_world


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def workloads() -> list[dict[str, str]]:
    return rows(resource_path("demo/workloads.csv"))


def of_pool(world: Evaluation, pool: Pool, gpu_model: str) -> PoolPlan:
    assert world.advice is not None
    (found,) = (row for row in world.advice.pools if (row.pool, row.gpu_model) == (pool, gpu_model))
    return found


def orders_of(world: Evaluation, pool: Pool, gpu_model: str) -> list[Order]:
    assert world.advice is not None
    return [order for order in world.advice.orders if (order.pool, order.gpu_model) == (pool, gpu_model)]


@pytest.mark.long
def test_the_same_bytes_every_time_also_over_older_files(folder_of_demo_inputs: Path, tmp_path: Path) -> None:
    (tmp_path / "jobs.csv").write_text("older and longer\n" * 500_000)
    write_demo(tmp_path, ending(GOLDEN_DAY))
    write_demo(tmp_path, ending(GOLDEN_DAY))
    for name in NAMES:
        assert (tmp_path / name).read_bytes() == (folder_of_demo_inputs / name).read_bytes()
    (kept,) = {path.name for path in tmp_path.iterdir()} - set(NAMES)
    assert kept.startswith("jobs.replaced-")
    assert (tmp_path / kept).read_text() == "older and longer\n" * 500_000


@pytest.mark.long
def test_in_a_folder_of_ours_the_demo_of_another_day_gives_way(tmp_path: Path) -> None:
    for name in NAMES:
        (tmp_path / name).write_text("of another day")
    written = write_demo(tmp_path, ending(GOLDEN_DAY), is_folder_ours=True)
    assert [path.name for path in written] == NAMES
    assert {path.name for path in tmp_path.iterdir()} == set(DEMO_FILES)
    assert all((tmp_path / name).stat().st_size > 100 for name in NAMES)


@pytest.mark.parametrize("last", [GOLDEN_DAY, LEAP_DAY, LAST_SUNDAY, date(1999, 12, 31)])
def test_days_end_with_the_one_that_was_asked_for(last: date) -> None:
    days = ending(last)
    assert days.end_s - days.start_s == DEMO_DAYS * DAY_S
    assert days.date(-1) == last.isoformat()
    assert days.weekday(DEMO_DAYS - 1) == last.weekday()
    assert ending_yesterday(days.end_s) == ending_yesterday(days.end_s + DAY_S - 1) == days


@pytest.mark.long
def test_what_ran_depends_on_the_weekday_of_the_last_day_alone() -> None:
    moved = timedelta(weeks=400)
    before, after = ending(GOLDEN_DAY), ending(GOLDEN_DAY + moved)
    for row in workloads():
        assert [
            Run(
                run.start_s + int(moved.total_seconds()),
                run.end_s + int(moved.total_seconds()),
                run.state,
                run.activity_percent,
            )
            for run in runs_of(row, before)
        ] == runs_of(row, after)


@pytest.mark.long
@pytest.mark.parametrize(
    "last",
    some_of([GOLDEN_DAY + timedelta(days=day) for day in range(7)], quick=1),
    ids=lambda day: f"{day:%a}",
)
def test_the_log_ends_with_the_last_day(last: date) -> None:
    """A window ends with the last hour in which a job ended."""
    days = ending(last)
    ends = [run.end_s for row in workloads() for run in runs_of(row, days) if run.state != "RUNNING"]
    assert days.end_s - 3600 < max(ends) <= days.end_s


@pytest.mark.long
@pytest.mark.parametrize("last", [LEAP_DAY, LAST_SUNDAY], ids=str)
def test_for_any_day_nothing_is_red_or_past_and_the_story_is_the_same(
    folder_of_demo_inputs: Path, world: Evaluation, tmp_path: Path, last: date
) -> None:
    write_demo(tmp_path, ending(last))
    assert_dates_have_moved(folder_of_demo_inputs, tmp_path, last - GOLDEN_DAY)
    moved = _evaluated(tmp_path)
    assert moved.project.window.end_s == ending(last).end_s
    assert_nothing_is_red_or_past(moved)
    assert moved.advice is not None and world.advice is not None
    assert [(one.contract_id, one.verdict) for one in moved.advice.verdicts] == [
        (one.contract_id, one.verdict) for one in world.advice.verdicts
    ]
    assert {order.reason for order in moved.advice.orders} == {order.reason for order in world.advice.orders}
    assert moved.advice.totals.plan == pytest.approx(world.advice.totals.plan, rel=0.01)


def assert_dates_have_moved(before: Path, after: Path, by: timedelta) -> None:
    for name in ("contracts.csv", "prices.csv"):
        for row, moved in zip(rows(before / name), rows(after / name), strict=True):
            for column, cell in row.items():
                is_day = column in DAY_COLUMNS and cell
                assert moved[column] == ((date.fromisoformat(cell) + by).isoformat() if is_day else cell)


def assert_nothing_is_red_or_past(world: Evaluation) -> None:
    assert [check for check in world.checks if check.severity == "red"] == []
    assert {check.code for check in world.checks} & {"order_by_passed", "stale_price", "demand_fell"} == set()
    assert world.advice is not None
    begins_s = world.project.plan_window.end_s
    assert all(order.order_by_s >= begins_s for order in world.advice.orders)
    assert all(one.order_by_s is None or one.order_by_s > begins_s for one in world.advice.verdicts)


def test_nothing_is_red_or_past_at_the_door(world: Evaluation) -> None:
    assert_nothing_is_red_or_past(world)


@pytest.mark.long
def test_a_demo_that_is_opened_seven_weeks_later_has_nothing_red_or_past(world: Evaluation) -> None:
    """The window then plans from that day."""
    later = set_plan_from(world.project, world.project.window.end_s + 50 * DAY_S)
    moved = evaluate(later, later.scenarios[0].name, read_tables())
    assert_nothing_is_red_or_past(moved)
    assert moved.project.plan_window.end_s > world.project.window.end_s


def test_its_size_is_six_months_of_three_clusters(folder_of_demo_inputs: Path, world: Evaluation) -> None:
    jobs = rows(folder_of_demo_inputs / "jobs.csv")
    assert 45_000 <= len(jobs) <= 60_000
    assert all(job["gpu_model"] and float(job["gpus"]) > 0 for job in jobs)
    assert 140 <= len(world.project.workloads) <= 160
    assert world.project.window.hours == 2160
    assert {job["start"][:10] for job in jobs} == {
        ending(GOLDEN_DAY).date(-day) for day in range(1, DEMO_DAYS + 1)
    }
    assert [cluster.cluster for cluster in world.audit.clusters] == ["atlas", "borealis", "cedar"]
    assert len(world.project.contracts) == 7
    assert len(world.project.offers) >= 20


def test_jobs_of_the_training_cluster_waited_and_services_did_not(folder_of_demo_inputs: Path) -> None:
    waits: dict[tuple[str, str], list[float]] = {}
    for job in rows(folder_of_demo_inputs / "jobs.csv"):
        submit, start = (datetime.fromisoformat(job[name]) for name in ("submit", "start"))
        eligible = datetime.fromisoformat(job["eligible"]) if job["eligible"] else submit
        assert submit <= eligible <= start
        waits.setdefault((job["cluster"], job["queue"]), []).append((start - eligible).total_seconds())
    training = sorted(waits["atlas", "batch"])
    assert 600 < training[len(training) // 2] < 4 * 3600 < training[-1] <= 8 * 3600 + 60
    assert all(max(waits[cluster, "serve"]) < 60 for cluster in ("atlas", "borealis", "cedar"))


def test_every_row_is_accepted_without_a_fault(world: Evaluation) -> None:
    for file in world.project.intake:
        assert file.rows_read == file.rows_accepted
        assert {issue.code for issue in file.issues} <= {
            "before_window",
            "clipped",
            "running",
            "quote_needed",
        }


def test_a_cluster_waits_at_twenty_percent_between_training_runs(world: Evaluation) -> None:
    atlas = world.audit.clusters[0]
    assert atlas.non_training_hours > 400
    assert atlas.non_training_utilization == pytest.approx(0.20, abs=0.02)
    assert atlas.stranded_audit is not None
    assert atlas.stranded_metered is not None
    assert atlas.stranded_audit > atlas.stranded_metered > 10_000


def test_every_leak_of_the_list_is_there(world: Evaluation) -> None:
    where = {(leak.code, str(leak.subject).split(":")[0]) for leak in world.audit.leaks}
    assert where >= {
        ("idle_tail", "atlas"),
        ("persistent_dev", "cedar"),
        ("unmaterialised", "atlas-h200"),
        ("peak_provisioned", "atlas"),
        ("failed_work", "atlas"),
        ("contention", "atlas"),
        ("consolidation_premium", "atlas"),
        ("permanent_burst", "cedar"),
    }


def test_contracts_under_forty_percent_and_ending_within_the_year(world: Evaluation) -> None:
    assert [row.contract_id for row in world.audit.contracts if row.below_40_percent] == [
        "atlas-h200",
        "cedar-a100",
    ]
    assert world.advice is not None
    verdicts = {verdict.contract_id: verdict.verdict for verdict in world.advice.verdicts}
    assert verdicts["atlas-h200"] == "let_expire"
    assert set(verdicts.values()) >= {"let_expire", "replace", "shorten"}
    reasons = {order.reason for order in world.advice.orders}
    assert reasons >= {"now", "contract_end", "growth", "bridge", "lead_time", "follows"}


def test_inference_stands_on_training_hardware_today(world: Evaluation) -> None:
    stray = [
        row
        for row in world.audit.workloads
        if row.pool_today is Pool.TRAINING and row.classification.pool is Pool.INFERENCE
    ]
    assert len(stray) >= 5


def test_odd_names_wait_in_review(world: Evaluation) -> None:
    waiting = {card.name for card in world.figures.cards if card.in_review}
    assert {"run-experiment-b", "main-py", "team7-job"} <= waiting
    assert 6 <= len(waiting) <= 20


def test_every_clear_name_is_classified_as_it_was_meant(world: Evaluation) -> None:
    meant = {
        "pretrain": Pool.TRAINING,
        "finetune": Pool.TRAINING,
        "flat": Pool.INFERENCE,
        "wave": Pool.INFERENCE,
        "sweep": Pool.BURST,
        "notebook": Pool.BURST,
        "held": Pool.BURST,
    }
    patterns = {(row["cluster"], row["user"], row["name"]): row["pattern"] for row in workloads()}
    cards = [card for card in world.figures.cards if not card.in_review]
    for card in cards:
        named = [
            pattern
            for (cluster, _, name), pattern in patterns.items()
            if (cluster, name) == (card.cluster, card.name)
        ]
        if named and named[0] in meant:
            assert card.classification.pool is meant[named[0]], card.key


def test_activity_is_measured_on_two_clusters_and_unknown_on_the_third(world: Evaluation) -> None:
    assert [cluster.activity is not None for cluster in world.audit.clusters] == [True, True, False]
    assert ("activity_unknown", "cedar") in {(check.code, check.subject) for check in world.audit.checks}


def test_terms_shorten_going_up_the_slices(world: Evaluation) -> None:
    """Long at the base, short at the margin, on demand on top."""
    assert world.advice is not None
    ladder = [
        term for term, _ in groupby(run.term_months for run in of_pool(world, Pool.INFERENCE, "H100").runs)
    ]
    assert ladder[0] == 36 and ladder[-1] == 0 and len(ladder) >= 3
    for row in world.advice.pools:
        by_slice = [term for term, _ in groupby(run.term_months for run in row.runs)]
        assert all(lower > upper for lower, upper in pairwise(by_slice)), (row.pool, row.gpu_model)


def test_what_follows_the_training_contract_has_terms_of_many_lengths(world: Evaluation) -> None:
    orders = orders_of(world, Pool.TRAINING, "H100")
    terms = {order.term_months for order in orders if order.reason == "contract_end"}
    assert max(terms) >= 12 and min(terms) <= 6  # as long as training lasts


def test_a_bridge_leads_to_what_is_built_to_order(world: Evaluation) -> None:
    orders = orders_of(world, Pool.INFERENCE, "B200")
    (built,) = (order for order in orders if order.reason == "lead_time")
    bridges = [order for order in orders if order.reason == "bridge"]
    assert built.term_months == 36 and built.upfront_per_gpu > 0
    assert built.start_s - built.order_by_s == 4_380 * 3_600
    assert len(bridges) == 6 and all(order.term_months == 1 for order in bridges)
    assert all(order.gpus == built.gpus and order.start_s < built.start_s for order in bridges)
    assert built.gpus % 8 == 0  # sold in nodes


def test_savings_are_those_of_a_good_plan_not_of_a_miracle(world: Evaluation) -> None:
    assert world.advice is not None and world.outlook is not None
    totals = world.advice.totals
    assert totals.savings_percent is not None
    assert 20 <= totals.savings_percent <= 45
    assert totals.savings_vs_do_nothing is not None
    assert totals.savings_vs_do_nothing > 0
    steps = {one.step: one.usd_per_month or 0.0 for one in world.outlook.savings_steps}
    assert steps["terms"] < 0 < steps["separation"] and steps["spot"] < 0


@pytest.mark.long
def test_separating_costs_less_than_leaving_all_as_it_is(world: Evaluation) -> None:
    as_today = add_plan(world.project, "As today", start=AS_TODAY)
    left = evaluate(as_today, "As today", read_tables()).advice
    assert world.advice is not None and left is not None
    assert world.advice.totals.plan < left.totals.plan


def test_bands_were_tried_on_months_that_came(world: Evaluation) -> None:
    assert world.outlook is not None
    band = world.outlook.uncertainty
    assert band.coverage is not None and band.coverage_folds >= 4
    assert band.p10_usd_per_month is not None and band.p90_usd_per_month is not None
    assert band.p90_usd_per_month > 1.02 * band.p10_usd_per_month


@pytest.mark.long
def test_the_backtest_says_that_the_advice_would_have_paid(folder_of_demo_inputs: Path) -> None:
    walked = _walked(folder_of_demo_inputs)
    totals = walked.totals
    assert len(walked.folds) >= 4
    assert all(usd is not None for usd in totals.values())
    assert totals["hindsight"] < totals["advice"] < 1.05 * totals["hindsight"]
    lookbacks = [usd for name, usd in totals.items() if name.startswith("lookback")]
    assert len(lookbacks) == 6
    assert totals["advice"] < 1.01 * min(lookbacks)  # no rule beats the best of six chosen afterwards
    assert totals["advice"] < sum(lookbacks) / 6
    assert totals["advice"] < 0.75 * totals["on_demand"]


def test_its_co2_is_known_of_today_and_of_the_plan(world: Evaluation) -> None:
    """All of it runs in one country: both are its kWh times 0.369 kg."""
    assert world.advice is not None
    for energy in (world.audit.energy, world.advice.energy):
        assert energy.kg_co2_per_month == pytest.approx(0.369 * energy.kwh_per_month)


def test_every_price_says_where_it_comes_from() -> None:
    offers = rows(resource_path("demo/prices.csv"))
    assert all(offer["source"] for offer in offers)
    assert [offer["offer_id"] for offer in offers] == sorted({offer["offer_id"] for offer in offers})
    stated = {offer["offer_id"]: offer["rate_usd_per_gpu_hour"] for offer in offers}
    assert (stated["aws-h100-on-demand"], stated["gcp-h100-on-demand"]) == ("6.88", "11.68")
    assert stated["azure-h100-on-demand"] == "12.29"
    invented = [offer for offer in offers if "2026" not in offer["source"] and offer["rate_usd_per_gpu_hour"]]
    assert all("illustrative" in offer["source"] for offer in invented)


def test_users_sites_and_traffic_have_the_columns_of_their_formats(folder_of_demo_inputs: Path) -> None:
    assert list(rows(folder_of_demo_inputs / "users.csv")[0]) == [
        "city",
        "country",
        "latitude",
        "longitude",
        "users",
    ]
    sites = rows(folder_of_demo_inputs / "sites.csv")
    assert list(sites[0]) == [
        "site_id",
        "city",
        "country",
        "latitude",
        "longitude",
        "usd_per_month",
        "current",
        "grid_kg_co2_per_kwh",
    ]
    assert [site["site_id"] for site in sites if site["current"] == "true"] == ["us-east"]
    traffic = rows(folder_of_demo_inputs / "traffic.csv")
    assert [int(row["hour_of_week"]) for row in traffic] == list(range(168))
    assert all(float(row["requests_per_s"]) > 0 for row in traffic)
