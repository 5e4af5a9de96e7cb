"""--csv and --parquet: the document of a call as files, beside whatever else it says."""

import csv
import json
from pathlib import Path

import pandas as pd
import pytest

from tests.cli.conftest import Call, Put
from tests.cli.test_run import CONTRACTS, JOBS, PRICES


def words(put: Put) -> tuple[str, ...]:
    files = (("jobs", JOBS), ("contracts", CONTRACTS), ("prices", PRICES))
    return tuple(word for name, text in files for word in (f"--{name}", put(f"{name}.csv", text)))


def rows(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text(encoding="utf-8-sig").splitlines()))


@pytest.mark.long
def test_each_list_of_the_document_is_a_file_of_its_name(call: Call, put: Put, tmp_path: Path) -> None:
    document = call(
        "plan", *words(put), "--csv", str(tmp_path / "c"), "--parquet", str(tmp_path / "p")
    ).document
    assert document == call("plan", *words(put)).document  # nothing else is on standard output
    lists = {name for name, value in document.items() if isinstance(value, list)}
    assert lists <= {path.stem for path in (tmp_path / "c").glob("*.csv")}
    for name in ("orders", "pools", "workloads", "comparison"):
        assert len(rows(tmp_path / "c" / f"{name}.csv")) == len(document[name]) > 0
        pd.read_parquet(tmp_path / "p" / f"{name}.parquet")
    month = rows(tmp_path / "c" / "comparison.csv")[3]
    assert float(month["plan_usd"]) == document["comparison"][3]["plan_usd"]
    (alone,) = rows(tmp_path / "c" / "plan.csv")
    assert float(alone["totals.plan_usd_per_month"]) == document["totals"]["plan_usd_per_month"]
    (cluster,) = rows(tmp_path / "c" / "clusters.csv")
    stranded = document["clusters"][0]["stranded"]["audit_usd_per_month"]
    assert float(cluster["stranded.audit_usd_per_month"]) == stranded


def test_without_json_the_text_says_which_files(call: Call, put: Put, tmp_path: Path) -> None:
    euros = ("--fx", "EUR=1.25@2026-01-01", "--set", "reporting_currency=EUR")
    said = call("audit", *words(put), *euros, "--csv", str(tmp_path), text=True)
    assert said.status == 0 and f"Wrote {tmp_path / 'audit.csv'}" in said.out.splitlines()
    paid = json.loads(call("audit", *words(put)).out)["clusters"][0]["paid_usd"]
    assert float(rows(tmp_path / "clusters.csv")[0]["paid_usd"]) == paid  # dollars, as the field says
    assert "$" in said.out and "€" not in said.out


def test_a_file_that_is_not_ours_is_refused(call: Call, put: Put, tmp_path: Path) -> None:
    (tmp_path / "leaks.csv").write_text("somebody's")
    said = call("audit", *words(put), "--csv", str(tmp_path))
    assert (
        said.status == 3
        and said.out == ""
        and said.err.startswith(f"{tmp_path / 'leaks.csv'}: file_unreadable: ")
    )
    assert [path.name for path in tmp_path.iterdir()] == ["leaks.csv"]
    assert (tmp_path / "leaks.csv").read_text() == "somebody's"


def test_a_call_that_can_do_nothing_still_says_what_became_of_rows(
    call: Call, put: Put, tmp_path: Path
) -> None:
    heading, *_, negative_gpus = JOBS.splitlines()
    said = call(
        "audit", "--jobs", put("none.csv", f"{heading}\n{negative_gpus}\n"), "--csv", str(tmp_path), text=True
    )
    assert said.status == 1
    assert [row["rows_rejected"] for row in rows(tmp_path / "intake.files.csv")] == ["1"]
