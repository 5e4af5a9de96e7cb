"""A project file in place of --jobs, --contracts and --prices."""

from dataclasses import replace
from pathlib import Path

import pytest

from gpuplanner.domain.reports.series import NO_ROWS
from gpuplanner.files.importing.intake import read_inputs
from gpuplanner.files.importing.log_choices import ReadOptions
from gpuplanner.files.project.project_file import open_project, save_project
from gpuplanner.files.system.user_files import ROWS, data_folder
from gpuplanner.files.values.lookback_period import WindowRequest
from tests.domain.serving.small_places import city, site, world
from tests.read_once import ReadOnce
from tests.some_of import one_in, some_of

JOBS = """job_id,cluster,name,gpu_model,gpus,start,end,class
1,atlas,pretrain,H100,8,2026-01-01T00:00:00Z,2026-01-09T00:00:00Z,training
2,atlas,chat,H100,2,2026-01-01T00:00:00Z,2026-01-11T00:00:00Z,inference
"""
CONTRACTS = """contract_id,cluster,gpu_model,gpus,rate_usd_per_gpu_hour,start
c1,atlas,H100,4,2.75,2025-06-01
"""
PRICES = """offer_id,gpu_model,pricing_category,term_months,rate_usd_per_gpu_hour
od,H100,STANDARD,0,6.88
y1,H100,COMMITTED,1,3.00
"""


OF_SINGLE_JOBS = ("series",)
"""Fields that need the single jobs of a log, which a project keeps beside itself."""


def but_single_jobs(document: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in document.items() if name not in OF_SINGLE_JOBS}


@pytest.fixture
def paths(put) -> dict[str, str]:
    texts = {"jobs": JOBS, "contracts": CONTRACTS, "prices": PRICES}
    return {name: put(f"{name}.csv", text) for name, text in texts.items()}


@pytest.fixture
def project(paths: dict[str, str], read_once: ReadOnce, tmp_path: Path) -> str:
    path = tmp_path / "quarter 1.gpuplan"
    read = read_once(
        *([paths[name]] for name in ("jobs", "contracts", "prices")),
        options=ReadOptions(), rows_dir=None, on_progress=None,
    )  # fmt: skip
    save_project(read.project(), path)
    return str(path)


@pytest.mark.long
def test_what_was_put_off_is_as_on_the_day_of_the_call(call, put, tmp_path: Path) -> None:
    """The plan begins on 11 January, the call is on 21 September, and the contract is decided on nine days later."""
    contracts = CONTRACTS.replace("start\n", "start,end\n").replace("01\n", "01,2026-10-01\n")
    texts = (("j", JOBS), ("c", contracts), ("p", PRICES))
    read = read_inputs(*([put(f"{name}.csv", text)] for name, text in texts)).project()
    path, ids = tmp_path / "late.gpuplan", {"contract:c1", "saving:right_size"}
    save_project(replace(read, scenarios=(replace(read.scenarios[0], postponed=frozenset(ids)),)), path)
    said = {row["id"]: row for row in call("plan", str(path)).document["next_decisions"]}
    assert said["contract:c1"]["by"] == "2026-09-30"
    assert {name: said[name]["state"] for name in ids} == {
        "contract:c1": "open",
        "saving:right_size": "not_now",
    }
    listed = call("plan", str(path), text=True).out
    assert listed.count("Not now: ") == 1


@pytest.mark.long
def test_a_project_gives_the_document_of_its_files(call, paths: dict[str, str], project: str) -> None:
    options = [word for name, path in paths.items() for word in (f"--{name}", path)]
    as_files = but_single_jobs(call("plan", *options).document)
    assert but_single_jobs(call("plan", project).document) == as_files
    assert but_single_jobs(call("plan", "--jobs", project).document) == as_files


def test_what_needs_single_jobs_is_unknown_where_a_project_has_none_and_says_why(
    call, paths: dict[str, str], project: str
) -> None:
    options = [word for name, path in paths.items() for word in (f"--{name}", path)]
    assert call("audit", *options).document["series"]
    assert all(call("audit", project).document[name] is None for name in OF_SINGLE_JOBS)
    assert str(NO_ROWS) in call("audit", project, text=True).out
    assert str(NO_ROWS) not in call("audit", *options, text=True).out


def test_files_of_the_call_replace_those_of_the_project(
    call, put, paths: dict[str, str], project: str
) -> None:
    dearer = put("other.csv", CONTRACTS.replace("c1,", "c9,").replace("2.75", "5.5"))
    mixed = call("audit", project, "--contracts", dearer).document
    afresh = call(
        "audit", "--jobs", paths["jobs"], "--contracts", dearer, "--prices", paths["prices"]
    ).document
    assert [row["contract_id"] for row in mixed["contracts"]] == ["c9"]
    assert but_single_jobs(mixed) == but_single_jobs(afresh)


def test_today_is_a_scenario_to_look_at_and_not_to_change(call, project: str) -> None:
    today = call("plan", project, "--scenario", "Today", "--set", "sigma=0").document
    assert {row["key"]: row["pool"] for row in today["workloads"]} == {
        "atlas//chat/inference": "training",  # where its cluster's GPU-hours are
        "atlas//pretrain/training": "training",
    }
    for words in (["--assign", "atlas//chat/inference=burst"], ["--greenfield"]):
        said = call("plan", project, "--scenario", "Today", *words)
        assert (said.status, said.out) == (2, "") and "Today" in said.err


@pytest.mark.parametrize(
    "words",
    some_of(
        [
            ["--timezone", "Mars/Olympus"],
            ["--days", "0"],
            ["--pseudonyms"],
            ["--jobs", "jobs.csv"],
            ["--scenario", "Plan Z"],
        ],
        quick=1,
    ),
)
def test_a_word_that_a_project_has_no_use_for_is_a_usage_error(call, project: str, words: list[str]) -> None:
    said = call("plan", project, *words)
    assert (said.status, said.out) == (2, "")
    assert said.err.startswith("gpuplanner: usage: ") and said.err.count("\n") == 1


def test_a_file_that_is_no_price_list_is_said_beside_a_project_too(call, project: str, put) -> None:
    said = call("plan", project, "--prices", put("photo.csv", "not,a,price\n1,2,3\n"))
    assert "missing_column" in said.err


@pytest.fixture
def project_with_rows(paths: dict[str, str], tmp_path: Path) -> str:
    """Saved as the window saves it: the job rows are kept in the user's data folder."""
    path = tmp_path / "with rows.gpuplan"
    read = read_inputs(
        [paths["jobs"]], [paths["contracts"]], [paths["prices"]], rows_dir=data_folder() / ROWS
    )
    save_project(read.project(), path)
    return str(path)


@pytest.mark.long
@pytest.mark.parametrize(
    "window",
    one_in(
        6,
        [
            ["--days", "3"],
            ["--start", "2026-01-02", "--end", "2026-01-05T06:00:00Z"],
            ["--start", "2026-01-10"],
        ],
    ),
)
@pytest.mark.parametrize("command", some_of(["reduce", "plan"], quick=1))
def test_a_project_in_another_window_gives_what_its_files_give_in_it(
    call, paths: dict[str, str], project_with_rows: str, command: str, window: list[str]
) -> None:
    taken = ["jobs"] if command == "reduce" else ["jobs", "contracts", "prices"]
    afresh = call(command, *(word for name in taken for word in (f"--{name}", paths[name])), *window)
    changed = call(command, project_with_rows, *window)
    assert changed.status == 0, changed.err
    for part in set(afresh.document) - {"intake"}:
        assert changed.document[part] == afresh.document[part], part
    assert changed.document["intake"]["files"][0] == afresh.document["intake"]["files"][0]


@pytest.mark.long
def test_another_window_without_the_rows_says_what_to_do(call, project: str, project_with_rows: str) -> None:
    for path in (project, project_with_rows):
        for kept in (data_folder() / ROWS).glob("*.parquet") if path == project_with_rows else ():
            kept.unlink()
        said = call("reduce", path, "--days", "2")
        assert (said.status, said.out) == (3, "")
        assert said.err.startswith(f"{path}: file_missing: ") and "jobs.csv" in said.err
        assert "--jobs" in said.err


@pytest.mark.parametrize("command", some_of(["reduce", "backtest"], quick=1))
def test_what_covers_the_whole_log_covers_it_for_a_project_too(
    call, paths: dict[str, str], tmp_path: Path, command: str
) -> None:
    """The project holds six days of ten; the rows that its import kept hold all of them."""
    path = tmp_path / "six days.gpuplan"
    read = read_inputs(
        [paths["jobs"]],
        [paths["contracts"]],
        [paths["prices"]],
        rows_dir=data_folder() / ROWS,
        window_request=WindowRequest(days=6),
    )
    save_project(read.project(), path)
    assert call(command, str(path)).document["window"]["hours"] == 240
    (kept,) = (data_folder() / ROWS).glob("*.parquet")
    kept.unlink()
    assert call(command, str(path)).document["window"]["hours"] == 144


@pytest.mark.long
def test_the_demo_can_be_looked_at_in_another_window(call, tmp_path: Path) -> None:
    assert call("demo", str(tmp_path), "--ending", "2026-09-30").status == 0
    window = ("--start", "2026-08-01", "--end", "2026-09-01")
    as_project = call("reduce", str(tmp_path / "demo.gpuplan"), *window).document
    as_files = call("reduce", "--jobs", str(tmp_path / "jobs.csv"), *window).document
    assert as_project["window"]["hours"] == 744
    assert as_project["cube"] == as_files["cube"]


@pytest.mark.long
def test_the_demo_is_written_where_no_rows_can_be_kept(call, tmp_path: Path) -> None:
    data_folder().parent.mkdir(parents=True, exist_ok=True)
    data_folder().write_text("in the way")
    assert call("demo", str(tmp_path / "demo")).status == 0
    assert open_project(tmp_path / "demo" / "demo.gpuplan").jobs.rows_sha256 == ""


def test_users_and_sites_of_a_project_are_in_its_checks(call, put, tmp_path):
    path = tmp_path / "with places.gpuplan"
    jobs = put("j.csv", JOBS)
    project = replace(
        read_inputs([jobs], [put("c.csv", CONTRACTS)]).project(),
        places=world([city("A", 1)], [site("s", is_current=True)], [("A", "s", "80.5")]),
    )
    save_project(project, path)
    said = call("audit", str(path))
    assert ("transit_over_80_ms", "amber") in {
        (one["code"], one["severity"]) for one in said.document["checks"]
    }
    assert open_project(path).places.measured == project.places.measured


def test_check_says_what_a_project_holds_and_how_it_is_opened(call, project: str) -> None:
    answer = call("check", project)
    (file,) = answer.document["files"]
    assert (answer.status, file["kind"], file["issues"]) == (0, "project", [])
    assert [file["facts"][name] for name in ("jobs", "contracts", "offers")] == [2, 1, 2]
    assert file["facts"]["clusters"]
    text = call("check", project, text=True).out
    assert f"2 jobs, 1 contract, 2 offers, 1 cluster, open with: gpuplanner '{project}'" in text
