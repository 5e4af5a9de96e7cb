"""Rows that were only looked at are gone with the dialog; those of the import that was taken in stay."""

from pathlib import Path

import pytest

from gpuplanner.app.rows_on_trial import rows_on_trial, take_rows


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
