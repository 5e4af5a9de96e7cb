"""A log beside kept rows counts as if all logs had been read together, wherever the first files are by then."""

from pathlib import Path
from random import Random

import pytest

from gpuplanner.files.importing.import_jobs import import_jobs
from gpuplanner.files.importing.log_choices import ReadOptions
from gpuplanner.files.importing.windowed_jobs import JobsRead
from gpuplanner.files.job_logs.reduce.job_rows import rows_path
from gpuplanner.files.job_logs.reduce.kept_logs import KeptLogs
from gpuplanner.files.project.project_file import is_same
from gpuplanner.files.values.lookback_period import WindowRequest

HEAD = "job_id,cluster,name,user,gpu_model,gpus,nodes,start,end,state,class,gpu_activity_percent,submit\n"
WHOLE = WindowRequest(whole_log=True)
PARTS = ("window", "cube", "workloads", "accepted", "unnamed", "same")


def together(folder: Path, first: str, later: str, options: ReadOptions) -> tuple[JobsRead, JobsRead]:
    """Two logs read in one import; and the second beside the rows that the first left, its file gone."""
    paths = [folder / name for name in ("first.csv", "later.csv")]
    for path, text in zip(paths, (first, later), strict=True):
        path.write_text(text, encoding="utf-8")
    both = import_jobs(list(map(str, paths)), options, window_request=WHOLE, rows_dir=folder)
    before = import_jobs([str(paths[0])], options, window_request=WHOLE, rows_dir=folder)
    paths[0].unlink()
    kept = KeptLogs(rows_path(folder, before.jobs.rows_sha256), before.intake)
    added = import_jobs([str(paths[1])], options, window_request=WHOLE, rows_dir=folder, kept=kept)
    return both, added


def differing(both: JobsRead, added: JobsRead) -> list[str]:
    """The parts in which the two differ; the order of equal rows in the kept file may."""
    found = [name for name in PARTS if not is_same(getattr(both, name), getattr(added, name))]
    facts = ("count", "milli_gpu_seconds", "quality", "queues", "largest", "runs", "gaps")
    found += [name for name in facts if not is_same(getattr(both.jobs, name), getattr(added.jobs, name))]
    counts = ("rows_read", "rows_accepted", "rows_rejected", "rows_duplicate", "rows_ignored", "issues")
    for old, new in zip(both.intake, added.intake, strict=True):
        found += [
            f"{old.path}.{name}" for name in counts if not is_same(getattr(old, name), getattr(new, name))
        ]
    return found


def random_jobs(draw: Random) -> list[tuple]:
    """Jobs of a log; another has the same ids, so that runs are told twice. All its times state a zone, or none."""
    zone = draw.choice(("Z", ""))
    return [
        (
            draw.randint(1, 6),
            draw.choice(("", "atlas", "birch")),
            draw.choice(("chat", "sft-7b", "")),
            draw.choice(("ann", "")),
            draw.choice(("H100", "")),
            draw.randint(0, 8),
            draw.randint(0, 40),  # start, in hours
            draw.randint(0, 30),  # length
            draw.choice(("COMPLETED", "FAILED", "RUNNING", "TIMEOUT", "")),
            draw.choice(("", "training", "inference")),
            draw.choice(("", "12.5", "90")),
            zone,
        )
        for _ in range(draw.randint(1, 8))
    ]


def log_of(jobs: list[tuple]) -> str:
    rows = []
    for number, cluster, name, user, model, gpus, start, length, state, label, activity, zone in jobs:
        end = "" if state == "RUNNING" else at(start + length) + zone
        rows.append(
            f"{number},{cluster},{name},{user},{model},{gpus},1,{at(start)}{zone},{end},{state},{label},{activity},"
        )
    return HEAD + "".join(f"{row}\n" for row in rows)


def at(hour: int) -> str:
    return f"2026-01-{1 + hour // 24:02}T{hour % 24:02}:00:00"


@pytest.mark.parametrize("seed", range(4))
def test_a_log_beside_kept_rows_counts_as_if_both_were_read_at_once(tmp_path: Path, seed: int) -> None:
    draw = Random(seed)
    both, added = together(tmp_path, log_of(random_jobs(draw)), log_of(random_jobs(draw)), ReadOptions())
    assert differing(both, added) == []


def test_pseudonyms_stay_those_of_the_first_import(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key = tmp_path / "key"
    key.write_text("0123456789abcdef0123456789abcdef")
    first, later = (
        f"{HEAD}{number},atlas,chat,ann,H100,2,1,{at(0)}Z,{at(number)}Z,COMPLETED,,,\n" for number in (3, 5)
    )
    both, added = together(tmp_path, first, later, ReadOptions(pseudonyms=key))
    assert [work.key for work in added.workloads] == [work.key for work in both.workloads]
    assert "ann" not in str(added.workloads)
    assert added.cube is not None and added.cube.total == 2 * 8 * 3_600_000


def test_a_file_that_is_read_anew_takes_the_place_of_its_kept_rows(tmp_path: Path) -> None:
    logs = {name: tmp_path / f"{name}.csv" for name in ("a", "b")}
    for number, log in enumerate(logs.values()):
        log.write_text(f"{HEAD}{number},atlas,chat,ann,H100,2,1,{at(0)}Z,{at(5)}Z,COMPLETED,,,\n")
    before = import_jobs(list(map(str, logs.values())), window_request=WHOLE, rows_dir=tmp_path)
    logs["a"].write_text(f"{HEAD}0,atlas,chat,ann,H100,4,1,{at(0)}Z,{at(5)}Z,COMPLETED,,,\n")
    kept = KeptLogs(rows_path(tmp_path, before.jobs.rows_sha256), before.intake, frozenset({0}))
    after = import_jobs([str(logs["a"])], window_request=WHOLE, rows_dir=tmp_path, kept=kept)
    assert [Path(file.path).stem for file in after.intake] == ["b", "a"]
    assert after.cube is not None and after.cube.total == (2 + 4) * 5 * 3_600_000
