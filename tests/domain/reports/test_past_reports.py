"""Tables about the past on rows that are written here: use, energy, clusters, charges, leaks and months."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from gpuplanner.domain.audit.cost_result import ChargeBy
from gpuplanner.domain.audit.energy import CONTRACT, OF_TEAM, OVERFLOW, WORKLOAD
from gpuplanner.domain.audit.result import ClusterAudit
from gpuplanner.domain.commitment.result import EnergyOfPool
from gpuplanner.domain.message import Message
from gpuplanner.domain.model.amounts import part_sum
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.reports import changes, clusters, costs, leaks, mix, report, series, use
from gpuplanner.domain.reports.report import Medium
from tests.domain import worlds
from tests.domain.tables import plain

Row = SimpleNamespace


def use_row(name: str | None = "a", **values: Any) -> Any:
    """100 GPU-hours asked for, of which 30 of 40 that are paid for were used."""
    held = values.pop("held", ())
    given = {
        "name": name,
        "is_all": False,
        "gpu_hours": 100.0,
        "mean_gpus": 2.5,
        "used_gpu_hours": 30.0,
        "paid_gpu_hours": 40.0,
        "overflow_gpu_hours": 70.0,
        "cost_per_month": 9.0,
    }
    return Row(**(given | values), inputs=Row(held=held))


# --- Use

MODELS = use.USES[use.MODELS]
NAME = next(column for column in MODELS.columns if column.tip is not None)


@pytest.mark.parametrize(
    ("values", "lines"),
    [
        ({}, ["a", "100.0 2.5", "30.0 40.0", "70.0"]),
        ({"is_all": True}, ["100.0 2.5", "30.0 40.0", "70.0"]),
        ({"paid_gpu_hours": None}, ["a", "100.0 2.5", "70.0"]),
        ({"paid_gpu_hours": 0.0}, ["a", "100.0 2.5", "30.0 0.0", "70.0"]),
        ({"overflow_gpu_hours": 0.0}, ["a", "100.0 2.5", "30.0 40.0"]),
    ],
)
def test_the_facts_of_a_row_are_what_it_asked_for_used_and_was_not_served(
    values: dict[str, Any], lines: list[str]
) -> None:
    assert NAME.tip is not None
    facts = str(NAME.tip(use_row(**values))).split("\n")
    assert [
        line if line == "a" else " ".join(word for word in line.split() if word[0].isdigit())
        for line in facts
    ] == lines


def test_a_row_without_a_value_says_what_it_lacks() -> None:
    used, cost, even = (
        MODELS.column(key) for key in ("utilization", "cost_per_month", "break_even_utilization")
    )
    paid, unpaid = use_row(), use_row(paid_gpu_hours=0.0)
    committed, by_use = Row(is_committed=True), Row(is_committed=False)
    for column, key in ((used, "used_gpu_hours"), (cost, "cost_per_month")):
        assert column.unknown_of(paid).why == use.USE[key].unknown
        assert column.unknown_of(unpaid).why == use.NO_CAPACITY
    assert even.unknown_of(use_row(held=(committed,))).why == use.USE["break_even_utilization"].unknown
    assert even.unknown_of(use_row()).why == use.NO_CAPACITY
    assert even.unknown_of(use_row(held=(committed, by_use))).why == use.BY_USE
    assert (cost.of(paid), cost.of(unpaid)) == (9.0, None)


def test_several_rows_have_one_under_them() -> None:
    everything = worlds.past().audit.use.everything
    for count, name in ((0, None), (1, None), (2, "2"), (3, "3")):
        of = Row(gpu_models=[use_row()] * count, everything=everything)
        total = MODELS.total_of(Medium.WINDOW, of)
        assert (None if total is None else plain(total.name)) == name
    teams = [use_row(cost_per_month=usd) for usd in (1.0, 2.5)]
    whole = use.USES[use.TEAMS].total_of(Medium.WINDOW, Row(teams=teams, everything=everything))
    assert whole is not None and whole.cost_per_month == 3.5
    assert use.USES[use.TEAMS].total_of(Medium.WINDOW, Row(teams=teams[:1], everything=everything)) is None


def test_teams_are_sorted_by_gpu_hours_and_then_by_name() -> None:
    teams = [use_row("b"), use_row("a"), use_row(None), use_row("z", gpu_hours=200.0)]
    of = Row(teams=teams)
    names = [row.name for row in use.USES[use.TEAMS].rows_in(Medium.WINDOW, of)]
    assert names == ["z", None, "a", "b"]


# --- Energy


def energy_row(name: str, kwh: float | None = 1.0, kind: str = WORKLOAD, **values: Any) -> Any:
    return Row(name=name, kind=kind, kwh_per_month=kwh, kg_co2_per_month=None, called="", **values)


@pytest.mark.parametrize(
    ("kind", "names", "is_sorted"),
    [
        (CONTRACT, ["contract_id", "name", "kwh_per_month", "kg_co2_per_month", "peak_kw"], False),
        (WORKLOAD, ["key", "name", "team", "kwh_per_month", "kg_co2_per_month"], True),
        (OF_TEAM, ["team", "name", "kwh_per_month", "kg_co2_per_month"], True),
    ],
)
def test_energy_of_contracts_has_a_peak_and_a_total_and_that_of_others_an_order(
    kind: str, names: list[str], is_sorted: bool
) -> None:
    rows = [
        energy_row("b"),
        energy_row("a"),
        energy_row("n", None),
        energy_row("c", 2.0),
        energy_row("m", 0.5),
    ]
    table = use.build_use_report(kind, "Energy", Message("Name"), lambda of: rows)
    assert [column.name for column in table.columns] == names
    for medium in (Medium.WINDOW, Medium.TERMINAL):
        listed = [row.name for row in table.rows_in(medium, None)]
        assert listed == (["c", "a", "b", "m", "n"] if is_sorted else ["b", "a", "n", "c", "m"])
    of = Row(energy=Row(kwh_per_month=5.0, kg_co2_per_month=None, peak_kw=3.0))
    total = table.total_of(Medium.WINDOW, of)
    assert (None if total is None else (total.kwh_per_month, total.peak_kw)) == (
        None if is_sorted else (5.0, 3.0)
    )


def test_a_row_of_energy_has_a_key_but_for_all_of_it() -> None:
    total = use.EnergyTotal("All", 5.0, None, 3.0)
    row: Any = energy_row("k1", kind=CONTRACT)
    assert (use.row_key(total), use.row_key(row)) == ("", f"{CONTRACT}\tk1")
    name = use.ENERGY_OF_CONTRACTS.column("name")
    assert name.of(total) == "All" and name.of(row) == "k1"
    assert plain(name.of(energy_row("atlas", kind=OVERFLOW))) == "atlas"
    assert "no cluster" in str(name.of(energy_row("", kind=OVERFLOW)))
    peak = use.ENERGY_OF_CONTRACTS.column("peak_kw")
    assert (peak.of(total), peak.of(row)) == (3.0, None)
    assert peak.unknown_of(row).text == "" != peak.unknown_of(total).text


def test_energy_of_a_plan_is_by_pool_and_what_stands_idle_has_no_hour_of_its_own() -> None:
    total = use.EnergyTotal("Plan", 5.0, None, None)
    pool, idle = (EnergyOfPool(of, 1.0, None, None) for of in (Pool.TRAINING, None))
    table = use.ENERGY_OF_PLAN
    assert [table.key(row) for row in (total, pool, idle)] == ["", "training", use.IDLE]
    assert [plain(table.column("name").of(row)) for row in (total, pool)] == ["Plan", "Training"]
    peak = table.column("peak_kw")
    assert [peak.unknown_of(row).text == "" for row in (total, pool, idle)] == [False, False, True]
    assert peak.unknown_of(pool).why == peak.unknown_of(total).why == use.PLAN_ENERGY["peak_kw"].unknown


# --- Clusters


def test_contracts_in_force_are_said_where_they_cost_other_than_the_window() -> None:
    """K1, K2 and K3 cost $18,250 a month as plans begin."""
    project = worlds.plan().project
    for paid, now in (
        ((18_250.0,), None),
        ((18_000.0, 250.4), None),
        ((18_000.0,), 18_250.0),
        ((None,), None),
    ):
        audit: Any = Row(clusters=[Row(cost_per_month=usd) for usd in paid])
        assert clusters.in_force_now(audit, project) == now
    unpriced = worlds.unpriced().project
    assert clusters.in_force_now(Row(clusters=[Row(cost_per_month=1.0)]), unpriced) is None  # type: ignore[arg-type]


def cluster_row(name: str, **values: Any) -> Any:
    given = {
        "used_gpu_hours": 10.0,
        "paid_gpu_hours": 20.0,
        "mean_paid_gpus": 2.0,
        "cost_per_month": 5.0,
        "stranded_audit": None,
        "stranded_metered": 1.0,
    }
    return Row(cluster=name, **(given | values))


def total_of(*rows: Any, utilization: float | None = 0.5) -> Any:
    audit = Row(
        clusters=rows,
        effective_utilization=utilization,
        paid_parts=part_sum((row.cluster, row.cost_per_month) for row in rows),
    )
    return clusters.clusters_total(audit)  # type: ignore[arg-type]


def test_several_clusters_add_up_and_one_needs_no_total() -> None:
    assert total_of(cluster_row("a")) is None
    total = total_of(cluster_row("a"), cluster_row("b", used_gpu_hours=0.0, paid_gpu_hours=5.0))
    assert (total.used_gpu_hours, total.paid_gpu_hours, total.mean_paid_gpus) == (10.0, 25.0, 4.0)
    assert total.utilization == 0.5 and total.cost_per_month.total == 10.0
    three = total_of(*map(cluster_row, "abc"))
    assert three.used_gpu_hours == 30.0


def test_what_clusters_used_is_unknown_where_one_does_not_know_or_nothing_ran() -> None:
    unknown = cluster_row("b", used_gpu_hours=None)
    assert total_of(cluster_row("a"), unknown).used_gpu_hours is None
    assert total_of(cluster_row("a"), unknown, utilization=None).used_gpu_hours is None
    assert total_of(cluster_row("a"), cluster_row("b"), utilization=None).used_gpu_hours is None


def test_without_contracts_it_is_unknown_what_clusters_are_paid() -> None:
    total = total_of(*(cluster_row(name, paid_gpu_hours=0.0) for name in "ab"))
    assert (total.paid_gpu_hours, total.mean_paid_gpus, total.cost_per_month) == (None, None, None)


def test_clusters_and_contracts_are_sorted_by_what_they_cost() -> None:
    rows = [
        cluster_row(name, cost_per_month=usd)
        for name, usd in (("d", 0.5), ("c", None), ("b", -0.5), ("a", 2.0))
    ]
    about: Any = Row(clusters=rows, contracts=())
    assert [row.cluster for row in clusters.CLUSTERS.rows_in(Medium.BRIEF, about)] == ["a", "d", "c", "b"]
    held = [
        Row(contract_id=name, unused_per_month=usd, below_40_percent=is_low)
        for name, usd, is_low in (("d", 0.5, False), ("c", None, False), ("a", 2.0, False), ("b", None, True))
    ]
    about = Row(contracts=held)
    assert [row.contract_id for row in clusters.CONTRACTS.rows_in(Medium.BRIEF, about)] == [
        "a",
        "d",
        "b",
        "c",
    ]
    assert [row.contract_id for row in clusters.CONTRACTS.rows_in(Medium.WINDOW, about)] == [
        "b",
        "a",
        "d",
        "c",
    ]


def test_a_cluster_knows_of_its_cost_what_contracts_with_a_rate_are_paid() -> None:
    cost = [column for column in clusters.CLUSTERS.columns if column.unknown is not None]
    (own,) = worlds.past().audit.clusters[:1]
    assert isinstance(own, ClusterAudit)
    assert cost[0].unknown_of(own).known is own.inputs.paid_parts
    total = total_of(cluster_row("a"), cluster_row("b"))
    assert cost[0].unknown_of(total).known == part_sum(())


@pytest.mark.parametrize(
    ("few", "training", "paid", "is_listed"),
    [
        (199, 3800, 1.0, True),
        (200, 3800, 1.0, False),
        (199, 3800, 0.0, False),
        (0, 100, 1.0, False),
        (167, 168, 1.0, True),
        (167, 167, 1.0, False),
    ],
)
def test_hours_without_training_are_few_below_a_twentieth_or_below_a_week_and_half(
    few: int, training: int, paid: float, is_listed: bool
) -> None:
    row: Any = Row(cluster="a", non_training_hours=few, training_hours=training, paid_gpu_hours=paid)
    assert bool(str(clusters.few_hours_words([row]))) is is_listed


# --- Charges


def charge(name: str | None, usd: float | None, *, is_nobodys: bool = False, **values: Any) -> Any:
    return Row(name=name, total_in_window=usd, is_nobodys=is_nobodys, **values)


def test_charges_are_sorted_by_what_is_charged_and_nobodys_are_last() -> None:
    rows = [
        charge("n", None),
        charge(None, 9.0, is_nobodys=True),
        charge("b", 0.5),
        charge("a", 0.5),
        charge("", 0.5),
        charge("c", 0.0),
        charge("d", 2.0),
        charge(None, 0.5),
    ]
    for table in (costs.CHARGES[ChargeBy.WORKLOAD], costs.BUDGETED):
        names = [row.name for row in table.rows_in(Medium.WINDOW, Row(rows=rows))]
        assert names == ["d", "", None, "a", "b", "c", "n", None]
    parts = [
        Row(key=key, cluster="", total_in_window=usd)
        for key, usd in (("n", None), ("c", 0.5), ("a", 0.0), ("b", 2.0))
    ]
    order: Any = costs.STATEMENT.rows_in(Medium.BRIEF, Row(parts=parts))
    assert [part.key for part in order] == ["b", "c", "a", "n"]


@pytest.mark.parametrize("by", ChargeBy)
@pytest.mark.parametrize("has_budgets", [False, True])
def test_a_table_of_charges_has_budgets_or_whose_they_are(by: ChargeBy, has_budgets: bool) -> None:
    table, of_teams = costs.build_chargeback_report(by, has_budgets=has_budgets), by is ChargeBy.TEAM
    names = {column.name for column in table.columns}
    assert ("whose" in names, set(costs.BUDGET) <= names) == (not of_teams, has_budgets)
    assert (Medium.TERMINAL in table.limits, table.adds_up) == (not of_teams, of_teams)


def test_a_charge_in_a_document_is_named_as_work_and_its_team_are() -> None:
    team, name = (costs.OF_ASKED[at] for at in (0, 2))
    assert [team.of(Row(team=of)) for of in (None, "", "ops")] == [None, costs.CALLED_NOBODY, "ops"]
    rows = (charge("a", 1.0), charge(None, 1.0), charge(None, 1.0, is_nobodys=True))
    assert [name.of(row) for row in rows] == ["a", None, costs.CALLED_NOBODY]


def test_the_last_second_of_a_run_is_the_one_before_its_end() -> None:
    ends = [column for column in costs.RUNS.columns if column.name == "end"]
    assert sorted(column.of(Row(end_s=100)) for column in ends) == [99, 100]


# --- Leaks


def leak_row(*parts: tuple[str, float | None], subject: str = "x" * 200, usd: float | None = 1.0) -> Any:
    leak = Row(
        subject=subject,
        parts=[Row(id=name, leaked_per_month=of) for name, of in parts],
        cluster="atlas",
        counted_per_month=usd,
        leak_id=subject,
    )
    return Row(leak=leak, names={"a": "Alpha"})


WHERE = next(column for column in leaks.LEAKS.columns_in(Medium.BRIEF) if column.name == "where")


def test_a_long_place_of_a_leak_is_its_most_expensive_part_and_how_many_more() -> None:
    assert plain(WHERE.of(leak_row(("b", 1.0), ("a", 2.0), ("c", None)))) == "atlas Alpha 2"
    assert plain(WHERE.of(leak_row(("b", None), ("a", 0.5)))) == "atlas Alpha 1"
    assert plain(WHERE.of(leak_row(("b", 3.0), ("a", 2.0)))) == "atlas b 1"
    longest = "x" * leaks.LONGEST_WHERE
    for row in (leak_row(("b", 1.0)), leak_row(("b", 1.0), ("a", 1.0), subject=longest)):
        assert WHERE.of(row) == row.leak.subject
    assert WHERE.of(leak_row(("b", 1.0), ("a", 1.0), subject=longest + "x")) != longest + "x"


def test_leaks_are_sorted_by_what_they_count() -> None:
    rows = [
        leak_row(subject=name, usd=usd) for name, usd in (("c", 0.5), ("b", None), ("a", -0.5), ("d", 2.0))
    ]
    table = replace(leaks.LEAKS, rows=lambda of: rows)
    assert [row.leak.leak_id for row in table.rows_in(Medium.BRIEF, None)] == ["d", "c", "b", "a"]


# --- Months and days


@pytest.mark.parametrize("pool", Pool)
def test_a_brief_has_of_classes_the_dollars_of_inference(pool: Pool) -> None:
    hours, usd = series.build_share_columns(pool)
    assert hours.media == series.READ - report.BRIEF
    assert (Medium.BRIEF in usd.media) is (pool is Pool.INFERENCE)
    assert usd.media | report.BRIEF == series.READ and Medium.WINDOW in usd.media


def test_a_day_is_of_a_class_or_of_what_it_is_named() -> None:
    assert str(mix.write_class_or_name(Row(by="class", name="training"))) == "Training"  # type: ignore[arg-type]
    assert mix.write_class_or_name(Row(by="cluster", name="training")) == "training"  # type: ignore[arg-type]


# --- What changed between two periods


def test_workloads_behind_a_change_are_sorted_by_their_dollars_either_way() -> None:
    parts = [
        Row(key=key, cluster="c", volume_per_month=usd, gpu_hours_per_month=hours)
        for key, usd, hours in (
            ("a", None, 5.0),
            ("b", -3.0, 1.0),
            ("c", 2.0, 1.0),
            ("d", 0.5, 1.0),
            ("e", None, -7.0),
            ("f", 0.0, 6.0),
        )
    ]
    of: Any = [Row(workloads=parts)]
    listed = changes.WORKLOAD_PARTS.rows_in(Medium.WINDOW, of)
    assert [part.key for part in listed] == ["b", "c", "d", "e", "f", "a"][: len(listed)] and len(listed) >= 5


def test_a_cluster_that_changed_has_a_key_and_all_of_them_none() -> None:
    (row,) = worlds.evidence_of_costs().variance.clusters[:1]
    total = changes.AllClusters(
        cost_before=1.0,
        volume_per_month=None,
        efficiency_per_month=None,
        price_per_month=None,
        cost_after=2.0,
    )
    assert (changes.CHANGES.key(row), changes.CHANGES.key(total)) == ("atlas", "")
