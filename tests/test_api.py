"""gpuplanner in a script: what methods answer is what the command line prints, and faults are its lines."""

import io
import json
import os
import re
import subprocess
import sys
import time
import warnings
from contextlib import redirect_stdout
from pathlib import Path

import pandas as pd
import pytest

import gpuplanner
from gpuplanner import api
from gpuplanner.cli import inputs
from gpuplanner.cli.arguments import COMMANDS, OPTIONS
from gpuplanner.cli.run import run
from gpuplanner.domain import evaluation
from gpuplanner.domain.model.assumptions import ASSUMPTIONS
from tests.read_once import EVALUATED_ONCE, MONTHS_ONCE, ReadOnce

JOBS = """job_id,cluster,name,account,gpu_model,gpus,nodes,start,end,state
1,atlas,llama-pretrain,ml,H100,8,2,2026-01-01T00:00:00Z,2026-02-11T12:30:00Z,COMPLETED
2,atlas,vllm-chat,web,H100,2,1,2026-01-01T00:00:00Z,2026-03-15T00:00:00Z,COMPLETED
3,atlas,optuna-sweep,ml,H100,1,1,2026-01-05T00:00:00Z,2026-01-06T00:00:00Z,FAILED
4,atlas,broken,ml,H100,-1,1,2026-01-05T00:00:00Z,2026-01-06T00:00:00Z,FAILED
"""
CONTRACTS = """\
contract_id,provider,cluster,gpu_model,gpus,rate_usd_per_gpu_hour,start,end,pricing_category,term_months
c1,Vela,atlas,H100,8,2.75,2025-06-01,2026-06-01,COMMITTED,12
"""
PRICES = """\
offer_id,provider,gpu_model,pricing_category,term_months,rate_usd_per_gpu_hour,gpu_memory_gb,bare_metal,interconnect
od,AWS,H100,STANDARD,0,6.88,80,true,infiniband
y1,Vela,H100,COMMITTED,12,2.75,80,true,infiniband
"""
USERS = "city,country,latitude,longitude,users\nOslo,NO,59.9,10.7,500\nMadrid,ES,40.4,-3.7,900\n"
SITES = """site_id,city,country,latitude,longitude,usd_per_month,current
fra,Frankfurt,DE,50.1,8.7,1000,true
mad,Madrid,ES,40.4,-3.7,1200,false
"""
CHAT = "atlas/web/vllm-chat"
pytestmark = pytest.mark.filterwarnings("ignore:.*negative_gpus:UserWarning")  # of the row that is refused


@pytest.fixture(scope="module")
def read_once(tmp_path_factory: pytest.TempPathFactory) -> ReadOnce:
    """What all of these tests read."""
    return ReadOnce(tmp_path_factory.mktemp("rows"))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, read_once: ReadOnce) -> Path:
    """The folder that is worked in, with the files; data of the user lie in it too."""
    monkeypatch.setattr(inputs, "read_inputs", read_once)
    monkeypatch.setattr(inputs, "months_of_log", MONTHS_ONCE)
    for name, once in EVALUATED_ONCE.items():
        monkeypatch.setattr(evaluation, name, once)
    texts = {"jobs": JOBS, "contracts": CONTRACTS, "prices": PRICES, "users": USERS, "sites": SITES}
    texts["broken"] = "\n".join(line for line in JOBS.splitlines() if line[:2] not in ("1,", "2,", "3,"))
    for name, text in texts.items():
        (tmp_path / f"{name}.csv").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path


FILES = {"jobs": "jobs.csv", "contracts": "contracts.csv", "prices": "prices.csv"}
WORDS = ("--jobs", "jobs.csv", "--contracts", "contracts.csv", "--prices", "prices.csv")


@pytest.fixture
def project() -> api.Project:
    return gpuplanner.read(**FILES)


def printed(*argv: str) -> str:
    """What the command line prints, whatever else it says."""
    out = io.StringIO()
    with redirect_stdout(out):
        assert run([*argv, "--json"], int(time.time())) == 0
    return out.getvalue()


@pytest.fixture
def importable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other processes find what this one has."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, sys.path)))


def modules_after(statement: str) -> set[str]:
    """What a fresh Python has loaded after a statement."""
    code = f"import sys\n{statement}\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@pytest.mark.usefixtures("importable")
def test_the_import_alone_loads_nothing_heavy() -> None:
    heavy = {"pandas", "numpy", "duckdb", "PySide6", "pyarrow", "argparse", "gpuplanner.api"}
    assert not heavy & modules_after("import gpuplanner")
    assert {"pandas", "PySide6"} & modules_after("import gpuplanner; gpuplanner.open") == set()
    with pytest.raises(AttributeError, match="no attribute 'plann'"):
        _ = gpuplanner.plann  # type: ignore[attr-defined]
    assert {"open", "read"} <= set(dir(gpuplanner))


def test_every_command_about_a_project_is_a_method() -> None:
    of_none = {"demo", "check", "schema", "self-test"}
    assert {name for name in COMMANDS if callable(getattr(api.Project, name, None))} == set(
        COMMANDS
    ) - of_none
    assert "flips:" not in str(api.Project.audit.__doc__)
    assert "flips: add the values of assumptions at which the advice changes" in str(api.Project.plan.__doc__)


def test_no_keyword_is_both_an_option_and_an_assumption() -> None:
    options = {name for one in OPTIONS for name in [one.form.split()[0].lstrip("-").replace("-", "_")]}
    assert not options & {one.name for one in ASSUMPTIONS}


@pytest.mark.parametrize(
    ("command", "keywords", "words"),
    [
        ("reduce", {}, ()),
        ("audit", {"by": "model"}, ("--by", "model")),
        ("plan", {"lambda_": 0.05, "slices_lived": False}, ("--set", "lambda=0.05", "--set", "slices_lived=off")),
        ("plan", {"flips": True, "days": 20}, ("--flips", "--days", "20")),
        ("queue", {}, ()),
        ("backtest", {}, ()),
        ("award", {"max_prepaid": 1000}, ("--max-prepaid", "1000")),
        ("size", {"model": "Llama 3.1 8B", "traffic": "t.csv"}, ("--model", "Llama 3.1 8B", "--traffic", "t.csv")),
        ("train", {"model": "Llama 3.1 8B", "tokens": "1B"}, ("--model", "Llama 3.1 8B", "--tokens", "1B")),
    ],
)  # fmt: skip
def test_json_is_the_command_lines_byte_for_byte(
    project: api.Project, command: str, keywords: dict[str, object], words: tuple[str, ...]
) -> None:
    Path("t.csv").write_text("hour_of_week,requests_per_s\n" + "".join(f"{hour},2\n" for hour in range(168)))
    given = {"reduce": WORDS[:2], "backtest": (*WORDS[:2], *WORDS[4:]), "size": WORDS[4:], "train": WORDS[4:]}
    assert getattr(project, command)(**keywords).json() == printed(
        command, *given.get(command, WORDS), *words
    )


def test_placement_needs_no_log() -> None:
    places = gpuplanner.read(users="users.csv", sites=["sites.csv"])
    assert places.place().json() == printed("place", "--users", "users.csv", "--sites", "sites.csv")
    assert list(places.place().proposed["sites"]) != []


def test_a_saved_project_is_asked_and_tracked(project: api.Project) -> None:
    written = project.export(project="saved.gpuplan")
    assert written.project == "saved.gpuplan"
    again = printed("export", *WORDS, "--project", "saved.gpuplan")
    times = r'"written": "[^"]+"'  # the only thing that is of the moment
    assert re.sub(times, "", written.json()) == re.sub(times, "", again) != again
    saved = gpuplanner.open(Path("saved.gpuplan"))
    assert saved.audit().json() == printed("audit", "saved.gpuplan")
    question = "what do we waste"
    assert saved.ask(question).json() == printed("ask", question, "saved.gpuplan")
    later = "5,atlas,vllm-chat,web,H100,2,1,2026-03-10T00:00:00Z,2026-04-20T00:00:00Z,COMPLETED"
    Path("later.csv").write_text(f"{JOBS.splitlines()[0]}\n{later}\n")
    assert saved.track(jobs="later.csv").json() == printed("track", "saved.gpuplan", "--jobs", "later.csv")
    with pytest.raises(gpuplanner.Error, match="unrecognized arguments: --set=growth"):
        saved.set(growth=0.1).ask(question)  # what it would not count is not passed over


def test_a_question_is_of_the_project_that_was_opened_wherever_one_stands(
    project: api.Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.export(project="saved.gpuplan")
    saved, question = gpuplanner.open("saved.gpuplan"), "what do we waste"
    answer = saved.ask(question).json()
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert saved.ask(question).json() == answer


def test_words_that_look_like_options_are_no_way_out(project: api.Project) -> None:
    project.export(project="saved.gpuplan")
    saved = gpuplanner.open("saved.gpuplan")
    for way_out in (
        lambda: saved.ask("-h"),
        lambda: saved.ask("--help"),
        lambda: gpuplanner.open("-h"),
        lambda: gpuplanner.open("--version"),
        lambda: gpuplanner.read(jobs="-h"),
        lambda: gpuplanner.read(jobs=["--help"]),
    ):
        with pytest.raises(gpuplanner.Error) as error:
            way_out()
        assert str(error.value)


def test_any_iterable_of_files_is_several_files(project: api.Project, folder: Path) -> None:
    several = gpuplanner.read(jobs=folder.glob("jobs.csv"), contracts=(each for each in ["contracts.csv"]))
    assert several.audit().clusters["cluster"].tolist() == project.audit().clusters["cluster"].tolist()
    assert several.set(days=20).audit().clusters["cluster"].tolist() == ["atlas"], (
        "a generator gives them once"
    )


def test_a_frame_that_is_changed_changes_no_result(project: api.Project) -> None:
    audit = project.audit()
    frame = audit.clusters
    frame["cluster"] = "changed"
    assert audit.clusters["cluster"].tolist() == ["atlas"]


def test_lists_are_frames_with_the_fields_of_the_json(project: api.Project) -> None:
    answer = project.plan()
    document = json.loads(answer.json())
    assert isinstance(answer.orders, pd.DataFrame)
    for name, rows in document.items():
        if isinstance(rows, list) and all(isinstance(row, dict) for row in rows):
            pd.testing.assert_frame_equal(answer[name], pd.json_normalize(rows))
    (cluster,) = document["clusters"]
    assert answer.clusters["stranded.audit_usd_per_month"].tolist() == [
        cluster["stranded"]["audit_usd_per_month"]
    ]
    assert answer.pools["layers"].iloc[0] == document["pools"][0]["layers"]
    assert answer.totals.plan_usd_per_month == document["totals"]["plan_usd_per_month"]
    assert answer["intake.files"]["path"].tolist() == ["jobs.csv", "contracts.csv", "prices.csv"]
    pd.testing.assert_frame_equal(answer.intake.files, answer["intake.files"])
    assert answer.hours_of_week.shape == (7, 24)
    assert (
        dict(answer.window) == document["window"] and json.loads(answer.window.json()) == document["window"]
    )
    assert set(answer) == set(document) and {"orders", "json"} <= set(dir(answer))
    with pytest.raises(AttributeError, match="there is no field 'order'"):
        _ = answer.order
    with pytest.raises(KeyError):
        _ = answer["order"]


def test_unknown_is_none_and_not_nought() -> None:
    answer = gpuplanner.read(jobs="jobs.csv", contracts="contracts.csv").audit()
    (row,) = json.loads(answer.json())["contracts"]
    assert row["break_even_utilization"] is None
    assert pd.isna(answer.contracts["break_even_utilization"].iloc[0])


def test_edits_return_another_project(project: api.Project) -> None:
    before = project.plan().json()
    edited = project.assign({CHAT: "burst"}).ends(f"{CHAT}=2026-12-01").set(growth=0.05, price_case="high")
    words = ("--assign", f"{CHAT}=burst", "--ends", f"{CHAT}=2026-12-01", "--set", "growth=0.05")
    assert edited.plan().json() == printed("plan", *WORDS, *words, "--price-case", "high")
    assert edited.plan(price_case="low", growth=0.1).json() == printed(
        "plan", *WORDS, *words, "--price-case", "low", "--set", "growth=0.1"
    )
    assert project.plan().json() == before
    assert "--assign=atlas/web/vllm-chat=burst" in repr(edited)
    assert edited.reduce().json() == printed("reduce", *WORDS[:2])  # which has none of these options


def test_files_are_read_once_for_each_window(project: api.Project) -> None:
    Path("jobs.csv").unlink()
    assert project.set(lambda_=0.1).plan().jobs.count == 3
    with pytest.raises(gpuplanner.Error, match=r"jobs\.csv: file_missing"):
        project.plan(days=10)


@pytest.mark.parametrize(
    ("ask", "status", "line"),
    [
        (lambda: gpuplanner.read(jobs="none.csv"), 3, "none.csv: file_missing: file not found; check the path"),
        (lambda: gpuplanner.open("none.gpuplan"), 3, "none.gpuplan: file_missing: "),
        (lambda: gpuplanner.read(**FILES).plan(lamda=1), 2, "gpuplanner: usage: --set lamda: no such assumption"),
        (lambda: gpuplanner.read(**FILES).plan(lambda_=7), 2, "gpuplanner: usage: --set lambda: "),
        (lambda: gpuplanner.read(**FILES).audit(by="moon"), 2, "gpuplanner: usage: argument --by: invalid choice"),
        (lambda: gpuplanner.read(jobs="broken.csv").audit(), 1, "gpuplanner: audit: no job was imported"),
    ],
)  # fmt: skip
def test_faults_are_the_command_lines_lines(ask: object, status: int, line: str) -> None:
    with pytest.raises(gpuplanner.Error) as raised:
        ask()  # type: ignore[operator]
    assert line in str(raised.value) and raised.value.exit_status == status
    assert (raised.value.result is None) == (status != 1)
    if raised.value.result is not None:
        assert raised.value.result.intake.files["rows_rejected"].tolist() == [1]


def test_what_is_said_beside_an_answer_is_a_warning(project: api.Project) -> None:
    with pytest.warns(UserWarning, match="jobs.csv:5: negative_gpus") as told:
        project.audit()
    assert told[0].filename == __file__


@pytest.mark.usefixtures("importable")
def test_a_sweep_answers_every_case_in_order(project: api.Project) -> None:
    told: list[tuple[int, int]] = []
    found = project.sweep(
        lambda_=[0.01, 0.1], growth=[0, 0.05], processes=2, on_progress=lambda *so_far: told.append(so_far)
    )
    assert [case for case, _ in found] == [
        {"lambda_": 0.01, "growth": 0},
        {"lambda_": 0.01, "growth": 0.05},
        {"lambda_": 0.1, "growth": 0},
        {"lambda_": 0.1, "growth": 0.05},
    ]
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]
    for case, answer in found:
        assert answer.json() == project.plan(**case).json()
    with pytest.raises(gpuplanner.Error, match="no such assumption") as raised:
        project.sweep("audit", lamda=[1])
    assert raised.value.exit_status == 2


def test_what_is_declared_is_what_is_there() -> None:
    declared = (Path(gpuplanner.__file__).parent / "__init__.pyi").read_text(encoding="utf-8")
    names = {line.split()[-1] for line in declared.splitlines()}
    assert names == set(gpuplanner.__all__)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert all(getattr(gpuplanner, name) is not None for name in names)
