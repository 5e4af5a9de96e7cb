"""What is left of a job's name: every clause of the rule, and what no rule of it may do."""

import re
import unicodedata
from dataclasses import replace
from datetime import time
from pathlib import Path
from uuid import UUID

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gpuplanner.domain.edits.workloads import carry_over, decided_keys
from gpuplanner.domain.model import plan_inputs
from gpuplanner.domain.model.book.only import Only
from gpuplanner.domain.model.cube import Workload, empty_cube
from gpuplanner.domain.model.gpu_family import Same, SameKind
from gpuplanner.domain.model.plan_inputs import LeakDecision, LeakStatus, ShareSplit, bare_key
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S, Window, iso_utc
from gpuplanner.files.importing.import_jobs import import_jobs
from gpuplanner.files.importing.import_tables import ContractsRead, PricesRead
from gpuplanner.files.importing.intake import assemble
from gpuplanner.files.importing.logs_so_far import logs_so_far
from gpuplanner.files.importing.windowed_jobs import JobsRead, rewindow
from gpuplanner.files.job_logs.reduce.former_names import former_keys, former_name, keep_decisions
from gpuplanner.files.job_logs.reduce.job_rows import WorkloadName, jobs_of_workloads, renamed, rows_path
from gpuplanner.files.job_logs.reduce.merged_names import ALIKE_AT_MOST, NAMES_MERGED, merged_names
from gpuplanner.files.job_logs.reduce.names import UNNAMED, fold_name, workload_key
from gpuplanner.files.system.resources import read_counting_words
from gpuplanner.files.values.lookback_period import WindowRequest
from gpuplanner.ui.flows.rules_flow import renamed_project
from tests.some_of import examples, some_of

COUNTING = read_counting_words()
LETTERS = st.from_regex(r"[g-z]{1,8}", fullmatch=True)  # no hexadecimal ones
WORDS = LETTERS.filter(lambda word: word not in COUNTING)
MIXED = st.from_regex(
    r"[g-z]{1,6}[0-9]{1,4}[g-z]{1,4}|[0-9]{1,3}[g-z]{1,4}|[g-z]{1,4}[0-9]\.[0-9]", fullmatch=True
)
TOKENS = WORDS | MIXED.filter(lambda token: re.sub(r"[\d.]+$", "", token) not in COUNTING)
SIGNS = st.from_regex(r"[-_/ ]{1,3}", fullmatch=True)
ISO_DAYS = st.dates().map(lambda day: f"{day.year:04}-{day.month:02}-{day.day:02}")


@pytest.mark.parametrize(
    ("name", "folded"),
    [
        ("Llama3_70B-sft.2026-01-05 run 12", "llama3-70b-sft-run"),
        ("llama7b-eval", "llama7b-eval"),
        ("llama70b-eval", "llama70b-eval"),
        ("gpt4o", "gpt4o"),
        ("qwen2.5-7b_v2", "qwen2.5-7b-v2"),
        ("t5", "t5"),
        ("", UNNAMED),
        ("123", UNNAMED),
        ("1.2.3", UNNAMED),
        ("v1.2.", "v1.2"),
        ("job-deadbeef1", "job"),
        ("job_deadbeef1", "job"),
        ("job-deadbee", "job-deadbee"),  # no digit: it may be a word
        ("abc123-x", "abc123-x"),  # six
        ("xdeadbeef1", "xdeadbeef1"),
        ("deadbeef1\u00e9", "deadbeef1\u00e9"),  # a letter beside it, if not one of ours
        ("a-550e8400-e29b-41d4-a716-446655440000.b", "a-b"),
        ("eval 2026-01-05T03:04:05.678+02:00 x", "eval-x"),
        ("eval-2026-01-05_03-04-05", "eval"),
        ("eval-2026-01-05T03-04-05", "eval"),  # as file names must have it
        ("eval-20260105T030405Z", "eval"),
        ("eval2026-01-05", "eval"),
        ("2026-13-05x", "05x"),  # no month
        ("2026-01-05 12.5b", "12.5b"),  # no time of a day
        ("run12/seed_7/lr0.001/wd1", "run-seed-lr-wd"),
        ("step1000b rerun3", "step1000b-rerun3"),  # whole tokens only
        ("\uff36\uff2c\uff2c\uff2d\uff0fchat", "vllm-chat"),  # NFKC
        ("..a//b  c--", "a-b-c"),
        ("train[3]:a+b", "train[3]:a+b"),  # signs that part nothing
        ("llama7b#12 #3", "llama7b#-#"),  # else it might be the key of a part
    ],
)
def test_names_are_folded_to_what_stays(name: str, folded: str) -> None:
    assert fold_name(name) == folded


@given(st.text(max_size=30))
def test_a_folded_name_is_never_empty_and_has_no_edges(name: str) -> None:
    folded = fold_name(name)
    assert folded and folded.strip("-") == folded
    assert not any(mark in folded for mark in ("_", "/", " ", "--"))
    assert not re.search(r"(?<!\d)\.|\.(?!\d)", folded)
    assert not any(re.fullmatch(r"[\d.]+", token) for token in folded.split("-"))
    assert bare_key(folded) == folded


@given(st.lists(TOKENS, min_size=1, max_size=6), st.data())
def test_a_token_of_letters_and_digits_is_never_cut(tokens: list[str], data: st.DataObject) -> None:
    name = "".join(data.draw(SIGNS) + token for token in tokens)
    assert fold_name(name) == "-".join(tokens) == fold_name(name.upper())


@given(WORDS, WORDS, st.data())
def test_a_dot_cuts_but_between_digits(one: str, other: str, data: st.DataObject) -> None:
    assert fold_name(f"{one}.{other}") == f"{one}-{other}"
    number = data.draw(st.integers(0, 99))
    assert fold_name(f"{one}{number}.{other}") == f"{one}{number}-{other}"
    assert fold_name(f"{one}{number}.{number}{other}") == f"{one}{number}.{number}{other}"


@given(st.sampled_from(COUNTING), st.integers(0, 10**9), WORDS)
def test_a_counting_word_counts(word: str, number: int, stem: str) -> None:
    for sign in ("", "-", "_", " ", "/", "."):
        assert fold_name(f"{stem}-{word}{sign}{number}") == f"{stem}-{word}"
    assert fold_name(f"{stem}{word}{number}x") == f"{stem}{word}{number}x"


@given(WORDS, st.integers(0, 99), ISO_DAYS, st.times(), st.uuids(), SIGNS)
@example("eval", 5, "2026-01-05", time(3, 4, 5), UUID(int=0), "-")
def test_runs_of_one_thing_are_one_workload(
    stem: str, number: int, day: str, clock: time, uuid: UUID, sign: str
) -> None:
    for run in (number, day, f"{day}T{clock:%H:%M:%S}Z", f"{day} {clock:%H:%M}", uuid, f"run{number}"):
        folded = fold_name(f"{stem}{sign}{run}")
        assert folded == (f"{stem}-run" if run == f"run{number}" else stem)


@given(
    st.lists(TOKENS | st.sampled_from(COUNTING) | st.integers(0, 10**6).map(str) | ISO_DAYS, max_size=6),
    st.data(),
)
def test_to_fold_again_changes_nothing(tokens: list[str], data: st.DataObject) -> None:
    folded = fold_name("".join(data.draw(SIGNS) + token for token in tokens))
    assert fold_name(folded) == folded


@given(st.text(max_size=20))
def test_a_name_that_is_written_otherwise_is_the_same(name: str) -> None:
    written = unicodedata.normalize("NFKC", name)
    assert fold_name(written) == fold_name(name)


def test_counting_words_are_words_of_small_letters_each_once() -> None:
    assert len(set(COUNTING)) == len(COUNTING)
    assert all(word.isascii() and word.isalpha() and word.islower() for word in COUNTING)


def test_the_key_ends_with_a_stated_class() -> None:
    assert workload_key("fox", "", "a", None) == "fox//a"
    assert workload_key("fox", "ml", "a", "burst") == "fox/ml/a/burst"


# --- Merged names: too many names that differ only in digits are one workload, and parted by a word

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


# --- Laws of the names ----------------------------------------------------------------------------


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


# --- Rows -----------------------------------------------------------------------------------------


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


# --- Former keys: what was decided of a workload holds under the key that it has now

OLD = "fox/ann/llamab-sft"
NEW = ("fox/ann/llama7b-sft", "fox/ann/llama70b-sft")


def _workload(key: str, sample: str = "") -> Workload:
    cluster, owner, name = key.split("/")
    return Workload(key=key, name=name, cluster=cluster, owner=owner, sample_name=sample or name)


def _project(*workloads: Workload, **fields: object) -> Project:
    ordered = tuple(sorted(workloads, key=lambda one: one.key))
    return Project(window=Window(0, 24), cube=empty_cube(24), workloads=ordered, **fields)  # type: ignore[arg-type]


PLAN = plan_inputs.Scenario(
    name="Plan A",
    pools={OLD: Pool.BURST, f"{OLD}#2": Pool.TRAINING},
    pinned=frozenset({OLD}),
    splits={OLD: ShareSplit(300)},
    only={OLD: Only(provider="x")},
    merges={"both": ("fox/ann/chat", OLD)},
    changes=(plan_inputs.DemandChange(of=OLD, keys=(OLD,), factor=2.0, from_s=0),),
    leak_decisions=(LeakDecision(leak_id=f"idle:{OLD}", status=LeakStatus.DISMISSED, at_s=5),),
)
BEFORE = _project(
    _workload(OLD, "llama70b-sft"), labels={OLD: Pool.TRAINING}, notes={OLD: "ends in May"}, scenarios=(PLAN,)
)
AFTER = replace(BEFORE, workloads=_project(*map(_workload, NEW)).workloads)


def test_a_decision_holds_for_all_that_a_workload_has_become_and_none_is_forgotten() -> None:
    found = keep_decisions(BEFORE, AFTER)
    (plan,) = found.scenarios
    for key in NEW:
        assert found.labels[key] is Pool.TRAINING and found.notes[key] == "ends in May"
        assert (plan.pools[key], plan.pools[f"{key}#2"]) == (Pool.BURST, Pool.TRAINING)
        assert key in plan.pinned and plan.splits[key] == ShareSplit(300) and plan.only[key].provider == "x"
        assert f"idle:{key}" in {one.leak_id for one in plan.leak_decisions}
        assert key in plan.changes[0].keys and key in plan.merges["both"]
    assert BEFORE.labels.items() <= found.labels.items() and BEFORE.notes.items() <= found.notes.items()
    assert PLAN.pools.items() <= plan.pools.items() and PLAN.pinned <= plan.pinned
    assert set(PLAN.leak_decisions) <= set(plan.leak_decisions)
    assert decided_keys(BEFORE) <= decided_keys(found)


def test_what_is_decided_of_a_workload_itself_stays() -> None:
    own = replace(AFTER, labels={**AFTER.labels, NEW[0]: Pool.INFERENCE})
    assert keep_decisions(replace(BEFORE, labels=own.labels), own).labels[NEW[0]] is Pool.INFERENCE


def test_a_decision_taken_back_does_not_come_again_with_the_next_log() -> None:
    found = keep_decisions(BEFORE, AFTER)
    without = replace(found, labels={OLD: Pool.TRAINING})
    assert keep_decisions(without, without) is without


def test_names_merged_and_parted_keep_what_was_said_of_them() -> None:
    apart = _workload("fox/ann/grid-x3y")
    together = _workload("fox/ann/grid-x#y", "grid-x3y")
    assert former_keys([together], {apart.key, "fox/bob/grid-x3y"}) == {together.key: (apart.key,)}
    assert former_keys([apart], {together.key}) == {apart.key: (together.key,)}
    said = _project(apart, labels={apart.key: Pool.BURST, "fox/ann/grid-x4y": Pool.TRAINING})
    differing = keep_decisions(said, replace(said, workloads=(together,)))
    assert together.key not in differing.labels
    agreed = replace(said, labels=dict.fromkeys(said.labels, Pool.BURST))
    assert keep_decisions(agreed, replace(agreed, workloads=(together,))).labels[together.key] is Pool.BURST


def test_a_project_of_the_rule_of_now_gives_a_new_workload_nothing_of_another() -> None:
    said = _project(_workload("fox/ann/eval"), labels={"fox/ann/eval": Pool.BURST})
    assert keep_decisions(said, replace(said, workloads=(_workload("fox/ann/eval7"),))).labels == said.labels


def test_the_former_rule_is_what_it_was() -> None:
    assert former_name("Llama3_70B-sft.2026-01-05 run 12") == "llama-b-sft-run"
    assert (former_name("123"), former_name("job-deadbeef1")) == ("unnamed", "job")


@given(st.dictionaries(st.sampled_from(["a", "b", "c"]), st.sampled_from(list(Pool))))
def test_without_former_keys_it_is_the_project_itself(labels: dict[str, Pool]) -> None:
    project = replace(BEFORE, labels=labels)
    assert carry_over(project, {}) is project
    assert carry_over(project, {"z": ("y",)}) is project
