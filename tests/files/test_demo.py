"""The demo: the same bytes every time, and every situation it promises is found by the audit and the advice."""

import csv
from functools import cache
from itertools import groupby, pairwise
from pathlib import Path

import pytest

from gpuplanner.domain.evaluation import Evaluation, evaluate
from gpuplanner.domain.model.pool import Pool
from gpuplanner.files.demo import write_demo
from gpuplanner.files.intake import read_inputs
from gpuplanner.files.resources import read_tables, resource_path

NAMES = ["jobs.csv", "contracts.csv", "prices.csv", "users.csv", "sites.csv", "traffic.csv"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("demo")
    assert [written.name for written in write_demo(path)] == NAMES
    return path


@cache
def _evaluated(path: Path) -> Evaluation:
    read = read_inputs([str(path / "jobs.csv")], [str(path / "contracts.csv")], [str(path / "prices.csv")])
    project = read.project()
    return evaluate(project, project.scenarios[0].name, read_tables())


@pytest.fixture
def world(folder: Path) -> Evaluation:
    return _evaluated(folder)


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def test_the_same_bytes_every_time_also_over_older_files(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "jobs.csv").write_text("older and longer\n" * 200_000)
    write_demo(tmp_path)
    write_demo(tmp_path)
    for name in NAMES:
        assert (tmp_path / name).read_bytes() == (folder / name).read_bytes()
    (kept,) = {path.name for path in tmp_path.iterdir()} - set(NAMES)
    assert kept.startswith("jobs.replaced-")
    assert (tmp_path / kept).read_text() == "older and longer\n" * 200_000


def test_its_size_is_a_quarter_of_three_clusters(folder: Path, world: Evaluation) -> None:
    jobs = rows(folder / "jobs.csv")
    assert 28_000 <= len(jobs) <= 32_000
    assert all(job["gpu_model"] and float(job["gpus"]) > 0 for job in jobs)
    assert 140 <= len(world.project.workloads) <= 160
    assert world.project.window.hours == 2160
    assert [cluster.cluster for cluster in world.audit.clusters] == ["atlas", "borealis", "cedar"]
    assert len(world.project.contracts) == 6
    assert len(world.project.offers) >= 12


def test_every_row_is_accepted_without_a_fault(world: Evaluation) -> None:
    for file in world.project.intake:
        assert file.rows_read == file.rows_accepted
        assert {issue.code for issue in file.issues} <= {"clipped", "running", "quote_needed"}


def test_a_cluster_waits_at_twenty_percent_between_training_runs(world: Evaluation) -> None:
    atlas = world.audit.clusters[0]
    assert atlas.non_training_hours > 400
    assert atlas.non_training_utilization == pytest.approx(0.20, abs=0.02)
    assert atlas.stranded_audit_usd_per_month is not None
    assert atlas.stranded_metered_usd_per_month is not None
    assert atlas.stranded_audit_usd_per_month > atlas.stranded_metered_usd_per_month > 10_000


def test_every_leak_of_the_list_is_there(world: Evaluation) -> None:
    where = {(leak.code, leak.subject.split(":")[0]) for leak in world.audit.leaks}
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
    assert "renew" in verdicts.values()
    assert {order.reason for order in world.advice.orders} >= {"now", "contract_end"}


def test_inference_stands_on_training_hardware_today(world: Evaluation) -> None:
    stray = [
        row
        for row in world.audit.workloads
        if row.pool_today is Pool.TRAINING and row.classification.pool is Pool.INFERENCE
    ]
    assert len(stray) >= 5


def test_odd_names_wait_in_review(world: Evaluation) -> None:
    waiting = {card.name for card in world.figures.cards if card.in_review}
    assert {"run-experiment-b", "main-py", "team-job"} <= waiting
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
    patterns = {
        (row["cluster"], row["user"], row["name"]): row["pattern"]
        for row in rows(resource_path("demo/workloads.csv"))
    }
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
    assert world.advice is not None
    (inference,) = (
        row for row in world.advice.pools if (row.pool, row.gpu_model) == (Pool.INFERENCE, "H100")
    )
    terms = [layer.term_months for layer in inference.layers if not layer.existing]
    assert terms[0] == 36
    assert terms[-1] == 0
    for row in world.advice.pools:
        by_slice = [term for term, _ in groupby(run.term_months for run in row.runs)]
        assert all(lower > upper for lower, upper in pairwise(by_slice)), (row.pool, row.gpu_model)


def test_savings_are_those_of_a_good_plan_not_of_a_miracle(world: Evaluation) -> None:
    assert world.advice is not None
    assert world.advice.totals.savings_percent is not None
    assert 20 <= world.advice.totals.savings_percent <= 45
    assert world.advice.totals.savings_vs_do_nothing_usd_per_month is not None
    assert world.advice.totals.savings_vs_do_nothing_usd_per_month > 0


@pytest.mark.parametrize("name", ["demo/prices.csv", "offers.csv"])
def test_every_price_says_where_it_comes_from(name: str) -> None:
    offers = rows(resource_path(name))
    assert all(offer["source"] for offer in offers)
    assert [offer["offer_id"] for offer in offers] == sorted({offer["offer_id"] for offer in offers})
    stated = {offer["offer_id"]: offer["rate_usd_per_gpu_hour"] for offer in offers}
    assert (stated["aws-h100-on-demand"], stated["gcp-h100-on-demand"]) == ("6.88", "11.68")
    assert stated["azure-h100-on-demand"] == "12.29"
    invented = [offer for offer in offers if "2026" not in offer["source"] and offer["rate_usd_per_gpu_hour"]]
    assert all("illustrative" in offer["source"] for offer in invented)


def test_users_sites_and_traffic_have_the_columns_of_their_formats(folder: Path) -> None:
    assert list(rows(folder / "users.csv")[0]) == ["city", "country", "latitude", "longitude", "users"]
    sites = rows(folder / "sites.csv")
    assert list(sites[0]) == [
        "site_id",
        "city",
        "country",
        "latitude",
        "longitude",
        "usd_per_month",
        "current",
    ]
    assert [site["site_id"] for site in sites if site["current"] == "true"] == ["us-east"]
    traffic = rows(folder / "traffic.csv")
    assert [int(row["hour_of_week"]) for row in traffic] == list(range(168))
    assert all(float(row["requests_per_s"]) > 0 for row in traffic)
