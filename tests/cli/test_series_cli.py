"""The log month by month: each row is what an audit of that calendar month alone says."""

import pytest

JOBS = """job_id,cluster,name,account,gpu_model,gpus,start,end,gpu_activity_percent,class
1,c,pretrain,ml,H100,8,2026-01-20T00:00:00Z,2026-02-03T12:00:00Z,50,training
2,c,serve,chat,H100,2,2026-01-25T06:00:00Z,2026-03-10T00:00:00Z,50,inference
3,c,lr-sweep,ml,H100,1,2026-02-05T00:00:00Z,2026-02-05T04:00:00Z,,
4,c,lr-sweep,ml,H100,1,2026-03-05T00:00:00Z,2026-03-05T04:00:00Z,,
"""
CONTRACTS = """contract_id,cluster,gpu_model,gpus,rate_usd_per_gpu_hour,start,end,term_months
k,c,H100,8,2.50,2025-12-01,2026-12-01,12
"""
PRICES = "offer_id,gpu_model,pricing_category,term_months,rate_usd_per_gpu_hour\nod,H100,STANDARD,0,5\n"
MONTHS = {"2026-01": ("2026-01-20", "2026-02-01"), "2026-02": ("2026-02-01", "2026-03-01"),
          "2026-03": ("2026-03-01", "2026-03-10")}  # fmt: skip


@pytest.fixture
def audited(call, put):
    files = [word for name, text in (("jobs", JOBS), ("contracts", CONTRACTS), ("prices", PRICES))
             for word in (f"--{name}", put(f"{name}.csv", text))]  # fmt: skip
    return lambda *words, **how: call("audit", *files, *words, **how)


@pytest.mark.long
def test_a_month_is_what_its_own_audit_says(audited):
    series = {row["month"]: row for row in audited().document["series"]}
    assert list(series) == list(MONTHS)
    for month, (start, end) in MONTHS.items():
        row, alone = series[month], audited("--start", start, "--end", end).document
        months = alone["window"]["hours"] / 730
        assert row["hours"] == alone["window"]["hours"]
        assert row["gpu_hours"] == alone["jobs"]["gpu_hours"]
        assert row["paid_usd"] == alone["clusters"][0]["paid_usd"] == 8 * 2.5 * row["hours"]
        assert row["utilization"] == alone["clusters"][0]["utilization"]
        stranded = alone["clusters"][0]["stranded"]
        assert row["stranded_audit_usd_per_month"] == stranded["audit_usd_per_month"]
        assert row["stranded_metered_usd_per_month"] == stranded["metered_usd_per_month"]
        assert row["experiments"] == len(alone["unit_costs"]["experiments"])
        assert row["leaks"]["counted_usd"] == pytest.approx(alone["leaks_total"]["usd_per_month"] * months)
        for name, of_class in alone["classes"].items():
            assert row["classes"][name]["gpu_hours"] == of_class["gpu_hours"]
        usd = sum(one["usd"] for one in row["classes"].values())
        assert usd == pytest.approx(sum(one["usd_per_month"] for one in alone["workloads"]) * months)


@pytest.mark.long
def test_the_window_of_the_call_does_not_cut_the_series(audited):
    assert audited("--days", "7").document["series"] == audited().document["series"]


def test_the_terminal_says_which_months_the_log_has_in_part(audited):
    out = audited(text=True).out
    listed = out[out.index("Month by month") :].splitlines()
    assert [line.split("  ")[1].strip() for line in listed[3:6]] == [
        "2026-01, 288 h",
        "2026-02",
        "2026-03, 216 h",
    ]
