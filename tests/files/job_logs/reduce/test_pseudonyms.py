"""Pseudonyms: nothing of a name is left, and nothing else of an answer changes."""

import os
import re
import stat
import sys
import zipfile
from dataclasses import replace
from itertools import product
from pathlib import Path

import duckdb
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gpuplanner.domain.demand.own_rules import folded, name_words
from gpuplanner.domain.evaluation import evaluate
from gpuplanner.domain.model.cube import IdleGaps
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.importing.check import check_file
from gpuplanner.files.importing.intake import ReadResult, read_inputs
from gpuplanner.files.importing.log_choices import ReadOptions
from gpuplanner.files.importing.windowed_jobs import rewindow
from gpuplanner.files.job_logs.reduce.names import digits_aside, fold_name
from gpuplanner.files.job_logs.reduce.pseudonyms import KEY_NAME, name_pseudonyms, owner_pseudonyms, read_key
from gpuplanner.files.project.project_file import save_project
from gpuplanner.files.system.resources import read_tables
from gpuplanner.files.system.user_files import data_folder
from gpuplanner.files.values.lookback_period import WindowRequest
from gpuplanner.files.workbook.write import write_workbook
from tests.files.job_logs.row_ends import codes, fates

KEY = b"0123456789abcdef0123456789abcdef"
RULES = read_tables().class_rules
RULE_WORDS = [
    *("train", "pretrain", "fine-tune", "vllm", "sweep", "grid search", "eval", "jupyter", "api"),
    *("retrain", "dev"),
]
OTHER_WORDS = [
    *("llama", "Zorin", "70b", "2026-01-05", "run", "x", "Acme", "deadbeef01", "12", "pre", "grid", "é")
]
NAMES = st.lists(st.sampled_from(RULE_WORDS + OTHER_WORDS), max_size=5).flatmap(
    lambda words: st.sampled_from(["-", "_", " ", "", "."]).map(lambda sign: sign.join(words))
) | st.text(max_size=20)
LOG = """job_id,cluster,name,account,user,queue,gpu_model,gpus,start,end,state
1,atlas,zorin-pretrain-01,borealis,ann,gpu,H100,8,2026-01-01T00:00:00Z,2026-01-09T00:00:00Z,COMPLETED
2,atlas,zorin-pretrain-02,borealis,bob,gpu,H100,8,2026-01-09T00:00:00Z,2026-01-19T00:00:00Z,FAILED
3,atlas,vllm-zorinchat,,ann,serve,H100,2,2026-01-01T00:00:00Z,2026-01-30T00:00:00Z,RUNNING
3,atlas,vllm-zorinchat,,ann,serve,H100,2,2026-01-01T00:00:00Z,2026-01-31T00:00:00Z,COMPLETED
,atlas,TrainZorin,caldera,caldera,dev,H100,1,2026-01-05T00:00:00Z,2026-01-06T00:00:00Z,COMPLETED
,atlas,TrainZorin,caldera,caldera,dev,H100,1,2026-01-05T00:00:00Z,2026-01-06T00:00:00Z,COMPLETED
5,atlas,7,,caldera,dev,H100,1,2026-01-05T00:00:00Z,2026-01-06T00:00:00Z,COMPLETED
6,atlas,,,caldera,dev,H100,1,2026-01-05T00:00:00Z,2026-01-06T00:00:00Z,COMPLETED
7,atlas,zorin-broken,borealis,ann,gpu,H100,8,ann began,2026-01-09T00:00:00Z,COMPLETED
8,atlas,zorin-broken,borealis,ann,gpu,H100,zorin,2026-01-08T00:00:00Z,2026-01-09T00:00:00Z,COMPLETED
"""
SECRETS = (b"zorin", b"borealis", b"ann", b"bob", b"caldera")


@pytest.fixture
def log(tmp_path: Path) -> str:
    path = tmp_path / "jobs.csv"
    path.write_text(LOG)
    return str(path)


def _read(log: str, *, pseudonyms: bool | Path = False, rows_dir: Path | None = None) -> ReadResult:
    options = ReadOptions(pseudonyms=pseudonyms)
    return read_inputs(
        [log], window_request=WindowRequest(whole_log=True), options=options, rows_dir=rows_dir
    )


# --- Laws of the names -------------------------------------------------------------------------


@given(st.lists(NAMES, max_size=12))
@example(["train", "Train", "TRAIN 7"])
def test_names_of_one_workload_stay_together_and_all_others_apart(names: list[str]) -> None:
    found = name_pseudonyms(KEY, names, RULES)
    for one, other in product(names, names):
        are_together = fold_name(one) == fold_name(other)
        assert (fold_name(found[one]) == fold_name(found[other])) == are_together


@given(
    st.lists(NAMES, max_size=6),
    st.sampled_from(["zorin{}b", "{}", "sft-{}x-{}"]),
    st.sets(st.integers(0, 99)),
)
def test_names_alike_but_for_digits_stay_alike_and_no_others(
    names: list[str], form: str, numbers: set[int]
) -> None:
    names = [*names, *(form.replace("{}", str(number)) for number in sorted(numbers))]
    found = name_pseudonyms(KEY, names, RULES)
    for pair in product(names, names):
        before = {digits_aside(fold_name(name)) for name in pair}
        assert len({digits_aside(fold_name(found[name])) for name in pair}) == len(before)


@given(st.lists(NAMES, min_size=1, max_size=8))
def test_a_name_keeps_the_words_that_rules_know_and_no_other(names: list[str]) -> None:
    found = name_pseudonyms(KEY, names, RULES)
    stems: dict[str, list[str]] = {}
    for name in names:
        stems.setdefault(fold_name(name), []).append(name)
    for stem, same in stems.items():
        (before,) = name_words([f"{stem}\n{min(same)}"], RULES)
        pseudonym = found[same[0]]
        assert name_words([f"{fold_name(pseudonym)}\n{pseudonym}"], RULES) == [before]
        kept = [word for word in folded(pseudonym).split() if word not in ("job", "unnamed")]
        if pseudonym not in ("", "unnamed"):
            assert kept[1:] == " ".join(before).split()


@given(st.lists(NAMES, min_size=1, max_size=8), NAMES)
def test_a_pseudonym_does_not_depend_on_what_else_is_in_the_log(names: list[str], other: str) -> None:
    alone = name_pseudonyms(KEY, names[:1], RULES)
    if fold_name(other) != fold_name(names[0]):
        assert name_pseudonyms(KEY, [names[0], other], RULES)[names[0]] == alone[names[0]]


OWNERS = st.sets(st.text(min_size=1, max_size=8), max_size=8)


@given(OWNERS, OWNERS)
def test_owners_stay_apart_and_one_name_is_one_owner(users: set[str], accounts: set[str]) -> None:
    of_users, of_accounts = owner_pseudonyms(KEY, users, accounts)
    assert set(of_users) == users and set(of_accounts) == accounts
    owners = {name: of_accounts.get(name, of_users.get(name)) for name in users | accounts}
    assert len(set(owners.values())) == len(owners)
    for name in users & accounts:
        assert of_users[name] == of_accounts[name]


@pytest.mark.long
def test_pseudonyms_that_would_be_alike_are_longer() -> None:
    names = [f"{number:x}" for number in range(60_000)]
    users, _ = owner_pseudonyms(KEY, names, ())
    assert len(set(users.values())) == len(names)
    assert len({len(name) for name in users.values()}) > 1


def test_another_key_gives_other_names() -> None:
    one, two = (name_pseudonyms(key, ["zorin-train"], RULES)["zorin-train"] for key in (KEY, KEY[::-1]))
    assert one != two and one.endswith("-train") and two.endswith("-train")


# --- Laws of the import ------------------------------------------------------------------------


def _without_names(idle_gaps: IdleGaps | None) -> object:
    """Idle gaps and what ran in them, whichever place the workloads have among the keys."""
    return idle_gaps.longer_than_s, sorted(
        (one.end_s, sorted((job.gpu_model or "", job.milli_gpus, job.until_s) for job in one.running))
        for one in idle_gaps.each
    )


@pytest.mark.long
def test_everything_but_names_is_as_without_pseudonyms(log: str) -> None:
    plain, hidden = _read(log), _read(log, pseudonyms=True)
    jobs = [replace(read.jobs, idle_gaps=None, largest=(), runs=()) for read in (hidden, plain)]
    assert jobs[0] == jobs[1]
    runs = [sorted(map(repr, (replace(run, key="") for run in read.jobs.runs))) for read in (hidden, plain)]
    assert runs[0] == runs[1] != []
    ids = [[job.job_id for job in read.jobs.largest] for read in (hidden, plain)]
    assert ids[0] == ids[1]
    assert _without_names(hidden.jobs.idle_gaps) == _without_names(plain.jobs.idle_gaps)
    assert fates(hidden) == fates(plain)
    assert hidden.intake[0].issues == plain.intake[0].issues

    def figures(read: ReadResult) -> list[tuple[object, ...]]:
        project = read.project()
        found = evaluate(project, project.scenarios[0].name, read_tables())
        classes = [today.classification for today in found.audit.workloads]
        told = [(one.pool, one.subtype, round(one.confidence, 9), one.reasons) for one in classes]
        amounts = [(work.milli_gpu_seconds, work.jobs, work.queue) for work in project.workloads]
        return sorted((*amount, *one) for amount, one in zip(amounts, told, strict=True))

    assert figures(hidden) == figures(plain)


@pytest.mark.long
def test_the_same_names_come_again_with_the_next_import(log: str, tmp_path: Path) -> None:
    shorter = tmp_path / "next.csv"
    shorter.write_text("\n".join(LOG.splitlines()[:3]) + "\n")
    before = {workload.key for workload in _read(log, pseudonyms=True).workloads}
    assert {workload.key for workload in _read(str(shorter), pseudonyms=True).workloads} < before


@pytest.mark.long
def test_no_name_is_in_anything_that_is_kept(log: str, tmp_path: Path) -> None:
    rows_dir = tmp_path / "rows"
    read = _read(log, pseudonyms=True, rows_dir=rows_dir)
    project = read.project()
    save_project(project, tmp_path / "p.gpuplan")
    write_workbook(evaluate(project, project.scenarios[0].name, read_tables()), tmp_path / "p.xlsx", 0)
    texts = [repr(read).encode(), repr(check_file(log, options=ReadOptions(pseudonyms=True))).encode()]
    with zipfile.ZipFile(tmp_path / "p.xlsx") as book:
        names = [name for name in book.namelist() if name.startswith("xl/worksheets") or "shared" in name]
        texts += map(book.read, names)
    with duckdb.connect() as connection:
        (kept,) = rows_dir.glob("*.parquet")
        texts.append(repr(connection.execute(f"select * from '{kept}'").fetchall()).encode())
    texts.append((tmp_path / "p.gpuplan").read_bytes())
    for text, secret in product(texts, SECRETS):
        told = text.replace(str(tmp_path).encode(), b"")
        assert not _has_word(told, secret) and not _has_word(told, secret.capitalize())


def test_a_word_in_place_of_a_state_may_be_a_name(tmp_path: Path) -> None:
    log = tmp_path / "jobs.csv"
    times = "2026-01-05T10:00:00Z,2026-01-05T11:00:00Z"
    log.write_text(f"job_id,gpus,start,end,state\n1,2,{times},left_to_zorin\n2,2,{times},FAILED\n")
    read = _read(str(log), pseudonyms=True, rows_dir=tmp_path)
    assert codes(read)["unknown_state"] == 1
    (kept,) = tmp_path.glob("*.parquet")
    with duckdb.connect() as connection:
        states = connection.execute(f"select state from '{kept}' order by job_id").fetchall()
    assert states == [("OTHER",), ("FAILED",)]


def _has_word(text: bytes, word: bytes) -> bool:
    return re.search(rb"(?<![A-Za-z])" + word + rb"(?![a-z])", text) is not None


@pytest.mark.long
def test_another_window_of_the_kept_rows_has_the_same_names(log: str, tmp_path: Path) -> None:
    read = _read(log, pseudonyms=True, rows_dir=tmp_path)
    again = rewindow(tmp_path, read.jobs, read.intake, WindowRequest(whole_log=True))
    assert [workload.key for workload in again.workloads] == [workload.key for workload in read.workloads]


@pytest.mark.long
def test_an_id_that_is_made_of_names_is_replaced_and_a_number_stays(tmp_path: Path) -> None:
    log = tmp_path / "jobs.csv"
    rows = [("team/zorin-abc", ""), ("run-of-zorin", "Zorin"), ("12_3", ""), ("12", "12")]
    log.write_text(
        "job_id,user,gpus,start,end\n"
        + "".join(f"{job},{user},1,2026-01-01T00:00:00Z,2026-01-01T01:00:00Z\n" for job, user in rows)
    )
    kept = []
    for folder in (tmp_path / "once", tmp_path / "again"):
        _read(str(log), pseudonyms=True, rows_dir=folder)
        (path,) = folder.glob("*.parquet")
        with duckdb.connect() as connection:
            kept.append(connection.execute(f"select job_id from '{path}' order by line").fetchall())
    ids = [row[0] for row in kept[0]]
    assert kept[0] == kept[1] and ids[2:] == ["12_3", "12"] and len(set(ids)) == 4
    assert all(re.fullmatch("id-[0-9a-f]{16}", one) for one in ids[:2])


# --- The key -----------------------------------------------------------------------------------


def test_a_key_is_made_once_and_is_nobody_elses(tmp_path: Path) -> None:
    folder = tmp_path / "data" / "deep"
    key = read_key(None, folder)
    assert len(key) == 64
    assert read_key(None, folder) == key == read_key(folder / KEY_NAME, tmp_path / "other")
    assert [path.name for path in folder.iterdir()] == [KEY_NAME]
    if sys.platform != "win32":
        assert stat.S_IMODE(os.stat(folder / KEY_NAME).st_mode) == 0o600
    assert read_key(None, tmp_path / "elsewhere") != key


@pytest.mark.parametrize(("content", "code"), [(None, "file_missing"), (b"short", "file_unreadable")])
def test_a_key_that_is_none_is_said(tmp_path: Path, content: bytes | None, code: str) -> None:
    path = tmp_path / "key"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(PlannerError) as caught:
        read_key(path, tmp_path)
    assert caught.value.code == code and caught.value.remedy


def test_a_folder_is_no_key_and_the_system_s_words_say_so(tmp_path: Path) -> None:
    with pytest.raises(PlannerError, match=re.escape(str(tmp_path))):
        read_key(tmp_path, tmp_path)


@pytest.mark.long
def test_a_shared_key_gives_the_same_names_elsewhere(
    log: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = _read(log, pseudonyms=True)
    shared = tmp_path / "shared.key"
    shared.write_bytes(read_key(None, data_folder()))
    elsewhere = tmp_path / "another computer"
    monkeypatch.setattr("gpuplanner.files.importing.import_jobs.data_folder", lambda: elsewhere)
    assert _read(log, pseudonyms=shared).workloads == own.workloads
    assert _read(log, pseudonyms=True).workloads != own.workloads
    assert [path.name for path in elsewhere.iterdir()] == [KEY_NAME]
