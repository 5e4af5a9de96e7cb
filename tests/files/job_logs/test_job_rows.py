"""Job rows are kept once under their hash, also while somebody else reads them."""

import os
from pathlib import Path

import pytest

from gpuplanner.files.import_jobs import import_jobs
from gpuplanner.files.job_logs.job_rows import rows_path

LOG = "job_id,gpus,start,end\n1,2,2026-01-01T00:00:00Z,2026-01-01T10:00:00Z\n"


def test_rows_that_another_window_has_open_are_not_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log, folder = tmp_path / "jobs.csv", tmp_path / "rows"
    log.write_text(LOG, encoding="utf-8")

    def locked(source: Path, target: Path) -> None:
        raise PermissionError(13, "in use", str(target))

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", locked)
        with pytest.raises(PermissionError):  # nothing is there: it cannot be written at all
            import_jobs([str(log)], rows_dir=folder)
    first = import_jobs([str(log)], rows_dir=folder)
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", locked)
        again = import_jobs([str(log)], rows_dir=folder)
    assert again.jobs == first.jobs
    assert list(folder.iterdir()) == [rows_path(folder, first.jobs.rows_sha256)]
