"""Dated rates on the command line: lists in any order are one plan, a saved project keeps them, a fall is only said."""

from pathlib import Path

import pytest

from gpuplanner.files.project.project_file import open_project
from tests.cli.test_price_cases_cli import inputs

HEADER = "offer_id,provider,gpu_model,pricing_category,term_months,rate_usd_per_gpu_hour,as_of\n"
NOW = f"{HEADER}od,Acme,H100,STANDARD,0,6.00,2026-07-01\ny,Acme,H100,COMMITTED,12,2.40,2026-07-01\n"
BEFORE = f"{HEADER}od,Acme,H100,STANDARD,0,7.20,2025-07-01\ny,Acme,H100,COMMITTED,12,3.00,2025-07-01\n"


@pytest.mark.long
def test_older_lists_change_no_figure_of_the_plan(call, put) -> None:
    words, now, before = inputs(put), put("now.csv", NOW), put("before.csv", BEFORE)
    alone = call("plan", *words, "--prices", now).document
    for paths in ((now, before), (before, now)):
        both = call("plan", *words, "--prices", *paths).document
        for name in ("pools", "orders", "totals", "comparison", "savings_steps"):
            assert both[name] == alone[name]
        files = [file for file in both["intake"]["files"] if file["kind"] == "prices"]
        assert [(file["rows_accepted"], file["rows_duplicate"]) for file in files] == [(2, 0), (2, 0)]
    (own,) = both["price_falls"]
    assert (own["gpu_model"], own["provider_kind"]) == ("H100", "price book")
    assert own["per_month"] == pytest.approx(1 - (6 / 7.2 * 2.4 / 3) ** (1 / 24), abs=1e-4)
    assert {one["provider_kind"] for one in alone["price_falls"]} == {
        "neocloud"
    }  # no year of its own: public


@pytest.mark.long
def test_a_saved_project_keeps_them_and_new_prices_add_to_them(call, put, tmp_path: Path) -> None:
    path = str(tmp_path / "plan.gpuplan")
    words = inputs(put)
    call("export", *words, "--prices", put("before.csv", BEFORE), "--project", path)
    assert open_project(Path(path)).earlier_offers == ()
    again = call("plan", path, "--prices", put("now.csv", NOW)).document
    assert again["price_falls"][0]["provider_kind"] == "price book"


@pytest.mark.long
def test_a_fall_is_said_and_not_applied(call, put) -> None:
    words = [*inputs(put), "--prices", put("now.csv", NOW), put("before.csv", BEFORE)]
    said = call("plan", *words, text=True).out
    (line,) = [line for line in said.splitlines() if "1.7%" in line and "2025-07" in line]
    assert "H100" in line and "2026-07" in line
    assert "--set delta=1.7%" in said


@pytest.mark.long
def test_what_separate_pools_avoid_is_beside_the_steps(call, put) -> None:
    document = call("plan", *inputs(put), "--prices", put("now.csv", NOW)).document
    premium = document["unit_costs"]["consolidation_premium_usd_per_month"]
    assert document["separation_avoids"] == {
        "contended_hours": 0,
        "interference_hours": 0,
        "premium_usd_per_month": premium,
        "rate_premium_usd_per_month": document["unit_costs"]["rate_premium_usd_per_month"],
        "idle_premium_usd_per_month": document["unit_costs"]["idle_premium_usd_per_month"],
    }
