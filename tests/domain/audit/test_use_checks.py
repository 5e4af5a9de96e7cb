"""Checks of use, one rule at a time: low use, overflow, names on one side only, work in review, short logs."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from gpuplanner.domain.audit.log_checks import (
    audit_checks,
    check_activity,
    check_bills_read_before,
    check_clusters_without_contract,
    check_clusters_without_log,
    check_contention,
    check_low_use,
    check_no_contracts,
    check_pending_review,
    check_possible_duplicates,
    check_short_log,
)
from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.cube import TREND_HOURS
from gpuplanner.domain.model.intake import BILLED, FileIntake, Issue, JobFacts
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import Window
from tests.domain.audit.conftest import (
    GPU_HOUR,
    START_S,
    classified,
    make_contract,
    make_project,
    make_workload,
)


def findings(**facts: Any) -> Any:
    return SimpleNamespace(**facts)


def heads(checks: Any) -> list[tuple[str, str, float | None]]:
    return [(check.code, str(check.subject), check.usd_per_month) for check in checks]


def test_low_use_is_named_of_contracts_then_of_clusters() -> None:
    def row(name: str, utilization: float | None, *, is_low: bool) -> Any:
        return SimpleNamespace(
            contract_id=name,
            cluster=name.upper(),
            below_40_percent=is_low,
            utilization=utilization,
            unused_per_month=5.0,
            unallocated_per_month=7.0,
        )

    rows = [row("a", 0.125, is_low=True), row("b", 0.9, is_low=False), row("c", None, is_low=True)]
    checks = [*check_low_use(findings(contracts=rows, clusters=rows))]
    assert heads(checks) == [
        ("below_40", "a", 5.0),
        ("below_40", "c", 5.0),
        ("below_40", "A", 7.0),
        ("below_40", "C", 7.0),
    ]
    shares = [str(check.message.values["utilization"]) for check in checks]  # type: ignore[union-attr]
    assert shares == ["12.5%", "0.0%", "12.5%", "0.0%"]


@pytest.mark.parametrize(
    ("overflow", "paid", "usd", "is_named"),
    [
        (5.0, 9.0, 3.0, True),
        (5.0, 9.0, None, True),
        (0.0, 9.0, None, False),
        (5.0, 0.0, 3.0, False),
        (None, 9.0, 3.0, False),
    ],
)
def test_overflow_is_named_on_clusters_that_hold_gpus(
    overflow: float | None, paid: float, usd: float | None, *, is_named: bool
) -> None:
    cluster = SimpleNamespace(
        cluster="a", overflow_gpu_hours=overflow, paid_gpu_hours=paid, overflow_per_month=usd
    )
    checks = [*check_contention(findings(clusters=[cluster]))]
    assert heads(checks) == ([("contention", "a", usd)] if is_named else [])
    for check in checks:
        assert ("unknown" in str(check.message)) is (usd is None)


@pytest.mark.parametrize(
    ("clusters", "named", "asked", "subjects"),
    [
        (["a", "b"], ["a"], set(), ["b"]),
        (["a", "b"], ["a"], {"b"}, []),
        (["a", "b"], [], set(), []),
        (["a", ""], ["a", "c"], set(), ["jobs without a cluster"]),
    ],
)
def test_clusters_that_no_contract_names(
    clusters: list[str], named: list[str], asked: set[str], subjects: list[str]
) -> None:
    contracts = [SimpleNamespace(cluster=name, is_dollars=False) for name in named]
    project = SimpleNamespace(contracts=contracts, jobs=JobFacts())
    rows = [SimpleNamespace(cluster=name) for name in clusters]
    given = findings(project=project, clusters=rows, asked=SimpleNamespace(clusters=asked))
    checks = [*check_clusters_without_contract(given)]
    assert [str(check.subject) for check in checks] == subjects


def test_work_in_review_is_unsure_unsettled_and_ran_and_is_named_by_cost() -> None:
    """Under 60%: a ($5), c (unknown), d ($9); b is sure enough, e settled, and f has no GPU job."""
    sureness = {"a": 0.5, "b": 0.6, "c": 0.1, "d": 0.59, "e": 0.1, "f": 0.1}
    classes = [
        Classification(
            pool=Pool.BURST,
            subtype="",
            confidence=sure,
            reasons=(),
            runner_up=None,
            source="override" if name == "e" else "rule",
        )
        for name, sure in sureness.items()
    ]
    works = [replace(make_workload(name), gpu_jobs=0 if name == "f" else 1) for name in sureness]
    project = SimpleNamespace(workloads=works, assumptions=Assumptions(review_below=0.6))
    usd = (5.0, 1.0, None, 9.0, 2.0, 3.0)
    given = findings(project=project, classifications=classes, workload_usd_per_month=usd)
    (check,) = check_pending_review(given)
    assert check.usd_per_month is None
    assert str(check.message.values["names"]) == "d, a, c"  # type: ignore[union-attr]
    (known,) = check_pending_review(
        findings(**vars(given) | {"workload_usd_per_month": (5.0, 1.0, 4.0, 9.0, 2.0, 3.0)})
    )
    assert known.usd_per_month == 18.0
    assert not [*check_pending_review(findings(**vars(given) | {"classifications": classes[1:2]}))]


def test_rows_that_look_alike_are_named_by_file() -> None:
    files = [
        FileIntake(
            path=name,
            kind="jobs",
            format="mapped",
            rows_read=9,
            rows_accepted=9,
            rows_rejected=0,
            rows_duplicate=0,
            rows_ignored=0,
            issues=issues,
        )
        for name, issues in (
            ("a.csv", (Issue("other", 1, 2, ""), Issue("possible_duplicate", 3, 4, ""))),
            ("b.csv", ()),
        )
    ]
    (check,) = check_possible_duplicates(findings(project=SimpleNamespace(intake=files)))
    assert check.subject == "a.csv" and str(check.message.values["count"]) == "3"  # type: ignore[union-attr]


@pytest.mark.parametrize(("hours", "is_short"), [(TREND_HOURS - 1, True), (TREND_HOURS, False)])
def test_a_log_is_short(hours: int, *, is_short: bool) -> None:
    given = findings(project=SimpleNamespace(window=Window(START_S, hours)))
    assert bool([*check_short_log(given)]) is is_short


def test_checks_are_listed_from_the_worst_on_by_code_and_subject() -> None:
    project = make_project(
        24,
        [make_workload("w")],
        [(0, 0, 0, GPU_HOUR)],
        [make_contract("k2", 4, None), make_contract("k1", 4, None), make_contract("c", 1, "2", cluster="x")],
    )
    cluster: Any = SimpleNamespace(
        cluster="atlas",
        below_40_percent=True,
        utilization=0.1,
        unallocated_per_month=1.0,
        overflow_gpu_hours=0.0,
        paid_gpu_hours=1.0,
        activity=None,
        used_gpu_hours=1.0,
    )
    asked: Any = SimpleNamespace(questions=(), unlogged=set(), clusters=set())
    given = findings(
        project=project,
        classifications=classified(Pool.BURST),
        clusters=(cluster,),
        contracts=(),
        workload_usd_per_month=(1.0,),
        asked=asked,
        families=None,
    )
    assert [(check.severity, check.code, str(check.subject)) for check in audit_checks(given)] == [
        ("amber", "below_40", "atlas"),
        ("info", "activity_unknown", "atlas"),
        ("info", "quote_needed", "k1"),
        ("info", "quote_needed", "k2"),
        ("info", "short_log", "window"),
    ]


@pytest.mark.parametrize(
    ("activity", "used", "overflow", "is_unknown"),
    [
        (None, 1.0, 0.0, True),
        (None, 0.0, 1.0, True),
        (None, 0.0, 0.0, False),
        (0.5, 1.0, 1.0, False),
        (None, 0.0, None, False),
    ],
)
def test_activity_is_unknown_where_jobs_ran(
    activity: float | None, used: float, overflow: float | None, *, is_unknown: bool
) -> None:
    cluster = SimpleNamespace(
        cluster="a", activity=activity, used_gpu_hours=used, overflow_gpu_hours=overflow
    )
    checks = [*check_activity(SimpleNamespace(clusters=[cluster]))]  # type: ignore[arg-type]
    assert [check.code for check in checks] == (["activity_unknown"] if is_unknown else [])


def test_clusters_that_no_log_names_are_asked_about() -> None:
    """Of contracts without a cluster it may be one of those that the log has.

    Jobs without a cluster may have run there: they are named for the log's file where there are several.
    """
    project = SimpleNamespace(
        intake=[SimpleNamespace(kind="jobs"), SimpleNamespace(kind="contracts")],
        workloads=[SimpleNamespace(cluster=name) for name in ("b", "a", "", "a")],
        contracts=[
            SimpleNamespace(contract_id="k1", cluster=""),
            SimpleNamespace(contract_id="k2", cluster="c"),
        ],
    )
    asked = SimpleNamespace(unlogged={"", "c"})
    nameless, named = check_clusters_without_log(SimpleNamespace(asked=asked, project=project))  # type: ignore[arg-type]
    assert nameless.subject == "" and named.subject == "c"
    text = str(nameless.message)
    assert "k1" in text and "k2" not in text and text.index("=a") < text.index("=b")
    assert "--same cluster:=c" in str(named.message)
    project.intake *= 2
    _, named = check_clusters_without_log(SimpleNamespace(asked=asked, project=project))  # type: ignore[arg-type]
    assert "--cluster FILE=c" in str(named.message)
    project.workloads = project.workloads[:2]
    _, named = check_clusters_without_log(SimpleNamespace(asked=asked, project=project))  # type: ignore[arg-type]
    assert "cluster:c=c" in str(named.message)


@pytest.mark.parametrize(
    ("contracts", "offers", "has_log", "unknown"),
    [
        ((), (), True, "spend, "),
        ((), ("o",), True, "utilization "),
        (("k",), (), True, None),
        ((), (), False, None),
    ],
)
def test_a_log_without_contracts_is_named(
    contracts: tuple[str, ...], offers: tuple[str, ...], *, has_log: bool, unknown: str | None
) -> None:
    project = SimpleNamespace(contracts=contracts, offers=offers, has_log=has_log, has_spend=bool(contracts))
    checks = [*check_no_contracts(findings(project=project))]
    assert heads(checks) == ([("no_contracts", "contracts", None)] if unknown else [])
    assert all(str(check.message).startswith(unknown or "") for check in checks)
    assert all("--contracts" in str(check.message) for check in checks)


@pytest.mark.parametrize(
    ("charged", "jobs", "is_kept", "is_told"),
    [
        ({"USD": {"gpu": 5.0}}, 3, False, True),
        ({"USD": {"gpu": 5.0}}, 3, True, False),
        ({"USD": {"gpu": 5.0}}, 0, False, False),
        ({"USD": {"storage": 5.0}}, 3, False, False),
        (None, 3, False, False),
    ],
)
def test_a_bill_of_an_older_project_is_to_be_read_again(
    charged: dict[str, dict[str, float]] | None, jobs: int, *, is_kept: bool, is_told: bool
) -> None:
    file = FileIntake(
        path="bill.csv",
        kind="jobs",
        format="focus",
        rows_read=3,
        rows_accepted=3,
        rows_rejected=0,
        rows_duplicate=0,
        rows_ignored=0,
        facts=() if charged is None else ((BILLED, charged),),
        jobs_in_window=jobs,
    )
    kept = SimpleNamespace(billed=(1,) if is_kept else ())
    project = SimpleNamespace(intake=(file,), jobs=kept)
    checks = [*check_bills_read_before(findings(project=project))]
    assert heads(checks) == ([("bill_read_before", "bill.csv", None)] if is_told else [])
