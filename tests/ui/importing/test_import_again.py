"""Next month's import: the same tables again, with other rows and names, are read as they were the last time."""

import csv
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import openpyxl
import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from gpuplanner.app.importing.importer import Importer
from gpuplanner.app.settings import Settings
from gpuplanner.ui.importing.import_dialog import ImportDialog
from gpuplanner.ui.importing.steps import COLUMNS, FILES
from tests.some_of import one_in, some_of
from tests.ui.importing.hands import EMPTY, choose, map_columns, open_columns, settle

Rows = Sequence[Sequence[str]]
Open = Callable[[Path], ImportDialog]

JOBS = ("run no", "cards", "went on", "took", "remark")
JOBS_OF_MAY = [["a1", "8", "2026-05-01T00:00:00Z", "60", "x"], ["a2", "4", "2026-05-02T00:00:00Z", "90", "y"]]
JOBS_OF_JUNE = [[f"b{n}", "2", f"2026-06-0{n}T00:00:00Z", "30", "z"] for n in range(1, 6)]
CONTRACTS = ("Contract", "Vendor", "GPU type", "GPUs", "Price per hour", "Start", "End")
CONTRACTS_BY_MONTH = (
    [["c1", "X", "H100", "8", "20.00", "2026-01-01", "2027-01-01"]],
    [["c2", "Y", "A100", "16", "24.00", "2026-02-01", "2027-02-01"]],
)
"""Of May and of June."""
PRICES = ("Vendor", "GPU type", "Price per hour", "GPUs")
PRICES_BY_MONTH = ([["X", "H100", "2.50", "8"]], [["X", "H100", "2.25", "8"], ["Y", "A100", "1.50", "8"]])


def written(path: Path, headings: Sequence[str], rows: Rows) -> Path:
    """A table in the form that its name ends in."""
    if path.suffix == ".xlsx":
        book = openpyxl.Workbook()
        for row in (headings, *rows):
            book.active.append(list(row))
        book.save(path)
        return path
    plain = path.with_suffix(".tmp") if path.suffix == ".parquet" else path
    with plain.open("w", newline="") as out:
        csv.writer(out, delimiter="\t" if path.suffix == ".tsv" else ",").writerows((headings, *rows))
    if path.suffix == ".parquet":
        with duckdb.connect() as connection:
            table = f"(from read_csv('{plain}', all_varchar=true))"
            connection.execute(f"copy {table} to '{path}' (format parquet)")
        plain.unlink()
    return path


@contextmanager
def opener(qtbot: QtBot, ini: Path) -> Iterator[Open]:
    """Opens the dialog on a file, with what is remembered in another."""
    kept = QSettings(str(ini), QSettings.Format.IniFormat)
    settings, importer = Settings(kept), Importer()

    def open_dialog(path: Path) -> ImportDialog:
        dialog = ImportDialog([str(path)], EMPTY, importer, None, settings=settings)
        qtbot.addWidget(dialog)
        dialog.show()
        settle(qtbot, dialog)
        return dialog

    yield open_dialog
    importer.close()
    kept.sync()


@pytest.fixture
def opened(qtbot: QtBot, tmp_path: Path) -> Iterator[Open]:
    """With nothing remembered."""
    with opener(qtbot, tmp_path / "settings.ini") as made:
        yield made


@pytest.fixture(scope="module")
def remembered(
    qapp: QApplication, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Path:
    """What is remembered once the jobs of May were mapped by hand and taken in."""
    folder, qtbot = tmp_path_factory.mktemp("may"), QtBot(request)
    with opener(qtbot, folder / "settings.ini") as opened:
        dialog = opened(written(folder / "may.csv", JOBS, JOBS_OF_MAY))
        map_by_hand(qtbot, dialog)
        take(qtbot, dialog)
        delete(dialog)  # no test is there to close it
    return folder / "settings.ini"


@pytest.fixture
def opened_after_may(qtbot: QtBot, tmp_path: Path, remembered: Path) -> Iterator[Open]:
    """With the jobs of May remembered."""
    with opener(qtbot, Path(shutil.copy(remembered, tmp_path))) as made:
        yield made


def take(qtbot: QtBot, dialog: ImportDialog) -> None:
    """Import what is there."""
    dialog.open_step(FILES)
    settle(qtbot, dialog)
    if dialog.standing.is_to_confirm:
        dialog.foot.next.click()
    wanted = "Confirm and import" if dialog.standing.is_to_confirm else "Import"
    assert dialog.foot.next.text() == wanted and dialog.foot.next.isEnabled(), dialog.foot.sentence
    with qtbot.waitSignal(dialog.taken):
        dialog.foot.next.click()


def map_by_hand(qtbot: QtBot, dialog: ImportDialog) -> None:
    """A table of jobs of which nothing says enough."""
    open_columns(qtbot, dialog)
    map_columns(qtbot, dialog, gpus="cards", start="went on", duration="took")
    choose(qtbot, dialog, dialog.columns_page.units["duration"], "min")


@pytest.mark.long
@pytest.mark.parametrize("suffix", some_of(["csv", "xlsx", "tsv", "parquet"], quick=1))
def test_a_table_of_jobs_is_one_click_the_next_month(
    qtbot: QtBot, opened: Open, tmp_path: Path, suffix: str
) -> None:
    dialog = opened(written(tmp_path / f"may.{suffix}", JOBS, JOBS_OF_MAY))
    map_by_hand(qtbot, dialog)
    take(qtbot, dialog)
    again = opened(written(tmp_path / f"june report.{suffix}", JOBS, JOBS_OF_JUNE))
    assert again.chosen.file.is_remembered and not again.chosen.file.differs
    assert "earlier table" in again.files_page.reason.text()
    assert again.reading.answer[1].jobs.milli_gpu_seconds == 5 * 2 * 1800 * 1000
    take(qtbot, again)


@pytest.mark.long
def test_a_mapping_by_hand_is_kept_where_the_import_is_cancelled(
    qtbot: QtBot, opened: Open, tmp_path: Path
) -> None:
    dialog = opened(written(tmp_path / "may.csv", JOBS, JOBS_OF_MAY))
    map_by_hand(qtbot, dialog)
    settle(qtbot, dialog)
    dialog.foot.cancel.click()
    assert opened(written(tmp_path / "june.csv", JOBS, JOBS_OF_JUNE)).chosen.file.is_remembered


@pytest.mark.long
@pytest.mark.parametrize(
    ("headings", "said"),
    one_in(
        4,
        [
            (("took", "remark", "run no", "cards", "went on"), "order of columns"),
            ((*JOBS, "cost centre"), "cost centre"),
            (JOBS[:-1], "remark"),
        ],
    ),
)
def test_other_order_and_columns_that_are_not_read_are_said(
    opened_after_may: Open, tmp_path: Path, headings: tuple[str, ...], said: str
) -> None:
    rows = [[dict(zip(JOBS, row, strict=True)).get(name, "77") for name in headings] for row in JOBS_OF_JUNE]
    again = opened_after_may(written(tmp_path / "june.csv", headings, rows))
    assert again.chosen.file.is_remembered and said in str(again.chosen.file.differs)
    assert said in again.files_page.reason.text()
    assert again.reading.answer[1].jobs.milli_gpu_seconds == 5 * 2 * 1800 * 1000


def test_a_table_without_a_column_that_was_read_is_new(opened_after_may: Open, tmp_path: Path) -> None:
    headings = tuple("minutes" if name == "took" else name for name in JOBS)
    june = opened_after_may(written(tmp_path / "june.csv", headings, JOBS_OF_JUNE))
    assert not june.chosen.file.is_remembered


@pytest.mark.long
@pytest.mark.parametrize("suffix", some_of(["csv", "xlsx"], quick=1))
@pytest.mark.parametrize(
    ("headings", "may", "june", "rate"),
    some_of([(CONTRACTS, *CONTRACTS_BY_MONTH, 1.5), (PRICES, *PRICES_BY_MONTH, 2.25)], quick=1),
)
def test_contracts_and_prices_keep_what_their_price_is_for(
    qtbot: QtBot, opened: Open, tmp_path: Path, suffix: str, headings: Any, may: Rows, june: Rows, rate: float
) -> None:
    dialog = opened(written(tmp_path / f"may.{suffix}", headings, may))
    dialog.open_step(COLUMNS)
    settle(qtbot, dialog)
    unit = dialog.columns_page.units["rate_usd_per_gpu_hour"]
    choose(qtbot, dialog, unit, "hour" if headings == CONTRACTS else "gpu_hour")
    take(qtbot, dialog)
    again = opened(written(tmp_path / f"june.{suffix}", headings, june))
    assert again.chosen.file.is_remembered
    read = again.reading.answer[1]
    assert next(one.rate for one in (*read.contracts, *read.offers)) == pytest.approx(rate)
    take(qtbot, again)


@pytest.mark.long
def test_what_is_not_sure_waits_until_the_planner_agrees(qtbot: QtBot, opened: Open, tmp_path: Path) -> None:
    rows = [["8", "H100", "05/01/2026 10:00", "05/02/2026 10:00", "7"]]
    headings = ("GPU count", "GPU type", "Started", "Ended", "Job", "State")
    path = tmp_path / "odd.csv"
    path.write_text("\n".join(";".join(row) for row in (headings, *([*row, "COMPLETED"] for row in rows))))
    dialog = opened(path)
    open_columns(qtbot, dialog)
    assert dialog.reading.answer is None or not dialog.reading.answer[1].accepted_jobs
    assert dialog.page == COLUMNS and not dialog.foot.next.text().startswith("Next")
    dialog.foot.next.click()
    settle(qtbot, dialog)
    assert dialog.reading.answer is not None and dialog.reading.answer[1].accepted_jobs == 1
    take(qtbot, dialog)
    assert opened(path).chosen.file.is_remembered
