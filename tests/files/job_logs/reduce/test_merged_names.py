"""Merged names: too many names that differ only in digits are one workload, and parted by a word."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuplanner.domain.model.gpu_family import Same, SameKind
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S, Window, iso_utc
from gpuplanner.files.importing.import_jobs import import_jobs
from gpuplanner.files.importing.import_tables import ContractsRead, PricesRead
from gpuplanner.files.importing.intake import assemble
from gpuplanner.files.importing.logs_so_far import logs_so_far
from gpuplanner.files.importing.windowed_jobs import JobsRead, rewindow
from gpuplanner.files.job_logs.reduce.job_rows import WorkloadName, jobs_of_workloads, renamed, rows_path
from gpuplanner.files.job_logs.reduce.merged_names import ALIKE_AT_MOST, NAMES_MERGED, merged_names
from gpuplanner.files.job_logs.reduce.names import fold_name
from gpuplanner.files.values.lookback_period import WindowRequest
from gpuplanner.ui.flows.rules_flow import renamed_project
from tests.some_of import examples, some_of

WHOLE = WindowRequest(whole_log=True)
HEADER = "job_id,cluster,name,user,gpu_model,gpus,start,end,class"
ENOUGH = ALIKE_AT_MOST + 1
FIRST_S = 1767225600
FORMS = st.sampled_from(["grid-x{}y", "grid-x{}", "sft{}b", "chat"])
NAME = st.tuples(st.sampled_from(["fox", "elk"]), st.sampled_from(["ann", "bob"]), FORMS, st.integers(0, 40))
NAMES = st.lists(NAME, max_size=120)


def _names(drawn: list[tuple[str, str, str, int]]) -> list[WorkloadName]:
    made = {(cluster, owner, form.replace("{}", str(number))) for cluster, owner, form, number in drawn}
    return [
        WorkloadName(key="/".join(one), name=one[2], cluster=one[0], owner=one[1], label="")
        for one in sorted(made)
    ]


def _row(number: int, name: str, *, user: str = "ann", day: int = 0, label: str = "", hours: int = 1) -> str:
    start_s = FIRST_S + day * DAY_S
    start, end = iso_utc(start_s), iso_utc(start_s + hours * 3600)
    return f"{number},fox,{name},{user},H100,2,{start},{end},{label}"


def _read(tmp_path: Path, rows: list[str], same: tuple[Same, ...] = (), *, kept: bool = True) -> JobsRead:
    path = tmp_path / "jobs.csv"
    path.write_text("\n".join((HEADER, *rows)) + "\n")
    rows_dir = tmp_path if kept else None
    return import_jobs([str(path)], window_request=WHOLE, rows_dir=rows_dir, same=lambda *names: same)


def _keys(read: JobsRead) -> list[str]:
    return [workload.key for workload in read.workloads]


def _said(theirs: str, ours: str) -> Same:
    return Same(SameKind.WORKLOAD, theirs, ours)


GRID = [_row(number, f"grid-x{number}y", day=number) for number in range(ENOUGH)]
OTHERS = [_row(100, "chat"), _row(101, "grid-x5y", user="bob"), _row(102, "grid-z5y")]


@given(NAMES, st.randoms())
def test_order_and_repeats_do_not_matter(drawn, random) -> None:  # type: ignore[no-untyped-def]
    names = _names(drawn)
    shuffled = names * 2
    random.shuffle(shuffled)
    assert renamed(shuffled) == renamed(names)


@given(NAMES)
def test_an_owner_is_merged_whatever_others_run(drawn: list[tuple[str, str, str, int]]) -> None:
    names = _names(drawn)
    alone = [one for one in names if (one.cluster, one.owner) == ("fox", "ann")]
    together = renamed(names).names
    assert renamed(alone).names == {was: one for was, one in together.items() if was in alone}


@given(NAMES)
def test_only_more_than_twenty_names_alike_are_one(drawn: list[tuple[str, str, str, int]]) -> None:
    names = _names(drawn)
    found = renamed(names)
    for merged in found.merged:
        assert len(merged.names) > ALIKE_AT_MOST
        assert {fold_name(merged.name)} == {merged.name}
    for was, one in found.names.items():
        assert one.name == was.name.replace("".join(filter(str.isdigit, was.name)), "#")
        assert (one.cluster, one.owner) == (was.cluster, was.owner)
    again = [found.names.get(one, one) for one in names]
    assert renamed(again).names == {}


def test_the_twenty_first_name_merges() -> None:
    few = [("fox", "ann", f"x{number}y") for number in range(ALIKE_AT_MOST)]
    assert merged_names(few) == ()
    (merged,) = merged_names([*few, ("fox", "ann", "x99y"), ("fox", "bob", "x99y")])
    assert (merged.name, len(merged.names)) == ("x#y", ENOUGH)


@pytest.mark.parametrize("kept", some_of([True, False], quick=1))
def test_rows_of_merged_names_are_one_workload_and_it_is_said(tmp_path: Path, kept: bool) -> None:
    read = _read(tmp_path, [*GRID, *OTHERS], kept=kept)
    assert _keys(read) == ["fox/ann/chat", "fox/ann/grid-x#y", "fox/ann/grid-z5y", "fox/bob/grid-x5y"]
    assert [workload.gpu_hours for workload in read.workloads] == [2, 2 * ENOUGH, 2, 2]
    assert read.cube is not None and read.cube.total == sum(one.milli_gpu_seconds for one in read.workloads)
    (issue,) = (issue for issue in read.intake[0].issues if issue.code == NAMES_MERGED)
    assert (issue.count, issue.first_row) == (ENOUGH, 2)
    assert all(
        part in str(issue.message) for part in ("grid-x#y", "ann", "fox", "21 ", "grid-x0y, grid-x10y")
    )


@pytest.mark.long
def test_names_of_several_classes_are_counted_together(tmp_path: Path) -> None:
    rows = [_row(n, f"grid-x{n}y", label="burst" if n % 2 else "training") for n in range(ENOUGH)]
    assert _keys(_read(tmp_path, rows)) == ["fox/ann/grid-x#y/burst", "fox/ann/grid-x#y/training"]


@pytest.mark.long
def test_the_kept_rows_stay_raw_and_are_parted_by_a_word(tmp_path: Path) -> None:
    apart = (_said("fox/ann/grid-x#y", "fox/ann/grid-x#y"),)
    read, parted = _read(tmp_path, GRID), _read(tmp_path, GRID, apart)
    assert read.jobs.rows_sha256 == parted.jobs.rows_sha256
    assert len(parted.workloads) == ENOUGH and not parted.intake[0].issues
    one = _read(tmp_path, GRID, (_said("fox/ann/grid-x3y", "fox/ann/grid-x3y"),))
    assert _keys(one) == ["fox/ann/grid-x#y", "fox/ann/grid-x3y"]
    for same, wanted in ((apart, parted), ((), read)):
        again = rewindow(tmp_path, read.jobs, read.intake, WHOLE, same=same)
        assert again.workloads == wanted.workloads and again.intake == wanted.intake
        assert again.cube.milli_gpu_seconds.tolist() == wanted.cube.milli_gpu_seconds.tolist()


def test_what_the_planner_says_is_one_workload_is_one(tmp_path: Path) -> None:
    same = (_said("fox/bob/grid-x5y", "fox/ann/chat"), _said("grid-z5y", "fox/ann/grid-x#y"))
    read = _read(tmp_path, [*GRID, *OTHERS], same)
    found = {one.key: one.gpu_hours for one in read.workloads}
    assert found == {"fox/ann/chat": 4, "fox/ann/grid-x#y": 2 * ENOUGH + 2}
    circle = (_said("fox/ann/chat", "fox/ann/grid-z5y"), _said("fox/ann/grid-z5y", "fox/ann/chat"))
    assert _read(tmp_path, [*GRID, *OTHERS], circle).jobs.gpu_hours == 4 + 2 * ENOUGH + 2


@pytest.mark.long
def test_the_jobs_behind_a_merged_workload_are_found(tmp_path: Path) -> None:
    read = _read(tmp_path, [*GRID, *OTHERS])
    path, window = rows_path(tmp_path, read.jobs.rows_sha256), read.window
    page = jobs_of_workloads(path, ("fox/ann/grid-x#y",), window=window)
    assert (page.total, {row.workload_key for row in page.rows}) == (ENOUGH, {"fox/ann/grid-x#y"})
    assert jobs_of_workloads(path, ("fox/bob/grid-x5y",), window=window).total == 1


@pytest.mark.long
def test_a_fold_knows_only_the_names_so_far(tmp_path: Path) -> None:
    read = _read(tmp_path, GRID)
    project = assemble(read, ContractsRead(), PricesRead()).project()
    windows = [Window(FIRST_S, 24 * days) for days in (2, ENOUGH - 1, ENOUGH)]
    found = [[one.key for one in log.workloads] for log in logs_so_far(tmp_path, project, windows)]
    assert [len(keys) for keys in found] == [2, ALIKE_AT_MOST, 1]
    changed = [*GRID[:-1], _row(ENOUGH - 1, "other", day=ENOUGH - 1)]
    other = assemble(_read(tmp_path, changed), ContractsRead(), PricesRead()).project()
    before = [[one.key for one in log.workloads] for log in logs_so_far(tmp_path, other, windows[:2])]
    assert before == found[:2]


@pytest.mark.long
@settings(max_examples=examples(2))
@given(NAMES, st.randoms())
def test_gpu_time_is_kept_and_the_order_of_rows_changes_no_key(tmp_path_factory, drawn, random) -> None:  # type: ignore[no-untyped-def]
    rows = [
        _row(place, form.replace("{}", str(number)), user=owner, hours=1 + number)
        for place, (_, owner, form, number) in enumerate(drawn)
    ]
    shuffled = [*rows]
    random.shuffle(shuffled)
    one, other = (_read(tmp_path_factory.mktemp("log"), some, kept=False) for some in (rows, shuffled))
    figures, others = ([(w.key, w.milli_gpu_seconds) for w in read.workloads] for read in (one, other))
    assert figures == others
    total = sum(2 * (1 + number) for *_, number in drawn)
    assert sum(workload.gpu_hours for workload in one.workloads) == pytest.approx(total)


def test_names_are_parted_in_the_window_and_keep_what_was_said_of_them(tmp_path: Path) -> None:
    read = _read(tmp_path, [*GRID, *OTHERS])
    project = assemble(read, ContractsRead(), PricesRead()).project()
    key = "fox/ann/grid-x#y"
    project = replace(project, labels={key: Pool.BURST})
    parted = renamed_project(project, (_said(key, key),), (), (), tmp_path)
    grid = [one.key for one in parted.workloads if one.key.startswith("fox/ann/grid-x")]
    assert len(grid) == ENOUGH and all(parted.labels[one] is Pool.BURST for one in grid)
    assert parted.cube.total == project.cube.total
    together = renamed_project(parted, (), (_said(key, key),), (), tmp_path)
    assert together.workloads == project.workloads and together.labels[key] is Pool.BURST
