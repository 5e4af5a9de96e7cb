"""Use of the window in the audit's JSON and table: bridges that add up, unknown as null, whole weeks."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.cli.audit_tables import whole_bridges
from gpuplanner.cli.tables import dollars
from gpuplanner.domain.audit.spend.stranded import NOTHING_KNOWN, StrandedBridge, total_bridge
from gpuplanner.domain.figures.writing import UNKNOWN

JOBS = """job_id,cluster,name,account,gpu_model,gpus,start,end,state,class,gpu_activity_percent
1,atlas,llm,red,H100,8,2026-07-06T00:00:00Z,2026-07-06T04:00:00Z,COMPLETED,training,50
2,atlas,chat,blue,H100,3,2026-07-06T04:00:00Z,2026-07-06T10:00:00Z,COMPLETED,inference,90
3,cedar,etl,blue,A100,2,2026-07-06T00:00:00Z,2026-07-06T01:00:00Z,COMPLETED,burst,
"""
CONTRACTS = """contract_id,cluster,gpu_model,gpus,rate_usd_per_gpu_hour,start,end,pricing_category
k,atlas,H100,10,2.00,2026-01-01,2027-01-01,COMMITTED
m,cedar,A100,1,1.00,2026-01-01,2027-01-01,COMMITTED
"""
AMOUNT = 730 / 10 * 2  # $ a month of one GPU-hour of atlas in a window of 10 h


@pytest.fixture
def options(put) -> list[str]:
    return [
        "--jobs", put("jobs.csv", JOBS), "--contracts", put("contracts.csv", CONTRACTS),
        "--start", "2026-07-06", "--end", "2026-07-06T10:00:00Z",
    ]  # fmt: skip


@pytest.mark.long
def test_the_bridge_of_each_cluster_and_of_all_in_cents(call, options) -> None:
    document = call("audit", *options).document
    atlas, cedar = (row["bridge"] for row in document["clusters"])
    assert atlas == {
        "paid_usd_per_month": pytest.approx(100 * AMOUNT),
        "served_usd_per_month": pytest.approx(50 * AMOUNT),
        "idle_while_training_usd_per_month": pytest.approx(8 * AMOUNT),
        "metered_usd_per_month": pytest.approx(42 * AMOUNT),
        "scaled_usd_per_month": pytest.approx(28 * AMOUNT),
        "audit_usd_per_month": pytest.approx(70 * AMOUNT),
    }
    assert document["bridge"] == {name: pytest.approx(atlas[name] + cedar[name]) for name in atlas}


def test_weeks_are_seven_days_of_24_hours_and_null_where_nothing_is_known(call, options) -> None:
    document = call("audit", *options).document
    atlas = document["clusters"][0]
    for week in (document["hours_of_week"], atlas["hours_of_week"]):
        assert [len(day) for day in week] == [24] * 7
    assert atlas["hours_of_week"][0] == [0.8] * 4 + [0.3] * 6 + [None] * 14  # 6 July 2026 is a Monday
    assert atlas["hours_of_week"][1:] == [[None] * 24] * 6
    assert "NaN" not in json.dumps(document)


def test_contended_hours_of_each_cluster(call, options) -> None:
    atlas, cedar = call("audit", *options).document["clusters"]
    assert (atlas["contention_hours"], atlas["contention_gpu_hours"]) == (0, 0)
    assert (cedar["contention_hours"], cedar["contention_gpu_hours"]) == (1, 1)
    assert (cedar["training_beside_inference_hours"], cedar["training_beside_inference"]) == (0, [])


def test_models_teams_and_contracts(call, options) -> None:
    document = call("audit", *options).document
    a100, h100 = document["by_gpu_model"]
    assert (a100["gpu_model"], a100["gpu_hours"], a100["overflow_gpu_hours"]) == ("A100", 2, 1)
    assert (a100["activity"], h100["activity"]) == (None, pytest.approx((32 * 0.5 + 18 * 0.9) / 50))
    assert (a100["utilization"], a100["below_40_percent"]) == (0.1, True)
    assert (h100["utilization"], h100["break_even_utilization"]) == (0.5, None)
    blue, red = document["by_team"]
    assert (blue["team"], blue["gpu_hours"], blue["activity"]) == ("blue", 20, None)
    assert (red["share"], red["mean_gpus"], red["activity"]) == (pytest.approx(32 / 52), 3.2, 0.5)
    assert red["mean_gpus_by_hour_of_week"][0][:5] == [8, 8, 8, 8, 0]
    assert document["contracts"][0]["activity"] == h100["activity"]
    assert document["contracts"][0]["cost_usd_per_month"] == pytest.approx(100 * AMOUNT)


def test_the_table_says_it_too(call, options) -> None:
    text = call("audit", *options, text=True).out
    for heading in (
        "From the bill to stranded spend",
        "Contended hours",
        "GPU models",
        "Teams",
        "Utilization by weekday",
    ):
        assert heading in text
    assert "Mon 82 73 73 73 27 27 27 27 27 27" in text  # of both clusters


def test_nothing_is_never_minus_nothing() -> None:
    assert (dollars(-0.0), dollars(-0.4), dollars(-0.6)) == ("0", "0", "\u22121")


SHARES = st.tuples(*(st.floats(0, 1) for _ in range(4)), st.floats(0, 1e6))


def bridge_of(shares: tuple[float, ...]) -> StrandedBridge:
    """A bridge whose parts are shares of what is paid; served + idle + metered = paid."""
    served, busy, _, audit, paid = shares
    left = paid * (1 - served)
    metered = left * (1 - busy)
    return StrandedBridge(
        cost_per_month=paid,
        allocated_per_month=paid * served,
        idle_while_training=left - metered,
        stranded_metered=metered,
        scaled_to_all_hours=paid * audit - metered,
        stranded_audit=paid * audit,
    )


@given(st.lists(SHARES, min_size=1, max_size=6))
def test_whole_dollars_of_the_bridge_add_up_along_rows_and_down_columns(found) -> None:
    bridges = [bridge_of(shares) for shares in found]
    names = ("cost_per_month", "allocated_per_month", "stranded_metered", "stranded_audit")
    total = total_bridge(bridges)
    rows = [
        [int(cell.replace(",", "").replace("\u2212", "-")) for cell in row]
        for row in whole_bridges(bridges, total)
    ]
    for paid, served, idle, metered, scaled, audit in rows:
        assert paid + served + idle == metered
        assert metered + scaled == audit
    assert [sum(column) for column in zip(*rows[:-1], strict=True)] == rows[-1]
    for name, whole in zip(names, (rows[-1][0], -rows[-1][1], rows[-1][3], rows[-1][5]), strict=True):
        assert abs(whole - getattr(total, name)) <= 1


def test_a_bridge_of_unknown_amounts_is_dashes() -> None:
    none = NOTHING_KNOWN
    assert set(whole_bridges([none], none)[0]) == {UNKNOWN}
    part = StrandedBridge(
        cost_per_month=100.0,
        allocated_per_month=40.0,
        idle_while_training=None,
        stranded_metered=None,
        scaled_to_all_hours=None,
        stranded_audit=None,
    )
    assert whole_bridges([part], part)[0] == ("100", "\u221240", *[UNKNOWN] * 4)


@pytest.mark.long
def test_jobs_without_a_cluster_have_words_in_every_table(call, put) -> None:
    jobs = JOBS.replace(",atlas,", ",,").replace(",cedar,", ",,")
    files = ("--jobs", put("jobs.csv", jobs), "--contracts", put("contracts.csv", CONTRACTS))
    text = call("audit", *files, text=True).out
    assert "\n  (no cluster)  " in text and "\n  : " not in text
