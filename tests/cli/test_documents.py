"""The JSON documents: the fields that scripts use are there, of its kind, in its order."""

from collections.abc import Mapping
from typing import Any

import pytest

from tests.some_of import one_in

JOBS = """job_id,cluster,name,account,gpu_model,gpus,nodes,start,end,state,class
1,atlas,pretrain,ml,H100,8,2,2026-01-01T00:00:00Z,2026-01-11T12:30:00Z,COMPLETED,training
2,atlas,chat,web,h100,2,1,2026-01-01T00:00:00Z,2026-02-01T00:00:00Z,COMPLETED,inference
3,birch,sweep,ml,A100,1,1,2026-01-05T00:00:00Z,2026-01-06T00:00:00Z,FAILED,burst
"""
CONTRACTS = """contract_id,cluster,gpu_model,gpus,rate_usd_per_gpu_hour,start,end,pricing_category,term_months
b2,atlas,H100,4,2.75,2025-06-01,2026-06-01,COMMITTED,12
a1,atlas,H100,4,2.50,2025-06-01,,COMMITTED,36
"""
PRICES = """offer_id,gpu_model,pricing_category,term_months,rate_usd_per_gpu_hour
od,H100,STANDARD,0,6.88
od2,A100,STANDARD,0,4.00
y1,H100,COMMITTED,12,2.75
"""

TEXT, NUMBER, WHOLE, FLAG = (str,), (int, float), (int,), (bool,)
NONE = (type(None),)

FILE = {
    "path": TEXT, "kind": TEXT, "format": TEXT, "rows_read": WHOLE, "rows_accepted": WHOLE, "rows_rejected": WHOLE,
    "rows_duplicate": WHOLE, "rows_ignored": WHOLE,
    "issues": [{"code": TEXT, "count": WHOLE, "first_row": WHOLE + NONE, "message": TEXT}],
}  # fmt: skip
REDUCE: dict[str, Any] = {
    "schema": TEXT,
    "command": TEXT,
    "version": TEXT,
    "intake": {"files": [FILE]},
    "window": {"start": TEXT, "end": TEXT, "hours": WHOLE, "timezone": TEXT},
    "jobs": {
        "count": WHOLE, "gpu_jobs": WHOLE, "gpu_hours": NUMBER, "peak_gpus": NUMBER, "first_start": TEXT,
        "last_end": TEXT, "clipped": WHOLE,
    },
    "cube": {"workloads": WHOLE, "hours": WHOLE, "milli_gpu_seconds": WHOLE, "sha256": TEXT},
}  # fmt: skip
CLASS = {"workloads": WHOLE, "jobs": WHOLE, "gpu_hours": NUMBER, "share": NUMBER}
UNKNOWN_OR_NUMBER = NUMBER + NONE
AUDIT: dict[str, Any] = REDUCE | {
    "classes": {"training": CLASS, "inference": CLASS, "burst": CLASS},
    "workloads": [{
        "key": TEXT, "name": TEXT, "cluster": TEXT, "class": TEXT, "subtype": TEXT, "confidence": NUMBER,
        "reasons": [TEXT], "runner_up": TEXT, "pool": TEXT, "jobs": WHOLE, "gpu_hours": NUMBER, "peak_gpus": NUMBER,
        "usd_per_month": UNKNOWN_OR_NUMBER, "plan_usd_per_month": UNKNOWN_OR_NUMBER,
    }],
    "clusters": [{
        "cluster": TEXT, "capacity_gpu_hours": NUMBER, "used_gpu_hours": NUMBER, "utilization": UNKNOWN_OR_NUMBER,
        "activity": UNKNOWN_OR_NUMBER, "training_hours": WHOLE, "non_training_hours": WHOLE,
        "non_training_utilization": UNKNOWN_OR_NUMBER, "cost_usd_per_month": NUMBER, "overflow_gpu_hours": NUMBER,
        "below_40_percent": FLAG, "paid_usd": NUMBER, "useful_usd": UNKNOWN_OR_NUMBER,
        "allocated_idle_usd": UNKNOWN_OR_NUMBER, "allocated_usd": NUMBER, "unallocated_usd": NUMBER,
        "stranded": {"audit_usd_per_month": UNKNOWN_OR_NUMBER, "metered_usd_per_month": UNKNOWN_OR_NUMBER},
    }],
    "contracts": [{
        "contract_id": TEXT, "cluster": TEXT, "provider": TEXT + NONE, "gpus": NUMBER, "committed_gpu_hours": NUMBER,
        "used_gpu_hours": NUMBER, "utilization": UNKNOWN_OR_NUMBER, "below_40_percent": FLAG,
        "break_even_utilization": UNKNOWN_OR_NUMBER, "unused_usd_per_month": UNKNOWN_OR_NUMBER,
    }],
    "leaks": [{
        "code": TEXT, "subject": TEXT, "gpu_hours": NUMBER, "usd_per_month": UNKNOWN_OR_NUMBER, "action": TEXT,
        "leak_id": TEXT, "cluster": TEXT, "counted_gpu_hours": NUMBER, "counted_usd_per_month": UNKNOWN_OR_NUMBER,
        "parts": [{
            "kind": TEXT, "id": TEXT, "gpu_hours": NUMBER, "usd_per_month": UNKNOWN_OR_NUMBER,
            "counted_gpu_hours": NUMBER, "counted_usd_per_month": UNKNOWN_OR_NUMBER,
        }],
    }],
    "checks": [{"code": TEXT, "severity": TEXT, "subject": TEXT, "message": TEXT, "usd_per_month": UNKNOWN_OR_NUMBER}],
}  # fmt: skip
TOTALS = (
    "current_usd_per_month", "do_nothing_usd_per_month", "plan_usd_per_month", "savings_usd_per_month",
    "savings_percent",
    "savings_vs_do_nothing_usd_per_month", "on_demand_equivalent_usd_per_month", "effective_savings_rate",
    "effective_utilization_now", "effective_utilization_plan", "unused_now_usd_per_month", "unused_plan_usd_per_month",
    "lock_in_now_months", "lock_in_months", "cost_of_separation_usd_per_month",
)  # fmt: skip
PLAN: dict[str, Any] = AUDIT | {
    "pools": [{
        "pool": TEXT, "gpu_model": TEXT, "gpu_hours": NUMBER, "mean_gpus": NUMBER, "p95_gpus": NUMBER,
        "peak_gpus": NUMBER, "growth": NUMBER, "sigma": NUMBER, "sigma_source": TEXT,
        "layers": [{
            "existing": FLAG, "pricing_category": TEXT, "term_months": WHOLE + NONE, "offer_id": TEXT + NONE,
            "gpus": NUMBER, "rate_usd_per_gpu_hour": NUMBER, "utilization": NUMBER, "usd_per_month": NUMBER,
            "spot_share": NUMBER,
        }],
        "break_even": [{"term_months": WHOLE, "offer_id": TEXT, "utilization": NUMBER}],
        "usd_per_month": NUMBER,
    }],
    "idle_existing": [{"gpu_model": TEXT, "gpus": NUMBER, "usd_per_month": NUMBER}],
    "orders": [{
        "pool": TEXT, "gpu_model": TEXT, "offer_id": TEXT, "term_months": WHOLE, "gpus": NUMBER, "start": TEXT,
        "order_by": TEXT, "reason": TEXT,
    }],
    "contract_verdicts": [{
        "contract_id": TEXT, "verdict": TEXT, "then_term_months": WHOLE, "gpus": NUMBER, "order_by": TEXT + NONE,
        "reason": TEXT,
    }],
    "totals": dict.fromkeys(TOTALS, NUMBER),
    "comparison": [{"month": WHOLE, "start": TEXT, "do_nothing_usd": NUMBER, "plan_usd": NUMBER}],
    "uncertainty": {
        "p10_usd_per_month": NUMBER, "p50_usd_per_month": NUMBER, "p90_usd_per_month": NUMBER,
        "regret_p50_usd_per_month": NUMBER, "regret_p90_usd_per_month": NUMBER, "year_p10_usd": NUMBER,
        "year_p90_usd": NUMBER, "coverage": UNKNOWN_OR_NUMBER, "coverage_folds": WHOLE,
        "resamples": WHOLE, "seed": WHOLE,
    },
}  # fmt: skip


def is_as(value: Any, shape: Any, where: str) -> None:
    """Fails where a field is missing or of another kind; more fields than the shape names are fine."""
    if isinstance(shape, Mapping):
        for name, inner in shape.items():
            assert name in value, f"{where} has no {name}"
            is_as(value[name], inner, f"{where}.{name}")
    elif isinstance(shape, list):
        for number, item in enumerate(value):
            is_as(item, shape[0], f"{where}[{number}]")
    else:
        assert isinstance(value, shape) and (FLAG[0] in shape or not isinstance(value, bool)), (
            f"{where}: {value!r}"
        )


@pytest.fixture
def options(put) -> list[str]:
    texts = {"jobs": JOBS, "contracts": CONTRACTS, "prices": PRICES}
    return [word for name, text in texts.items() for word in (f"--{name}", put(f"{name}.csv", text))]


@pytest.mark.long
@pytest.mark.parametrize(
    ("command", "shape"), one_in(2, [("reduce", REDUCE), ("audit", AUDIT), ("plan", PLAN)])
)
def test_every_field_is_there_and_of_its_kind(
    call, options: list[str], command: str, shape: dict[str, Any]
) -> None:
    document = call(command, *(options[:2] if command == "reduce" else options)).document
    is_as(document, shape, command)
    assert list(document)[:3] == ["schema", "command", "version"]
    assert (document["schema"], document["command"]) == ("gpuplanner/1", command)


def test_arrays_are_sorted_and_hold_what_they_should(call, options: list[str]) -> None:
    document = call("plan", *options).document
    assert [file["kind"] for file in document["intake"]["files"]] == ["jobs", "contracts", "prices"]
    assert [file["path"] for file in document["intake"]["files"]] == options[1::2]
    for name, key in (
        ("workloads", "key"),
        ("clusters", "cluster"),
        ("contracts", "contract_id"),
        ("contract_verdicts", "contract_id"),
    ):
        ids = [row[key] for row in document[name]]
        assert ids and ids == sorted(ids)
    assert [len(row["reasons"]) for row in document["workloads"]] == [3, 3, 3]
    assert {row["gpu_model"] for row in document["pools"]} == {"A100", "H100"}  # h100 is H100
    for pool in document["pools"]:
        order = [(not layer["existing"], -(layer["term_months"] or 0)) for layer in pool["layers"]]
        assert order == sorted(order) and all(layer["gpus"] > 0 for layer in pool["layers"])
        for layer in pool["layers"]:
            assert (layer["term_months"] is None and layer["offer_id"] is None) == layer["existing"]
    assert [row["month"] for row in document["comparison"]] == list(range(12))
    assert document["comparison"][1]["start"] == "2026-03-03T10:00:00Z"  # 730 h after the window
    assert document["uncertainty"]["resamples"] == 500


def test_check_says_what_a_file_holds(call, options: list[str]) -> None:
    document = call("check", *options[1::2]).document
    is_as(document["files"], [FILE | {"facts": {}, "reconciliation": []}], "check.files")
    jobs, contracts, prices = (file["facts"] for file in document["files"])
    assert (jobs["jobs"], jobs["gpu_hours"]) == (3, 8 * 252.5 + 2 * 744 + 24)
    assert (contracts["gpus"], contracts["usd_per_month"]) == (8, pytest.approx(4 * 730 * 5.25))
    assert (prices["offers"], prices["highest_rate_usd_per_gpu_hour"]) == (3, 6.88)


def test_a_window_without_jobs_is_an_idle_cluster(call, options: list[str]) -> None:
    said = call("plan", *options, "--start", "2026-03-01", "--end", "2026-03-11")
    document = said.document
    assert said.status == 0
    assert document["jobs"] == {
        "count": 0, "gpu_jobs": 0, "gpu_hours": 0, "peak_gpus": 0, "first_start": None, "last_end": None, "clipped": 0,
    }  # fmt: skip
    (cluster,) = document["clusters"]
    assert (cluster["utilization"], cluster["below_40_percent"]) == (0, True)
    assert cluster["unallocated_usd"] == pytest.approx(cluster["paid_usd"]) == pytest.approx(4 * 240 * 5.25)
    assert [row["share"] for row in document["classes"].values()] == [None] * 3
    totals = document["totals"]
    assert (
        totals["plan_usd_per_month"]
        == pytest.approx(4 * 730 * 5.25)
        == pytest.approx(totals["current_usd_per_month"])
    )
    assert totals["effective_savings_rate"] is None  # nothing to compare with


def test_contracts_outside_the_window_are_listed_without_hours(call, put, options: list[str]) -> None:
    late = CONTRACTS + "z9,birch,A100,4,1,2027-01-01,,,\n"
    document = call("audit", *options[:2], "--contracts", put("late.csv", late)).document
    row = document["contracts"][-1]
    assert (row["contract_id"], row["committed_gpu_hours"], row["used_gpu_hours"]) == ("z9", 0, 0)
    assert (row["utilization"], row["below_40_percent"], row["break_even_utilization"]) == (None, False, None)
    assert {row["cluster"]: row["utilization"] for row in document["clusters"]}["birch"] is None
    assert [row["plan_usd_per_month"] for row in document["workloads"]] == [None] * 3  # an audit has no plan


def test_nothing_to_do_prints_its_document_and_says_why(call, put, options: list[str]) -> None:
    header_only = call("plan", "--jobs", put("none.csv", "job_id,gpus,start,end\n"))
    assert header_only.status == 1
    assert (
        header_only.document["window"] is None
        and header_only.document["intake"]["files"][0]["rows_read"] == 0
    )
