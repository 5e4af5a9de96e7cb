"""Odd paths: where a file lies and how it is called says nothing about what is in it."""

import shutil
from pathlib import Path

import pytest

from gpuplanner.files.export.cube_file import cube_sha256
from gpuplanner.files.importing.import_jobs import import_jobs
from gpuplanner.files.importing.log_preview import preview_log
from gpuplanner.files.importing.windowed_jobs import JobsRead, rewindow
from gpuplanner.files.system.engine import open_engine
from gpuplanner.files.values.lookback_period import WindowRequest
from tests.some_of import one_in

LOG = """job_id,cluster,name,gpus,start,end
1,atlas,a,2,2026-01-01T00:00:00Z,2026-01-01T10:00:00Z
2,atlas,b,1,2026-01-01T05:30:00Z,2026-01-02T00:00:00Z
"""
FOLDERS = ("~", "~root", "$HOME", "a*?[b]", "gpus=7/c1=x/start_s=5", "it's {a,b} 年 %20 #1")
WHOLE = WindowRequest(whole_log=True)


def sha256(read: JobsRead) -> str:
    assert read.cube is not None and read.window is not None
    return cube_sha256(read.cube, read.workloads, read.window)


@pytest.fixture
def logs(tmp_path: Path) -> list[Path]:
    csv, careful, parquet = (tmp_path / name for name in ("jobs.csv", "careful.csv", "jobs.parquet"))
    csv.write_text(LOG, encoding="utf-8")
    careful.write_text(LOG + "\n", encoding="utf-8", newline="\r\n")
    with open_engine() as engine:
        engine.run(
            f"copy (select * from read_csv('{csv}', all_varchar=true)) to '{parquet}' (format parquet)"
        )
    return [csv, careful, parquet]


def test_a_name_as_long_as_a_name_may_be_is_previewed(tmp_path: Path) -> None:
    path = tmp_path / f"{80 * '年'}.csv"
    path.write_text(LOG, encoding="utf-8")
    assert preview_log(str(path)).counts[:2] == (2, 2)


@pytest.mark.long
@pytest.mark.parametrize("name", one_in(6, FOLDERS))
def test_folders_of_any_name_change_no_figure(tmp_path: Path, logs: list[Path], name: str) -> None:
    folder = tmp_path / name
    folder.mkdir(parents=True)
    expected = sha256(import_jobs([str(logs[0])], window_request=WHOLE))
    for log in logs:
        moved = shutil.copy(log, folder)
        kept = import_jobs([str(moved)], window_request=WHOLE, rows_dir=folder)
        assert sha256(kept) == expected
    assert sha256(rewindow(folder, kept.jobs, kept.intake, WHOLE)) == expected
