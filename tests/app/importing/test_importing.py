"""Importing: ends in exactly one way, cancels at once, and takes what was read into the project."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from gpuplanner.app.importing.import_request import ImportRequest, read_request
from gpuplanner.app.importing.importer import Importer
from gpuplanner.app.importing.into_project import imported_project, rewindowed_project
from gpuplanner.app.importing.kept_readings import KeptReadings
from gpuplanner.app.importing.loaded_logs import with_loaded_logs
from gpuplanner.app.importing.trial_rows import rows_on_trial, take_rows
from gpuplanner.domain import edits
from gpuplanner.domain.model.cube import empty_cube
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import Window
from gpuplanner.files.importing.intake import ReadResult
from gpuplanner.files.importing.log_choices import LogChoice
from gpuplanner.files.tables.column_mapping import parse_mapping
from gpuplanner.files.values.lookback_period import WindowRequest
from tests.files.request.answered_files import asked, sheet_of, write_xlsx
from tests.files.workbook.evaluations import two_clusters_evaluated

# --- Importing: ends in exactly one way, cancels at once, and takes what was read into the project

JOBS = """job_id,cluster,name,user,queue,gpu_model,gpus,start,end,state
1,c,train-a,ann,q,H100,8,2026-01-01T00:00:00Z,2026-01-02T00:00:00Z,COMPLETED
2,c,serve-b,bob,q,H100,1,2026-01-01T00:00:00Z,2026-01-03T00:00:00Z,COMPLETED
"""
MORE_JOBS = """job_id,cluster,name,user,queue,gpu_model,gpus,start,end,state
2,c,serve-b,bob,q,H100,1,2026-01-01T00:00:00Z,2026-01-03T00:00:00Z,COMPLETED
3,c,sweep-c,eve,q,H100,2,2026-01-02T00:00:00Z,2026-01-03T00:00:00Z,COMPLETED
"""
CONTRACTS = """contract_id,cluster,gpu_model,gpus,rate_usd_per_gpu_hour,start,end
k1,c,h100,8,2.75,2026-01-01,2027-01-01
"""
HOUR = 3_600_000


def bare() -> Project:
    return Project(window=Window(0, 1), cube=empty_cube(1))


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    paths = {}
    for name, text in (
        ("jobs", JOBS),
        ("more", MORE_JOBS),
        ("contracts", CONTRACTS),
        ("empty", JOBS[:66] + "\n"),
    ):
        path = tmp_path / f"{name}.csv"
        path.write_text(text, encoding="utf-8")
        paths[name] = str(path)
    return paths


class Heard:
    def __init__(self, read: Any = read_request) -> None:
        self.importer = Importer(read)
        self.ends: list[tuple[str, Any]] = []
        self.progress: list[tuple[float, str]] = []
        self.importer.imported.connect(lambda request, result: self.ends.append(("imported", result)))
        self.importer.failed.connect(lambda error: self.ends.append(("failed", error)))
        self.importer.cancelled.connect(lambda: self.ends.append(("cancelled", None)))
        self.importer.progressed.connect(lambda done, text: self.progress.append((done, text)))


@pytest.fixture
def heard(qtbot: QtBot) -> Iterator[Heard]:
    heard = Heard()
    yield heard
    heard.importer.close()


def read(heard: Heard, qtbot: QtBot, request: ImportRequest) -> Any:
    heard.ends.clear()
    heard.importer.start(request)
    qtbot.waitUntil(lambda: bool(heard.ends), timeout=60_000)
    ((how, answer),) = heard.ends
    return answer if how == "imported" else pytest.fail(f"{how}: {answer}")


@pytest.mark.long
def test_files_become_a_project_and_a_further_log_is_read_with_the_first(
    heard: Heard, qtbot: QtBot, files: dict[str, str]
) -> None:
    request = ImportRequest(job_paths=(files["jobs"],), contract_paths=(files["contracts"],))
    project = imported_project(bare(), request, read(heard, qtbot, request))
    assert project.cube.total == (8 * 24 + 48) * HOUR
    assert [row.contract_id for row in project.contracts] == ["k1"]
    assert heard.progress[-1][0] == 1.0
    keys = [workload.key for workload in project.workloads]
    project = edits.workloads.move_workloads(project, "Plan A", keys, Pool.BURST)
    more = with_loaded_logs(ImportRequest(job_paths=(files["more"],)), project)
    assert more.job_paths == (files["jobs"], files["more"])
    project = imported_project(project, more, read(heard, qtbot, more), adding=True)
    assert project.jobs.count == 3
    assert project.cube.total == (8 * 24 + 48 + 2 * 24) * HOUR
    assert project.scenario("Plan A").pools == dict.fromkeys(keys, Pool.BURST)
    assert [row.contract_id for row in project.contracts] == ["k1"]
    assert [file.kind for file in project.intake] == ["contracts", "jobs", "jobs"]


def test_a_log_joins_the_kept_rows_of_logs_that_are_gone(files: dict[str, str], tmp_path: Path) -> None:
    def taken(project: Project, request: ImportRequest) -> Project:
        rows = replace(request, rows_dir=tmp_path)
        read = read_request(rows, lambda *_: None, lambda: False)
        return imported_project(project, rows, read, adding=True)

    project = taken(bare(), ImportRequest(job_paths=(files["jobs"],), cluster="atlas"))
    more = with_loaded_logs(ImportRequest(job_paths=(files["more"],)), project, rows_dir=tmp_path)
    Path(files["jobs"]).unlink()
    after = taken(project, more)
    assert more.job_paths == (files["more"],)
    assert after.jobs.count == 3
    assert after.cube.total == (8 * 24 + 48 + 2 * 24) * HOUR
    assert after.intake[0].facts == project.intake[0].facts  # how it was read stays known


def test_contracts_alone_leave_the_jobs_as_they_are(
    heard: Heard, qtbot: QtBot, files: dict[str, str]
) -> None:
    first = ImportRequest(job_paths=(files["jobs"],))
    project = imported_project(bare(), first, read(heard, qtbot, first))
    request = with_loaded_logs(ImportRequest(contract_paths=(files["contracts"],)), project)
    after = imported_project(project, request, read(heard, qtbot, request))
    assert after.cube is project.cube
    assert [row.gpu_model for row in after.contracts] == ["H100"]


@pytest.mark.long
def test_nodes_that_join_contracts_of_the_same_gpus_are_told_as_long_as_both_count(tmp_path: Path) -> None:
    """Either way round, and not any more once the list is replaced by one of other clusters."""
    requests = []
    for name, text in {
        "nodes.txt": "NODELIST GRES\ng[1-2] gpu:h100:8\n",
        "register.csv": "contract_id,gpu_model,gpus,start\na,H100,24,2026-01-01\n",
        "more.csv": "contract_id,gpu_model,gpus,start\nb,H100,4,2026-01-01\n",
    }.items():
        (tmp_path / name).write_text(text)
        requests.append(ImportRequest(contract_paths=(str(tmp_path / name),)))

    def told(project: Project) -> list[str]:
        issues = (issue for file in project.intake for issue in file.issues)
        return [str(issue.message) for issue in issues if issue.code == "counted_twice"]

    for order in (requests, [requests[1], requests[0], requests[2]]):
        project, seen = bare(), list[list[str]]()
        for request in order:
            project = imported_project(
                project, request, read_request(request, lambda *_: None, lambda: False), adding=True
            )
            seen.append(told(project))
        assert seen[0] == [] and "16 H100" in seen[1][0] and " 24 " in seen[1][0]
        assert len(seen[2]) == 1 and "16 H100" in seen[2][0] and " 28 " in seen[2][0]
        alone = imported_project(
            project, requests[1], read_request(requests[1], lambda *_: None, lambda: False)
        )
        assert not told(alone)


def test_a_log_without_jobs_does_not_empty_the_project(
    heard: Heard, qtbot: QtBot, files: dict[str, str]
) -> None:
    request = ImportRequest(job_paths=(files["empty"],))
    result = read(heard, qtbot, request)
    with pytest.raises(PlannerError):
        imported_project(bare(), request, result)


def test_a_file_that_is_missing_is_told(heard: Heard, qtbot: QtBot, tmp_path: Path) -> None:
    heard.importer.start(ImportRequest(job_paths=(str(tmp_path / "none.csv"),)))
    qtbot.waitUntil(lambda: bool(heard.ends), timeout=60_000)
    ((how, error),) = heard.ends
    assert how == "failed"
    assert isinstance(error, PlannerError)
    assert error.code == "file_missing"


def test_cancel_answers_at_once_and_what_still_comes_is_dropped(qtbot: QtBot) -> None:
    done = Event()

    def slow(request: ImportRequest, on_progress: Any, is_cancelled: Any) -> str:
        while not is_cancelled():
            pass
        done.set()
        return "late"

    heard = Heard(slow)
    heard.importer.start(ImportRequest(job_paths=("x",)))
    heard.importer.cancel()
    assert [how for how, _ in heard.ends] == ["cancelled"]
    assert done.wait(60)
    heard.importer.close()
    qtbot.wait(10)
    heard.importer.cancel()
    assert [how for how, _ in heard.ends] == ["cancelled"]


def test_the_words_for_undo() -> None:
    assert str(ImportRequest(job_paths=("a/jobs.csv",)).label) == "Import jobs.csv"
    assert (
        str(ImportRequest(job_paths=("a",), contract_paths=("b",), price_paths=("c",)).label)
        == "Import 3 files"
    )


@pytest.mark.long
def test_a_log_read_by_a_mapping_is_read_so_again_when_another_joins_it(
    heard: Heard, qtbot: QtBot, files: dict[str, str], tmp_path: Path
) -> None:
    table = tmp_path / "table.csv"
    table.write_text("task,cards,begun,took\na,8,2026-01-01T00:00:00,3600\n")
    choice = LogChoice(mapping=parse_mapping("gpus=cards,start=begun,duration=took"), timezone="Europe/Oslo")
    first = ImportRequest(job_paths=(str(table),), choices=((str(table), choice),))
    project = imported_project(bare(), first, read(heard, qtbot, first))
    assert project.jobs.first_start_s == 1_767_222_000  # an hour before midnight UTC
    more = with_loaded_logs(ImportRequest(job_paths=(files["jobs"],)), project)
    assert dict(more.choices) == {str(table): replace(choice, cluster="")}
    after = imported_project(project, more, read(heard, qtbot, more), adding=True)
    assert after.jobs.count == 3 and after.jobs.first_start_s == 1_767_222_000


def test_pseudonyms_hold_for_a_log_that_joins_later_and_its_cluster_is_its_own(
    heard: Heard, qtbot: QtBot, files: dict[str, str]
) -> None:
    first = ImportRequest(job_paths=(files["jobs"],), cluster="atlas", pseudonyms=True)
    project = imported_project(bare(), first, read(heard, qtbot, first))
    more = with_loaded_logs(ImportRequest(job_paths=(files["more"],)), project)
    assert (more.cluster, more.pseudonyms) == (None, True)
    assert dict(more.choices)[files["jobs"]].cluster == "atlas"


@pytest.mark.parametrize("options", [{}, {"cluster": "birch", "timezone": "America/New_York"}])
def test_a_log_that_is_added_changes_nothing_of_what_is_loaded(
    tmp_path: Path, options: dict[str, str]
) -> None:
    """One after the other is both together: each keeps its cluster and zone, and the GPU time of both adds up."""
    paths = [str(tmp_path / name) for name in ("a.csv", "b.csv")]
    for path, gpus in zip(paths, (8, 4), strict=True):
        Path(path).write_text(
            f"job_id,gpu_model,gpus,start,end\n1,H100,{gpus},2026-07-01T00:00:00,2026-07-01T05:00:00\n"
        )
    first, second = (
        ImportRequest(job_paths=paths[:1], cluster="atlas"),
        ImportRequest(job_paths=paths[1:], **options),
    )
    project = bare()
    for request in (first, second):
        request = with_loaded_logs(request, project)
        project = imported_project(
            project, request, read_request(request, lambda *_: None, lambda: False), adding=True
        )
    choices = {paths[0]: LogChoice(cluster="atlas", timezone=""), paths[1]: LogChoice(**options)}
    both = ImportRequest(
        job_paths=tuple(paths), choices=tuple(choices.items()), timezone=options.get("timezone")
    )
    together = imported_project(bare(), both, read_request(both, lambda *_: None, lambda: False))
    assert project.workloads == together.workloads and project.cube.total == together.cube.total == 60 * HOUR
    assert [dict(file.facts) for file in project.intake] == [dict(file.facts) for file in together.intake]
    of_cluster = {work.cluster: work.milli_gpu_seconds / 1000 / 3600 for work in project.workloads}
    assert of_cluster == {"atlas": 40, options.get("cluster", ""): 20}


@pytest.mark.long
def test_another_window_is_looked_at_from_the_kept_rows_and_back(
    heard: Heard, qtbot: QtBot, files: dict[str, str], tmp_path: Path
) -> None:
    rows = tmp_path / "rows"
    request = ImportRequest(job_paths=(files["jobs"],), contract_paths=(files["contracts"],), rows_dir=rows)
    project = imported_project(bare(), request, read(heard, qtbot, request))
    after = rewindowed_project(project, rows, WindowRequest(days=1))
    assert after.window.hours == 24 and after.jobs.count == 1
    assert (after.contracts, after.scenarios) == (project.contracts, project.scenarios)
    assert [file.kind for file in after.intake] == ["contracts", "jobs"]
    back = rewindowed_project(after, rows, WindowRequest())
    assert back.window == project.window and back.cube.total == project.cube.total
    with pytest.raises(PlannerError, match="file_missing"):
        rewindowed_project(project, tmp_path / "elsewhere", WindowRequest(days=1))


def test_quotes_of_an_answered_request_join_the_offers_that_are_there(
    heard: Heard, qtbot: QtBot, tmp_path: Path
) -> None:
    rows = sheet_of([asked("R1", rate=1.25), asked("R2")])
    answer = write_xlsx(tmp_path / "answer.xlsx", {"Quote": rows})
    request = ImportRequest(price_paths=(str(answer),))
    before = two_clusters_evaluated().project
    after = imported_project(before, request, read(heard, qtbot, request))
    new = {offer.offer_id for offer in after.offers} - {offer.offer_id for offer in before.offers}
    assert len(after.offers) == len(before.offers) + 1
    assert [offer.provider for offer in after.offers if offer.offer_id in new] == ["Northlight"]


def test_a_log_whose_alike_rows_were_dropped_is_read_so_again(
    heard: Heard, qtbot: QtBot, files: dict[str, str], tmp_path: Path
) -> None:
    row = ",2,2026-01-01T00:00:00Z,2026-01-01T06:00:00Z\n"
    log = tmp_path / "alike.csv"
    log.write_text("job_id,gpus,start,end\n" + 3 * row, encoding="utf-8")
    request = ImportRequest(job_paths=(str(log),), choices=((str(log), LogChoice(drops_alike=True)),))
    project = imported_project(bare(), request, read(heard, qtbot, request))
    assert project.jobs.gpu_hours == 12.0 and project.intake[0].rows_duplicate == 2
    more = with_loaded_logs(ImportRequest(job_paths=(files["jobs"],)), project)
    assert dict(more.choices)[str(log)].drops_alike
    assert files["jobs"] not in dict(more.choices)


def test_places_take_the_place_of_their_kind_or_join_it_and_are_one_undo_step(tmp_path: Path) -> None:
    texts = {
        "users": "city,country,latitude,longitude,users\nOslo,NO,59.9,10.7,5\n",
        "sites": "site_id,latitude,longitude,current\neu,50.1,8.7,true\n",
        "more": "city,country,latitude,longitude,users\nRome,IT,41.9,12.5,9\n",
    }
    path = {}
    for name, text in texts.items():
        (tmp_path / f"{name}.csv").write_text(text)
        path[name] = str(tmp_path / f"{name}.csv")
    request = ImportRequest(place_paths=(("users", path["users"]), ("sites", path["sites"])))
    assert request.paths == (path["users"], path["sites"]) and str(request.label) == "Import 2 files"

    def read(of: ImportRequest) -> Any:
        return read_request(of, lambda *_: None, lambda: False)

    project = imported_project(bare(), request, read(request))
    assert [city.city for city in project.places.cities] == ["Oslo"]
    assert project.places.sites[0].is_current and not project.is_empty
    assert imported_project(project, request, read(request)).places is project.places
    more = ImportRequest(place_paths=(("users", path["more"]),))
    joined = imported_project(project, more, read(more), adding=True)
    assert [city.city for city in joined.places.cities] == ["Rome", "Oslo"]
    assert [file.kind for file in joined.intake] == ["users", "sites", "users"]
    instead = imported_project(project, more, read(more))
    assert [city.city for city in instead.places.cities] == ["Rome"]
    assert instead.places.sites == project.places.sites
    assert [file.kind for file in instead.intake] == ["sites", "users"]


def test_planned_work_comes_into_the_plan_that_is_shown(tmp_path: Path, files: dict[str, str]) -> None:
    def read(of: ImportRequest) -> Any:
        return read_request(of, lambda *_: None, lambda: False)

    path = tmp_path / "planned.csv"
    path.write_text(
        "name,pool,gpu_model,gpus,cluster,team\nnew,burst,H100,4,c,q\nbad,none,H100,4,,\n", "utf-8"
    )
    jobs = ImportRequest(job_paths=(files["jobs"],))
    project = edits.plans.add_plan(imported_project(bare(), jobs, read(jobs)), "Plan B")
    request = ImportRequest(planned_paths=(str(path),))
    found = read(request)
    (file,) = found.intake
    assert (file.rows_read, file.rows_accepted, file.rows_rejected) == (2, 1, 1)
    after = imported_project(project, request, found, scenario="Plan B")
    assert [len(plan.planned) for plan in after.scenarios] == [0, 1]
    assert after.cube is project.cube and after.intake[-1].kind == "planned"
    first = imported_project(project, request, found, scenario="Today")
    assert [len(plan.planned) for plan in first.scenarios] == [1, 0]
    assert str(request.label) == "Import planned.csv"


# --- Rows that were only looked at are gone with the dialog; those of the import that was taken in stay


def test_only_what_is_taken_in_stays(tmp_path: Path) -> None:
    rows_dir = tmp_path / "data" / "rows"
    with rows_on_trial(rows_dir) as folder:
        for sha256 in ("first", "second"):
            (folder / f"{sha256}.parquet").write_bytes(sha256.encode())
        take_rows(folder, rows_dir, "second")
        take_rows(folder, rows_dir, "none")
        take_rows(folder, rows_dir, "")
    assert [path.name for path in rows_dir.iterdir()] == ["second.parquet"]


def test_nothing_stays_where_the_dialog_fails(tmp_path: Path) -> None:
    def fail() -> None:
        with rows_on_trial(tmp_path) as folder:
            (folder / "names.parquet").write_bytes(b"names")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert not [*tmp_path.iterdir()]


def test_only_the_table_of_which_something_else_was_said_is_read_again(tmp_path: Path) -> None:
    texts = {"one": "a,H100,24,2026-01-01", "two": "b,H100,8,2026-01-01"}
    paths = tuple(str(tmp_path / f"{name}.csv") for name in texts)
    for path, text in zip(paths, texts.values(), strict=True):
        Path(path).write_text(f"contract_id,gpu_model,gpus,start\n{text}\n")
    kept, read = KeptReadings(), list[object]()

    class Told(KeptReadings):
        """Tells what is read anew."""

        def of(self, subject: Any, paths: Any, choices: object, read_it: Any) -> Any:
            def told() -> Any:
                read.append(subject)
                return read_it()

            return kept.of(subject, paths, choices, told)

    def read_with(**said: Any) -> ReadResult:
        request = ImportRequest(contract_paths=paths, **said)
        return read_request(request, lambda *_: None, lambda: False, Told())

    first = read_with()
    read.clear()
    assert read_with().contracts == first.contracts and not read
    served = read_with(table_mappings=((paths[1], "+cluster==tern"),))
    assert read == [("contracts", paths[1])]  # neither the other table nor the logs
    assert [one.cluster for one in served.contracts] == ["", "tern"]
    Path(paths[0]).write_text("contract_id,gpu_model,gpus,start\nchanged,H100,1,2026-01-01\n")
    read.clear()
    assert read_with().contracts[1].contract_id == "changed"
    assert [subject for subject in read if subject != "jobs"] == [("contracts", path) for path in paths]
