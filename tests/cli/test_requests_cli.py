"""`export --rfq DIR`: a request for each vendor, said in the document, refused before anything is written."""

from pathlib import Path

import openpyxl
import pytest

from gpuplanner.files.request.request_form import QUESTIONS, read_key
from tests.cli.conftest import Call, Put
from tests.cli.test_run import CONTRACTS, JOBS, PRICES

CLEAN = "\n".join(JOBS.splitlines()[:-1])  # without the row that is rejected
BUYER = ("--rfq-head", "buyer=ACME Ltd")
TODAY = "2026-09-21"  # of NOW_S: months after the log


@pytest.fixture
def words(put: Put) -> list[str]:
    files = (("jobs", CLEAN), ("contracts", CONTRACTS), ("prices", PRICES))
    return [word for name, text in files for word in (f"--{name}", put(f"{name}.csv", text))]


def texts_of(path: str) -> list[str]:
    sheets = openpyxl.load_workbook(path).worksheets
    return [
        str(cell.value)
        for sheet in sheets
        for cells in sheet.iter_rows()
        for cell in cells
        if cell.value is not None
    ]


@pytest.mark.long
def test_the_files_are_said_and_bear_the_day_of_the_export(
    call: Call, words: list[str], tmp_path: Path
) -> None:
    folder = tmp_path / "to" / "vendors"
    heads = ("--rfq-head", "buyer=ACME Ltd", "--rfq-head", "payment=On order")
    said = call("export", *words, "--rfq", str(folder), *heads)
    assert said.status == 0 and not said.err
    paths = said.document["requests"]
    names = [Path(path).name.split(" RFQ-20260921-")[0] for path in paths]
    assert names == ["AWS", "Vela"]
    assert sorted(map(str, folder.iterdir())) == sorted(paths)
    for path in paths:
        texts = texts_of(path)
        assert {"ACME Ltd", "Payment: On order."} <= set(texts)
        assert sum(read_key(text) is not None for text in texts) >= 1
        days = [text[:10] for text in texts if text.endswith(" 00:00:00")]
        assert TODAY in days and min(days) == TODAY  # the log ended months ago
    plan = call("plan", *words).document
    assert {key: said.document[key] for key in plan if key != "command"} == {
        key: plan[key] for key in plan if key != "command"
    }
    text = call("export", *words, "--rfq", str(folder), *heads, text=True)
    *lines, asked_for, _ = text.out.splitlines()
    assert lines == [f"Wrote {path}" for path in paths]
    assert asked_for.startswith("  1 request.")
    assert said.document["request"]["rows"][0]["row"] == said.document["orders"][0]["number"] == "O1"


@pytest.mark.long
def test_what_was_filled_in_stays_and_says_so_in_a_line(call: Call, words: list[str], tmp_path: Path) -> None:
    paths = call("export", *words, "--rfq", str(tmp_path / "rfq"), *BUYER).document["requests"]
    Path(paths[1]).write_text("an answer", encoding="utf-8")
    said = call("export", *words, "--rfq", str(tmp_path / "rfq"), *BUYER)
    assert said.status == 3 and said.err.count("\n") == 1
    assert said.err.startswith(f"{paths[1]}: file_unreadable: ")
    assert Path(paths[1]).read_text(encoding="utf-8") == "an answer"


@pytest.mark.long
def test_a_folder_that_is_none_is_refused(call: Call, words: list[str], tmp_path: Path) -> None:
    said = call("export", *words, "--rfq", words[1], *BUYER)
    assert said.status == 3 and said.err.startswith(f"{words[1]}: ")
    assert Path(words[1]).read_text(encoding="utf-8") == CLEAN


@pytest.mark.long
def test_a_plan_that_orders_nothing_writes_nothing_and_says_so(call: Call, put: Put, tmp_path: Path) -> None:
    jobs, prices = put("jobs.csv", CLEAN), put("prices.csv", "\n".join(PRICES.splitlines()[:2]))
    said = call("export", "--jobs", jobs, "--prices", prices, "--rfq", str(tmp_path / "rfq"), *BUYER)
    assert said.status == 0 and said.document["requests"] == []
    assert said.err.count("\n") == 1
    assert not (tmp_path / "rfq").exists()


@pytest.mark.long
def test_prices_without_a_provider_ask_for_a_vendor(call: Call, put: Put, tmp_path: Path) -> None:
    nobody = PRICES.replace("AWS", "").replace("Vela", "")
    files = (("jobs", CLEAN), ("contracts", CONTRACTS), ("prices", nobody))
    words = [word for name, text in files for word in (f"--{name}", put(f"{name}.csv", text))]
    rfq, focus, calendar = tmp_path / "rfq", tmp_path / "focus.csv", tmp_path / "plan.ics"
    said = call(
        "export", *words, "--rfq", str(rfq), *BUYER, "--focus", str(focus), "--calendar", str(calendar)
    )
    assert said.status == 2 and "--rfq-vendor NAME" in said.err
    assert not any(path.exists() for path in (rfq, focus, calendar)), "it refuses before it writes"
    named = call("export", *words, "--rfq", str(tmp_path / "rfq"), *BUYER, "--rfq-vendor", "Vela")
    assert named.status == 0 and len(named.document["requests"]) == 1


@pytest.mark.parametrize(
    ("more", "what"),
    [
        (["--rfq", "DIR", "--rfq-head", "colour=red"], "buyer, contact, reply_by"),
        (["--rfq", "DIR", "--rfq-head", "buyer"], "NAME=TEXT"),
        (["--rfq", "DIR", "--rfq-head", "reply_by=2026-09-20"], "before the RFQ date"),
        (["--rfq", "DIR", "--rfq-head", "reply_by=soon"], "not a day"),
        (["--rfq", "DIR", "--rfq-head", "sla=24/7"], "not a percentage of time"),
        (["--rfq", "DIR"], "--rfq-head buyer="),
        (["--focus", "DIR.csv", "--rfq-head", "buyer=ACME"], "--rfq DIR"),
        (["--focus", "DIR.csv", "--rfq-vendor", "Vela"], "--rfq DIR"),
    ],
)
def test_what_no_request_says_is_a_usage_error(
    call: Call, words: list[str], tmp_path: Path, more: list[str], what: str
) -> None:
    folder = str(tmp_path / "rfq")
    said = call(
        "export", *words, *(word.replace("DIR", folder) if "rfq-head" not in word else word for word in more)
    )
    assert said.status == 2 and said.err.startswith("gpuplanner: usage: ") and what in said.err
    assert not Path(folder).exists()


def test_what_the_buyer_asks_is_in_every_file_of_those_who_are_named(
    call: Call, words: list[str], tmp_path: Path
) -> None:
    asked = ("--rfq-question", "Do you run on water?", "--rfq-question", "Which rack?")
    more = (*BUYER, "--rfq-head", "decide_days=0", "--rfq-vendor", "Orrin", "--rfq-vendor", "Vela")
    said = call("export", *words, "--rfq", str(tmp_path), *asked, *more)
    assert said.status == 0 and not said.err
    assert [Path(path).name.split(" RFQ")[0] for path in said.document["requests"]] == ["Orrin", "Vela"]
    for path in said.document["requests"]:
        assert {asked[1], asked[3], QUESTIONS[0].text} <= set(texts_of(path))
    for wrong in (("--rfq-head", "decide_days=soon", "--rfq", str(tmp_path)), asked):
        refused = call("export", *words, "--project", str(tmp_path / "p.gpuplan"), *wrong)
        assert refused.status == 2 and "--rfq" in refused.err


def test_a_request_changes_nothing_else_that_is_written(call: Call, put: Put, tmp_path: Path) -> None:
    """Its rows start once replies can be there; the orders of the document and of the files beside it do not wait."""
    jobs, contracts = (
        CLEAN.replace("2026-01-01T", "2025-10-01T").replace("2026-01-11T12:30", "2026-02-01T00:00"),
        CONTRACTS.replace("2026-06-01", "2026-02-01"),
    )
    prices = "\n".join(line for line in PRICES.splitlines() if not line.startswith("m1"))
    files = (("jobs", jobs), ("contracts", contracts), ("prices", prices))
    both = [word for name, text in files for word in (f"--{name}", put(f"{name}.csv", text))]
    alone = call("export", *both, "--focus", str(tmp_path / "a.csv")).document
    beside = call(
        "export", *both, "--focus", str(tmp_path / "b.csv"), "--rfq", str(tmp_path / "rfq"), *BUYER
    ).document
    assert beside["orders"] == alone["orders"] != [] and beside["totals"] == alone["totals"]
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()
    asked = beside["request"]
    assert {row["row"] for row in asked["rows"]} == {order["number"] for order in beside["orders"]}
    assert sum(row["liability_usd"] for row in asked["rows"]) == pytest.approx(asked["liability_usd"])
    assert all(row["is_too_late"] == (row["order_by"] == asked["orders_from"]) for row in asked["rows"])
    assert asked["rows"][0]["start"] >= asked["orders_from"]
