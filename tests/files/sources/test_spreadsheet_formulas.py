"""Formulas in a spreadsheet: their saved value counts; one without a value is unknown, never empty."""

import zipfile
from pathlib import Path

import openpyxl
import pytest

from gpuplanner.files.sources.spreadsheet import WITHOUT_VALUE, sheet_heads, sheet_rows


def saved(path: Path, *rows: tuple[object, ...]) -> Path:
    """A workbook as a program writes it that does not calculate: formulas have no value."""
    workbook = openpyxl.Workbook()
    for row in rows:
        workbook.active.append(row)
    workbook.save(path)
    return path


def read(path: Path) -> list[list[str]]:
    with sheet_rows(path, path.name) as rows:
        return [cells for _, cells in rows]


def test_a_formula_without_a_value_is_not_an_empty_cell(tmp_path):
    path = saved(tmp_path / "a.xlsx", ("id", "gpus", "note"), ("1", "=2*4", None), ("2", 8, "x"))
    assert read(path) == [["id", "gpus", "note"], ["1", WITHOUT_VALUE], ["2", "8", "x"]]
    ((_, head),) = sheet_heads(path, path.name, 1, 5)
    assert head[1] == ["1", WITHOUT_VALUE]


@pytest.mark.parametrize("cell", ['<c r="B2"><f>2*4</f></c>', '<c r="B2"><f t="shared" si="0"/><v/></c>'])
def test_however_the_empty_value_is_written(tmp_path, cell):
    assert read(with_cell(tmp_path, cell))[1] == ["1", WITHOUT_VALUE]


def test_a_formula_with_its_value_is_that_value(tmp_path):
    assert read(with_cell(tmp_path, '<c r="B2"><f>2*4</f><v>8</v></c>'))[1] == ["1", "8"]


def with_cell(folder: Path, cell: str) -> Path:
    plain = saved(folder / "plain.xlsx", ("id", "gpus"), (1, 77))
    path = folder / "cell.xlsx"
    with zipfile.ZipFile(plain) as source, zipfile.ZipFile(path, "w") as target:
        for name in source.namelist():
            content = source.read(name)
            if name.endswith("sheet1.xml"):
                assert b'<c r="B2" t="n"><v>77</v></c>' in content
                content = content.replace(b'<c r="B2" t="n"><v>77</v></c>', cell.encode())
            target.writestr(name, content)
    return path


def test_jobs_with_such_a_cell_are_rejected_not_taken_for_jobs_without_gpus(tmp_path):
    from gpuplanner.files.importing.check import check_files

    head = ("job_id", "gpus", "start", "end")
    row = ("1", "=2*4", "2026-01-01T00:00:00Z", "2026-01-01T01:00:00Z")
    (file,) = check_files([str(saved(tmp_path / "jobs.xlsx", head, row))])
    assert (file.rows_read, file.rows_rejected) == (1, 1)
    assert [issue.code for issue in file.issues] == ["bad_number"]
